// requires broadphase/header.wgsl
// requires broadphase/search-rows.wgsl
// How many partners the box at each place finds.

var<private> count: u32 = 0u;

fn partner(entry: u32, other: u32) {
  count++;
}

@compute @workgroup_size(GROUP)
fn countPartners(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let place = id.x + id.y * groups.x * GROUP;
  if (place >= atomicLoad(&header[ENTRIES])) {
    return;
  }
  searchRows(place);
  counts[place] = count;
  if (count >= 256u) {
    atomicAdd(&header[CROWD], count / 256u);
  }
}

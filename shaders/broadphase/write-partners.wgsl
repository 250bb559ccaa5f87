// requires broadphase/search-rows.wgsl
// The pairs that the box at each place finds, behind those of the places before it, as far as there is room.

var<private> next: u32 = 0u;

fn partner(entry: u32, other: u32) {
  if (next < params.capacity) {
    lows[next] = min(entry, other);
    highs[next] = max(entry, other);
  }
  next++;
}

@compute @workgroup_size(GROUP)
fn writePartners(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let place = id.x + id.y * groups.x * GROUP;
  if (place >= sizes[params.sizeAt].w) {
    return;
  }
  next = counts[place];
  searchRows(place);
}

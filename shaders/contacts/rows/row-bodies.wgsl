// requires contacts/rows/table.wgsl
// Bodies of the pair of each row, and the collider of the first one. A thread per row.

fn collidersOf(row: u32) -> vec2u {
  var i = row;
  if (i < table[POLYHEDRA]) {
    return polyhedra[i];
  }
  i -= table[POLYHEDRA];
  if (i < table[PATCHES]) {
    return patches[i];
  }
  i -= table[PATCHES];
  if (i < table[CONVEX]) {
    return convex[i];
  }
  i -= table[CONVEX];
  return vec2u(planes[i].a, planes[i].b);
}

@compute @workgroup_size(GROUP)
fn rowBodies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let row = id.x + id.y * groups.x * GROUP;
  if (row >= table[ROWS]) {
    return;
  }
  let pair = collidersOf(row);
  bodies[2u * row] = bodyOfCollider[pair.x];
  bodies[2u * row + 1u] = bodyOfCollider[pair.y];
  firsts[row] = pair.x;
}

// Adds to the bounds of each leaf those of its ancestors, for the part of them that the leaf is. A cell a thread.

// Quads of coefficients per cell.
override ROWS: u32 = 3u;

// Direction of a cell that has children.
const REFINED = 8u;
const MOST_LEVELS = 11u;
// Circumradius of a cell in its edges, and rounding of a distance: bounds grow with the radius.
const CELL_RADIUS = 0.8660254;
const GROWN = 1.0 + 0x1p-19f;

fn boundsAt(nodes: vec4f, radii: vec4f) -> vec4f {
  let place = clamp(4.0 * radii - 1.0, vec4f(0.0), vec4f(3.0));
  let first = mix(vec4f(nodes.x), vec4f(nodes.y), min(place, vec4f(1.0)));
  let second = mix(vec4f(nodes.y), vec4f(nodes.z), place - 1.0);
  let third = mix(vec4f(nodes.z), vec4f(nodes.w), place - 2.0);
  return select(select(first, second, place > vec4f(1.0)), third, place > vec4f(2.0));
}

@compute @workgroup_size(GROUP)
fn leafBounds(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  let leaf = params.firstUnit + thread;
  let own = cells[leaf];
  if (own.direction == REFINED) {
    return;
  }
  var sum = locals[leaf * (ROWS + 1u) + ROWS];
  var cell = leaf;
  for (var up = 0u; up < MOST_LEVELS && cell > 0u; up++) {
    cell = parents[(cell - 1u) >> 3u];
    let ancestor = cells[cell];
    let offset = abs(own.centre - ancestor.centre) * ancestor.inverse;
    let scale = ancestor.inverse / own.inverse;
    let corner = length(offset + 0.5 * scale);
    let reach = min(length(offset) + vec4f(0.25, 0.5, 0.75, 1.0) * CELL_RADIUS * scale, vec4f(corner));
    sum += boundsAt(locals[cell * (ROWS + 1u) + ROWS], reach * (GROWN / CELL_RADIUS)) * GROWN;
  }
  locals[leaf * (ROWS + 1u) + ROWS] = sum;
}

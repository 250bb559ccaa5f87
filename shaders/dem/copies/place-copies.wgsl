// requires contacts/cells-between.wgsl
// requires dem/copies/copies.wgsl
// Places the copies of bodies. If copies are decided on anew, bodies that have left the box come in on the other side
// first. Twin: src/dem/cpu/copies.ts. A thread per body.

const PRESENT = 1u;
const STATIC = 1u;
// Bits of `ContactBody.flags`.
const AWAY = 2u;
// No body goes through the box so often in a step; one that does stays outside until the next time.
const MOST_TURNS = 64u;

// Height of a place above the box's low side, in cells.
fn aboveLow(at: Cells) -> vec3f {
  return wayInCells(params.lowCell, params.lowFraction, at.cell, at.fraction);
}

fn isBefore(one: Cells, other: Cells) -> vec3<bool> {
  return (one.cell < other.cell) | ((one.cell == other.cell) & (one.fraction < other.fraction));
}

// Brings a body in along some axes.
fn wrap(body: u32, at: u32, axes: vec3<bool>) {
  let low = Cells(params.lowCell, params.lowFraction);
  let high = plus(low, lengthAlong(axes));
  var place = Cells(state[at].cell, state[at].fraction);
  var origin = Cells(bodies[body].cell, bodies[body].fraction);
  var turns = vec3i(0);
  for (var i = 0u; i < MOST_TURNS; i++) {
    let isBelow = axes & isBefore(place, low);
    let isAbove = axes & !isBefore(place, high);
    if (!any(isBelow | isAbove)) {
      break;
    }
    let up = lengthAlong(isBelow);
    let down = lengthAlong(isAbove);
    place = minus(plus(place, up), down);
    origin = minus(plus(origin, up), down);
    turns += select(vec3i(0), vec3i(1), isAbove) - select(vec3i(0), vec3i(1), isBelow);
  }
  state[at].cell = place.cell;
  state[at].fraction = place.fraction;
  state[at].turnsX += turns.x;
  state[at].turnsY += turns.y;
  state[at].turnsZ += turns.z;
  bodies[body].cell = origin.cell;
  bodies[body].fraction = origin.fraction;
}

@compute @workgroup_size(GROUP)
fn placeCopies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let body = id.x + id.y * groups.x * GROUP;
  if (body >= control.count || control.stop != 0u) {
    return;
  }
  let before = control.current * control.count + body;
  let at = (1u - control.current) * control.count + body;
  let axes = control.repeats & ~sizes[body].walls;
  var decided = places[before];
  if (isStale != 0u) {
    // The host brings in those that `drift` does not move.
    if ((bodies[body].flags & STATIC) == 0u && state[before].status == PRESENT) {
      wrap(body, at, axesOf(axes));
    }
    let cells = Cells(state[at].cell, state[at].fraction);
    let isNear = aboveLow(cells) <= vec3f(sizes[body].radius) + params.reach;
    let near = axes & dot(select(vec3u(0u), vec3u(1u, 2u, 4u), isNear), vec3u(1u));
    decided = CopyPlace(cells.cell, state[at].status, cells.fraction, near);
  }
  places[at] = decided;
  let own = bodies[body];
  let isThere = (own.flags & AWAY) == 0u;
  let first = body << repeatedAxes();
  for (var c = 0u; c < (1u << repeatedAxes()); c++) {
    let moved = axesOfCopy(c);
    let place = plus(Cells(own.cell, own.fraction), lengthAlong(axesOf(moved)));
    let isAway = !isThere || (moved & ~decided.near) != 0u;
    copies[first + c] = ContactBody(
      place.cell,
      (own.flags & ~AWAY) | select(0u, AWAY, isAway),
      place.fraction,
      0u,
      own.quaternion,
    );
  }
}

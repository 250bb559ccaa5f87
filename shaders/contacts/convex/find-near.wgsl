// requires contacts/convex/balls.wgsl
// Which pairs have to be solved: those whose balls are not surely apart. Two balls that surely overlap need no solver.
//
// A coordinate of the way between both centres is off by less than 2^-24 of it, and by 2^-25 of the larger of it and
// the shapes (pair.wgsl); radii by 2^-24 each, sums and the root by as much again. So lengths differ by less than 2^-20
// of the pair's size.

// Distance below which two balls are left to the solvers, and by them to float64, in units of the pair's size.
override TOUCHING: f32 = 0x1p-15;
const ROUNDING = 0x1p-20;

const APART = 0u;
const SOLVED = 1u;
const OVERLAPPING_BALLS = 2u;

@compute @workgroup_size(GROUP)
fn findNear(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= sizes[0].w) {
    return;
  }
  let balls = ballsOf(asked[i]);
  let radii = balls.radiusA + balls.radiusB;
  let away = length(balls.way);
  let size = radii + away;
  let isKnown = balls.unit > 0.0;
  let isApart = isKnown && away - radii > ROUNDING * size;
  let isTouching = balls.areBalls && isKnown && away - radii < -(TOUCHING * size);
  flags[i] = select(select(SOLVED, OVERLAPPING_BALLS, isTouching), APART, isApart);
}

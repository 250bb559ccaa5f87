// requires contacts/convex/balls.wgsl
// The contact of two balls that overlap: halfway between both surfaces. Of balls with one centre the normal is x. Twin:
// src/contacts/convex/balls.ts.

const OVERLAPPING_BALLS = 2u;
const CONVEX = 3u;
const NO_TRIANGLE = 0xffffffffu;

@compute @workgroup_size(GROUP)
fn writeBalls(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= sizes[0].w) {
    return;
  }
  if (flags[i] != OVERLAPPING_BALLS) {
    return;
  }
  let at = offsets[params.countsAt + i];
  if (at >= arrayLength(&records)) {
    return;
  }
  let pair = asked[i];
  let balls = ballsOf(pair);
  let away = length(balls.way);
  let distance = away - (balls.radiusA + balls.radiusB);
  let normal = select(vec3f(1.0, 0.0, 0.0), balls.way / max(away, 0x1p-126), away > 0.0);
  let a = origins[pair.x];
  let b = origins[pair.y];
  records[at] = ContactRecord(
    a.body,
    b.body,
    a.part | (b.part << 16u),
    0u,
    normal,
    balls.unit * distance,
    a.centre + (balls.unit * (balls.radiusA + 0.5 * distance)) * normal,
    0.0,
    NO_TRIANGLE,
    CONVEX,
    vec2u()
  );
}

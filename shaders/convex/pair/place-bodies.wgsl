// requires convex/pair/body-pose.wgsl
// requires convex/pair/part-place.wgsl
// Convex bodies from poses: one for each part of a body's shape. Twin: test/support/pair-sorting-twin.ts.
//
// The centre of a part is p + q c q' / (q q'), with p, q the body's pose and c the part's centre in the shape's frame
// (part-place.wgsl). A convex shape whose centre is its origin has the centre p, without any computing.

// 1 where some shape has several parts. There is a thread for each convex body then, and span-bodies.wgsl has made
// room: no kernel loops over parts and places them, as software adapters take several times as long for that.
override CONCAVE: u32 = 1u;
// 1 where some part is turned.
override TURNED: u32 = 1u;
// Bits of `Part.place`.
const HAS_CENTRE = 1u;
const IS_TURNED = 2u;

// Number `at` of the rests that rounding left of the poses.
fn restOf(at: u32) -> f32 {
  // In bounds either way: without rests the poses themselves are bound.
  return select(0.0, bitcast<f32>(rests[at]), params.hasRests != 0u);
}

fn writeBody(at: u32, body: u32, pose: Pose, part: u32) {
  var low = vec3f();
  var turnRest = vec4f();
  if (params.hasRests != 0u) {
    let rest = POSE * body;
    low = vec3f(restOf(rest), restOf(rest + 1u), restOf(rest + 2u));
    turnRest = vec4f(restOf(rest + 3u), restOf(rest + 4u), restOf(rest + 5u), restOf(rest + 6u));
  }
  let place = placePart(PartPlace(pose.place, low, pose.turn), turnRest, part);
  let size = abs(pose.place);
  let reach = max(max(max(size.x, size.y), size.z), parts[part].reach);
  bodies[at] = Body(place.high, parts[part].record, place.low, reach, place.turn, parts[part].kind);
}

@compute @workgroup_size(GROUP)
fn placeBodies(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let at = id.x + id.y * groups.x * GROUP;
  if (CONCAVE == 0u) {
    if (at >= params.bodies) {
      return;
    }
    let pose = poseOf(at);
    let isUsable = pose.isUsable && at < params.capacity;
    spans[at] = vec2u(at, select(0u, 1u, isUsable));
    if (isUsable) {
      writeBody(at, at, pose, partsOf(at).x);
    }
  } else {
    if (at >= params.capacity) {
      return;
    }
    // Room that belongs to nobody has the number of a body whose span is elsewhere.
    let body = bodies[at].record;
    let rank = at - spans[body].x;
    if (rank < spans[body].y) {
      writeBody(at, body, poseOf(body), partsOf(body).x + rank);
    }
  }
}

// requires convex/mpr/portal-answer.wgsl
// Whether pairs intersect, by MPR: L. Olvang (2010), algorithm 9. Twin: src/convex/mpr/mpr-intersection.ts.

fn intersection() -> u32 {
  // The ball about the centre of the difference may hold the origin.
  if (inball() >= length(pair.offset) + PORTAL_ERROR * pair.size) {
    return CONVERGED;
  }
  if (centresCoincide()) {
    return ITERATION_LIMIT;
  }
  let touching = TOUCHING * pair.size;
  let ray = rayThroughOrigin();
  let p = portalAlong(ray, inball(), PORTAL_ERROR * pair.size, true, true);
  if (p.end == BEYOND_SUPPORT) {
    return SEPARATED;
  }
  let behind = p.end == BEHIND_PORTAL || (p.end == ON_RAY && p.x1.z - ray.origin > touching);
  return select(ITERATION_LIMIT, CONVERGED, p.end == INSIDE_BALL_HULL || (behind && surelyInside(p, ray.origin)));
}

@compute @workgroup_size(GROUP)
fn mprIntersection(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let item = id.x + id.y * groups.x * GROUP;
  if (!isInBucket(item)) {
    return;
  }
  let entry = pairAt(firstSlot() + item);
  var status = ITERATION_LIMIT;
  if (placeOnRay(entry.bodyA, entry.bodyB)) {
    status = intersection();
  }
  writeStatus(entry.place, status, calls);
}

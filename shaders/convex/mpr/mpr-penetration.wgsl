// requires convex/mpr/portal-answer.wgsl
// Penetration depth by MPR in two passes: L. Olvang (2010), section 2.4.1. Twin: src/convex/mpr/mpr-penetration.ts.

fn penetration() -> Answer {
  var answer = undecided();
  if (centresCoincide()) {
    return answer;
  }
  let touching = TOUCHING * pair.size;
  let rounding = PORTAL_ERROR * pair.size;
  let gap = max(params.tolerance, LEAST_GAP) * pair.size;
  let ray = rayThroughOrigin();
  let p = portalAlong(ray, inball(), gap, false, true);
  if (p.end == FAILED) {
    return answer;
  }
  let onRay = p.end == ON_RAY;
  let reach = p.x1.z - ray.origin;
  let axis = ray.axes * p.normal;
  if (p.end == BEYOND_SUPPORT) {
    // Distance from below, the separating axis and the support points along it.
    answer.status = SEPARATED;
    answer.distance = -p.outer;
    answer.lower = -p.outer - rounding;
    answer.upper = 0x1.fffffep+127;
    answer.normal = axis;
    answer.a = p.a4;
    return answer;
  }
  if (!(select(p.inner, reach, onRay) > touching && surelyInside(p, ray.origin))) {
    return answer;
  }
  // From the origin along the normal.
  let second = rayFrom(vec3f(0.0), axis, 0.0);
  let q = portalAlong(second, 0.0, gap, false, false);
  if (q.end == FAILED) {
    return answer;
  }
  answer.distance = -q.x1.z;
  answer.lower = answer.distance;
  answer.normal = axis;
  answer.a = q.a1;
  if (q.end == ON_BOUNDARY) {
    let nearest = nearestOnPortal(q, 0.0);
    let far = length(nearest.w);
    let plane = nearest.interior || far <= touching;
    answer.distance = -far;
    answer.normal = second.axes * select(nearest.w / far, q.normal, plane);
    answer.a = nearest.a;
    answer.lower = -q.outer;
  }
  // No more than 0 is known from above, so a depth is within the tolerance where it is less than that.
  answer.status = select(DEGENERATE, CONVERGED, -answer.lower <= gap);
  answer.lower -= rounding;
  return answer;
}

@compute @workgroup_size(GROUP)
fn mprPenetration(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let item = id.x + id.y * groups.x * GROUP;
  if (!isInBucket(item)) {
    return;
  }
  let entry = pairAt(firstSlot() + item);
  var answer = undecided();
  if (placeOnRay(entry.bodyA, entry.bodyB)) {
    answer = penetration();
  }
  writeResult(entry.place, answer.status, calls, answer.distance, answer.lower, answer.upper, answer.normal, answer.a);
}

// requires convex/mpr/portal-answer.wgsl
// Signed distance by the improved MPR of A. Neumayr, M. Otter (2017), sections 4.1 and 4.2.
// Twin: src/convex/mpr/mpr-signed-distance.ts.

// True where depths are not wanted.
override DISTANCE_ONLY: bool = false;

fn signedDistance() -> Answer {
  var answer = undecided();
  if (centresCoincide()) {
    return answer;
  }
  let touching = TOUCHING * pair.size;
  let rounding = PORTAL_ERROR * pair.size;
  let ray = rayThroughOrigin();
  let gap = max(params.tolerance, LEAST_GAP) * pair.size;
  let p = portalAlong(ray, inball(), gap, false, false);
  if (p.end == FAILED) {
    return answer;
  }
  // (TC1): all of A - B lies behind the plane through r1 across the ray.
  let onRay = p.end == ON_RAY;
  let reach = p.x1.z - ray.origin;
  let outer = select(p.outer, reach, onRay);
  let apart = outer < -touching;
  if (!apart && !(select(p.inner, reach, onRay) > touching && surelyInside(p, ray.origin))) {
    return answer;
  }
  answer.distance = -reach;
  var normal = vec3f(0.0, 0.0, 1.0);
  answer.a = p.a1;
  if (!onRay) {
    // (TC2)
    let nearest = nearestOnPortal(p, ray.origin);
    let far = select(-length(nearest.w), length(nearest.w), apart);
    answer.distance = select(far, -dot(p.normal, nearest.w), nearest.interior);
    normal = select(-nearest.w / far, p.normal, nearest.interior);
    answer.a = nearest.a;
  }
  // Of overlaps no more than 0 is known from above.
  let isMet = select(0.0, answer.distance, apart) + outer <= gap;
  answer.status = select(select(DEGENERATE, CONVERGED, isMet), INSIDE, DISTANCE_ONLY && !apart);
  answer.normal = ray.axes * normal;
  answer.lower = -outer - rounding;
  answer.upper = select(0.0, answer.distance + rounding, apart);
  return answer;
}

@compute @workgroup_size(GROUP)
fn mprSignedDistance(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let item = id.x + id.y * groups.x * GROUP;
  if (!isInBucket(item)) {
    return;
  }
  let entry = pairAt(firstSlot() + item);
  var answer = undecided();
  if (placeOnRay(entry.bodyA, entry.bodyB)) {
    answer = signedDistance();
  }
  writeResult(entry.place, answer.status, calls, answer.distance, answer.lower, answer.upper, answer.normal, answer.a);
}

// requires convex/portal.wgsl
// Whether pairs intersect, by MPR: L. Olvang (2010), algorithm 9. Twin: mprIntersection in src/convex/mpr.ts.

const GROUP = 64u;

fn intersection() -> u32 {
  let touching = TOUCHING * pair.size;
  if (centresCoincide()) {
    // A ball about the centre of the difference holds the origin.
    return select(ITERATION_LIMIT, CONVERGED, inball() >= touching + PORTAL_ERROR * pair.size);
  }
  let ray = rayThroughOrigin();
  let p = portalAlong(ray, PORTAL_ERROR * pair.size, true, true);
  let reach = p.x1.z - ray.origin;
  if (p.end == BEYOND_SUPPORT || (p.end == ON_RAY && reach < -touching)) {
    return SEPARATED;
  }
  let behind = p.end == BEHIND_PORTAL || (p.end == ON_RAY && reach > touching);
  return select(ITERATION_LIMIT, CONVERGED, behind && surelyInside(p, ray.origin));
}

@compute @workgroup_size(GROUP)
fn mprIntersection(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let place = params.first + id.x + id.y * groups.x * GROUP;
  if (place >= params.end) {
    return;
  }
  var status = ITERATION_LIMIT;
  if (placeOnRay(pairs[place].x, pairs[place].y)) {
    status = intersection();
  }
  writeStatus(place, status, calls);
}

// requires convex/portal.wgsl
// Whether pairs intersect, by MPR: L. Olvang (2010), algorithm 9. Twin: mprIntersection in src/convex/mpr.ts.

fn intersection() -> u32 {
  let touching = TOUCHING * pair.size;
  if (centresCoincide()) {
    // A ball about the centre of the difference holds the origin.
    return select(UNDECIDED, CONVERGED, inball() >= touching + SUPPORT_ERROR * pair.size);
  }
  let ray = rayThroughOrigin();
  let p = portalAlong(ray, SUPPORT_ERROR * pair.size, true, true);
  let reach = p.x1.z - ray.origin;
  if (p.end == BEYOND_SUPPORT || (p.end == ON_RAY && reach < -touching)) {
    return SEPARATED;
  }
  let behind = p.end == BEHIND_PORTAL || (p.end == ON_RAY && reach > touching);
  return select(UNDECIDED, CONVERGED, behind && surelyInside(p, ray.origin));
}

@compute @workgroup_size(64)
fn mprIntersection(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = params.first + id.x + id.y * groups.x * 64u;
  if (i >= params.end) {
    return;
  }
  var status = UNDECIDED;
  if (placeOnRay(pairs[i].x, pairs[i].y)) {
    status = intersection();
  }
  results[3u * i] = vec4f(0.0, 0.0, 0.0, bitcast<f32>(status | (calls << 8u)));
}

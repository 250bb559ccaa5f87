// Ray crossing (Muth et al., section 2.2) for sixteen points a thread against triangles in clusters.
//
// All points share one ray direction d. Per triangle the host has solved p + t d = a + b1 (b - a) + b2 (c - a) for
// b1, b2 and t, which are linear in p - a, so that the "volume signs" of the paper and its ratio r of eq. (28) are
// the signs of four numbers: the segment crosses where min(b1, b2, 1 - b1 - b2, t) > 0. The sign bit of that minimum
// is all that is kept of a test. Its forward error is at most dot(bound, |p - a|) (docs/ray-crossing.md); a point with
// a minimum inside that bound is doubtful, all others are certified.

override NONZERO: bool = false;
// False: test every point against every triangle.
override CULL: bool = true;

const CLUSTER = 16u;
const CLUSTERS_PER_SUPER = 32u;
const SUPER_LIST = 16u;
const CLUSTER_LIST = 32u;
const TRIANGLE_LIST = 64u;
// Rounds up over the few roundings of a half size.
const GROWN = 1.0 + 0x1p-21f;
// Added to |p - a| so that flushed subnormal differences are covered by the bound.
const SMALLEST_REACH = 0x1p-100f;

// min and max by comparison: the built-in ones may handle NaN, which costs software adapters half their speed, and
// no NaN comes here.
fn lesser(a: vec4f, b: vec4f) -> vec4f {
  return select(a, b, b < a);
}

fn greater(a: vec4f, b: vec4f) -> vec4f {
  return select(a, b, b > a);
}

// min(b1, b2, 1 - b1 - b2, t) of four points.
fn margin(x: vec4f, y: vec4f, z: vec4f, t: Triangle) -> vec4f {
  let dx = x - t.a0.x;
  let dy = y - t.a0.y;
  let dz = z - t.a0.z;
  let b1 = t.a0.w * dx + t.a1.x * dy + t.a1.y * dz;
  let b2 = t.a1.z * dx + t.a1.w * dy + t.a2.x * dz;
  let s = t.a2.y * dx + t.a2.z * dy + t.a2.w * dz;
  return lesser(lesser(b1, b2), lesser(1.0 - b1 - b2, s));
}

// False where all points of a box are certainly on the far side of one of the four planes: the greatest value of each
// number over the box is its value in the middle plus a dot product with half sizes.
fn boxIsMet(center: vec3f, half: vec3f, t: Triangle) -> bool {
  let middle = center - t.a0.xyz;
  let r1 = vec3f(t.a0.w, t.a1.xy);
  let r2 = vec3f(t.a1.zw, t.a2.x);
  let r3 = t.a2.yzw;
  let b1 = dot(r1, middle);
  let b2 = dot(r2, middle);
  let greatest = vec4f(
    b1 + dot(abs(r1), half),
    b2 + dot(abs(r2), half),
    1.0 - b1 - b2 + dot(abs(r1 + r2), half),
    dot(r3, middle) + dot(abs(r3), half),
  );
  // One bound for the error at any point of the box, and at most 1.5 more for the sums here, which are longer.
  return all(greatest >= vec4f(-4.0 * errorBound(middle, half, t)));
}

const FIRST = vec4u(0x1u, 0x2u, 0x4u, 0x8u);
const SECOND = vec4u(0x10u, 0x20u, 0x40u, 0x80u);
const THIRD = vec4u(0x100u, 0x200u, 0x400u, 0x800u);
const FOURTH = vec4u(0x1000u, 0x2000u, 0x4000u, 0x8000u);

fn bits(which: vec4<bool>, places: vec4u) -> vec4u {
  return select(vec4u(0u), places, which);
}

fn joined(v: vec4u) -> u32 {
  return (v.x | v.y) | (v.z | v.w);
}

// Sixteen 4-bit counters in two's complement, a bit plane per digit: those in `mask` go up by one, or down.
fn counted(planes: vec4u, mask: u32, down: bool) -> vec4u {
  let flip = select(0u, 0xffffffffu, down);
  let carry1 = (planes.x ^ flip) & mask;
  let carry2 = (planes.y ^ flip) & carry1;
  let carry3 = (planes.z ^ flip) & carry2;
  return planes ^ vec4u(mask, carry1, carry2, carry3);
}

// The counters in `mask` that have just gone from 7 to -8 or back: too small to tell, so their points are doubtful.
fn overflowed(planes: vec4u, mask: u32, down: bool) -> u32 {
  let flip = select(0u, 0xffffffffu, down);
  let allSet = select(0xffffffffu, planes.x & planes.y & planes.z, down);
  return mask & (planes.w ^ flip) & ~((planes.x | planes.y | planes.z) ^ flip) & allSet;
}

// Whether a ray from a box of points may pass a cluster's box, both sheared along the ray.
fn boxIsPassed(box: ClusterBox, lo: vec3f, hi: vec3f) -> bool {
  return lo.x <= box.xMax && lo.y <= box.yz.y && hi.y >= box.yz.x && lo.z <= box.yz.w && hi.z >= box.yz.z;
}

// Bound on the error of `margin` for any point of a box; `middle` is the box's middle relative to the triangle's
// corner, `half` half its size.
fn errorBound(middle: vec3f, half: vec3f, t: Triangle) -> f32 {
  return dot(t.bound.xyz, abs(middle) + half) + abs(t.bound.w);
}

fn leastOf(a: vec4f, b: vec4f, c: vec4f, d: vec4f) -> f32 {
  let v = lesser(lesser(a, b), lesser(c, d));
  return min(min(v.x, v.y), min(v.z, v.w));
}

fn greatestOf(a: vec4f, b: vec4f, c: vec4f, d: vec4f) -> f32 {
  let v = greater(greater(a, b), greater(c, d));
  return max(max(v.x, v.y), max(v.z, v.w));
}

@compute @workgroup_size(GROUP)
fn crossings(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let thread = params.firstThread + id.x + id.y * groups.x * GROUP;
  if (thread >= params.endThread) {
    return;
  }
  let at = thread * 4u;
  let x0 = points[at];
  let x1 = points[at + 1u];
  let x2 = points[at + 2u];
  let x3 = points[at + 3u];
  let ys = at + params.stride;
  let y0 = points[ys];
  let y1 = points[ys + 1u];
  let y2 = points[ys + 2u];
  let y3 = points[ys + 3u];
  let zs = ys + params.stride;
  let z0 = points[zs];
  let z1 = points[zs + 1u];
  let z2 = points[zs + 2u];
  let z3 = points[zs + 3u];

  // The box of the sixteen points, as they are and sheared along the ray.
  let lo = vec3f(leastOf(x0, x1, x2, x3), leastOf(y0, y1, y2, y3), leastOf(z0, z1, z2, z3));
  let hi = vec3f(greatestOf(x0, x1, x2, x3), greatestOf(y0, y1, y2, y3), greatestOf(z0, z1, z2, z3));
  // Half the size, grown so that it reaches both ends from the middle, which may be rounded twice, either way.
  let center = 0.5 * (lo + hi);
  let half = max(hi - center, center - lo) * GROWN + (SMALLEST_REACH + 0x1p-22 * abs(center));
  let cx = params.center.x;
  let cy = params.center.y;
  let cz = params.center.z;
  let v0 = (y0 - cy) - params.slopeY * (x0 - cx);
  let v1 = (y1 - cy) - params.slopeY * (x1 - cx);
  let v2 = (y2 - cy) - params.slopeY * (x2 - cx);
  let v3 = (y3 - cy) - params.slopeY * (x3 - cx);
  let w0 = (z0 - cz) - params.slopeZ * (x0 - cx);
  let w1 = (z1 - cz) - params.slopeZ * (x1 - cx);
  let w2 = (z2 - cz) - params.slopeZ * (x2 - cx);
  let w3 = (z3 - cz) - params.slopeZ * (x3 - cx);
  let shearedLo = vec3f(lo.x, leastOf(v0, v1, v2, v3), leastOf(w0, w1, w2, w3));
  let shearedHi = vec3f(hi.x, greatestOf(v0, v1, v2, v3), greatestOf(w0, w1, w2, w3));

  // Bit k of each plane belongs to point k. Few mutable words: SwiftShader copies all that a loop changes, per round.
  var winding = vec4u(0u);
  var doubtful = 0u;
  if (params.resume != 0u) {
    // Triangles that do not fit into one binding come in pages: go on from the pages before.
    winding = windings[thread];
    doubtful = doubtfuls[thread];
  }

  // Super clusters that the rays may pass, then their clusters, then their triangles, each into a short list, and the
  // sixteen tests for the triangles that are left. Loops over lists instead of nested conditions: SwiftShader runs
  // every branch and the first round of every loop for masked lanes too.
  var superList: array<u32, SUPER_LIST>;
  var clusterList: array<u32, CLUSTER_LIST>;
  var triangleList: array<u32, TRIANGLE_LIST>;
  let superCount = (params.clusters + CLUSTERS_PER_SUPER - 1u) / CLUSTERS_PER_SUPER;
  for (var nextSuper = 0u; nextSuper < superCount; ) {
    var supers = 0u;
    for (; nextSuper < superCount && supers < SUPER_LIST; nextSuper++) {
      superList[supers] = nextSuper;
      supers += select(0u, 1u, !CULL || boxIsPassed(boxes[params.clusters + nextSuper], shearedLo, shearedHi));
    }
    for (var nextCluster = 0u; nextCluster < supers * CLUSTERS_PER_SUPER; ) {
      var clusters = 0u;
      for (; nextCluster < supers * CLUSTERS_PER_SUPER && clusters < CLUSTER_LIST; nextCluster++) {
        let c = superList[nextCluster / CLUSTERS_PER_SUPER] * CLUSTERS_PER_SUPER + nextCluster % CLUSTERS_PER_SUPER;
        clusterList[clusters] = c;
        let known = min(c, params.clusters - 1u);
        let isMet = c < params.clusters && (!CULL || boxIsPassed(boxes[known], shearedLo, shearedHi));
        clusters += select(0u, 1u, isMet);
      }
      for (var nextTriangle = 0u; nextTriangle < clusters * CLUSTER; ) {
        var found = 0u;
        for (; nextTriangle < clusters * CLUSTER && found < TRIANGLE_LIST; nextTriangle++) {
          let i = clusterList[nextTriangle / CLUSTER] * CLUSTER + nextTriangle % CLUSTER;
          triangleList[found] = i;
          let known = min(i, params.triangles - 1u);
          let isMet = i < params.triangles && (!CULL || boxIsMet(center, half, triangles[known]));
          found += select(0u, 1u, isMet);
        }
        for (var k = 0u; k < found; k++) {
          let t = triangles[triangleList[k]];
          let bound = errorBound(center - t.a0.xyz, half, t);
          let m0 = margin(x0, y0, z0, t);
          let m1 = margin(x1, y1, z1, t);
          let m2 = margin(x2, y2, z2, t);
          let m3 = margin(x3, y3, z3, t);
          let near = vec4f(bound);
          let doubt = bits(abs(m0) <= near, FIRST)
            | bits(abs(m1) <= near, SECOND)
            | bits(abs(m2) <= near, THIRD)
            | bits(abs(m3) <= near, FOURTH);
          doubtful |= joined(doubt);
          let positive = bits(m0 > vec4f(0.0), FIRST)
            | bits(m1 > vec4f(0.0), SECOND)
            | bits(m2 > vec4f(0.0), THIRD)
            | bits(m3 > vec4f(0.0), FOURTH);
          let crossing = joined(positive);
          if (NONZERO) {
            let backwards = t.bound.w < 0.0;
            winding = counted(winding, crossing, backwards);
            doubtful |= overflowed(winding, crossing, backwards);
          } else {
            winding.x ^= crossing;
          }
        }
      }
    }
  }
  windings[thread] = winding;
  doubtfuls[thread] = doubtful;
}

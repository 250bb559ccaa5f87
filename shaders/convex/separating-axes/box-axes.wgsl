// requires convex/pair/lists.wgsl
// Separating axes of two box cores: S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree" (1996).
// Twin: src/convex/separating-axes/box-axes.ts.
//
// A - B is a polytope. Its faces have the normals of A's and B's faces, or an edge of each spans them. So where the
// cores overlap, the signed distance is the largest of 15 separations. Where they are apart, the distance is at least
// that; it is just that if two points of the cores are so far apart along the axis. Axes of edges are cross products of
// columns of the rounded rotation, and the box they are compared with has these columns for edges too. So the
// separations are right to rounding, however nearly parallel edges are. docs/convex.md, "Box axes in float32".

// All relative to the pair's size; src/constants.ts has the reasons.
override SUPPORT_ERROR: f32 = 0x1.cp-17;
override TOUCHING: f32 = 0x1.cp-16;
// Separations that differ by less are the same. Extents along the normal that are less count as none.
override RESOLUTION: f32 = 0x1p-20;
override POINT_ERROR: f32 = 0x1p-17;
// Answers that are wanted of cores that overlap: only that they do, a distance of 0, or their depth.
override WANTED: u32 = 2u;
const STATUS = 0u;
const DEPTH = 2u;
// 1 where pairs may be of other kinds: these are left to GJK.
override ANY: u32 = 0u;
const NONE = -0x1p100;
// Turns after which points of parallel features are left to EPA.
const TURNS = 8u;

struct Best {
  separation: f32,
  axis: vec3f,
}

fn better(a: Best, separation: f32, axis: vec3f) -> Best {
  let isBetter = separation > a.separation;
  return Best(select(a.separation, separation, isBetter), select(a.axis, axis, isBetter));
}

// Cross products of A's axes and b, an axis of B, and their separations.
fn betterEdge(a: Best, b: vec3f, s: vec3f) -> Best {
  var best = better(a, s.x, vec3f(0.0, -b.z, b.y));
  best = better(best, s.y, vec3f(b.z, 0.0, -b.x));
  return better(best, s.z, vec3f(-b.y, b.x, 0.0));
}

// Separations along the cross products of A's axes and b. c and d are the cross products of b and B's other axes, times
// the half extents of these.
fn edgeSeparations(b: vec3f, c: vec3f, d: vec3f, halfA: vec3f) -> vec3f {
  let size = abs(b);
  let spread = halfA.yzx * size.zxy + halfA.zxy * size.yzx + abs(c) + abs(d);
  let squares = b * b;
  let lengths = squares.yzx + squares.zxy;
  // Shorter ones have no direction.
  let usable = lengths > vec3f(LEAST_SQUARE);
  return select(vec3f(NONE), (abs(cross(b, pair.offset)) - spread) * inverseSqrt(lengths), usable);
}

@compute @workgroup_size(GROUP)
fn boxAxes(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let item = id.x + id.y * groups.x * GROUP;
  if (!isInBucket(item)) {
    return;
  }
  let slot = firstSlot() + item;
  let entry = pairAt(slot);
  let place = entry.place;
  placePair(entry.bodyA, entry.bodyB);
  if (ANY != 0u) {
    if ((records[pair.recordA].kind | records[pair.recordB].kind) != BOX) {
      if (params.hasNormals == 0u) {
        // No axis to start from.
        results[select(RESULT * place + 1u, place, WANTED == STATUS)] = vec4u();
      }
      addToList(OPEN_LIST, slot);
      return;
    }
  }
  let halfA = pair.scaleA * records[pair.recordA].byKind[0].xyz;
  let halfB = pair.scaleB * records[pair.recordB].byKind[0].xyz;
  let b0 = pair.rotation[0];
  let b1 = pair.rotation[1];
  let b2 = pair.rotation[2];
  let t = pair.offset;
  let touching = TOUCHING * pair.size;
  let resolution = RESOLUTION * pair.size;

  let ofA = abs(t) - (halfA + abs(b0) * halfB.x + abs(b1) * halfB.y + abs(b2) * halfB.z);
  let ofB = abs(t * pair.rotation) - (halfB + vec3f(dot(halfA, abs(b0)), dot(halfA, abs(b1)), dot(halfA, abs(b2))));
  var best = Best(ofA.x, vec3f(1.0, 0.0, 0.0));
  best = better(best, ofA.y, vec3f(0.0, 1.0, 0.0));
  best = better(best, ofA.z, vec3f(0.0, 0.0, 1.0));
  best = better(best, ofB.x, b0);
  best = better(best, ofB.y, b1);
  best = better(best, ofB.z, b2);
  let c01 = cross(b0, b1);
  let c12 = cross(b1, b2);
  let c20 = cross(b2, b0);
  let none = Best(best.separation + resolution, vec3f(0.0));
  var edge = betterEdge(none, b0, edgeSeparations(b0, halfB.y * c01, halfB.z * c20, halfA));
  edge = betterEdge(edge, b1, edgeSeparations(b1, halfB.z * c12, halfB.x * c01, halfA));
  edge = betterEdge(edge, b2, edgeSeparations(b2, halfB.x * c20, halfB.y * c12, halfA));
  let isEdge = edge.separation > none.separation;
  let separation = select(best.separation, edge.separation, isEdge);
  let axis = normalize(select(best.axis, edge.axis, isEdge));
  let n = select(axis, -axis, dot(axis, t) < 0.0);

  let margins = pair.marginA + pair.marginB;
  // A reach of many units is none.
  let reach = select(16.0, params.reach / pair.unit, params.reach < 16.0 * pair.unit);
  let usable = pair.unit > 0.0;
  let beyond = usable & (separation > reach + margins + touching);
  if (WANTED == STATUS) {
    let inside = usable & (separation < -touching);
    writeStatus(place, select(select(ITERATION_LIMIT, CONVERGED, inside), SEPARATED, beyond), 1u);
    if (!(inside | beyond)) {
      addToList(OPEN_LIST, slot);
    }
    return;
  }

  // The features along the normal: corners, edges or faces. An axis belongs to a feature if moving along it hardly
  // changes the height. Their middles, and how far they reach from there.
  let alongA = n;
  let alongB = n * pair.rotation;
  let freeA = select(vec3f(0.0), halfA, abs(alongA) * halfA <= vec3f(resolution));
  let freeB = select(vec3f(0.0), halfB, abs(alongB) * halfB <= vec3f(resolution));
  let middleA = select(halfA, -halfA, alongA < vec3f(0.0)) * select(vec3f(1.0), vec3f(0.0), freeA > vec3f(0.0));
  let middleB = select(-halfB, halfB, alongB < vec3f(0.0)) * select(vec3f(1.0), vec3f(0.0), freeB > vec3f(0.0));
  // Two edges touch at the point of one that is nearest to the other. For other features, a point is brought into one
  // and the other by turns.
  let shift = t - separation * n;
  let start = pair.rotation * middleB + shift - middleA;
  let edgeA = select(vec3f(0.0), vec3f(1.0), freeA > vec3f(0.0));
  let edgeB = select(vec3f(0.0), vec3f(1.0), freeB > vec3f(0.0));
  let onAxisB = pair.rotation * edgeB;
  let cosine = dot(edgeA, onAxisB);
  let along = (cosine * dot(edgeA, start) - dot(onAxisB, start)) / max(1.0 - cosine * cosine, 0x1p-40);
  var pointB = middleB + select(vec3f(0.0), edgeB * along, isEdge);
  pointB = clamp(pointB, middleB - freeB, middleB + freeB);
  var pointA = vec3f(0.0);
  let near = POINT_ERROR * pair.size;
  var turn = 0u;
  var apart = 0.0;
  loop {
    let wanted = pair.rotation * pointB + shift;
    pointA = clamp(wanted, middleA - freeA, middleA + freeA);
    let over = wanted - pointA;
    apart = dot(over, over);
    turn++;
    if ((apart <= near * near) | (turn == TURNS)) {
      break;
    }
    pointB = clamp((pointA - shift) * pair.rotation, middleB - freeB, middleB + freeB);
  }
  let distance = separation - margins;
  let error = SUPPORT_ERROR * pair.size + resolution;
  // Where the cores are apart, two points whose distance is the separation prove it.
  let found = usable & (apart <= near * near) & (abs(distance) > touching);
  let overlaps = found & (WANTED != DEPTH) & (distance < 0.0);
  let status = select(select(ITERATION_LIMIT, CONVERGED, found), SEPARATED, beyond);
  // Points of features are as good as support points, with as much to spare as `apart` is rounded.
  let upper = distance + error + sqrt(min(apart, near * near));
  if (!(found | beyond)) {
    addToList(OPEN_LIST, slot);
  }
  let ending = select(status, INSIDE, overlaps);
  writeResult(place, ending, 1u, distance, distance - error, upper, n, pointA + pair.marginA * n);
}

// requires common/from-item-to-item.wgsl
// requires convex/pair/open-list.wgsl
// requires convex/pair/statuses.wgsl
// requires contacts/faces/faces.wgsl
// Finds contacts of pairs that touch with faces: the elastic foundation, integrated over both surfaces. Twin:
// `facePieces` of src/contacts/faces/face-pieces.ts. A thread goes from pair to pair, of those that were solved. The
// solver tells a direction, by which faces are left out. Its own answer is then `SEPARATED`, so that no other kernel
// makes contacts of it. Pairs that the solver leaves open are listed, whatever their shapes.
//
// Bound. e = 2^-23, S the pair's size. A corner is turned and moved: off by 16 e S. A plane's offset: 16 e S. A depth
// is the difference of both, so it is off by less than 2^-18 S. A corner that planes cut off has as much again.

// Planes of a shape that may be nearest to a point of the overlap. If there are more, some are left out: the contacts
// are then `bounded`.
const MOST_PLANES = 256u;
// `FACE_SLACK`, and the error of heights in float32.
const SLACK = 0x1p-16f;
const SURE = 0u;
const IS_BOUNDED = 1u;
const NO_PLACE = 0xffffffffu;

struct NearPlanes {
  count: u32,
  planes: array<vec4f, MOST_PLANES>,
}

// Near planes of A and of B.
var<private> near: array<NearPlanes, 2>;
// Least depths of the face's corners, by near planes, and the planes that may be nearest to a point of it.
var<private> least: array<f32, MOST_PLANES>;
var<private> nearest: array<u32, MOST_PLANES>;

fn rotationOf(q: vec4f) -> mat3x3f {
  return mat3x3f(
    vec3f(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.z * q.w), 2.0 * (q.x * q.z - q.y * q.w)),
    vec3f(2.0 * (q.x * q.y - q.z * q.w), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.x * q.w)),
    vec3f(2.0 * (q.x * q.z + q.y * q.w), 2.0 * (q.y * q.z - q.x * q.w), 1.0 - 2.0 * (q.x * q.x + q.y * q.y)),
  );
}

// Gives the heights along a direction of places in a record's frame.
struct Heights {
  axis: vec3f,
  origin: f32,
}

fn heightsAlong(frame: FaceFrame, n: vec3f) -> Heights {
  return Heights(frame.scale * (transpose(frame.rotation) * n), dot(n, frame.origin));
}

fn heightOf(record: FaceRecord, vertex: u32, heights: Heights) -> f32 {
  return heights.origin + dot(heights.axis, vectorOf(record.vertices + 3u * vertex));
}

fn reachAlong(record: FaceRecord, heights: Heights) -> f32 {
  var most = -0x1p100f;
  for (var i = 0u; i < record.vertexCount; i++) {
    most = max(most, heightOf(record, i, heights));
  }
  return most;
}

// Largest height of a polygon's corners.
fn topOf(record: FaceRecord, heights: Heights, corners: vec3u) -> f32 {
  var top = -0x1p100f;
  for (var c = 0u; c < corners.y; c++) {
    top = max(top, heightOf(record, faces[corners.x + c], heights));
  }
  return top;
}

// Lists the planes of a side's faces that reach to a height. Polygons of one plane follow each other.
fn listNear(side: u32, record: FaceRecord, frame: FaceFrame, heights: Heights, height: f32) {
  var count = 0u;
  var last = 0xffffffffu;
  for (var p = 0u; p < record.polygonCount; p++) {
    let corners = cornersOf(record, p);
    if (corners.z == last || topOf(record, heights, corners) < height) {
      continue;
    }
    last = corners.z;
    if (count == MOST_PLANES) {
      isFull = true;
      break;
    }
    near[side].planes[count] = placedPlane(record, last, frame);
    count++;
  }
  near[side].count = count;
}

// The least and the largest depth of the face's corners below a plane.
fn depthsBelow(plane: vec4f) -> vec2f {
  var depths = vec2f(0x1p100f, -0x1p100f);
  for (var c = 0u; c < face.count; c++) {
    let depth = plane.w - dot(plane.xyz, face.at[c]);
    depths = vec2f(min(depths.x, depth), max(depths.y, depth));
  }
  return depths;
}

// True where plane q is as near as p at all corners and nearer at one, or the same and earlier.
fn isBeyond(p: vec4f, q: vec4f, isEarlier: bool) -> bool {
  var isSame = true;
  for (var c = 0u; c < face.count; c++) {
    let at = face.at[c];
    let difference = (p.w - dot(p.xyz, at)) - (q.w - dot(q.xyz, at));
    if (difference < 0.0) {
      return false;
    }
    isSame = isSame && difference == 0.0;
  }
  return !isSame || isEarlier;
}

// True if another one of a side's planes that may be nearest is so wherever plane k is.
fn isFarther(side: u32, k: u32, some: u32) -> bool {
  let plane = near[side].planes[nearest[k]];
  for (var l = 0u; l < some; l++) {
    if (l != k && isBeyond(plane, near[side].planes[nearest[l]], l < k)) {
      return true;
    }
  }
  return false;
}

// Cuts `face` where the nearest of a side's near planes changes, and adds the pieces.
fn addNearest(side: u32, share: f32) {
  let count = near[side].count;
  // No point is farther from all planes than the plane whose farthest corner is nearest.
  var bound = 0x1p100f;
  for (var p = 0u; p < count; p++) {
    let depths = depthsBelow(near[side].planes[p]);
    least[p] = depths.x;
    bound = min(bound, depths.y);
  }
  var some = 0u;
  for (var p = 0u; p < count; p++) {
    if (least[p] <= bound) {
      nearest[some] = p;
      some++;
    }
  }
  for (var k = 0u; k < some; k++) {
    while (k < some && isFarther(side, k, some)) {
      k++;
    }
    if (k >= some) {
      break;
    }
    let plane = near[side].planes[nearest[k]];
    piece.count = face.count;
    for (var c = 0u; c < face.count; c++) {
      piece.at[c] = face.at[c];
    }
    for (var l = 0u; l < some && piece.count > 2u; l++) {
      if (l != k) {
        cut(&piece, near[side].planes[nearest[l]] - plane);
      }
    }
    addPiece(&piece, plane, share);
  }
}

// Cuts the faces of a side that reach to a height by the near planes of the other.
fn addFaces(side: u32, own: FaceRecord, frame: FaceFrame, heights: Heights, height: f32) {
  let other = 1u - side;
  for (var i = 0u; i < own.polygonCount; i++) {
    // On to the next one of which something is left: threads that run side by side go on with it together.
    for (; i < own.polygonCount; i++) {
      while (i < own.polygonCount && topOf(own, heights, cornersOf(own, i)) < height) {
        i++;
      }
      if (i >= own.polygonCount) {
        break;
      }
      loadFace(own, cornersOf(own, i), frame);
      for (var p = 0u; p < near[other].count && face.count > 2u; p++) {
        cut(&face, near[other].planes[p]);
      }
      if (face.count > 2u) {
        break;
      }
    }
    if (i >= own.polygonCount) {
      break;
    }
    addNearest(other, select(0.5, -0.5, side == 0u));
  }
}

// True if float32 leaves a pair open.
fn isOpen(place: u32) -> bool {
  if (place == NO_PLACE) {
    return true;
  }
  let status = results[RESULT * place].w & 0xffu;
  return status == ITERATION_LIMIT || status == INSIDE;
}

// True if a pair has no faces, or is apart. Lists it where float32 leaves it open.
fn isDone(i: u32) -> bool {
  found[i].normals[0] = vec4f();
  let place = places[1u + i];
  if (isOpen(place)) {
    leaveOpen(i);
  }
  let a = faceRecord(placed[asked[i].x].record);
  let b = faceRecord(placed[asked[i].y].record);
  let haveFaces = a.planeCount > 0u && b.planeCount > 0u && (a.isRound == 0u || b.isRound == 0u);
  return !haveFaces || place == NO_PLACE || (results[RESULT * place].w & 0xffu) == SEPARATED;
}

@compute @workgroup_size(GROUP)
fn sumFaces(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let end = places[0];
  let step = threadsIn(groups);
  for (var i = threadOf(id, groups); i < end; i += step) {
    while (i < end && isDone(i)) {
      i += step;
    }
    if (i >= end) {
      break;
    }
    let place = places[1u + i];
    let a = placed[asked[i].x];
    let b = placed[asked[i].y];
    let ownA = faceRecord(a.record);
    let ownB = faceRecord(b.record);
    results[RESULT * place].w = SEPARATED;
    let unit = max(ownA.unit, ownB.unit);
    let scale = 1.0 / unit;
    let way = scale * ((b.centre - a.centre) + (b.centreRest - a.centreRest));
    let normal = bitcast<vec3f>(results[RESULT * place + 1u].xyz);
    // Any direction will do.
    let n = select(vec3f(1.0, 0.0, 0.0), normal, abs(dot(normal, normal) - 1.0) < 0.5);
    // Compilers copy a function to each place that calls it: both sides go through the same places.
    var own = array<FaceRecord, 2>(ownA, ownB);
    var frames = array<FaceFrame, 2>(
      FaceFrame(rotationOf(a.quaternion), vec3f(), scale),
      FaceFrame(rotationOf(b.quaternion), way, scale)
    );
    var heights = array<Heights, 2>(heightsAlong(frames[0], n), heightsAlong(frames[1], -n));
    var reaches = array<f32, 2>();
    for (var side = 0u; side < 2u; side++) {
      reaches[side] = reachAlong(own[side], heights[side]);
    }
    let slack = SLACK * (abs(reaches[0]) + abs(reaches[1]) + length(way));
    let overlap = reaches[0] + reaches[1] + slack;
    if (overlap < 0.0) {
      continue;
    }
    isFull = false;
    for (var side = 0u; side < 2u; side++) {
      listNear(side, own[side], frames[side], heights[side], -reaches[1u - side] - overlap - slack);
    }
    sums = FaceSums();
    for (var side = 0u; side < 2u; side++) {
      addFaces(side, own[side], frames[side], heights[side], -reaches[1u - side] - slack);
    }
    let points = pointsOfSums(frames[0].rotation[0], frames[0].rotation[1]);
    if (!(points.depth > 0.0)) {
      continue;
    }
    for (var k = 0u; k < 3u; k++) {
      let force = length(points.forces[k]);
      found[i].places[k] = vec4f(unit * points.places[k], unit * unit * (force * points.pressure / points.depth));
      found[i].normals[k] = vec4f(points.forces[k] / force, -(unit * points.depth));
    }
    found[i].status = select(SURE, IS_BOUNDED, isFull);
  }
}

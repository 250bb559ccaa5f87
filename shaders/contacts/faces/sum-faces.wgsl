// requires convex/pair/statuses.wgsl
// requires contacts/faces/faces.wgsl
// Contacts of pairs that touch with faces: the elastic foundation, integrated over both surfaces. Twin: `facePieces` of
// src/contacts/faces/face-pieces.ts. A thread per pair that was solved. The solver tells a direction, which leaves out
// faces; its own answer is then `SEPARATED`, so that no other kernel makes contacts of it.
//
// Bound. e = 2^-23, S the pair's size. A corner is turned and moved: off by 16 e S. A plane's offset: 16 e S. A depth is
// the difference of both, so it is off by less than 2^-18 S. A corner that planes cut off has as much again.

// Words of bits, one for each plane of a shape: `MOST_FACES` of src/contacts/faces/constants.ts.
const PLANE_WORDS = 64u;
// `FACE_SLACK`, and what float32 loses of heights.
const SLACK = 0x1p-16f;
const SURE = 0u;
const IS_BOUNDED = 1u;

// Planes of A, then of B, that may be nearest to a point of the overlap.
var<private> nearA: array<u32, PLANE_WORDS>;
var<private> nearB: array<u32, PLANE_WORDS>;

fn rotationOf(q: vec4f) -> mat3x3f {
  return mat3x3f(
    vec3f(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.z * q.w), 2.0 * (q.x * q.z - q.y * q.w)),
    vec3f(2.0 * (q.x * q.y - q.z * q.w), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.x * q.w)),
    vec3f(2.0 * (q.x * q.z + q.y * q.w), 2.0 * (q.y * q.z - q.x * q.w), 1.0 - 2.0 * (q.x * q.x + q.y * q.y)),
  );
}

fn reachAlong(record: FaceRecord, frame: FaceFrame, n: vec3f) -> f32 {
  var most = -0x1p100f;
  for (var i = 0u; i < record.vertexCount; i++) {
    most = max(most, dot(n, placedVertex(record, i, frame)));
  }
  return most;
}

// How far a polygon reaches along a direction.
fn topOf(record: FaceRecord, frame: FaceFrame, corners: vec3u, n: vec3f) -> f32 {
  var top = -0x1p100f;
  for (var c = 0u; c < corners.y; c++) {
    top = max(top, dot(n, placedVertex(record, faces[corners.x + c], frame)));
  }
  return top;
}

// Lists the planes of faces that reach to a height.
fn listNear(
  near: ptr<private, array<u32, PLANE_WORDS>>,
  record: FaceRecord,
  frame: FaceFrame,
  n: vec3f,
  height: f32,
) {
  for (var word = 0u; 32u * word < record.planeCount; word++) {
    (*near)[word] = 0u;
  }
  for (var p = 0u; p < record.polygonCount; p++) {
    let corners = cornersOf(record, p);
    if (topOf(record, frame, corners, n) >= height) {
      (*near)[corners.z >> 5u] |= 1u << (corners.z & 31u);
    }
  }
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

// Cuts `face` where the nearest of the near planes changes, and adds the pieces.
fn addNearest(near: ptr<private, array<u32, PLANE_WORDS>>, other: FaceRecord, frame: FaceFrame, share: f32) {
  let words = (other.planeCount + 31u) / 32u;
  var bound = 0x1p100f;
  for (var word = 0u; word < words; word++) {
    for (var bits = (*near)[word]; bits != 0u; bits &= bits - 1u) {
      let p = 32u * word + firstTrailingBit(bits);
      bound = min(bound, depthsBelow(placedPlane(other, p, frame)).y);
    }
  }
  for (var word = 0u; word < words; word++) {
    for (var bits = (*near)[word]; bits != 0u; bits &= bits - 1u) {
      let p = 32u * word + firstTrailingBit(bits);
      let plane = placedPlane(other, p, frame);
      if (depthsBelow(plane).x > bound) {
        continue;
      }
      piece = face;
      var isAlone = false;
      for (var wordOfOther = 0u; wordOfOther < words && !isAlone; wordOfOther++) {
        for (var rest = (*near)[wordOfOther]; rest != 0u; rest &= rest - 1u) {
          let q = 32u * wordOfOther + firstTrailingBit(rest);
          if (q == p) {
            continue;
          }
          let against = placedPlane(other, q, frame);
          if (depthsBelow(against).x > bound) {
            continue;
          }
          isAlone = isBeyond(plane, against, q < p);
          if (isAlone) {
            break;
          }
          cut(&piece, against - plane);
        }
      }
      if (!isAlone) {
        addPiece(&piece, plane, share);
      }
    }
  }
}

// Cuts the faces of one shape that reach to a height by the near planes of the other.
fn addFaces(
  own: FaceRecord,
  frame: FaceFrame,
  n: vec3f,
  height: f32,
  near: ptr<private, array<u32, PLANE_WORDS>>,
  other: FaceRecord,
  frameOfOther: FaceFrame,
  share: f32,
) {
  for (var i = 0u; i < own.polygonCount; i++) {
    let corners = cornersOf(own, i);
    if (topOf(own, frame, corners, n) < height) {
      continue;
    }
    loadFace(own, corners, frame);
    for (var word = 0u; 32u * word < other.planeCount && face.count > 2u; word++) {
      for (var bits = (*near)[word]; bits != 0u && face.count > 2u; bits &= bits - 1u) {
        cut(&face, placedPlane(other, 32u * word + firstTrailingBit(bits), frameOfOther));
      }
    }
    if (face.count > 2u) {
      addNearest(near, other, frameOfOther, share);
    }
  }
}

@compute @workgroup_size(GROUP)
fn sumFaces(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= places[0]) {
    return;
  }
  found[i].normals[0] = vec4f();
  let place = places[1u + i];
  let a = placed[asked[i].x];
  let b = placed[asked[i].y];
  let ownA = faceRecord(a.record);
  let ownB = faceRecord(b.record);
  let haveFaces = ownA.planeCount > 0u && ownB.planeCount > 0u && (ownA.isRound == 0u || ownB.isRound == 0u);
  if (!haveFaces || place == 0xffffffffu) {
    return;
  }
  if ((results[RESULT * place].w & 0xffu) == SEPARATED) {
    return;
  }
  results[RESULT * place].w = SEPARATED;
  let unit = max(ownA.unit, ownB.unit);
  let scale = 1.0 / unit;
  let way = scale * ((b.centre - a.centre) + (b.centreRest - a.centreRest));
  let frameA = FaceFrame(rotationOf(a.quaternion), vec3f(), scale);
  let frameB = FaceFrame(rotationOf(b.quaternion), way, scale);
  let normal = bitcast<vec3f>(results[RESULT * place + 1u].xyz);
  // Any direction will do.
  let n = select(vec3f(1.0, 0.0, 0.0), normal, abs(dot(normal, normal) - 1.0) < 0.5);
  let most = reachAlong(ownA, frameA, n);
  let least = -reachAlong(ownB, frameB, -n);
  let slack = SLACK * (abs(most) + abs(least) + length(way));
  let overlap = most - least + slack;
  if (overlap < 0.0) {
    return;
  }
  listNear(&nearA, ownA, frameA, n, least - overlap - slack);
  listNear(&nearB, ownB, frameB, -n, -most - overlap - slack);
  sums = FaceSums();
  isFull = false;
  addFaces(ownA, frameA, n, least - slack, &nearB, ownB, frameB, -0.5);
  addFaces(ownB, frameB, -n, -most - slack, &nearA, ownA, frameA, 0.5);
  let points = pointsOfSums(frameA.rotation[0], frameA.rotation[1]);
  if (!(points.depth > 0.0)) {
    return;
  }
  for (var k = 0u; k < 3u; k++) {
    let force = length(points.forces[k]);
    found[i].places[k] = vec4f(unit * points.places[k], unit * unit * force / points.depth);
    found[i].normals[k] = vec4f(points.forces[k] / force, -(unit * points.depth));
  }
  found[i].status = select(SURE, IS_BOUNDED, isFull);
}

// requires contacts/planes/above-plane.wgsl
// requires convex/manifold/supporting-face.wgsl
// Finds contacts of convex shapes with planes. A face that lies on the plane has up to four, corners that span what is
// below. Else the deepest point is the contact. Twins: src/contacts/planes/convex-on-plane.ts and
// src/convex/manifold/spanning-contacts.ts. A thread per pair. Lengths are in units of the record.

const MOST_BELOW = MOST_CORNERS + 1u;
const MOST_KEPT = 4u;
const NO_NAME = 0xffffffffu;
const POINT = 0u;
const FIRST_CORNER = 1u;
const SURE = 0u;
const IS_BOUNDED = 1u;

// Places across the normal, and distances. Then places on the core, and names.
var<private> below: array<vec3f, MOST_BELOW>;
var<private> spots: array<vec3f, MOST_BELOW>;
var<private> names: array<u32, MOST_BELOW>;
var<private> belowCount: u32;

// Unit vectors across the normal.
var<private> across: vec3f;
var<private> along: vec3f;

fn setAcross(n: vec3f) {
  let m = abs(n);
  let alongX = m.x <= m.y && m.x <= m.z;
  let e = select(select(vec3f(0.0, 0.0, 1.0), vec3f(0.0, 1.0, 0.0), m.y <= m.z), vec3f(1.0, 0.0, 0.0), alongX);
  across = normalize(cross(n, e));
  along = cross(n, across);
}

fn addBelow(spot: vec3f, name: u32, distance: f32) {
  below[belowCount] = vec3f(dot(across, spot), dot(along, spot), distance);
  spots[belowCount] = spot;
  names[belowCount] = name;
  belowCount++;
}

// Name of the deepest point: that of a corner where it is one, so that a corner keeps it while the shape turns.
fn deepestName(record: u32, kind: u32, deepest: vec3f, n: vec3f) -> u32 {
  if (kind == POLYTOPE) {
    let first = records[record].firstVertex;
    return FIRST_CORNER + farthestOf(vec2u(first, first + records[record].vertexCount), n) - first;
  }
  if (kind == BOX) {
    return FIRST_CORNER + boxCorner(deepest);
  }
  return POINT;
}

fn boxCorner(p: vec3f) -> u32 {
  return dot(select(vec3u(), vec3u(1u, 2u, 4u), p > vec3f()), vec3u(1u));
}

var<private> kept: array<u32, MOST_KEPT>;

// Keeps four corners at most, and returns how many: the first corner as deep as `deep`, the corner farthest from it,
// the corner farthest from the line of both, and the corner that adds most area.
fn keepSpanning(deep: f32, near: f32) -> u32 {
  var best = 0u;
  while (best + 1u < belowCount && below[best].z > deep) {
    best++;
  }
  let origin = below[best].xy;
  var p1 = vec2f();
  var p2 = vec2f();
  var least = near * near;
  var taken = 0u;
  loop {
    kept[taken] = best;
    taken++;
    if (taken == MOST_KEPT) {
      break;
    }
    let p = below[best].xy - origin;
    if (taken == 2u) {
      p1 = p;
      least = near * length(p);
    }
    if (taken == 3u) {
      // The triangle turns counter-clockwise.
      let isTurned = p1.x * p.y - p1.y * p.x < 0.0;
      p2 = select(p, p1, isTurned);
      p1 = select(p1, p, isTurned);
    }
    var most = least;
    best = belowCount;
    for (var i = 0u; i < belowCount; i++) {
      let q = below[i].xy - origin;
      var value = dot(q, q);
      if (taken == 2u) {
        value = abs(p1.x * q.y - p1.y * q.x);
      }
      if (taken == 3u) {
        let e = p2 - p1;
        let beyond = max(p1.y * q.x - p1.x * q.y, p2.x * q.y - p2.y * q.x);
        value = max(beyond, e.y * (q.x - p1.x) - e.x * (q.y - p1.y));
      }
      if (value > most) {
        most = value;
        best = i;
      }
    }
    if (best == belowCount) {
      break;
    }
  }
  return taken;
}

// Writes the corners that are kept, in the order of names.
fn writeKept(to: u32, count: u32, above: Above, margin: f32, unit: f32) {
  for (var i = 0u; i < count; i++) {
    let name = names[kept[i]];
    var rank = 0u;
    for (var k = 0u; k < count; k++) {
      let other = names[kept[k]];
      rank += select(0u, 1u, other < name || (other == name && k < i));
    }
    let distance = below[kept[i]].z;
    // From the core down to halfway between the surfaces.
    let down = margin + 0.5 * distance;
    let place = above.frame.rotation * (unit * (spots[kept[i]] - down * above.up)) + above.frame.origin;
    corners[to].points[rank] = vec4f(place, unit * distance);
    corners[to].names[rank] = name;
  }
  corners[to].area = 0.0;
}

@compute @workgroup_size(GROUP)
fn findCorners(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= params.count || pairs[i].kind.x != 0u) {
    return;
  }
  let to = pairs[i].at;
  corners[to].names = vec4u(NO_NAME);
  corners[to].isNear = 0u;
  if (!areThere(pairs[i])) {
    return;
  }
  let above = abovePlaneOf(pairs[i]);
  let record = colliders[otherOf(pairs[i])].shape;
  // A point has no size; any unit will do.
  let unit = select(records[record].unit, 1.0, records[record].unit == 0.0);
  let radius = records[record].boundingRadius;
  let margin = records[record].margin;
  let height = above.height * inversePower(unit);
  if (height > radius) {
    return;
  }
  corners[to].isNear = 1u;
  let kind = records[record].kind;
  let n = -normalize(above.up);
  parametersA = records[record].byKind[0];
  // A support plane is wanted, and climbing may stop short of it.
  mayClimb = false;
  let deepest = coreSupport(record, n, 0u);
  let distance = height - margin - dot(n, deepest);
  // Also where something is not a number.
  if (!(distance <= 0.0)) {
    return;
  }
  let near = RESOLUTION * radius;
  let deep = distance + near;
  let isRound = radius == margin;
  var isKnown = true;
  faceCount = 0u;
  if (!isRound) {
    isKnown = supportingFace(record, ANY_KIND, parametersA, n);
  }
  setAcross(-n);
  belowCount = 0u;
  var isDeep = false;
  for (var c = 0u; c < faceCount; c++) {
    let name = select(faceNames[c], boxCorner(face[c]), kind == BOX);
    let d = height - margin - dot(n, face[c]);
    if (d <= 0.0) {
      addBelow(face[c], FIRST_CORNER + name, d);
      isDeep |= d <= deep;
    }
  }
  if (!isDeep) {
    addBelow(deepest, select(deepestName(record, kind, deepest, n), POINT, isRound), distance);
  }
  writeKept(to, keepSpanning(deep, near), above, margin, unit);
  // If a kind's faces are not known here, the deepest point alone is right.
  corners[to].status = select(IS_BOUNDED, SURE, isKnown);
}

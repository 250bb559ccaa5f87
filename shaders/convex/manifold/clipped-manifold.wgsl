// requires convex/manifold/cut-polygon.wgsl
// requires convex/manifold/supporting-face.wgsl
// Contact manifold by cutting whole faces. Each shape has a face, edge or point that faces the other along the
// contact's normal. Both are projected onto the contact's plane and cut with each other, and by the line up to which
// they overlap. Of the contacts, the four that span most stay. Twins: src/convex/manifold/clipped-manifold.ts and
// spanning-contacts.ts; docs/convex.md, "Contacts". It runs over the pairs that the kernels before have answered.
// Shapes that have only support points are left to the host.

const MOST_POINTS = 4u;
const MOST_FOUND = 25u;

// u, v, heights of A and of B.
var<private> found: array<vec4f, MOST_FOUND>;
// Names of the contacts, as the twin has them; those that are written, a byte each.
var<private> foundNames: array<u32, MOST_FOUND>;
var<private> writtenNames: u32;
var<private> foundCount: u32;
const OWN = 0u;
const FIRST_END = 1u;
const FIRST_CORNER = 4u;

fn addFound(contact: vec4f, name: u32) {
  foundNames[foundCount] = name;
  found[foundCount] = contact;
  foundCount++;
}

// Puts the feature that faces the other shape over the contact's plane. Returns the radius of curvature across a line.
fn setFeature(side: u32) -> f32 {
  let isA = side == 0u;
  var rotation = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
  if (!isA) {
    rotation = pair.rotation;
  }
  let offset = select(pair.offset, vec3f(), isA);
  let scale = select(pair.scaleB, pair.scaleA, isA);
  let margin = select(pair.marginB, pair.marginA, isA);
  let away = select(-1.0, 1.0, isA);
  features[side].count = 0u;
  for (var i = 0u; i < faceCount; i++) {
    addVertex(side, overPlane(rotation * (scale * face[i]) + offset));
  }
  closeFeature(side);
  if (features[side].count < 2u) {
    return 0.0;
  }
  simplify(side, same);
  if (features[side].count == 2u) {
    setLine(side, away * margin);
  } else if (features[side].count > 2u) {
    let m = rotation * faceNormal;
    setPolygon(side, vec3f(dot(m, plane.u), dot(m, plane.v), dot(m, plane.n)), margin, away);
  }
  return scale * faceRadius + margin;
}

// Moves a core's line out to the surface, across the line: that is where the margin's ball reaches highest.
fn setLine(side: u32, margin: f32) {
  let d = features[side].vertices[1] - features[side].vertices[0];
  let level = dot(d.xy, d.xy);
  // The normal less its part along the line, to a factor.
  let across = margin * normalize(vec3f(-d.z * d.xy, level));
  features[side].vertices[0] += across;
  features[side].vertices[1] += across;
  setSlope(side);
}

// Moves a core's face out to the surface, along its normal m; counter-clockwise, seen against the contact's normal. The
// highest corners move along the contact's normal instead: there the margin's ball reaches highest.
fn setPolygon(side: u32, m: vec3f, margin: f32, away: f32) {
  let count = features[side].count;
  setHeight(side, -m.xy / m.z);
  if (margin > 0.0) {
    features[side].slope.z += margin * (m.z + dot(m.xy, m.xy) / m.z);
    var highest = away * features[side].vertices[0].z;
    for (var i = 1u; i < count; i++) {
      highest = max(highest, away * features[side].vertices[i].z);
    }
    for (var i = 0u; i < count; i++) {
      let p = features[side].vertices[i];
      let beside = select(margin * m.xy, vec2f(), away * p.z >= highest - same);
      features[side].vertices[i] = vec3f(p.xy + beside, p.z);
    }
  }
  if (doubleArea(side) < 0.0) {
    for (var i = 0u; i < count / 2u; i++) {
      let kept = features[side].vertices[i];
      features[side].vertices[i] = features[side].vertices[count - 1u - i];
      features[side].vertices[count - 1u - i] = kept;
    }
  }
}

// Cuts a polygon by a polygon, or a line by a polygon. Keeps what has distances of at most `most`.
fn cutFaces(most: f32) {
  let clip = select(1u, 0u, features[0].count >= features[1].count);
  startCut(1u - clip, select(0u, LINE_OF_B, clip == 0u));
  cutByPolygon(clip, select(LINE_OF_B, 0u, clip == 0u));
  // A rounded surface bends away from its face's plane before it reaches higher than the pair's point.
  let half = 0.5 * plane.distance;
  let slopeA = features[0].slope;
  let slopeB = features[1].slope;
  let less = slopeA - slopeB;
  var lines = array<vec3f, 3>(
    vec3f(less.xy, most + less.z),
    vec3f(-slopeB.xy, most - half - slopeB.z),
    vec3f(slopeA.xy, most - half + slopeA.z)
  );
  let isThere = vec3<bool>(true, pair.marginA > 0.0, pair.marginB > 0.0);
  for (var i = 0u; i < 3u; i++) {
    if (isThere[i]) {
      cutBy(lines[i], 0.0, LINE_REACH + i);
    }
  }
  for (var i = 0u; i < cutCount; i++) {
    let p = vec3f(cut[i], 1.0);
    let a = dot(slopeA, p);
    let b = dot(slopeB, p);
    let heightA = select(a, min(a, -half), pair.marginA > 0.0);
    let heightB = select(b, max(b, half), pair.marginB > 0.0);
    addFound(vec4f(cut[i], heightA, heightB), FIRST_CORNER + cutLines[i]);
  }
}

// How far a point of a circle lies below the highest one, at this distance beside it.
fn drop(radius: f32, beside: f32) -> f32 {
  let depth = radius + sqrt(max(0.0, radius * radius - beside * beside));
  return select(0.0, beside * beside / depth, radius > 0.0);
}

// Two lines beside each other. A's has a start, a direction and a length. B's has the place along A's where it starts,
// its extent along A's, and the way across, `start + turn * place`.
struct Lines {
  d: vec2f,
  length: f32,
  place: f32,
  extent: f32,
  start: f32,
  turn: f32,
  radiusA: f32,
  radiusB: f32,
}

// The contact at a place along A's line.
fn contactOfLines(lines: Lines, place: f32) -> vec4f {
  let w = lines.start + lines.turn * place;
  let both = lines.radiusA + lines.radiusB;
  // Balls, or circles, beside each other touch at the point that divides the way across as their radii do.
  var share = 0.5;
  if (both > 0.0) {
    share = lines.radiusA / both;
  }
  let a0 = features[0].vertices[0];
  let b0 = features[1].vertices[0];
  let across = vec2f(-lines.d.y, lines.d.x);
  let a = mix(a0.z, features[0].vertices[1].z, place / lines.length) - drop(lines.radiusA, share * w);
  let onB = (place - lines.place) / lines.extent;
  let b = mix(b0.z, features[1].vertices[1].z, onB) + drop(lines.radiusB, w - share * w);
  return vec4f(a0.xy + place * lines.d + (share * w) * across, a, b);
}

// The ends of the part where two lines lie beside each other. Their distance may grow by no more than round surfaces do
// that still face each other. Lines that cross have no such part: their only contact is the pair's own.
fn meetLines(radiusA: f32, radiusB: f32, most: f32) {
  let a0 = features[0].vertices[0].xy;
  let b0 = features[1].vertices[0].xy;
  let long = features[0].vertices[1].xy - a0;
  let size = length(long);
  let d = long / size;
  let e = features[1].vertices[1].xy - b0;
  let along = dot(d, e);
  let across = d.x * e.y - d.y * e.x;
  if (abs(across) > FACING_SINE * abs(along)) {
    return;
  }
  let w = b0 - a0;
  let place = dot(d, w);
  let turn = across / along;
  let lines = Lines(d, size, place, along, d.x * w.y - d.y * w.x - turn * place, turn, radiusA, radiusB);
  var low = max(0.0, min(place, place + along));
  var high = min(size, max(place, place + along));
  let widest = FACING_SINE * (radiusA + radiusB) + same;
  if (abs(turn) > 0x1p-23) {
    let p = (widest - lines.start) / turn;
    let q = (-widest - lines.start) / turn;
    low = max(low, min(p, q));
    high = min(high, max(p, q));
  } else if (abs(lines.start) > widest) {
    return;
  }
  if (high - low <= same) {
    return;
  }
  let own = clamp(-dot(a0, d), low, high);
  for (var i = 0u; i < 2u; i++) {
    let end = select(high, low, i == 0u);
    var contact = contactOfLines(lines, end);
    let distance = contact.w - contact.z;
    if (distance > most) {
      // The distance is a convex function of the place: where its chord reaches `most`, it is at most `most`.
      let inner = contactOfLines(lines, own);
      let there = min(most, inner.w - inner.z);
      contact = contactOfLines(lines, own + (end - own) * ((most - there) / (distance - there)));
    }
    addFound(contact, FIRST_END + i);
  }
  if (distance(found[0].xy, found[1].xy) <= same) {
    foundCount = 1u;
  }
}

// Whether a contact is as deep as the pair.
fn isDeep(i: u32) -> bool {
  return found[i].w - found[i].z <= plane.distance + same;
}

// Writes at most four of the contacts and returns how many. The first is one that is as deep as the pair; the second
// lies farthest from it; the third lies farthest from the line of both; the fourth adds most area to the triangle.
// Contacts that add no area are left out.
fn writeSpanning(place: u32) -> u32 {
  var first = 0u;
  while (first + 1u < foundCount && !isDeep(first)) {
    first++;
  }
  let origin = found[first].xy;
  var count = 0u;
  writtenNames = 0u;
  var best = first;
  var p1 = vec2f();
  var p2 = vec2f();
  var least = same * same;
  loop {
    let f = found[best];
    contacts[MOST_POINTS * place + count] = contactAt(f.xy, f.z, f.w);
    writtenNames |= foundNames[best] << (8u * count);
    count++;
    if (count == 2u) {
      p1 = f.xy - origin;
      // Areas here are twice the true ones. A strip as narrow as `same` has no area.
      least = same * length(p1);
    }
    if (count == 3u) {
      p2 = f.xy - origin;
    }
    if (count == MOST_POINTS) {
      break;
    }
    let turn = sign(p1.x * p2.y - p1.y * p2.x);
    var most = least;
    best = foundCount;
    for (var i = 0u; i < foundCount; i++) {
      let p = found[i].xy - origin;
      var value = dot(p, p);
      if (count == 2u) {
        value = abs(p1.x * p.y - p1.y * p.x);
      }
      if (count == 3u) {
        // Twice the area of the triangle with the side beyond which the contact lies.
        let e = p2 - p1;
        let q = p - p1;
        let beyond1 = turn * (p1.y * p.x - p1.x * p.y);
        let beyondE = turn * (e.y * q.x - e.x * q.y);
        let beyond2 = turn * (p2.x * p.y - p2.y * p.x);
        value = max(max(beyond1, beyondE), beyond2);
      }
      if (value > most) {
        most = value;
        best = i;
      }
    }
    if (best == foundCount) {
      break;
    }
  }
  return count;
}

@compute @workgroup_size(GROUP)
fn clippedManifold(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let item = id.x + id.y * groups.x * GROUP;
  if (!isInBucket(item)) {
    return;
  }
  let entry = pairAt(firstSlot() + item);
  let place = entry.place;
  if (!setPlane(entry)) {
    return;
  }
  // Compilers copy a function to each place that calls it: both sides go through the same places.
  var isKnown = true;
  var radii = vec2f();
  for (var side = 0u; side < 2u; side++) {
    let isA = side == 0u;
    let n = select(-(plane.n * pair.rotation), plane.n, isA);
    isKnown &= supportingFace(
      select(pair.recordB, pair.recordA, isA), select(KIND_B, KIND_A, isA), select(parametersB, parametersA, isA), n
    );
    radii[side] = setFeature(side);
  }
  if (!isKnown) {
    results[RESULT * place].w = (results[RESULT * place].w & 0xffffff00u) | ITERATION_LIMIT;
    return;
  }
  let most = max(plane.distance, params.reach / pair.unit);
  foundCount = 0u;
  if (features[0].count == 2u && features[1].count == 2u) {
    meetLines(radii.x, radii.y, most);
  } else if (features[0].count > 1u && features[1].count > 1u) {
    cutFaces(most);
  }
  var hasDeep = false;
  for (var i = 0u; i < foundCount; i++) {
    hasDeep |= isDeep(i);
  }
  // The deepest place is the pair's own, unless a contact is as deep.
  if (!hasDeep) {
    addFound(vec4f(0.0, 0.0, -0.5 * plane.distance, 0.5 * plane.distance), OWN);
  }
  writeCount(place, writeSpanning(place));
  results[RESULT * place + 2u].w = writtenNames;
}

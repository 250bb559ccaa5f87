// requires convex/manifold/resolution.wgsl
// requires convex/shapes/support.wgsl
// The face, edge or straight line of a core that faces a direction: whole, however the direction is tilted within the
// angle of FACING_SINE. Twin: src/convex/manifold/supporting-face.ts. Needs the binding `facets`.

// src/convex/constants.ts has the reasons.
override FACING_SINE: f32 = 0.125;
override FACING_COSINE: f32 = 0.9921567;

// In units of the record, about its centre: corners of a polygon or ends of a line; none if only a point faces.
var<private> face: array<vec3f, MOST_CORNERS>;
var<private> faceCount: u32;
// Which corner of a polytope each is, counted from its first vertex; of other kinds its number in the face.
var<private> faceNames: array<u32, MOST_CORNERS>;
// Outward normal of a polygon.
var<private> faceNormal: vec3f;
// Radius of the surface's curvature across a line.
var<private> faceRadius: f32;

const RIM = array<vec2f, MOST_CORNERS>(
  vec2f(1.0, 0.0),
  vec2f(0.70710678, 0.70710678),
  vec2f(0.0, 1.0),
  vec2f(-0.70710678, 0.70710678),
  vec2f(-1.0, 0.0),
  vec2f(-0.70710678, -0.70710678),
  vec2f(0.0, -1.0),
  vec2f(0.70710678, -0.70710678)
);

// False for kinds of which only support points are known: the host answers those. n is of unit length.
fn supportingFace(record: u32, known: u32, p: vec4f, n: vec3f) -> bool {
  faceCount = 0u;
  faceRadius = 0.0;
  switch kindOf(record, known) {
    case BOX: {
      boxFace(p.xyz, n);
    }
    case ELLIPSOID: {
      // A curved ellipsoid faces with a point only. A flat one has a face or a line.
      if (any(p.xyz == vec3f())) {
        flatEllipsoidFace(p.xyz, n);
      }
    }
    case CYLINDER: {
      cylinderFace(p.x, p.y, n);
    }
    case CONE: {
      coneFace(p.x, p.y, p.z, n);
    }
    case POLYTOPE: {
      // Where the polygons at its edges are listed.
      let edges = records[record].edgePolygons;
      if (edges == 0u) {
        return false;
      }
      polytopeFace(record, edges, n);
    }
    default: {
      return false;
    }
  }
  return true;
}

fn addCorner(p: vec3f) {
  addNamed(p, faceCount);
}

fn addNamed(p: vec3f, name: u32) {
  face[faceCount] = p;
  faceNames[faceCount] = name;
  faceCount++;
}

// A corner in `facets`, with its name.
fn addVertexOf(corner: vec4u) {
  addNamed(bitcast<vec3f>(corner.xyz), corner.w);
}

// Edges along an axis face a direction that is nearly across that axis. Two such axes span a face.
fn boxFace(extents: vec3f, n: vec3f) {
  let free = abs(n) <= vec3f(FACING_SINE);
  if (!any(free)) {
    return;
  }
  let i = select(select(vec3f(0.0, 0.0, 1.0), vec3f(0.0, 1.0, 0.0), free.y), vec3f(1.0, 0.0, 0.0), free.x);
  let both = select(vec3f(), vec3f(1.0), free);
  let j = both - i;
  let fixed = (vec3f(1.0) - both) * select(extents, -extents, n < vec3f());
  let isFace = any(j > vec3f());
  // + +, - +, - -, + -: around a face.
  addCorner(fixed + (i + j) * extents);
  addCorner(fixed + (j - i) * extents);
  if (isFace) {
    addCorner(fixed - (i + j) * extents);
    addCorner(fixed + (i - j) * extents);
  }
  faceNormal = (vec3f(1.0) - both) * sign(n);
}

// Disc or ellipse across one axis, or a segment.
fn flatEllipsoidFace(radii: vec3f, n: vec3f) {
  // The axis across has no extent. If there are several, it is the one most nearly along the direction.
  let along = select(vec3f(-1.0), abs(n), radii == vec3f());
  let isZ = along.z >= along.x && along.z >= along.y;
  let isY = !isZ && along.y >= along.x;
  let k = select(select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), isY), vec3f(0.0, 0.0, 1.0), isZ);
  // The axes after it, in turn.
  let i = k.zxy;
  let j = k.yzx;
  let ri = dot(radii, i);
  let rj = dot(radii, j);
  if ((ri > 0.0 && abs(dot(n, i)) > FACING_SINE) || (rj > 0.0 && abs(dot(n, j)) > FACING_SINE)) {
    return;
  }
  if (ri == 0.0 || rj == 0.0) {
    addCorner(ri * i + rj * j);
    addCorner(-(ri * i + rj * j));
    return;
  }
  for (var c = 0u; c < MOST_CORNERS; c++) {
    addCorner((ri * RIM[c].x) * i + (rj * RIM[c].y) * j);
  }
  faceNormal = k * sign(dot(n, k));
}

fn addRim(radius: f32, height: f32) {
  for (var c = 0u; c < MOST_CORNERS; c++) {
    addCorner(vec3f(radius * RIM[c], height));
  }
}

// An end of the cylinder, as an octagon; or the line along its side.
fn cylinderFace(radius: f32, half: f32, n: vec3f) {
  let across = length(n.xy);
  if (across <= FACING_SINE) {
    addRim(radius, select(half, -half, n.z < 0.0));
    faceNormal = vec3f(0.0, 0.0, select(1.0, -1.0, n.z < 0.0));
  } else if (abs(n.z) <= FACING_SINE) {
    let s = (radius / across) * n.xy;
    addCorner(vec3f(s, half));
    addCorner(vec3f(s, -half));
    faceRadius = radius;
  }
}

// The base of the cone, as an octagon; or the line from its rim to the apex.
fn coneFace(radius: f32, base: f32, apex: f32, n: vec3f) {
  let across = length(n.xy);
  if (across <= FACING_SINE && (n.z < 0.0 || base == apex)) {
    addRim(radius, base);
    faceNormal = vec3f(0.0, 0.0, select(1.0, -1.0, n.z < 0.0));
    return;
  }
  let height = apex - base;
  let slant = sqrt(radius * radius + height * height);
  if (across == 0.0 || abs(height * n.z - radius * across) > FACING_SINE * slant) {
    return;
  }
  addCorner(vec3f((radius / across) * n.xy, base));
  addCorner(vec3f(0.0, 0.0, apex));
}

// The face at the farthest vertex that faces the direction most; if it is tilted too much, the most level edge of
// these faces there.
fn polytopeFace(record: u32, edges: u32, n: vec3f) {
  // With where its neighbours start.
  let vertex = vertices[farthestOf(listedVertices(record, n), n)];
  var most = -1.0;
  var polygon = vec4u();
  for (var edge = vertex.w; ; edge++) {
    let candidate = facets[neighbours[edges + edge]];
    let cosine = dot(bitcast<vec3f>(candidate.xyz), n);
    if (cosine > most) {
      most = cosine;
      polygon = candidate;
    }
    if ((neighbours[edge] & 0x80000000u) != 0u) {
      break;
    }
  }
  if (most >= FACING_COSINE) {
    // Where its corners start, and how many there are.
    for (var i = 0u; i < (polygon.w & 0xfu); i++) {
      addVertexOf(facets[(polygon.w >> 4u) + i]);
    }
    faceNormal = bitcast<vec3f>(polygon.xyz);
    return;
  }
  let at = bitcast<vec3f>(vertex.xyz);
  let near = RESOLUTION * records[record].boundingRadius;
  var steepest = FACING_SINE;
  var found = false;
  var start = vec4u();
  var end = vec4u();
  for (var edge = vertex.w; ; edge++) {
    let corners = facets[neighbours[edges + edge]].w;
    let count = corners & 0xfu;
    for (var i = 0u; i < count; i++) {
      let one = facets[(corners >> 4u) + i];
      let next = facets[(corners >> 4u) + select(i + 1u, 0u, i + 1u == count)];
      let a = bitcast<vec3f>(one.xyz);
      let d = bitcast<vec3f>(next.xyz) - a;
      let w = at - a;
      let squared = dot(d, d);
      // The vertex may be one that polygons leave out of a straight edge.
      let beside = w - clamp(dot(w, d) / squared, 0.0, 1.0) * d;
      let steepness = abs(dot(n, d)) * inverseSqrt(squared);
      if (dot(beside, beside) <= near * near && steepness <= steepest) {
        steepest = steepness;
        start = one;
        end = next;
        found = true;
      }
    }
    if ((neighbours[edge] & 0x80000000u) != 0u) {
      break;
    }
  }
  if (found) {
    // Both faces beside the edge have it. Its ends come in one order, whichever was found: contacts are named by it.
    let d = bitcast<vec3f>(end.xyz) - bitcast<vec3f>(start.xyz);
    let isTurned = d.x < 0.0 || (d.x == 0.0 && (d.y < 0.0 || (d.y == 0.0 && d.z < 0.0)));
    addVertexOf(select(start, end, isTurned));
    addVertexOf(select(end, start, isTurned));
  }
}

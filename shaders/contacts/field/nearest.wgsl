// requires contacts/field/field.wgsl
// The nearest point of a polyhedron's surface. Twins: src/contacts/field/nearest.ts, signed-distance.ts.
//
// Bound. e = 2^-23, L the largest distance between the point and a corner of a triangle that counts. The height over a
// plane is taken along the unit normal that the host made: three products, off by 4 e L, however thin the triangle. A
// foot that rounding takes for one in the triangle is off by at most 8 e L along the plane. A point of an edge is off
// along the edge, which counts in second order, and by 6 e L across. So a distance is off by less than 12 e L.

struct Nearest {
  // From the point to its nearest one.
  way: vec3f,
  distance: f32,
  triangle: u32,
  // Feature of the triangle that has the nearest point: the face, edge ab, bc or ca, corner a, b or c.
  feature: u32,
}

// The way from p to the nearest point of the side from a to a + u, and the share of u.
fn wayToSide(p: vec3f, u: vec3f) -> vec4f {
  let along = dot(p, u);
  let square = dot(u, u);
  let share = select(select(0.0, 1.0, along > 0.0), along / square, along > 0.0 && along < square);
  return vec4f(share * u - p, share);
}

// The nearest point of one triangle.
fn nearestOn(shape: u32, triangle: u32, p: vec3f) -> Nearest {
  let base = SHAPE_WORDS * shape;
  let corners = atlas[base + CORNERS] + 9u * triangle;
  let normal = vectorAt(atlas[base + NORMALS] + 21u * triangle);
  let a = vectorAt(corners);
  let b = vectorAt(corners + 3u);
  let c = vectorAt(corners + 6u);
  let u = b - a;
  let v = c - b;
  let w = a - c;
  // Normals point outwards also where the mesh is inside out.
  let turn = numberAt(base + TURN);
  let ab = turn * dot(normal, cross(u, p - a));
  let bc = turn * dot(normal, cross(v, p - b));
  let ca = turn * dot(normal, cross(w, p - c));
  if (ab > 0.0 && bc > 0.0 && ca > 0.0) {
    let height = dot(normal, p - a);
    return Nearest(-height * normal, abs(height), triangle, 0u);
  }
  var best = Nearest(vec3f(0.0), 0x1p126f, triangle, 0u);
  if (ab <= 0.0) {
    let to = wayToSide(p - a, u);
    best = Nearest(to.xyz, length(to.xyz), triangle, select(select(1u, 5u, to.w == 1.0), 4u, to.w == 0.0));
  }
  if (bc <= 0.0) {
    let to = wayToSide(p - b, v);
    let far = length(to.xyz);
    if (far < best.distance) {
      best = Nearest(to.xyz, far, triangle, select(select(2u, 6u, to.w == 1.0), 5u, to.w == 0.0));
    }
  }
  if (ca <= 0.0) {
    let to = wayToSide(p - c, w);
    let far = length(to.xyz);
    if (far < best.distance) {
      best = Nearest(to.xyz, far, triangle, select(select(3u, 4u, to.w == 1.0), 6u, to.w == 0.0));
    }
  }
  return best;
}

// Far above rounding, in steps of a bound.
const BOUND_SLACK = 0.0625;

// The nearest point of the surface to a point whose cell has a list, or lies beyond reach. `word` is the cell's.
fn nearestOfCell(shape: u32, grid: Grid, cell: vec3u, word: u32, p: vec3f) -> Nearest {
  let rest = word & REST;
  // A deep cell names its triangle, as a list of one would. The words of the first list then count for nothing.
  let isDeep = (word >> 30u) == DEEP;
  let base = SHAPE_WORDS * shape;
  let list = atlas[base + LISTS] + select(rest, 0u, isDeep);
  // A list is for a mixed cell, or for a block of 2^level cells along each axis.
  let level = select(0u, atlas[list + 2u], (word >> 30u) == INSIDE);
  let size = grid.size * f32(1u << level);
  let middle = grid.origin + size * (vec3f(cell >> vec3u(level)) + vec3f(0.5));
  let least = f32(atlas[list + 1u]) / numberAt(base + LEAST_UNITS);
  let fromMiddle = distance(p, middle) / size;
  let end = list + LIST_HEADER + select(atlas[list], 1u, isDeep);
  var best = Nearest(vec3f(0.0), 0x1p126f, 0u, 0u);
  let steps = numberAt(base + BOUND_STEPS);
  var limit = 255.0;
  for (var at = list + LIST_HEADER; at < end; at++) {
    let entry = atlas[at];
    // No later one is nearer either.
    if (f32(entry & 255u) > limit) {
      break;
    }
    let found = nearestOn(shape, select(entry >> 8u, rest, isDeep), p);
    if (found.distance < best.distance) {
      best = found;
      limit = (found.distance / size + fromMiddle - least) * steps + BOUND_SLACK;
    }
  }
  return best;
}

// The unit pseudo-normal of a triangle's feature, outwards.
fn pseudoNormal(shape: u32, found: Nearest) -> vec3f {
  return vectorAt(tableOf(shape, NORMALS) + 21u * found.triangle + 3u * found.feature);
}

// Depths below this, in cells, have the pseudo-normal of the nearest edge or corner: the way there is rounding.
const LEAST_WAY = 0x1p-12f;

struct Depth {
  // Below 0 outside.
  depth: f32,
  // Unit, outwards.
  normal: vec3f,
  triangle: u32,
  isDeep: bool,
}

const FAR_AWAY = Depth(-1.0, vec3f(0.0), 0u, false);

// The signed distance of a point, and whether it is inside. Beyond the mixed cells it is far away.
fn depthAt(shape: u32, p: vec3f) -> Depth {
  let grid = gridOf(shape);
  if (!isInBox(grid, p)) {
    return FAR_AWAY;
  }
  let cell = cellOf(grid, p);
  let word = wordOf(grid, cell);
  let code = word >> 30u;
  if (code == OUTSIDE) {
    return FAR_AWAY;
  }
  let found = nearestOfCell(shape, grid, cell, word, p);
  let pseudo = pseudoNormal(shape, found);
  var side = 1u;
  if (code == MIXED) {
    side = sideByPairs(shape, word & REST, p);
    if (side == 2u) {
      side = select(0u, 1u, dot(found.way, pseudo) >= 0.0);
    }
  }
  let sign = select(-1.0, 1.0, side == 1u);
  // The pseudo-normal of a face is the direction itself.
  let isWay = found.feature != 0u && found.distance > LEAST_WAY * grid.size;
  let normal = select(pseudo, sign / found.distance * found.way, isWay);
  return Depth(sign * found.distance, normal, found.triangle, code == DEEP);
}

/**
 * The thesis' shapes by textbook formulas that share nothing with scree's algorithms: how far a body reaches in a
 * direction, and whether a point lies in it. They prove answers of the reference.
 */
export type Vector = readonly [number, number, number];

/** A convex body in its own frame. */
export interface Solid {
  /** Largest n . x over the body. */
  reach(x: number, y: number, z: number): number;
  /** Whether a point lies in the body, or outside it by at most the length `slack` (at edges: outside each face). */
  holds(x: number, y: number, z: number, slack: number): boolean;
  readonly centroid: Vector;
  /** Of the ball about the centroid that holds the body. */
  readonly radius: number;
  /** Normals of faces and directions of edges, one of each two opposite ones; undefined if the body is no polytope. */
  readonly axes?: { readonly normals: readonly Vector[]; readonly edges: readonly Vector[] };
}

const ORIGIN: Vector = [0, 0, 0];
const UNITS: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

export function boxSolid([a, b, c]: Vector): Solid {
  return {
    reach: (x, y, z) => a * Math.abs(x) + b * Math.abs(y) + c * Math.abs(z),
    holds: (x, y, z, slack) => Math.abs(x) <= a + slack && Math.abs(y) <= b + slack && Math.abs(z) <= c + slack,
    centroid: ORIGIN,
    radius: Math.hypot(a, b, c),
    axes: { normals: UNITS, edges: UNITS },
  };
}

export function roundBoxSolid([a, b, c]: Vector, radius: number): Solid {
  return {
    reach: (x, y, z) => a * Math.abs(x) + b * Math.abs(y) + c * Math.abs(z) + radius * Math.hypot(x, y, z),
    holds: (x, y, z, slack) =>
      Math.hypot(Math.max(0, Math.abs(x) - a), Math.max(0, Math.abs(y) - b), Math.max(0, Math.abs(z) - c)) <=
      radius + slack,
    centroid: ORIGIN,
    radius: Math.hypot(a, b, c) + radius,
  };
}

export function ellipsoidSolid([a, b, c]: Vector): Solid {
  return {
    reach: (x, y, z) => Math.hypot(a * x, b * y, c * z),
    // An ellipsoid with radii longer by the slack lies within the slack of this one.
    holds: (x, y, z, slack) => Math.hypot(x / (a + slack), y / (b + slack), z / (c + slack)) <= 1,
    centroid: ORIGIN,
    radius: Math.max(a, b, c),
  };
}

/** Axis z, apex upwards, the origin a quarter of the height above the base. */
export function coneSolid(radius: number, height: number): Solid {
  const [base, apex] = [-height / 4, (3 * height) / 4];
  return {
    reach: (x, y, z) => Math.max(apex * z, radius * Math.hypot(x, y) + base * z),
    holds: (x, y, z, slack) =>
      z >= base - slack && Math.hypot(x, y) * height <= radius * (apex - z) + slack * Math.hypot(radius, height),
    centroid: ORIGIN,
    radius: Math.max(Math.hypot(radius, base), apex),
  };
}

/** A triangle of a hull: corners counter-clockwise seen from outside, and its plane, normal . x = offset. */
interface Facet {
  readonly corners: readonly [number, number, number];
  readonly normal: Vector;
  readonly offset: number;
}

/** Hull of some dozen points in general position, `[x, y, z]` each, by trying all triangles. */
export function polytopeSolid(points: ArrayLike<number>): Solid {
  const vertices = Array.from({ length: points.length / 3 }, (_, i) => vectorAt(points, i));
  const facets = facetsOf(vertices);
  const centroid = centroidOf(vertices, facets);
  const edges = new Map<string, Vector>();
  for (const { corners } of facets) {
    for (const [k, i] of corners.entries()) {
      const j = corners[(k + 1) % 3]!;
      if (i < j) edges.set(`${i} ${j}`, minus(vertices[j]!, vertices[i]!));
    }
  }
  return {
    reach(x, y, z) {
      let most = Number.NEGATIVE_INFINITY;
      for (const [a, b, c] of vertices) most = Math.max(most, a * x + b * y + c * z);
      return most;
    },
    holds: (x, y, z, slack) => facets.every(({ normal: [a, b, c], offset }) => a * x + b * y + c * z <= offset + slack),
    centroid,
    radius: Math.max(...vertices.map((v) => Math.hypot(...minus(v, centroid)))),
    axes: { normals: facets.map(({ normal }) => normal), edges: [...edges.values()] },
  };
}

function facetsOf(vertices: readonly Vector[]): Facet[] {
  const count = vertices.length;
  const facets: Facet[] = [];
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      for (let k = j + 1; k < count; k++) {
        const [a, b, c] = [vertices[i]!, vertices[j]!, vertices[k]!];
        const across = cross(minus(b, a), minus(c, a));
        const others = vertices.filter((_, v) => v !== i && v !== j && v !== k);
        const isAbove = (one: Vector) => dot(across, minus(one, a)) > 0;
        const above = others.some(isAbove);
        if (above && !others.every(isAbove)) continue;
        const sign = (above ? -1 : 1) / Math.hypot(...across);
        const normal: Vector = [sign * across[0], sign * across[1], sign * across[2]];
        facets.push({ corners: above ? [i, k, j] : [i, j, k], normal, offset: dot(normal, a) });
      }
    }
  }
  return facets;
}

/** Of tetrahedra from the origin, by volume; the origin may lie anywhere. */
function centroidOf(vertices: readonly Vector[], facets: readonly Facet[]): Vector {
  let volume = 0;
  const sum = [0, 0, 0];
  for (const { corners } of facets) {
    const [a, b, c] = corners.map((i) => vertices[i]!) as [Vector, Vector, Vector];
    const six = dot(a, cross(b, c));
    volume += six;
    for (let k = 0; k < 3; k++) sum[k]! += six * (a[k]! + b[k]! + c[k]!);
  }
  return [sum[0]! / (4 * volume), sum[1]! / (4 * volume), sum[2]! / (4 * volume)];
}

/** Vector number i of a packed list. */
export function vectorAt(values: ArrayLike<number>, i: number): Vector {
  return [values[3 * i]!, values[3 * i + 1]!, values[3 * i + 2]!];
}

export function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

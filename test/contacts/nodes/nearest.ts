/** The nearest point of a mesh by brute force: what fields are held against. */
export type Vector = [number, number, number];

export interface Nearest {
  distance: number;
  triangle: number;
  point: Vector;
}

const sub = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The nearest point of a segment. */
function onSegment(p: Vector, a: Vector, b: Vector): Vector {
  const ab = sub(b, a);
  const t = Math.min(1, Math.max(0, dot(sub(p, a), ab) / dot(ab, ab)));
  return [a[0] + t * ab[0], a[1] + t * ab[1], a[2] + t * ab[2]];
}

/**
 * The nearest point of a triangle: its foot in the plane where that is in the triangle, else the nearest of three
 * sides.
 */
function onTriangle(p: Vector, a: Vector, b: Vector, c: Vector): Vector {
  const n = cross(sub(b, a), sub(c, a));
  const inside = ([u, v]: [Vector, Vector]) => dot(cross(sub(v, u), sub(p, u)), n) >= 0;
  if (inside([a, b]) && inside([b, c]) && inside([c, a])) {
    const k = dot(sub(p, a), n) / dot(n, n);
    return [p[0] - k * n[0], p[1] - k * n[1], p[2] - k * n[2]];
  }
  const feet = [onSegment(p, a, b), onSegment(p, b, c), onSegment(p, c, a)];
  const least = Math.min(...feet.map((foot) => Math.hypot(...sub(p, foot))));
  return feet.find((foot) => Math.hypot(...sub(p, foot)) === least)!;
}

/** The distance to a triangle's box. */
function boxDistance(p: Vector, positions: Float32Array, indices: Uint32Array, t: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const a = positions[3 * indices[3 * t]! + k]!;
    const b = positions[3 * indices[3 * t + 1]! + k]!;
    const c = positions[3 * indices[3 * t + 2]! + k]!;
    const gap = Math.max(Math.min(a, b, c) - p[k]!, p[k]! - Math.max(a, b, c), 0);
    sum += gap * gap;
  }
  return Math.sqrt(sum);
}

/** The nearest point of all triangles, or of one. */
export function nearestOnTriangles(
  { positions, indices }: { positions: Float32Array; indices: Uint32Array },
  p: Vector,
  one?: number,
): Nearest {
  let best: Nearest = { distance: Infinity, triangle: -1, point: [0, 0, 0] };
  const end = one === undefined ? indices.length / 3 : one + 1;
  for (let t = one ?? 0; t < end; t++) {
    const corner = (k: number): Vector => {
      const v = 3 * indices[3 * t + k]!;
      return [positions[v]!, positions[v + 1]!, positions[v + 2]!];
    };
    if (boxDistance(p, positions, indices, t) >= best.distance) continue;
    const point = onTriangle(p, corner(0), corner(1), corner(2));
    const distance = Math.hypot(...sub(p, point));
    if (distance < best.distance) best = { distance, triangle: t, point };
  }
  return best;
}

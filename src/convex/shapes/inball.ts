// Balls about the centres of shapes that lie in the shapes. If two of them overlap, the pair intersects
// (sphere-sides.ts). They also make MPR sure that a pair intersects if the ray from the centres runs along the side of
// a tetrahedron, as between aligned shapes.
import {
  ConeParameter,
  CylinderParameter,
  FrustumParameter,
  INTEGERS,
  Integer,
  PARAMETERS,
  Parameter,
  ShapeKind,
  type ShapeRecords,
} from './records.ts';

/** Least area of a triangle of neighbours, relative to the product of its edges, whose plane has enough digits. */
const LEAST_SINE = 1e-7;

/** Radius of a ball about the centre of a record's shape that lies in the shape: a lower bound, 0 if none is known. */
export function inballRadius(table: ShapeRecords, record: number): number {
  const p = table.parameters.subarray(PARAMETERS * record, PARAMETERS * (record + 1));
  const margin = p[Parameter.margin]!;
  const kind = table.integers[INTEGERS * record + Integer.kind]!;
  switch (kind) {
    case ShapeKind.box:
      return margin + Math.min(p[0]!, p[1]!, p[2]!);
    case ShapeKind.ellipsoid:
      return margin + Math.min(p[0]!, p[1]!, p[2]!) - p[Parameter.rollingBall]!;
    case ShapeKind.cylinder:
      return margin + Math.min(p[CylinderParameter.radius]!, p[CylinderParameter.halfHeight]!);
    case ShapeKind.cone: {
      const base = p[ConeParameter.base]!;
      const side = lineDistance(p[ConeParameter.radius]!, base, 0, p[ConeParameter.apex]!);
      return margin + Math.min(-base, side);
    }
    case ShapeKind.frustum: {
      const [bx, by, bottom] = p.subarray(FrustumParameter.bottom) as unknown as [number, number, number];
      const [tx, ty, top] = p.subarray(FrustumParameter.top) as unknown as [number, number, number];
      const sides = [lineDistance(bx, bottom, tx, top), lineDistance(by, bottom, ty, top)];
      return margin + Math.min(-bottom, top, ...sides);
    }
    case ShapeKind.polytope:
      return margin + polytopeInball(table, record);
    case ShapeKind.sum: {
      // The children's balls add up to one about the sum of their centres, which is the centre. Their margins are in
      // the balls.
      const [a, b] = [
        table.integers[INTEGERS * record + Integer.childA]!,
        table.integers[INTEGERS * record + Integer.childB]!,
      ];
      const common =
        table.parameters[PARAMETERS * a + Parameter.margin]! +
        table.parameters[PARAMETERS * b + Parameter.margin]!;
      return margin - common + inballRadius(table, a) + inballRadius(table, b);
    }
    default:
      return 0;
  }
}

/** Distance of the origin from the line through (x0, z0) and (x1, z1), which it lies left of; 0 for a point. */
function lineDistance(x0: number, z0: number, x1: number, z1: number): number {
  const length = Math.hypot(x1 - x0, z1 - z0);
  return length > 0 ? Math.max(0, (x0 * z1 - x1 * z0) / length) : 0;
}

/**
 * Least distance of the centre from a plane through three mutual neighbours. All faces of the triangulated hull are
 * among these. Triangles that are no faces can only make it smaller.
 */
function polytopeInball(table: ShapeRecords, record: number): number {
  const { vertices: v, neighbourStarts, neighbours } = table;
  const first = table.integers[INTEGERS * record + Integer.firstVertex]!;
  const count = table.integers[INTEGERS * record + Integer.vertexCount]!;
  if (table.integers[INTEGERS * record + Integer.hasEdges]! === 0) return 0;
  const isNeighbour = new Uint32Array(count);
  let least = Infinity;
  for (let i = first; i < first + count; i++) {
    const start = neighbourStarts[i]!;
    const end = neighbourStarts[i + 1]!;
    for (let e = start; e < end; e++) isNeighbour[neighbours[e]! - first] = i + 1;
    for (let e = start; e < end; e++) {
      const j = neighbours[e]!;
      if (j < i) continue;
      for (let f = neighbourStarts[j]!; f < neighbourStarts[j + 1]!; f++) {
        const k = neighbours[f]!;
        if (k > j && isNeighbour[k - first] === i + 1) {
          least = Math.min(least, planeDistance(v, 3 * i, 3 * j, 3 * k));
        }
      }
    }
  }
  return Number.isFinite(least) ? least : 0;
}

/** Distance of the origin from the plane through three points; 0 for a sliver, whose plane has few digits. */
function planeDistance(v: Float64Array, i: number, j: number, k: number): number {
  const u = [v[j]! - v[i]!, v[j + 1]! - v[i + 1]!, v[j + 2]! - v[i + 2]!] as const;
  const w = [v[k]! - v[i]!, v[k + 1]! - v[i + 1]!, v[k + 2]! - v[i + 2]!] as const;
  const x = u[1] * w[2] - u[2] * w[1];
  const y = u[2] * w[0] - u[0] * w[2];
  const z = u[0] * w[1] - u[1] * w[0];
  const length = Math.hypot(x, y, z);
  if (!(length > LEAST_SINE * Math.hypot(...u) * Math.hypot(...w))) return 0;
  return Math.abs(x * v[i]! + y * v[i + 1]! + z * v[i + 2]!) / length;
}

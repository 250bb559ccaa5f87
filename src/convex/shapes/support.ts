// Support mappings: the point of a shape that lies farthest in a direction. Olvang (2010), table 1 and eq. (5).
//
// Every shape is a core, swept with a ball: support(n) = core(n) + margin n / |n|. A sphere's core is a point, a
// capsule's a segment. An ellipsoid's core is what is left without the largest ball that rolls inside it, of radius c^2
// / a for its shortest and longest radius. Its support function less that of the ball is still convex, because no
// radius of curvature is smaller. Algorithms that are exact for cores are exact for shapes, by subtracting margins.
// Small cores make them fast.
//
// Twin: shaders/convex/shapes/support.wgsl.
import { farthestAlong } from './farthest-vertex.ts';
import {
  CompoundParameter,
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

const along = new Float64Array(3);

/**
 * Support point of a core in the frame of its centroid.
 *
 * @param direction x, y, z, any length but 0
 */
export function coreSupport(
  table: ShapeRecords,
  shape: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  o: number,
): void {
  along[0] = x;
  along[1] = y;
  along[2] = z;
  supportAlong(table, shape, along, 0, out, o);
}

/** The same for the direction from place `d` of an array on. */
export function supportAlong(
  table: ShapeRecords,
  shape: number,
  direction: Float64Array,
  d: number,
  out: Float64Array,
  o: number,
): void {
  const p = table.parameters;
  const at = PARAMETERS * shape;
  const x = direction[d]!;
  const y = direction[d + 1]!;
  const z = direction[d + 2]!;
  switch (table.integers[INTEGERS * shape + Integer.kind]!) {
    case ShapeKind.box: {
      out[o] = x < 0 ? -p[at]! : p[at]!;
      out[o + 1] = y < 0 ? -p[at + 1]! : p[at + 1]!;
      out[o + 2] = z < 0 ? -p[at + 2]! : p[at + 2]!;
      return;
    }
    case ShapeKind.ellipsoid: {
      const a = p[at]!;
      const b = p[at + 1]!;
      const c = p[at + 2]!;
      const ax = a * x;
      const by = b * y;
      const cz = c * z;
      const squared = ax * ax + by * by + cz * cz;
      const s = squared > 0 ? 1 / Math.sqrt(squared) : 0;
      const ball = p[at + Parameter.rollingBall]!;
      const r = ball > 0 ? ball / Math.sqrt(x * x + y * y + z * z) : 0;
      out[o] = (a * s * a - r) * x;
      out[o + 1] = (b * s * b - r) * y;
      out[o + 2] = (c * s * c - r) * z;
      return;
    }
    case ShapeKind.cylinder: {
      const squared = x * x + y * y;
      const s = squared > 0 ? p[at + CylinderParameter.radius]! / Math.sqrt(squared) : 0;
      const halfHeight = p[at + CylinderParameter.halfHeight]!;
      out[o] = s * x;
      out[o + 1] = s * y;
      out[o + 2] = z < 0 ? -halfHeight : halfHeight;
      return;
    }
    case ShapeKind.cone: {
      const radius = p[at + ConeParameter.radius]!;
      const base = p[at + ConeParameter.base]!;
      const apex = p[at + ConeParameter.apex]!;
      const d = Math.sqrt(x * x + y * y);
      const isBase = d * radius + z * base >= z * apex;
      const s = isBase && d > 0 ? radius / d : 0;
      out[o] = s * x;
      out[o + 1] = s * y;
      out[o + 2] = isBase ? base : apex;
      return;
    }
    case ShapeKind.frustum: {
      const ax = Math.abs(x);
      const ay = Math.abs(y);
      const bottom = at + FrustumParameter.bottom;
      const top = at + FrustumParameter.top;
      const atBottom = ax * p[bottom]! + ay * p[bottom + 1]! + z * p[bottom + 2]!;
      const atTop = ax * p[top]! + ay * p[top + 1]! + z * p[top + 2]!;
      const k = atBottom >= atTop ? bottom : top;
      out[o] = x < 0 ? -p[k]! : p[k]!;
      out[o + 1] = y < 0 ? -p[k + 1]! : p[k + 1]!;
      out[o + 2] = p[k + 2]!;
      return;
    }
    case ShapeKind.sum:
    case ShapeKind.hull: {
      compoundSupport(table, shape, x, y, z, out, o);
      return;
    }
    default: {
      const best = farthestAlong(table, shape, direction, d);
      const v = table.vertices;
      out[o] = v[3 * best]!;
      out[o + 1] = v[3 * best + 1]!;
      out[o + 2] = v[3 * best + 2]!;
    }
  }
}

const child = new Float64Array(6);

/** Sum: S_A + S_B; hull: the one of S_A, S_B that lies farther (Olvang, section 2.2). B's support by eq. (5). */
function compoundSupport(
  table: ShapeRecords,
  shape: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  o: number,
): void {
  const p = table.parameters;
  const at = PARAMETERS * shape;
  const a = table.integers[INTEGERS * shape + Integer.childA]!;
  const b = table.integers[INTEGERS * shape + Integer.childB]!;
  coreSupport(table, a, x, y, z, child, 0);
  const r = at + CompoundParameter.rotation;
  const lx = p[r]! * x + p[r + 3]! * y + p[r + 6]! * z;
  const ly = p[r + 1]! * x + p[r + 4]! * y + p[r + 7]! * z;
  const lz = p[r + 2]! * x + p[r + 5]! * y + p[r + 8]! * z;
  coreSupport(table, b, lx, ly, lz, child, 3);
  const ob = at + CompoundParameter.offsetB;
  const bx = p[r]! * child[3]! + p[r + 1]! * child[4]! + p[r + 2]! * child[5]! + p[ob]!;
  const by = p[r + 3]! * child[3]! + p[r + 4]! * child[4]! + p[r + 5]! * child[5]! + p[ob + 1]!;
  const bz = p[r + 6]! * child[3]! + p[r + 7]! * child[4]! + p[r + 8]! * child[5]! + p[ob + 2]!;
  const oa = at + CompoundParameter.offsetA;
  const ax = child[0]! + p[oa]!;
  const ay = child[1]! + p[oa + 1]!;
  const az = child[2]! + p[oa + 2]!;
  if (table.integers[INTEGERS * shape + Integer.kind]! === ShapeKind.sum) {
    out[o] = ax + bx;
    out[o + 1] = ay + by;
    out[o + 2] = az + bz;
    return;
  }
  // The smaller one of the children's margins is the hull's own. What the other one exceeds it by is in the reach of
  // that child.
  const length = Math.sqrt(x * x + y * y + z * z);
  const ra = p[at + CompoundParameter.excessA]!;
  const rb = p[at + CompoundParameter.excessB]!;
  const takeA = ax * x + ay * y + az * z + ra * length >= bx * x + by * y + bz * z + rb * length;
  const s = (takeA ? ra : rb) / length;
  out[o] = (takeA ? ax : bx) + s * x;
  out[o + 1] = (takeA ? ay : by) + s * y;
  out[o + 2] = (takeA ? az : bz) + s * z;
}

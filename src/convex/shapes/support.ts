// Support mappings: the point of a shape that lies farthest in a direction. Olvang (2010), table 1 and eq. (5).
//
// Every shape is a core, swept with a ball: support(n) = core(n) + margin n / |n|. Spheres are points, capsules segments, and
// an ellipsoid gives off the largest ball that rolls inside it, of radius c^2 / a for its shortest and longest radius: its
// support function less that of the ball is still convex, because no radius of curvature is smaller. Algorithms that are exact
// for cores are so for shapes, by subtracting margins; and small cores make them fast.
import { farthestVertex } from './farthest-vertex.ts';
import { INTEGERS, PARAMETERS, ShapeKind, type ShapeRecords } from './records.ts';

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
  const kind = table.integers[INTEGERS * shape]!;
  if (kind === ShapeKind.sum || kind === ShapeKind.hull) {
    compoundSupport(table, shape, kind, x, y, z, out, o);
  } else {
    simpleSupport(table, shape, kind, x, y, z, out, o);
  }
}

function simpleSupport(
  table: ShapeRecords,
  shape: number,
  kind: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  o: number,
): void {
  const p = table.parameters;
  const at = PARAMETERS * shape;
  switch (kind) {
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
      const ball = p[at + 13]!;
      const r = ball > 0 ? ball / Math.sqrt(x * x + y * y + z * z) : 0;
      out[o] = (a * s * a - r) * x;
      out[o + 1] = (b * s * b - r) * y;
      out[o + 2] = (c * s * c - r) * z;
      return;
    }
    case ShapeKind.cylinder: {
      const squared = x * x + y * y;
      const s = squared > 0 ? p[at]! / Math.sqrt(squared) : 0;
      out[o] = s * x;
      out[o + 1] = s * y;
      out[o + 2] = z < 0 ? -p[at + 1]! : p[at + 1]!;
      return;
    }
    case ShapeKind.cone: {
      // Base at z0, apex at z1.
      const d = Math.sqrt(x * x + y * y);
      const base = d * p[at]! + z * p[at + 1]! >= z * p[at + 2]!;
      const s = base && d > 0 ? p[at]! / d : 0;
      out[o] = s * x;
      out[o + 1] = s * y;
      out[o + 2] = base ? p[at + 1]! : p[at + 2]!;
      return;
    }
    case ShapeKind.frustum: {
      const ax = Math.abs(x);
      const ay = Math.abs(y);
      const k =
        ax * p[at]! + ay * p[at + 1]! + z * p[at + 2]! >= ax * p[at + 3]! + ay * p[at + 4]! + z * p[at + 5]!
          ? at
          : at + 3;
      out[o] = x < 0 ? -p[k]! : p[k]!;
      out[o + 1] = y < 0 ? -p[k + 1]! : p[k + 1]!;
      out[o + 2] = p[k + 2]!;
      return;
    }
    default: {
      const best = farthestVertex(table, shape, x, y, z);
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
  kind: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  o: number,
): void {
  const p = table.parameters;
  const at = PARAMETERS * shape;
  const a = table.integers[INTEGERS * shape + 3]!;
  const b = table.integers[INTEGERS * shape + 4]!;
  simpleSupport(table, a, table.integers[INTEGERS * a]!, x, y, z, child, 0);
  const lx = p[at]! * x + p[at + 3]! * y + p[at + 6]! * z;
  const ly = p[at + 1]! * x + p[at + 4]! * y + p[at + 7]! * z;
  const lz = p[at + 2]! * x + p[at + 5]! * y + p[at + 8]! * z;
  simpleSupport(table, b, table.integers[INTEGERS * b]!, lx, ly, lz, child, 3);
  const bx = p[at]! * child[3]! + p[at + 1]! * child[4]! + p[at + 2]! * child[5]! + p[at + 9]!;
  const by = p[at + 3]! * child[3]! + p[at + 4]! * child[4]! + p[at + 5]! * child[5]! + p[at + 10]!;
  const bz = p[at + 6]! * child[3]! + p[at + 7]! * child[4]! + p[at + 8]! * child[5]! + p[at + 11]!;
  const ax = child[0]! + p[at + 20]!;
  const ay = child[1]! + p[at + 21]!;
  const az = child[2]! + p[at + 22]!;
  if (kind === ShapeKind.sum) {
    out[o] = ax + bx;
    out[o + 1] = ay + by;
    out[o + 2] = az + bz;
    return;
  }
  // What the children's margins have in common is the hull's own; the rest is in their reach.
  const length = Math.sqrt(x * x + y * y + z * z);
  const ra = p[at + 15]!;
  const rb = p[at + 16]!;
  const takeA = ax * x + ay * y + az * z + ra * length >= bx * x + by * y + bz * z + rb * length;
  const s = (takeA ? ra : rb) / length;
  out[o] = (takeA ? ax : bx) + s * x;
  out[o + 1] = (takeA ? ay : by) + s * y;
  out[o + 2] = (takeA ? az : bz) + s * z;
}

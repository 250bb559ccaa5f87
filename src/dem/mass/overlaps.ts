/** Volumes that convex parts of a body share: a sum over parts would count them twice. */
import type { Matrix3, Vector3 } from '../../mesh/mass-properties.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';

/** A closed convex mesh, and where it lies in the whole. */
export interface PlacedMesh {
  readonly mesh: TriangleMesh;
  readonly position: Vector3;
  readonly turn: Matrix3;
}

/** Mass and moments that a sum over parts counts too often: m - 1 times where m parts are. */
export interface Excess {
  readonly volume: number;
  readonly centroid: Vector3;
  /** Integral of p p^T about the origin: xx, yy, zz, yz, zx, xy. */
  readonly moments: readonly [number, number, number, number, number, number];
}

/** Planes n p <= d of a part, four numbers each, and the part's box. */
interface Part {
  readonly planes: Float64Array;
  readonly low: Vector3;
  readonly high: Vector3;
}

/** Excess by rays along z, as many to a side of the part of space where two parts may be; exact along each. */
export function excessOf(meshes: readonly PlacedMesh[], rays: number): Excess {
  const parts = meshes.map(partOf);
  const box = commonBox(parts);
  const none: Excess = { volume: 0, centroid: [0, 0, 0], moments: [0, 0, 0, 0, 0, 0] };
  if (box === undefined) return none;
  const { low, high } = box;
  const [dx, dy] = [(high[0] - low[0]) / rays, (high[1] - low[1]) / rays];
  let [v, sx, sy, sz] = [0, 0, 0, 0];
  let [xx, yy, zz, yz, zx, xy] = [0, 0, 0, 0, 0, 0];
  const ends: [z: number, change: number][] = [];
  for (let i = 0; i < rays; i++) {
    const x = low[0] + (i + 0.5) * dx;
    for (let j = 0; j < rays; j++) {
      const y = low[1] + (j + 0.5) * dy;
      ends.length = 0;
      for (const part of parts) {
        const [from, to] = along(part, x, y);
        if (from < to) ends.push([from, 1], [to, -1]);
      }
      ends.sort(([a], [b]) => a - b);
      let inside = 0;
      ends.forEach(([z, change], k) => {
        const more = inside - 1;
        if (more > 0) {
          const before = ends[k - 1]![0];
          const area = more * dx * dy;
          const [w, w1, w2] = [z - before, (z ** 2 - before ** 2) / 2, (z ** 3 - before ** 3) / 3];
          v += area * w;
          sx += area * w * x;
          sy += area * w * y;
          sz += area * w1;
          // A ray stands for a rectangle about it.
          xx += area * w * (x * x + dx ** 2 / 12);
          yy += area * w * (y * y + dy ** 2 / 12);
          zz += area * w2;
          yz += area * w1 * y;
          zx += area * w1 * x;
          xy += area * w * x * y;
        }
        inside += change;
      });
    }
  }
  if (v === 0) return none;
  return { volume: v, centroid: [sx / v, sy / v, sz / v], moments: [xx, yy, zz, yz, zx, xy] };
}

/** The box around all places where the boxes of two parts overlap. */
function commonBox(parts: readonly Part[]): Pick<Part, 'low' | 'high'> | undefined {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  parts.forEach((a, i) => {
    for (const b of parts.slice(i + 1)) {
      const from = a.low.map((x, k) => Math.max(x, b.low[k]!));
      const to = a.high.map((x, k) => Math.min(x, b.high[k]!));
      if (from.some((x, k) => x >= to[k]!)) continue;
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k]!, from[k]!);
        high[k] = Math.max(high[k]!, to[k]!);
      }
    }
  });
  return low[0] === Infinity
    ? undefined
    : { low: low as unknown as Vector3, high: high as unknown as Vector3 };
}

function partOf({ mesh: { positions, indices }, position, turn }: PlacedMesh): Part {
  const at = (vertex: number) =>
    turn.map(
      (row, k) =>
        row[0] * positions[3 * vertex]! +
        row[1] * positions[3 * vertex + 1]! +
        row[2] * positions[3 * vertex + 2]! +
        position[k]!,
    ) as unknown as Vector3;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const planes = new Float64Array((4 * indices.length) / 3);
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [at(indices[i]!), at(indices[i + 1]!), at(indices[i + 2]!)];
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, a[k]!, b[k]!, c[k]!);
      high[k] = Math.max(high[k]!, a[k]!, b[k]!, c[k]!);
    }
    const u = b.map((x, k) => x - a[k]!) as unknown as Vector3;
    const w = c.map((x, k) => x - a[k]!) as unknown as Vector3;
    const n = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]] as const;
    planes.set([...n, n[0] * a[0] + n[1] * a[1] + n[2] * a[2]], (4 * i) / 3);
  }
  return { planes, low: low as unknown as Vector3, high: high as unknown as Vector3 };
}

/** The z at which a ray along z at x, y enters a part, and that at which it leaves. */
function along({ planes, low, high }: Part, x: number, y: number): readonly [from: number, to: number] {
  if (x < low[0] || x > high[0] || y < low[1] || y > high[1]) return [0, 0];
  let [from, to] = [low[2], high[2]];
  for (let p = 0; p < planes.length; p += 4) {
    const rest = planes[p + 3]! - planes[p]! * x - planes[p + 1]! * y;
    const n = planes[p + 2]!;
    if (n > 0) to = Math.min(to, rest / n);
    else if (n < 0) from = Math.max(from, rest / n);
    else if (rest < 0) return [0, 0];
    if (from >= to) return [0, 0];
  }
  return [from, to];
}

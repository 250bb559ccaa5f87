/** Patches: parts of a surface that meet at concave edges. A sphere has one contact with each. */
import type { EdgeTable } from '../../mesh/edges.ts';
import { NO_NEIGHBOUR } from './surface-arrays.ts';

const NONE = 2 ** 32 - 1;

/** For each of `count` items, its neighbours. */
type Neighbours = readonly (readonly number[])[];

/**
 * Numbers of the patches of all triangles.
 *
 * Triangles that meet at less than the angle make a smooth region. Regions that meet at convex edges make a patch, but
 * two of them that also meet at a concave edge never come into one: in an L, both sides of the inner corner are joined
 * around its back, and a sphere in the corner touches both.
 *
 * @param least angle of a concave edge that parts patches, radians
 */
export function patchesOf(
  triangleCount: number,
  edges: EdgeTable,
  angles: Float64Array,
  least: number,
): { patches: Uint32Array; patchCount: number; neighbours: Uint32Array } {
  const joined = (
    count: number,
    of: (t: number) => number,
    wanted: (angle: number) => boolean,
  ): Neighbours => {
    const lists = Array.from({ length: count }, (): number[] => []);
    for (let e = 0; e < edges.count; e++) {
      if (!wanted(angles[e]!)) continue;
      for (let k = edges.offsets[e]! + 1; k < edges.offsets[e + 1]!; k++) {
        const s = of(Math.floor(edges.halfEdges[k - 1]! / 3));
        const t = of(Math.floor(edges.halfEdges[k]! / 3));
        if (s === t) continue;
        lists[s]!.push(t);
        lists[t]!.push(s);
      }
    }
    return lists;
  };
  const smooth = joined(
    triangleCount,
    (t) => t,
    (angle) => Math.abs(angle) < least,
  );
  const regions = flooded(smooth, () => true);
  const regionOf = (t: number) => regions.numbers[t]!;
  const convex = joined(regions.count, regionOf, (angle) => angle >= least);
  const concave = joined(regions.count, regionOf, (angle) => angle <= -least);
  const groups = flooded(
    convex,
    (region, group, numbers) => !concave[region]!.some((other) => numbers[other] === group),
  );
  const patches = Uint32Array.from(regions.numbers, (region) => groups.numbers[region]!);
  return { patches, patchCount: groups.count, neighbours: neighboursIn(patches, edges) };
}

/**
 * Triangles across edges, within patches. Edges of more than two faces have none: which two belong together is open.
 */
function neighboursIn(patches: Uint32Array, { count, offsets, halfEdges }: EdgeTable): Uint32Array {
  const neighbours = new Uint32Array(3 * patches.length).fill(NO_NEIGHBOUR);
  for (let e = 0; e < count; e++) {
    if (offsets[e + 1]! - offsets[e]! !== 2) continue;
    const [one, other] = [halfEdges[offsets[e]!]!, halfEdges[offsets[e]! + 1]!];
    const [s, t] = [Math.floor(one / 3), Math.floor(other / 3)];
    if (patches[s] !== patches[t]) continue;
    neighbours[one] = t;
    neighbours[other] = s;
  }
  return neighbours;
}

/** Numbers groups of neighbours in the order of their first items. `mayJoin`: whether an item may join a group. */
function flooded(
  neighbours: Neighbours,
  mayJoin: (item: number, group: number, numbers: Uint32Array) => boolean,
): { numbers: Uint32Array; count: number } {
  const numbers = new Uint32Array(neighbours.length).fill(NONE);
  let count = 0;
  for (let first = 0; first < numbers.length; first++) {
    if (numbers[first] !== NONE) continue;
    numbers[first] = count;
    const pending = [first];
    for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
      for (const other of neighbours[item]!) {
        if (numbers[other] !== NONE || !mayJoin(other, count, numbers)) continue;
        numbers[other] = count;
        pending.push(other);
      }
    }
    count++;
  }
  return { numbers, count };
}

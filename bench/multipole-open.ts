/**
 * Flags of a sphere with holes: J > 1/2 after some of its triangles have been removed, against the flags of the closed sphere.
 * J of the open sphere is exactly known: the closed sphere's whole number less the removed triangles' own angles.
 */

import { WrongFlags } from '../src/bench/check.ts';
import { makePoints } from '../src/bench/points.ts';
import { BOUNDARY, DOUBTFUL, INSIDE } from '../src/inside/classification.ts';
import { certifyWinding } from '../src/inside/multipole/certify.ts';
import { directPotential } from '../src/inside/potential/solid-angle.ts';
import { localSurface } from '../src/inside/surface.ts';
import { createRandom } from '../src/mesh/random.ts';
import { TriangleMesh } from '../src/mesh/triangle-mesh.ts';
import { clocked } from './clocked.ts';
import { type Expected, requireWithinBounds } from './potential-check.ts';
import { type PotentialKey, type Potentials, type PotentialWay, totalSeconds } from './potential-way.ts';
import { exactFlags } from './reference-flags.ts';

const REMOVAL_SEED = 20240604;
/** Of the exact J: where it is known less well, a point is on or beside a removed triangle. */
const ROUNDING = 1e-12;

export interface OpenResult {
  readonly way: PotentialKey;
  readonly name: string;
  readonly triangles: number;
  readonly removed: number;
  readonly p: number;
  readonly d: number;
  readonly points: number;
  /** Points whose flag, J > 1/2, is not that of the closed sphere; doubtful ones by the exact J. */
  readonly changed: number;
  /** Points that the bound leaves open, and how many of all have J itself, as computed, on the wrong side of 1/2. */
  readonly doubtful: number;
  readonly misplaced: number;
  /** Points on the sphere, or too near to a removed triangle for its angle to be known: in none of the counts but `doubtful`. */
  readonly leftOut: number;
  readonly largestError: number;
  readonly setUpSeconds: number;
  readonly evaluateSeconds: number;
}

export interface OpenOptions {
  readonly mesh: TriangleMesh;
  readonly removed: number;
  readonly ways: readonly PotentialWay[];
  readonly settings: readonly { readonly p: number; readonly d: number }[];
  readonly pointsPerAxis: number;
  readonly sampleSize: number;
  readonly say: (line: string) => void;
}

/** The mesh without some random triangles, and those triangles. */
export function removeTriangles({ positions, indices, triangleCount, name }: TriangleMesh, removed: number) {
  const random = createRandom(REMOVAL_SEED);
  const chosen = new Set<number>();
  while (chosen.size < removed) chosen.add(Math.floor(random() * triangleCount));
  const pick = (isTaken: (t: number) => boolean, what: string) =>
    new TriangleMesh({
      positions,
      indices: indices.filter((_, i) => isTaken(Math.floor(i / 3))),
      name: `${name}, ${what}`,
    });
  return {
    open: pick((t) => !chosen.has(t), `${removed} triangles removed`),
    lost: pick((t) => chosen.has(t), `${removed} of its triangles`),
  };
}

/** @throws WrongFlags where a bound does not hold, or a flag that it makes certain is wrong. */
export async function measureOpen(options: OpenOptions): Promise<OpenResult[]> {
  const { mesh, removed, say } = options;
  const points = makePoints('random', mesh, options.pointsPerAxis);
  say(`${mesh.name}: without ${removed} triangles`);
  const flags = await exactFlags(mesh.name, mesh, points, options.sampleSize);
  const { open, lost } = removeTriangles(mesh, removed);
  // In float64, rounded far below any bound of a potential; off a triangle that is so steep that its angle is not known.
  const angles = directPotential(localSurface(lost), points);
  const exact = Float64Array.from(flags, (flag, i) => flag - angles.values[i]!);
  const skip = (i: number) => flags[i] === BOUNDARY || angles.bounds[i]! > ROUNDING;
  const results: OpenResult[] = [];
  for (const { p, d } of options.settings) {
    for (const way of options.ways) {
      say(`${open.name}: p = ${p}, d = ${d}, ${way.label}`);
      const settings = { p, d, depth: 'auto' as const, points: flags.length, closed: false };
      const prepared = await way.prepare(open, settings);
      try {
        const { result, seconds } = await clocked(() => prepared.evaluate(points));
        const what = `${open.name}, p = ${p}, d = ${d}, ${way.label}`;
        results.push({
          way: way.key,
          name: mesh.name,
          triangles: mesh.triangleCount,
          removed,
          p,
          d,
          points: flags.length,
          ...compare(what, result, flags, { exact, skip }),
          setUpSeconds: totalSeconds(prepared.stages),
          evaluateSeconds: seconds,
        });
      } finally {
        prepared.destroy();
      }
    }
  }
  return results;
}

/** Counts of flags J > 1/2 against exact J and the flags of the closed body. @throws WrongFlags */
function compare(what: string, found: Potentials, flags: Uint8Array, expected: Expected) {
  const { exact, skip } = expected;
  const { largestError } = requireWithinBounds(what, found, expected);
  const { values, bounds } = found;
  const certain = certifyWinding({ values: Float64Array.from(values), bounds: Float64Array.from(bounds) });
  let [changed, doubtful, misplaced, leftOut] = [0, 0, 0, 0];
  for (let i = 0; i < flags.length; i++) {
    if (certain[i] === DOUBTFUL) doubtful++;
    if (skip(i)) {
      leftOut++;
      continue;
    }
    const inside = exact[i]! > 0.5;
    if (certain[i] !== DOUBTFUL && (certain[i] === INSIDE) !== inside) {
      throw new WrongFlags(`${what}: point ${i} has the flag ${certain[i]}, but J = ${exact[i]}`);
    }
    if (inside !== (flags[i] === INSIDE)) changed++;
    if (values[i]! > 0.5 !== inside) misplaced++;
  }
  return { changed, doubtful, misplaced, leftOut, largestError };
}

/** Flags from a potential, as `Polyhedron` uses a method: see docs/multipole.md, "Flags". */

import type { BufferPool } from '../../gpu/buffers.ts';
import { BOUNDARY, DOUBTFUL, type Expansion, INSIDE, OUTSIDE, type Rule } from '../classification.ts';
import { coordinatesOf, type ExactTest, eachInSlices } from '../exact.ts';
import { CHUNK, type MethodRun, type Prepared, type StageSeconds } from '../method.ts';
import { certifyClosed, certifyWinding } from '../multipole/certify.ts';
import type { Potential } from '../potential/potential.ts';
import { SerialLane } from '../stream/lanes.ts';
import { SETTLING_TOLERANCE } from './constants.ts';
import { gatherPoints, type Potentials } from './potentials.ts';

export interface PotentialFlags {
  readonly rule: Rule;
  readonly potentials: Potentials;
  /**
   * Exact predicates, for a mesh on which they only tell whether a point is on a triangle; undefined for a closed and
   * consistently oriented one, of which they decide all points.
   */
  readonly onTriangle: ExactTest | undefined;
}

/** @param potential set up; the caller owns it */
export function preparePotential(
  potential: Potential,
  { rule, potentials, onTriangle }: PotentialFlags,
): Prepared {
  const classify = async (
    points: Float32Array,
    first: number,
    count: number,
    flags: Uint8Array,
    run: MethodRun,
    work: BufferPool | undefined,
    stages: StageSeconds,
  ): Promise<Uint32Array> => {
    const values = new Float32Array(count);
    const bounds = new Float32Array(count);
    await potential.evaluate(points, first, count, values, bounds, { ...run, rule }, work, stages);
    const evaluated = performance.now();
    const found =
      rule === 'winding' ? certifyWinding({ values, bounds }) : certifyClosed({ values, bounds }, rule);
    flags.set(found, first);
    const doubtful: number[] = [];
    for (let i = 0; i < count; i++) if (found[i] === DOUBTFUL) doubtful.push(first + i);
    stages.classify += (performance.now() - evaluated) / 1000;
    return Uint32Array.from(doubtful);
  };
  return {
    tableBytes: potential.tableBytes,
    gpuBytes: () => potential.gpuBytes,
    expansion: expansionOf(potential),
    classify,
    ...(onTriangle && {
      settle: (points, flags, doubtful, signal) =>
        settleByWinding(points, flags, doubtful, { potentials, onTriangle, signal }),
    }),
    openLane: ({ stages, onPiece }) =>
      new SerialLane({ peakBytes: 0, destroy: () => {} }, async (points, flags, signal) => {
        const parts: Uint32Array[] = [];
        for (let first = 0; first < flags.length; first += CHUNK) {
          signal.throwIfAborted();
          const count = Math.min(CHUNK, flags.length - first);
          parts.push(await classify(points, first, count, flags, { rule, signal }, undefined, stages));
          onPiece(count);
        }
        return Uint32Array.from(parts.flatMap((part) => [...part]));
      }),
  };
}

/** Undefined for the direct sum, which expands nothing. */
function expansionOf({ degree, separation, level, setUpSeconds = {} }: Potential): Expansion | undefined {
  return degree === 0 ? undefined : { degree, separation, level, setUpSeconds };
}

/**
 * Flags by rule `winding` of points whose potential was too near to 1/2 for its bound. Those on a triangle are found exactly;
 * for the others J is summed up again, more precisely. Returns how many are within even that bound of 1/2.
 */
async function settleByWinding(
  points: Float32Array,
  flags: Uint8Array,
  doubtful: Uint32Array,
  options: Pick<PotentialFlags, 'potentials'> & { onTriangle: ExactTest; signal: AbortSignal },
): Promise<number> {
  const { potentials, onTriangle, signal } = options;
  const found: number[] = [];
  await eachInSlices(doubtful, { signal }, (i) => {
    if (onTriangle.isOn(...coordinatesOf(points, i))) flags[i] = BOUNDARY;
    else found.push(i);
  });
  const off = Uint32Array.from(found);
  if (off.length === 0) return 0;
  const isSettled = (value: number, bound: number) => Math.abs(value - 0.5) > bound;
  const { values, bounds } = await potentials.sharpen(gatherPoints(points, off), {
    run: { rule: 'winding', signal },
    tolerance: SETTLING_TOLERANCE,
    isSettled,
  });
  let undecided = 0;
  off.forEach((i, n) => {
    flags[i] = values[n]! > 0.5 ? INSIDE : OUTSIDE;
    if (!isSettled(values[n]!, bounds[n]!)) undecided++;
  });
  return undecided;
}

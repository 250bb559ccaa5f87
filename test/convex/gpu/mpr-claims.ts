/** What answers of MPR in float32 have to be, for pairs of placed shapes, against exact ones. */
import { expect } from 'vitest';
import { BATCH_TOLERANCE, PORTAL_ERROR_32 } from '../../../src/convex/constants.ts';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import type { GpuPairAnswers } from '../../../src/convex/gpu/answers.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import type { PairKind } from '../../../src/convex/query/pair-kinds.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Device } from '../../../src/gpu/device.ts';
import { outsideBy, overlapAlong, type Placed, sizeOf, type Vector } from '../shapes-of-all-kinds.ts';
import { kernelAnswers, type PairsOfBodies } from './mpr-answers.ts';

export type PlacedPair = readonly [Placed, Placed];

/** Accuracy of distances, depths and points, in units of the pair's size. */
const ACCURACY = 1e-5;

/** At most the pair's size as src has it, times a small number. */
const measure = (a: Placed, b: Placed) =>
  sizeOf(a.shape) + sizeOf(b.shape) + Math.hypot(...a.position.map((x, k) => x - b.position[k]!)) || 1;

/** Bodies 2 i and 2 i + 1 are those of pair i. */
export function asBodies(pairs: readonly PlacedPair[]): PairsOfBodies {
  const placed = pairs.flat();
  return {
    table: new ShapeTable(placed.map(({ shape }) => shape)),
    poses: Float64Array.from(placed.flatMap(({ position, rotation }) => [...position, ...rotation])),
    bodies: Uint32Array.from(placed, (_, i) => i),
    pairs: Uint32Array.from(placed, (_, i) => i),
  };
}

/** Asks a kernel for pairs and holds its answers against the exact ones; returns the answers. */
export async function claimed(
  device: Device,
  pairs: readonly PlacedPair[],
  kind: PairKind,
): Promise<GpuPairAnswers> {
  const bodies = asBodies(pairs);
  const answers = await kernelAnswers(device, bodies, kind);
  const exact = queryPairs(bodies.table, { ...bodies, kind: 'signed-distance' });
  pairs.forEach(([a, b], i) => {
    const distance = exact.distance[i]!;
    const size = measure(a, b);
    const what = `pair ${i}, ${kind}: ${JSON.stringify([a, b])}, exactly ${distance}`;
    const status = answers.status[i]!;
    if (status === PairStatus.iterationLimit) {
      // Nothing is claimed.
      return;
    }
    expect(status, what).not.toBe(PairStatus.touching);
    if (kind === 'intersect') {
      expect(status, what).toBe(distance > 0 ? PairStatus.separated : PairStatus.converged);
      return;
    }
    requireNumbers(kind, [a, b], answers, i, distance, size, what);
  });
  return answers;
}

function requireNumbers(
  kind: PairKind,
  [a, b]: PlacedPair,
  answers: GpuPairAnswers,
  i: number,
  exact: number,
  size: number,
  what: string,
): void {
  const of = (values: Float32Array) => [...values.subarray(3 * i, 3 * i + 3)] as unknown as Vector;
  const distance = answers.distance[i]!;
  const normal = of(answers.normal);
  // Theorem 4.1: the sign is that of the exact one, and it is beyond doubt.
  expect(Math.sign(distance), what).toBe(Math.sign(exact));
  expect(Math.abs(Math.hypot(...normal) - 1), what).toBeLessThan(1e-5);
  expect(answers.lower[i]!, what).toBeLessThanOrEqual(exact + 1e-12 * size);
  expect(answers.upper[i]!, what).toBeGreaterThanOrEqual(exact - 1e-12 * size);
  const apart = distance > 0;
  if (kind === 'penetration' && apart) {
    // The axis proves a distance from below.
    expect(answers.status[i], what).toBe(PairStatus.separated);
    expect(distance, what).toBeLessThan(exact + PORTAL_ERROR_32 * size);
    expect(Math.abs(overlapAlong(a, b, normal) + distance), what).toBeLessThan(ACCURACY * size);
  } else {
    // A portal proves no depth, and a distance only where the nearest point is inside it.
    if (answers.status[i] === PairStatus.converged) {
      expect(Math.abs(distance - exact), what).toBeLessThan((BATCH_TOLERANCE + 2 ** -16) * size);
    } else {
      expect(answers.status[i], what).toBe(PairStatus.bounded);
      expect(answers.upper[i]! - answers.lower[i]!, what).toBeGreaterThan(0);
    }
    // Theorem 4.2: not below the distance; of overlapping shapes, not below the depth.
    if (apart) expect(distance, what).toBeGreaterThan(exact - ACCURACY * size);
    else expect(distance, what).toBeLessThan(exact + ACCURACY * size);
    // Where a support plane is as far as the answer, the nearest point is inside the portal: the answer is exact.
    if (apart && distance - answers.lower[i]! < 2 * PORTAL_ERROR_32 * size) {
      expect(Math.abs(distance - exact), what).toBeLessThan(2 * PORTAL_ERROR_32 * size + ACCURACY * size);
    }
    // r_B - r_A = delta e_A: the point on A, moved by delta e_A, is on B.
    const around = [normal, [-normal[0], -normal[1], -normal[2]] as Vector];
    expect(outsideBy(b, of(answers.pointB), around), what).toBeLessThan(2 * ACCURACY * size);
  }
  expect(outsideBy(a, of(answers.pointA)), what).toBeLessThan(2 * ACCURACY * size);
}

/** Share of pairs that a kernel left to float64. */
export function undecidedShare({ status }: GpuPairAnswers): number {
  return status.filter((one) => one === PairStatus.iterationLimit).length / status.length;
}

/** What answers of MPR in float32 have to be, for pairs of placed shapes, against exact ones. */
import { BATCH_TOLERANCE, PORTAL_ERROR_32 } from '../../../src/convex/constants.ts';
import { queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import type { GpuPairAnswers } from '../../../src/convex/gpu/answers.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import type { PairKind } from '../../../src/convex/query/pair-kinds.ts';
import type { PairResults } from '../../../src/convex/query/pair-query.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Device } from '../../../src/gpu/device.ts';
import { hold } from '../../support/hold.ts';
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
    shapes: Uint32Array.from(placed, (_, i) => i),
    pairs: Uint32Array.from(placed, (_, i) => i),
  };
}

const known = new WeakMap<readonly PlacedPair[], { bodies: PairsOfBodies; exact: PairResults }>();

/** Pairs as bodies, and the exact answers: the same for all kinds of queries, so they are found once. */
function exactOf(pairs: readonly PlacedPair[]): { bodies: PairsOfBodies; exact: PairResults } {
  const found = known.get(pairs);
  if (found) return found;
  const bodies = asBodies(pairs);
  const made = { bodies, exact: queryPairs(bodies.table, { ...bodies, kind: 'signed-distance' }) };
  known.set(pairs, made);
  return made;
}

/** Asks a kernel for pairs and holds its answers against the exact ones; returns the answers. */
export async function claimed(
  device: Device,
  pairs: readonly PlacedPair[],
  kind: PairKind,
): Promise<GpuPairAnswers> {
  const { bodies, exact } = exactOf(pairs);
  const answers = await kernelAnswers(device, bodies, kind);
  pairs.forEach(([a, b], i) => {
    const distance = exact.distance[i]!;
    const status = answers.status[i]!;
    // Nothing is claimed.
    if (status === PairStatus.iterationLimit) return;
    const claim: Claim = (holds, what) =>
      hold(holds, () => {
        const found = `status ${status}, distance ${answers.distance[i]}, exactly ${distance}`;
        return `pair ${i}, ${kind}: ${what}: ${found}: ${JSON.stringify([a, b])}`;
      });
    claim(status !== PairStatus.touching, 'status');
    if (kind === 'intersect') {
      claim(status === (distance > 0 ? PairStatus.separated : PairStatus.converged), 'side');
      return;
    }
    requireNumbers(kind, [a, b], answers, i, distance, claim);
  });
  return answers;
}

/** Fails unless what is claimed holds. */
type Claim = (holds: boolean, what: string) => void;

function requireNumbers(
  kind: PairKind,
  [a, b]: PlacedPair,
  answers: GpuPairAnswers,
  i: number,
  exact: number,
  claim: Claim,
): void {
  const size = measure(a, b);
  const of = (values: Float32Array) => [...values.subarray(3 * i, 3 * i + 3)] as unknown as Vector;
  const distance = answers.distance[i]!;
  const normal = of(answers.normal);
  // Theorem 4.1: the sign is that of the exact one, and it is beyond doubt.
  claim(Object.is(Math.sign(distance), Math.sign(exact)), 'sign');
  claim(Math.abs(Math.hypot(...normal) - 1) < 1e-5, 'length of the normal');
  claim(answers.lower[i]! <= exact + 1e-12 * size, 'lower bound');
  claim(answers.upper[i]! >= exact - 1e-12 * size, 'upper bound');
  const apart = distance > 0;
  if (kind === 'penetration' && apart) {
    // The axis proves a distance from below.
    claim(answers.status[i] === PairStatus.separated, 'status');
    claim(distance < exact + PORTAL_ERROR_32 * size, 'distance');
    claim(Math.abs(overlapAlong(a, b, normal) + distance) < ACCURACY * size, 'axis');
  } else {
    // A portal proves no depth, and a distance only where the nearest point is inside it.
    if (answers.status[i] === PairStatus.converged) {
      claim(Math.abs(distance - exact) < (BATCH_TOLERANCE + 2 ** -16) * size, 'distance');
    } else {
      claim(answers.status[i] === PairStatus.bounded, 'status');
      claim(answers.upper[i]! - answers.lower[i]! > 0, 'bounds');
    }
    // Theorem 4.2: not below the distance; of overlapping shapes, not below the depth.
    if (apart) claim(distance > exact - ACCURACY * size, 'distance');
    else claim(distance < exact + ACCURACY * size, 'depth');
    // Where a support plane is as far as the answer, the nearest point is inside the portal: the answer is exact.
    if (apart && distance - answers.lower[i]! < 2 * PORTAL_ERROR_32 * size) {
      claim(Math.abs(distance - exact) < 2 * PORTAL_ERROR_32 * size + ACCURACY * size, 'distance');
    }
    // r_B - r_A = delta e_A: the point on A, moved by delta e_A, is on B.
    const around = [normal, [-normal[0], -normal[1], -normal[2]] as Vector];
    claim(outsideBy(b, of(answers.pointB), around) < 2 * ACCURACY * size, 'point on B');
  }
  claim(outsideBy(a, of(answers.pointA)) < 2 * ACCURACY * size, 'point on A');
}

/** Share of pairs that a kernel left to float64. */
export function undecidedShare({ status }: GpuPairAnswers): number {
  return status.filter((one) => one === PairStatus.iterationLimit).length / status.length;
}

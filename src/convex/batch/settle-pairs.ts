// Pairs that kernels left open in buffers of the caller's, decided on the host as those of a query are.
import { type Options, requireArray, requireOptions, requireRows, told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { BATCH_TOLERANCE } from '../constants.ts';
import type { CpuPairs } from '../cpu/cpu-pairs.ts';
import { requireContents, requirePoseArray, resolveQuery } from '../query/check-query.ts';
import type { PairsReadBack } from '../query/on-device.ts';
import { sizesOf } from '../query/pair-arrays.ts';
import type { PairQuestion, ResolvedPairQuery } from '../query/pair-query.ts';
import { toPlainDistances } from '../query/plain-distance.ts';
import { redoUndecided } from './redo.ts';

const READ_BACK: Options<PairsReadBack> = {
  ...{ poses: 'checked', poseRests: 'checked', shapes: 'checked', pairs: 'checked' },
  ...{ kind: 'checked', algorithm: 'checked', tolerance: 'checked' },
  ...{ count: 'checked', needed: 'number', partPairs: 'checked', open: 'checked' },
  ...{ distance: 'checked', lower: 'checked', upper: 'checked', normal: 'checked' },
  ...{ pointA: 'checked', pointB: 'checked', status: 'checked', iterations: 'checked' },
  ...{ contactCounts: 'checked', contacts: 'checked', contactNormals: 'checked' },
};

/**
 * Writes the answers of open pairs.
 *
 * @throws InputError for what `read` did not give, pairs that found no room, or bodies that a query cannot use. Nothing
 *   is written then.
 */
export async function settlePairs(
  read: PairsReadBack,
  question: PairQuestion,
  { shapeCount, cpu, signal }: { shapeCount: number; cpu: CpuPairs; signal: AbortSignal },
): Promise<number> {
  requireOptions('settle', read, READ_BACK);
  const { kind, count, needed, shapes, pairs, open } = read;
  if (kind !== question.kind) {
    throw new InputError(`kind is ${kind}, expected ${question.kind}, which was asked`);
  }
  requireRows('settle', read, { widths: sizesOf(kind), rows: 'pairs', from: 'what read() gave' });
  requireArray('open', open, [Uint32Array], 'numbers of pairs');
  if (!(needed <= count)) {
    if (!(needed > count)) throw new InputError(`needed: found ${told(needed)}, expected what read() gave`);
    throw new InputError(
      `${needed - count} pairs found no room, expected an answer or a place in open for all`,
    );
  }
  requireArray('pairs', pairs, [Uint32Array], 'two bodies per pair');
  if (pairs.length < 2 * count) {
    throw new InputError(`pairs: ${pairs.length} numbers found, expected the ${2 * count} of ${count} pairs`);
  }
  const bodies = { poses: sumOf(read), shapes, pairs: pairs.subarray(0, 2 * count) };
  const defaults = { algorithm: 'auto', tolerance: BATCH_TOLERANCE } as const;
  const query: ResolvedPairQuery = resolveQuery(shapeCount, { ...question, ...bodies }, defaults);
  if (open.length === 0) return 0;
  requireContents(query);
  const { redone } = await redoUndecided(read, query, cpu, { signal });
  if (kind === 'distance') toPlainDistances(read);
  return redone;
}

/** Poses with what rounding to float32 left of them. */
function sumOf({ poses, poseRests }: PairsReadBack): Float32Array | Float64Array {
  if (poseRests === undefined) return poses;
  requirePoseArray(poses);
  requireArray('poseRests', poseRests, [Float32Array], 'seven numbers per body');
  if (poseRests.length === poses.length) return Float64Array.from(poses, (x, i) => x + poseRests[i]!);
  throw new InputError(
    `poseRests: ${poseRests.length} numbers found, expected ${poses.length}, as many as poses`,
  );
}

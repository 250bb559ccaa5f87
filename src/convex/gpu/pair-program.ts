/**
 * All kernels of a query, compiled, and how they are recorded: bodies are placed, pairs become pairs of convex bodies
 * in buckets by the kinds of their records, each bucket is answered, and of the parts' results answers are made.
 * Nothing here waits for the GPU.
 */
import type { Infer } from 'typegpu/data';
import { bind } from '../../gpu/bind.ts';
import type { Device } from '../../gpu/device.ts';
import { type BufferCount, countWindow } from '../../gpu/indirect.ts';
import { type BufferPart, compileKernel } from '../../gpu/kernel.ts';
import type { Extent, Recorder } from '../../gpu/recorder.ts';
import { LARGEST_SHAPE_SIZE, QUATERNION_NORM_TOLERANCE } from '../constants.ts';
import { ShapeKind } from '../shapes/records.ts';
import {
  beginPairsSource,
  bucketSizesSource,
  countPairsSource,
  listSizesSource,
  pairAnswersSource,
  pairContactsSource,
  placeBodiesSource,
  placePairsSource,
  placeUnmovedBodiesSource,
  type SortParams,
  spanBodiesSource,
} from './pair-kernels.ts';
import { List, SIZES_PER_BUCKET } from './pair-layout.ts';
import type { PairRoom } from './pair-room.ts';
import type { PairShapes } from './pair-shapes.ts';
import { type PairPlan, Wanted } from './plan.ts';
import { ANY_KIND, type KindPair, type Solver, solversFor } from './solvers.ts';

/** Pairs of the same kinds from which on a kernel of their own pays, and most kernels that are compiled for them. */
const LEAST_OF_A_KIND = 2048;
const MOST_COMBINATIONS = 9;
/** Pairs that one thread sorts; fewer where each comes to many pairs of parts. */
const BLOCK = 64;
const BLOCK_OF_CONCAVE = 16;

/** Bodies on the GPU. */
export interface BodyInputs {
  /** Seven floats per body, as in a query. */
  readonly poses: BufferPart;
  /** What rounding to float32 left of the poses, in the same order. */
  readonly rests?: BufferPart | undefined;
  /** A u32 per body. */
  readonly shapes: BufferPart;
  readonly count: number;
}

/** Pairs on the GPU. */
export interface PairInputs {
  /** Two u32 per pair. */
  readonly asked: BufferPart;
  /** Normals to start from, three floats per pair; 0, 0, 0 for none. */
  readonly normals?: BufferPart | undefined;
  readonly bodyCount: number;
  readonly first: number;
  readonly count: number | BufferCount;
  /** Pairs that `asked` holds, where their number is in a buffer: it may be larger. Default: enough. */
  readonly held?: number;
}

export interface PairProgramOptions {
  readonly plan: PairPlan;
  /** Kinds of records that occur. */
  readonly kinds: readonly number[];
  /** Pairs that are expected. */
  readonly pairs: number;
  /** Which two kinds they have, as `PairShapes.combinationsOf` says. Default: any. */
  readonly combinations?: Uint8Array | undefined;
  /** False: the caller reads the results of convex bodies, and no answers are made of them. Default: true. */
  readonly hasAnswers?: boolean;
}

/** A bucket that kernels of its own answer. */
interface Bucket {
  readonly index: number;
  readonly solvers: readonly Solver[];
}

type Kernels = Awaited<ReturnType<typeof compileStages>>;

export class PairProgram {
  readonly plan: PairPlan;
  readonly isConcave: boolean;
  readonly hasAnswers: boolean;
  /** Whether pairs are sorted: where all are of one kind, and no body has parts, they stay in their order. */
  readonly isSorted: boolean;
  /** One for each two kinds, and one for all pairs. */
  readonly buckets: number;
  readonly blockSize: number;
  readonly #device: Device;
  readonly #shapes: PairShapes;
  readonly #kinds: readonly number[];
  readonly #stages: Kernels;
  readonly #answered: readonly Bucket[];

  private constructor(
    device: Device,
    shapes: PairShapes,
    { plan, kinds, hasAnswers = true }: PairProgramOptions,
    stages: Kernels,
    answered: readonly Bucket[],
  ) {
    this.#device = device;
    this.#shapes = shapes;
    this.plan = plan;
    this.#kinds = kinds;
    this.isConcave = shapes.isConcave;
    this.hasAnswers = hasAnswers;
    this.isSorted = isSorted(shapes, kinds);
    this.buckets = kinds.length ** 2 + 1;
    this.blockSize = blockSize(shapes);
    this.#stages = stages;
    this.#answered = answered;
  }

  /** Compiles what was not compiled before. */
  static async create(device: Device, shapes: PairShapes, options: PairProgramOptions): Promise<PairProgram> {
    const { plan } = options;
    const compileBucket = async ({ index, ...kinds }: KindPair & { index: number }): Promise<Bucket> => ({
      index,
      solvers: await Promise.all(solversFor(plan, kinds).map((make) => make(device))),
    });
    const [stages, answered] = await Promise.all([
      compileStages(device, shapes, options),
      Promise.all(answeredBuckets(options).map(compileBucket)),
    ]);
    return new PairProgram(device, shapes, options, stages, answered);
  }

  /** Numbers that are summed up to sort so many pairs; 0 where they are not sorted. */
  countsFor(pairs: number): number {
    return this.isSorted ? this.buckets * Math.ceil(pairs / this.blockSize) : 0;
  }

  /** Records that bodies are placed. */
  recordBodies(recorder: Recorder, room: PairRoom, { poses, rests, shapes, count }: BodyInputs): void {
    const { bodies, spans, total } = room.buffers;
    const { shapeParts, parts, mostParts } = this.#shapes;
    const inputs = { poses, rests: rests ?? poses, shapes, shapeParts, parts, bodies, spans, total };
    const { spanBodies, placeBodies } = this.#stages;
    const capacity = room.convexBodies;
    const params = { bodies: count, capacity, hasRests: rests ? 1 : 0, zero: 0 };
    if (spanBodies) {
      recorder.clear(total);
      recorder.run(bind(this.#device, spanBodies, inputs), { threads: count, params });
    }
    const threads = spanBodies ? Math.min(capacity, mostParts * count) : count;
    recorder.run(bind(this.#device, placeBodies, inputs), { threads, params });
  }

  /** Records that pairs of these bodies are answered. */
  recordPairs(recorder: Recorder, room: PairRoom, inputs: PairInputs): void {
    const { plan, buckets } = this;
    const { buffers } = room;
    const { first, count, normals } = inputs;
    this.#recordBegin(recorder, room, inputs);
    const sizeAt = (place: number): Extent => ({ indirect: { buffer: buffers.sizes, offset: 16 * place } });
    const allPairs = typeof count === 'number' ? { threads: count } : sizeAt(0);
    this.#recordSort(recorder, room, inputs, allPairs);

    const solverBuffers = { ...this.#shapes.tables, ...buffers };
    const { tolerance, reach } = plan;
    const recordPhase = (over: Solver['over'], isWanted: (solver: Solver, rank: number) => boolean) => {
      for (const { index: bucket, solvers } of this.#answered) {
        const list = over === 'all' ? 0 : 1 + List[over];
        const isWhole = over === 'all' && !this.isSorted;
        const extent = isWhole ? allPairs : sizeAt(1 + SIZES_PER_BUCKET * bucket + list);
        solvers.forEach((solver, rank) => {
          if (solver.over !== over || !isWanted(solver, rank)) return;
          solver.record(recorder, solverBuffers, {
            ...extent,
            params: { bucket, buckets, tolerance, reach, hasNormals: normals || over === 'open' ? 1 : 0 },
          });
        });
      }
    };
    // All buckets go through a phase together: their lists are counted at once.
    recordPhase('all', (_, rank) => rank === 0);
    for (const over of ['open', 'depth'] as const) {
      if (!this.#answered.some(({ solvers }) => solvers.some((solver) => solver.over === over))) continue;
      const { work, sizes } = buffers;
      const params = { buckets, list: List[over] };
      recorder.run(bind(this.#device, this.#stages.listSizes, { work, sizes }), { threads: buckets, params });
      recordPhase(over, () => true);
    }
    recordPhase('all', (_, rank) => rank > 0);

    const { pairAnswers, pairContacts } = this.#stages;
    if (!pairAnswers) return;
    const { spans, bodies, places, results, answers, open, contacts, manifolds } = buffers;
    const found = { asked: inputs.asked, spans, bodies, places, results, answers };
    const run = { ...allPairs, params: { first } };
    recorder.run(bind(this.#device, pairAnswers, { ...found, open }), run);
    if (pairContacts) recorder.run(bind(this.#device, pairContacts, { ...found, contacts, manifolds }), run);
  }

  #recordBegin(recorder: Recorder, room: PairRoom, { first, count, held = room.pairs }: PairInputs): void {
    const { pairs, work, sizes, places, open, spans } = room.buffers;
    const isNumber = typeof count === 'number';
    const window = isNumber ? undefined : countWindow(this.#device, count);
    const bound = bind(this.#device, this.#stages.beginPairs, {
      // Any buffer will do where nothing is read.
      given: window?.counts ?? spans,
      ...{ pairs, work, sizes, places, open },
    });
    recorder.run(bound, {
      threads: this.buckets,
      params: {
        buckets: this.buckets,
        most: Math.min(room.pairs, held),
        count: isNumber ? count : 0,
        isGiven: isNumber ? 0 : 1,
        givenAt: window?.countAt ?? 0,
        isFirst: first === 0 ? 1 : 0,
      },
    });
  }

  /** Pairs of convex bodies into their slots: a stable counting sort by buckets. */
  #recordSort(recorder: Recorder, room: PairRoom, inputs: PairInputs, allPairs: Extent): void {
    const { asked, normals, bodyCount, first, count } = inputs;
    const { buffers, slots } = room;
    const { spans, bodies, places, counts, pairs, results, sizes, open } = buffers;
    const most = typeof count === 'number' ? count : room.pairs;
    const blocks = Math.ceil(most / this.blockSize);
    const params: Infer<typeof SortParams> = {
      first,
      bodies: bodyCount,
      nobody: room.convexBodies,
      buckets: this.buckets,
      blocks,
      kinds: this.#kinds.reduce((packed, kind, number) => packed + number * 16 ** kind, 0),
      kindCount: this.#kinds.length,
      capacity: slots,
      // Sums over all pairs stay below 2^32.
      mostPartPairs: Math.min(slots, Math.floor((2 ** 32 - 1) / Math.max(1, most))),
      hasNormals: normals === undefined ? 0 : 1,
    };
    const { countPairs, bucketSizes, placePairs } = this.#stages;
    if (this.isSorted) {
      const sorted = bind(this.#device, countPairs, { asked, spans, bodies, places, counts });
      recorder.run(sorted, { threads: blocks, params });
      room.scan!.record(recorder, { numbers: counts, count: this.buckets * blocks });
      const begun = bind(this.#device, bucketSizes, { places, counts, pairs, sizes, open });
      recorder.run(begun, { threads: this.buckets, params });
    }
    const placed = { asked, spans, bodies, normals: normals ?? asked, places, counts, pairs, results };
    const extent = this.isSorted ? { threads: blocks } : allPairs;
    recorder.run(bind(this.#device, placePairs, placed), { ...extent, params });
  }
}

const isSorted = (shapes: PairShapes, kinds: readonly number[]) => shapes.isConcave || kinds.length > 1;
const blockSize = (shapes: PairShapes) => (shapes.isConcave ? BLOCK_OF_CONCAVE : BLOCK);

/**
 * Buckets with kernels of their own: those of each two kinds that occur, or where these are many, or few pairs, the one
 * with all pairs.
 */
function answeredBuckets({
  kinds,
  pairs,
  combinations,
}: PairProgramOptions): (KindPair & { index: number })[] {
  const each = kinds
    .flatMap((kindA, a) => kinds.map((kindB, b) => ({ index: kinds.length * a + b, kindA, kindB })))
    .filter(({ index }) => combinations === undefined || combinations[index] === 1);
  const pays = each.length <= MOST_COMBINATIONS && pairs >= LEAST_OF_A_KIND * each.length;
  if (each.length === 1 || pays) return each;
  const hasBoxes = kinds.includes(ShapeKind.box);
  return [{ index: kinds.length ** 2, kindA: ANY_KIND, kindB: ANY_KIND, hasBoxes }];
}

/** The kernels before and behind those that answer. */
async function compileStages(
  device: Device,
  shapes: PairShapes,
  { plan, kinds, hasAnswers = true }: PairProgramOptions,
) {
  const { isConcave, isMoved, isTurned } = shapes;
  const concave = { CONCAVE: isConcave ? 1 : 0 };
  const block = { ...concave, BLOCK: blockSize(shapes) };
  const answer = { ...concave, WANTED: plan.wanted, PLAIN: plan.kind === 'distance' ? 1 : 0 };
  const poses = {
    UNIT_TOLERANCE: 2 * QUATERNION_NORM_TOLERANCE,
    LARGEST_PLACE: new Uint32Array(Float32Array.of(LARGEST_SHAPE_SIZE).buffer)[0]!,
  };
  const [
    spanBodies,
    placeBodies,
    beginPairs,
    countPairs,
    bucketSizes,
    placePairs,
    listSizes,
    pairAnswers,
    pairContacts,
  ] = await Promise.all([
    isConcave ? compileKernel(device, spanBodiesSource, poses) : undefined,
    compileKernel(device, isMoved ? placeBodiesSource : placeUnmovedBodiesSource, {
      ...{ ...concave, ...poses, TURNED: isTurned ? 1 : 0 },
    }),
    compileKernel(device, beginPairsSource),
    compileKernel(device, countPairsSource, block),
    compileKernel(device, bucketSizesSource),
    compileKernel(device, placePairsSource, {
      SORTED: isSorted(shapes, kinds) ? 1 : 0,
      ...block,
      RESULT_SIZE: plan.resultSize,
      START_AT: plan.wanted === Wanted.status ? 0 : 1,
    }),
    compileKernel(device, listSizesSource),
    hasAnswers ? compileKernel(device, pairAnswersSource, answer) : undefined,
    hasAnswers && plan.contacts > 0
      ? compileKernel(device, pairContactsSource, { ...concave, CONTACTS: plan.contacts })
      : undefined,
  ]);
  return {
    ...{ spanBodies, placeBodies, beginPairs, countPairs, bucketSizes, placePairs },
    ...{ listSizes, pairAnswers, pairContacts },
  };
}

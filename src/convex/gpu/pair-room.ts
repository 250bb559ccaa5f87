/** Buffers that queries write, sized by how much they are to hold. */
import { sizeOf, u32, vec2u, vec4f } from 'typegpu/data';
import { LARGEST_FLOAT32 } from '../../constants.ts';
import type { Scan } from '../../gpu/blocks/scan.ts';
import { type BufferPool, writeBuffer } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { MOST_MANIFOLD_POINTS } from '../constants.ts';
import { refinesPortals } from '../query/pair-kinds.ts';
import { Body, OPEN_HEADER, SIMPLEX, SIZES_PER_BUCKET } from './pair-layout.ts';
import type { PairPlan } from './plan.ts';
import { leavesSimplices } from './solvers.ts';

/** Bytes. */
const [WORD, VEC4] = [sizeOf(u32), sizeOf(vec4f)];

/** What a program's buffers are sized by. */
export interface RoomPlan {
  readonly plan: PairPlan;
  readonly isConcave: boolean;
  readonly hasAnswers: boolean;
  readonly buckets: number;
  /** Numbers that are summed up to sort so many pairs. */
  countsFor(pairs: number): number;
}

/** How much there is room for. */
export interface RoomSizes {
  /** Bodies, and the convex bodies that they come to. */
  readonly bodies: number;
  readonly convexBodies: number;
  /** Pairs that are sorted at once, and pairs of convex bodies that they come to. */
  readonly pairs: number;
  readonly slots: number;
  /** Pairs whose answers are kept. */
  readonly answers: number;
}

export interface PairRoom extends RoomSizes {
  readonly buffers: RoomBuffers;
  /** Sums up `countsFor` so many pairs; undefined where pairs are not sorted. */
  readonly scan: Scan | undefined;
}
export type RoomBuffers = ReturnType<typeof reserveBuffers>;

/** Bytes per pair of what is read back. */
export function answerBytes({ plan, isConcave }: Pick<RoomPlan, 'plan' | 'isConcave'>): {
  answers: number;
  manifolds: number;
} {
  return { answers: WORD * plan.answerSize, manifolds: VEC4 * manifoldSize(plan.contacts, isConcave) };
}

/** vec4f per pair in `manifolds`: contacts, and of concave bodies their normals as well. */
function manifoldSize(contacts: number, isConcave: boolean): number {
  return contacts > 0 && isConcave ? 2 * MOST_MANIFOLD_POINTS : contacts;
}

/** Bytes per pair of convex bodies of the largest buffer. */
export function slotBytes({ plan }: Pick<RoomPlan, 'plan'>): number {
  return VEC4 * Math.max(leavesSimplices(plan) ? SIMPLEX : 0, plan.contacts, plan.resultSize);
}

/**
 * Makes room, or keeps what there is where that is enough.
 *
 * @throws DeviceError `limits` if the device does not allow a buffer of the size.
 */
export function reserveRoom(
  device: Device,
  pool: BufferPool,
  program: RoomPlan,
  sizes: RoomSizes,
  scan: Scan | undefined,
): PairRoom {
  const buffers = reserveBuffers(pool, program, sizes);
  // The body of pairs that are not usable: so far away that nothing can be said about it.
  const nobody = new Float32Array(sizeOf(Body) / WORD);
  nobody[7] = LARGEST_FLOAT32;
  nobody[11] = 1;
  writeBuffer(device, buffers.bodies, nobody, sizeOf(Body) * sizes.convexBodies);
  return { ...sizes, buffers, scan };
}

function reserveBuffers(pool: BufferPool, program: RoomPlan, sizes: RoomSizes) {
  const { plan, buckets, isConcave } = program;
  const { bodies, convexBodies, pairs, slots } = sizes;
  const answers = program.hasAnswers ? sizes.answers : 0;
  const { STORAGE, COPY_SRC, COPY_DST, INDIRECT } = GPUBufferUsage;
  const reserve = (label: string, bytes: number, usage = 0) =>
    pool.reserve(label, bytes, STORAGE | COPY_SRC | COPY_DST | usage);
  const lists = refinesPortals(plan.algorithm) ? 0 : 2 * slots;
  return {
    bodies: reserve('convex bodies', sizeOf(Body) * (convexBodies + 1)),
    spans: reserve('convex bodies of bodies', sizeOf(vec2u) * bodies),
    total: reserve('number of convex bodies', WORD),
    pairs: reserve('pairs by buckets', VEC4 * (buckets + slots)),
    work: reserve('lists of pairs', WORD * (2 * buckets + lists)),
    sizes: reserve('workgroups of buckets', VEC4 * (1 + SIZES_PER_BUCKET * buckets), INDIRECT),
    places: reserve('places of pairs', WORD * (1 + pairs)),
    counts: reserve('pairs per bucket and block', WORD * program.countsFor(pairs)),
    results: reserve('results of convex bodies', VEC4 * plan.resultSize * slots),
    simplices: reserve('simplices', leavesSimplices(plan) ? VEC4 * SIMPLEX * slots : 0),
    contacts: reserve('contacts of convex bodies', VEC4 * plan.contacts * slots),
    answers: reserve('answers of pairs', WORD * plan.answerSize * answers),
    open: reserve('open pairs', WORD * (OPEN_HEADER + sizes.answers)),
    manifolds: reserve('contacts of pairs', VEC4 * manifoldSize(plan.contacts, isConcave) * answers),
  };
}

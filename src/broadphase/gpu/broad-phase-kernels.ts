/** Kernels of the broad phase: their WGSL and bindings. */
import * as d from 'typegpu/data';
import beginListWgsl from '../../../shaders/broadphase/begin-list.wgsl';
import bucketKeysWgsl from '../../../shaders/broadphase/bucket-keys.wgsl';
import endListWgsl from '../../../shaders/broadphase/end-list.wgsl';
import entryBoxesWgsl from '../../../shaders/broadphase/entry-boxes.wgsl';
import fillRowsWgsl from '../../../shaders/broadphase/fill-rows.wgsl';
import findPartnersWgsl from '../../../shaders/broadphase/find-partners.wgsl';
import joinPairsWgsl from '../../../shaders/broadphase/join-pairs.wgsl';
import largestMoveWgsl from '../../../shaders/broadphase/largest-move.wgsl';
import measureBoxesWgsl from '../../../shaders/broadphase/measure-boxes.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { struct } from '../../gpu/struct.ts';
import { ContactBody, EntryBox, EntryFilter, EntryPlace, RowBox } from '../broad-phase-layout.ts';

/** What kernels may name in `// requires` lines. */
const words = d.arrayOf(d.u32);
const read = <S>(storage: S) => ({ storage });
const written = <S>(storage: S) => ({ storage, access: 'mutable' as const });
const atomic = written(d.arrayOf(d.atomic(d.u32)));
/** Most workgroups per dimension, and in all: what sizes of dispatches are made with. */
const groupLimits = { mostGroups: d.u32, allGroups: d.u32 } as const;
const sizes = written(d.arrayOf(d.vec4u));
const paramsOf = <S>(schema: S) => ({ params: { uniform: schema } }) as const;

export const largestMoveSource = kernelSource(largestMoveWgsl, {
  ...paramsOf(struct('MoveParams', { bodies: d.u32, cell: d.f32 })),
  bodies: read(d.arrayOf(ContactBody)),
  /** Where the bodies were when the list was made. */
  listedBodies: read(d.arrayOf(ContactBody)),
  /** The farthest distance of a body's points from its origin. */
  reaches: read(d.arrayOf(d.f32)),
  header: atomic,
});

export const beginListSource = kernelSource(beginListWgsl, {
  ...paramsOf(
    struct('BeginListParams', {
      entries: d.u32,
      bodies: d.u32,
      /** How far points may move before a list is stale. */
      allowed: d.f32,
      /** 1: it is made anew whatever has moved. */
      renew: d.u32,
      ...groupLimits,
    }),
  ),
  header: written(words),
  sizes,
});

export const entryBoxesSource = kernelSource(entryBoxesWgsl, {
  ...paramsOf(
    struct('EntryBoxParams', {
      /** Quanta per length. */
      perLength: d.f32,
      /** By how much boxes grow on each side, in quanta. */
      grown: d.f32,
    }),
  ),
  places: read(d.arrayOf(EntryPlace)),
  bodies: read(d.arrayOf(ContactBody)),
  header: read(words),
  boxes: written(d.arrayOf(EntryBox)),
  /** Where bodies are that the list is made of. */
  listedBodies: written(d.arrayOf(ContactBody)),
  filters: read(d.arrayOf(EntryFilter)),
  entryLevels: written(words),
  levels: atomic,
});

const rowParams = {
  /** How many buckets there are: a power of two. */
  buckets: d.u32,
  /** Bits of cells in a bucket. */
  cellBits: d.u32,
} as const;
const RowParams = struct('RowParams', rowParams);
/** Of pairs. */
const pairParams = {
  /** Bits of an entry's number. */
  entryBits: d.u32,
} as const;

export const measureBoxesSource = kernelSource(measureBoxesWgsl, {
  boxes: read(d.arrayOf(EntryBox)),
  filters: read(d.arrayOf(EntryFilter)),
  header: read(words),
  entryLevels: written(words),
  levels: atomic,
});

export const bucketKeysSource = kernelSource(bucketKeysWgsl, {
  ...paramsOf(RowParams),
  boxes: read(d.arrayOf(EntryBox)),
  header: read(words),
  levels: read(d.arrayOf(d.vec4u)),
  entryLevels: written(words),
  order: written(words),
  keys: written(words),
});

export const fillRowsSource = kernelSource(fillRowsWgsl, {
  ...paramsOf(RowParams),
  boxes: read(d.arrayOf(EntryBox)),
  header: read(words),
  entryLevels: read(words),
  order: read(words),
  keys: read(words),
  rowBoxes: written(d.arrayOf(RowBox)),
  buckets: written(d.arrayOf(d.vec2u)),
});

export const findPartnersSource = kernelSource(findPartnersWgsl, {
  ...paramsOf(struct('FindPartnersParams', { ...rowParams, ...pairParams, capacity: d.u32 })),
  rowBoxes: read(d.arrayOf(RowBox)),
  /** First place, and the one behind the last. */
  buckets: read(d.arrayOf(d.vec2u)),
  levels: read(d.arrayOf(d.vec4u)),
  filters: read(d.arrayOf(EntryFilter)),
  header: atomic,
  lowWords: written(words),
  highWords: written(words),
});

export const endListSource = kernelSource(endListWgsl, {
  ...paramsOf(
    struct('EndListParams', {
      capacity: d.u32,
      /** 1 if the boxes are those of bodies. */
      isOfBodies: d.u32,
      ...groupLimits,
    }),
  ),
  header: written(words),
  sizes,
});

export const joinPairsSource = kernelSource(joinPairsWgsl, {
  ...paramsOf(struct('JoinPairsParams', { ...pairParams, sizeAt: d.u32 })),
  sizes: read(d.arrayOf(d.vec4u)),
  lowWords: read(words),
  highWords: read(words),
  /** What each entry is called in the list. */
  names: read(words),
  pairs: written(d.arrayOf(d.vec2u)),
});

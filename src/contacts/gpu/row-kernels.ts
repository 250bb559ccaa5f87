/** Kernels of rows of pairs: their WGSL and bindings. */
import * as d from 'typegpu/data';
import rowBodiesWgsl from '../../../shaders/contacts/rows/row-bodies.wgsl';
import rowRunsWgsl from '../../../shaders/contacts/rows/row-runs.wgsl';
import rowTableWgsl from '../../../shaders/contacts/rows/row-table.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { struct } from '../../gpu/struct.ts';
import { PlanePair } from '../planes/plane-kernels.ts';

/** Words of the table of rows. */
export const RowTable = {
  /** Rows of each class, in their order. */
  polyhedra: 0,
  patches: 1,
  convex: 2,
  planes: 3,
  /** All rows. */
  rows: 4,
  /** Number of the list of pairs, from 1 on. */
  list: 5,
  /** Entries that are made anew. */
  freshEntries: 6,
} as const;
export const ROW_TABLE_WORDS = 8;

/** Places of sizes of dispatches that make rows. */
export const RowSize = { freshRows: 0, freshEntries: 1 } as const;

const words = { storage: d.arrayOf(d.u32) } as const;
const written = { storage: d.arrayOf(d.u32), access: 'mutable' } as const;
const pairs = { storage: d.arrayOf(d.vec2u) } as const;

const RowTableParams = struct('RowTableParams', {
  /** Bits of the classes that there are. */
  classes: d.u32,
  planes: d.u32,
  bodies: d.u32,
  /** Most workgroups per dimension, and in all. */
  mostGroups: d.u32,
  allGroups: d.u32,
});

export const rowTableSource = kernelSource(rowTableWgsl, {
  params: { uniform: RowTableParams },
  /** `HeaderWord` */
  header: words,
  /** Each begins with its number of pairs. */
  ...{ polyhedra: words, patches: words, convex: words, table: written },
  sizes: { storage: d.arrayOf(d.vec4u), access: 'mutable' },
});

export const rowBodiesSource = kernelSource(rowBodiesWgsl, {
  ...{ table: words, polyhedra: pairs, patches: pairs, convex: pairs },
  planes: { storage: d.arrayOf(PlanePair) },
  ...{ bodyOfCollider: words, bodies: written, firsts: written },
});

const RowRunsParams = struct('RowRunsParams', {
  bodies: d.u32,
  /** A run has partners whose numbers differ in these lowest bits. */
  partnerBits: d.u32,
});

export const rowRunsSource = kernelSource(rowRunsWgsl, {
  params: { uniform: RowRunsParams },
  ...{ table: words, bodies: words, firsts: words },
  /** Sorted: bodies, and entries. */
  ...{ keys: words, order: words },
  /** The same with the bit of those that begin a run. */
  ...{ entries: written, starts: written },
});

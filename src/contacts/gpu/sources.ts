/** Kernels between the broad phase and the narrow phases: their WGSL and bindings. */
import * as d from 'typegpu/data';
import classifyPairsWgsl from '../../../shaders/contacts/classify-pairs.wgsl';
import gatherPairsWgsl from '../../../shaders/contacts/gather-pairs.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { struct } from '../../gpu/struct.ts';

/** Kinds of entries, as classify-pairs.wgsl has them. */
export const EntryKind = { ball: 0, convex: 1, polyhedron: 2 } as const;
/** Bits of a pair's class, as classify-pairs.wgsl has them. */
export const PairClass = { convex: 1, polyhedra: 2, patches: 4 } as const;
export type PairClass = keyof typeof PairClass;

const common = {
  params: {
    uniform: struct('PairListParams', { /** Place of the number of pairs. */ sizeAt: d.u32 }),
  },
  /** Indirect sizes: the last word of each is the number of pairs. */
  sizes: { storage: d.arrayOf(d.vec4u) },
  /** Collider, and `EntryKind`. */
  entries: { storage: d.arrayOf(d.vec2u) },
  /** Entries of each pair. */
  pairs: { storage: d.arrayOf(d.vec2u) },
} as const;

export const classifyPairsSource = kernelSource(classifyPairsWgsl, {
  ...common,
  flags: { storage: d.arrayOf(d.u32), access: 'mutable' },
});

export const gatherPairsSource = kernelSource(gatherPairsWgsl, {
  ...common,
  /** How many there are; then their numbers. */
  list: { storage: d.arrayOf(d.u32) },
  gathered: { storage: d.arrayOf(d.vec2u), access: 'mutable' },
});

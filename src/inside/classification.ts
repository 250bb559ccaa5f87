import type { AdapterSummary } from '../gpu/device.ts';

/** Flags of `classify`: where a point lies relative to the polyhedron. */
export const OUTSIDE = 0;
export const INSIDE = 1;
export const BOUNDARY = 2;

/** How points can be tested. */
export const METHODS = ['ray-crossing'] as const;
export type Method = (typeof METHODS)[number];

/**
 * When a point counts as inside: `odd`: a ray from it crosses the surface an odd number of times; `nonzero`: the
 * winding number of the surface around it is not zero (needs consistently oriented faces).
 */
export const RULES = ['odd', 'nonzero'] as const;
export type Rule = (typeof RULES)[number];

/** Seconds of wall time spent per stage of one `classify` call. */
export interface ClassifySeconds {
  /** Building the tables of the method and compiling its kernels; near 0 where an earlier call did. */
  readonly build: number;
  /** Sorting, packing and handing points to the GPU. */
  readonly upload: number;
  /** Kernels, from submission until the queue is done. */
  readonly classify: number;
  /** Reading flags back. */
  readonly readback: number;
  /** Settling uncertified points with exact predicates on the host. */
  readonly exact: number;
  readonly total: number;
}

export interface Classification {
  /** One byte per point, in the order given: 0 outside, 1 inside, 2 exactly on a triangle. */
  readonly flags: Uint8Array;
  readonly counts: {
    readonly points: number;
    readonly outside: number;
    readonly inside: number;
    readonly boundary: number;
  };
  /** Points whose flag the kernel could not certify and that exact predicates settled. */
  readonly resolvedExactly: number;
  readonly method: Method;
  readonly rule: Rule;
  readonly backend: 'gpu';
  readonly adapter: AdapterSummary;
  readonly triangles: number;
  readonly seconds: ClassifySeconds;
  /** Bytes of GPU buffers alive at the peak of the call, mesh tables included. */
  readonly gpuBytes: number;
}

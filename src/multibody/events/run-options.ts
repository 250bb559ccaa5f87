/** What callers say to a run of a mechanism, and what it says to them. */
import type { DaeStatistics } from '../../dae/dae-statistics.ts';

export interface MechanismStatistics extends Readonly<DaeStatistics> {
  /** Ways that the mechanism can move. */
  readonly degreesOfFreedom: number;
  /** Rows that hold its loops and drives, and those that were left out, as they say what others do. */
  readonly closureRows: number;
  readonly redundantRows: readonly string[];
}

export interface AdvanceOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** When contacts began and ended, in order of time: one entry each in every array. */
export interface ContactEventArrays {
  readonly count: number;
  /** `[count]`: simulated times. */
  readonly times: Float64Array<ArrayBuffer>;
  /** `[count * 2]`: bodies a and b. Bodies of several parts have events for each part. */
  readonly bodies: Uint32Array<ArrayBuffer>;
  /** `[count]`: 1 began, 0 ended. */
  readonly kinds: Uint8Array<ArrayBuffer>;
  /** `[count]`: speed along the normal: of approach where one began, of parting where one ended. */
  readonly speeds: Float64Array<ArrayBuffer>;
}

/** Where bodies touch. Numbers of contacts as in `ContactPipeline.detect`. */
export interface MechanismContacts {
  readonly count: number;
  /** `[count * 2]`: bodies A and B, and which part of each. */
  readonly bodies: Uint32Array<ArrayBuffer>;
  readonly parts: Uint32Array<ArrayBuffer>;
  /** `[count]`: a name of the place on the shapes. */
  readonly features: Uint32Array<ArrayBuffer>;
  /** `[count * 3]`: unit normals from A to B, and points halfway between both surfaces, in the world. */
  readonly normals: Float64Array<ArrayBuffer>;
  readonly points: Float64Array<ArrayBuffer>;
  /** `[count]`: 0 or less: as deep as its amount. */
  readonly distances: Float64Array<ArrayBuffer>;
}

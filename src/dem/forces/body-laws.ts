/** Numbers of bodies and colliders that laws of contacts depend on. */
import type { ContactArrays } from '../../contacts/list/contact-arrays.ts';
import type { PairTable } from '../materials/materials.ts';
import type { SurfaceLengths } from './surface-lengths.ts';

/** What bodies are, one entry each. */
export interface BodyLaws {
  readonly pairs: PairTable;
  /** `[n]`: numbers of materials. */
  readonly materials: Uint32Array;
  /** `[n]`: radius of the ball of equal volume; 0 for planes and static meshes, which take that of their partner. */
  readonly radii: Float64Array;
  /** `[n]`: radius of curvature where point contacts follow Hertz; 0 for planes. */
  readonly curvatures: Float64Array;
  /** `[n]`: 1 for bodies of several parts, whose pairs may meet in several groups of contacts. */
  readonly haveParts: Uint8Array;
  readonly lengths: SurfaceLengths;
  /**
   * `[n * 3]`: what surfaces of belts move at beyond their bodies; velocities have it as well. Only what of it lies in
   * the plane of a contact moves anything: the rest would push where no body comes nearer.
   */
  readonly surfaceVelocities: Float64Array;
}

/** Bodies that colliders are of. */
export interface CollidersOfBodies {
  /** `[c]` */
  readonly bodies: Uint32Array;
  readonly parts: Uint32Array;
  /** Where space repeats: colliders' bodies are copies, so many of each, and `[copies * 3]` from their bodies. */
  readonly repeated?: { readonly copies: number; readonly shifts: Float64Array } | undefined;
}

/** Contacts, and in a space that repeats how far the copy of B that A touches is from B, `[m * 3]`. */
export type ShiftedContacts = ContactArrays & { readonly shifts?: Float64Array | undefined };

/** Numbers that laws of contacts depend on, and that do not change, in memory that threads see. */
import { shareTogether } from '../../workers/shared-memory.ts';
import type { NormalLaw } from '../materials/normal-law.ts';
import type { Inertia } from '../motion/motion.ts';
import type { BodyLaws, CollidersOfBodies } from './body-laws.ts';
import type { SurfaceLengths } from './surface-lengths.ts';

export interface LawTables extends Pick<Inertia, 'inverseMasses' | 'inverseMoments'> {
  /** As `BodyLaws` and `PairTable` have them. */
  readonly materials: Uint32Array;
  readonly radii: Float64Array;
  readonly curvatures: Float64Array;
  readonly haveParts: Uint8Array;
  readonly materialCount: number;
  readonly numbers: Float64Array;
  readonly planeModuli: Float64Array;
  /** Functions, which no other thread can be given. */
  readonly laws: readonly NormalLaw[];
  readonly lengths: SurfaceLengths;
  /** The body or copy that each collider is of, where space repeats. */
  readonly repeated:
    | { readonly copies: number; readonly shifts: Float64Array; readonly bodies: Uint32Array }
    | undefined;
  /** Whether bodies may have several parts, and whether surfaces may move beyond their bodies. */
  readonly hasParts: boolean;
  readonly hasBelts: boolean;
}

export function lawTables(
  { pairs, materials, radii, curvatures, haveParts, lengths }: BodyLaws,
  { inverseMasses, inverseMoments, isDriven }: Inertia,
  { bodies, repeated }: CollidersOfBodies,
): LawTables {
  const { numbers, planeModuli, count: materialCount, laws } = pairs;
  return {
    ...shareTogether({
      ...{ materials, radii, curvatures, haveParts, numbers, planeModuli, lengths },
      ...{ inverseMasses, inverseMoments, repeated: repeated && { ...repeated, bodies } },
    }),
    ...{ materialCount, laws, hasParts: haveParts.includes(1), hasBelts: isDriven.includes(1) },
  };
}

/** 1 / length; 0 for a length of 0, which stands for a plane. */
export function inverse(length: number): number {
  return length === 0 ? 0 : 1 / length;
}

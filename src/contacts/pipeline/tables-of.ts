/** What pipelines are made of, for scree's own stages that go on with their contacts. */
import type { ResolvedBodies } from '../bodies/check-bodies.ts';
import type { CpuContacts } from '../cpu/cpu-contacts.ts';
import type { FacedColliders } from '../faces/face-table.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import type { GpuCapacity } from '../gpu/gpu-contacts.ts';

export interface PipelineTables {
  readonly bodies: ResolvedBodies;
  readonly table: FacedColliders;
  readonly polyhedra: readonly PolyhedronArrays[];
  readonly cpu: CpuContacts;
  readonly cell: number;
  readonly margin: number;
  readonly capacity: GpuCapacity;
}

/** By the `ContactPipeline`. */
export const tablesOf = new WeakMap<object, PipelineTables>();

/** Tables of pipelines, for scree's own stages that go on with their contacts. */
import type { ColliderTable } from '../bodies/collider-table.ts';
import type { CpuContacts } from '../cpu/cpu-contacts.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';

interface PipelineTables {
  readonly table: ColliderTable;
  readonly polyhedra: readonly PolyhedronArrays[];
  readonly cpu: CpuContacts;
}

/** By the `ContactPipeline`. */
export const tablesOf = new WeakMap<object, PipelineTables>();

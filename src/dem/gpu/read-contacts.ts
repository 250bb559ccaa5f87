/** The contacts that kernels have left on the GPU, as a list. */
import * as d from 'typegpu/data';
import { ContactRecord } from '../../contacts/bodies/device-layout.ts';
import type { GpuContacts } from '../../contacts/gpu/gpu-contacts.ts';
import { ContactHeader, HEADER_WORDS } from '../../contacts/gpu/header.ts';
import { firstCollidersOf, rowsOfRecords } from '../../contacts/gpu/records.ts';
import { assembleContacts } from '../../contacts/list/assemble.ts';
import type { DetectedContacts } from '../../contacts/pipeline/detection.ts';
import type { PipelineTables } from '../../contacts/pipeline/tables-of.ts';
import { type BufferPool, readBack, wordsOf } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';

export interface ReadContactsOptions {
  readonly tables: PipelineTables;
  /** `[n * 7]`: of the pipeline's bodies. */
  readonly poses: Float64Array;
  /** Why the GPU does the work. */
  readonly reason: string;
  readonly gpuBytes: number;
}

export async function readContacts(
  device: Device,
  pool: BufferPool,
  { header: headerBuffer, records }: Pick<GpuContacts, 'header' | 'records'>,
  { tables: { table, bodies }, poses, reason, gpuBytes }: ReadContactsOptions,
): Promise<DetectedContacts> {
  const [head] = await readBack(device, pool, [
    { buffer: headerBuffer, bytes: d.sizeOf(d.u32) * HEADER_WORDS },
  ]);
  const header = wordsOf(head!);
  const count = header[ContactHeader.contacts]!;
  const bytes = d.sizeOf(ContactRecord) * count;
  const [read] = count > 0 ? await readBack(device, pool, [{ buffer: records, bytes }]) : [];
  const words = read ? wordsOf(read) : new Uint32Array(0);
  const rows = rowsOfRecords(words, firstCollidersOf(table.colliders, bodies.count));
  return {
    ...assembleContacts([rows], table.colliders, poses),
    pairs: header[ContactHeader.pairs]! + header[ContactHeader.planePairs]!,
    ...{ nodesTested: header[ContactHeader.nodesTested]!, nodesNear: header[ContactHeader.nodesNear]! },
    ...{ grown: [], backend: 'gpu', reason, adapter: device.adapter, threads: 0, gpuBytes },
    seconds: {
      ...{ broadphase: 0, nodes: 0, edges: 0, patches: 0, convex: 0, planes: 0, list: 0 },
      ...{ kernel: 0, upload: 0, readback: 0, total: 0 },
    },
  };
}

/** The contacts that kernels have left on the GPU, as a list. */
import * as d from 'typegpu/data';
import { ContactRecord } from '../../contacts/bodies/device-layout.ts';
import type { GpuContacts } from '../../contacts/gpu/gpu-contacts.ts';
import { ContactHeader, HEADER_WORDS } from '../../contacts/gpu/header.ts';
import { firstCollidersOf, rowsOfRecords } from '../../contacts/gpu/records.ts';
import type { ContactEngine } from '../../contacts/pipeline/contact-engine.ts';
import type { DetectedContacts } from '../../contacts/pipeline/detection.ts';
import { listContacts } from '../../contacts/pipeline/list-contacts.ts';
import { type BufferPool, readBack, wordsOf } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';

export interface ReadContactsOptions {
  readonly engine: ContactEngine;
  /** `[n * 7]`: of the engine's bodies. */
  readonly poses: Float64Array;
  /** Why the GPU does the work. */
  readonly reason: string;
  readonly gpuBytes: number;
}

export async function readContacts(
  device: Device,
  pool: BufferPool,
  { header: headerBuffer, records }: Pick<GpuContacts, 'header' | 'records'>,
  { engine, poses, reason, gpuBytes }: ReadContactsOptions,
): Promise<DetectedContacts> {
  const started = performance.now();
  const [head] = await readBack(device, pool, [
    { buffer: headerBuffer, bytes: d.sizeOf(d.u32) * HEADER_WORDS },
  ]);
  const header = wordsOf(head!);
  const count = header[ContactHeader.contacts]!;
  const bytes = d.sizeOf(ContactRecord) * count;
  const [read] = count > 0 ? await readBack(device, pool, [{ buffer: records, bytes }]) : [];
  const words = read ? wordsOf(read) : new Uint32Array(0);
  const found = {
    rows: [rowsOfRecords(words, firstCollidersOf(engine.table.colliders, engine.bodies.count))],
    pairs: header[ContactHeader.pairs]! + header[ContactHeader.planePairs]!,
    nodes: { tested: header[ContactHeader.nodesTested]!, near: header[ContactHeader.nodesNear]! },
    ...{ threads: 0, gpuBytes, seconds: {} },
  };
  return listContacts(engine, found, poses, { backend: 'gpu', reason, started });
}

/** Reads back the contacts that a step has left on the GPU. */
import { sizeOf } from 'typegpu/data';
import { type BufferPool, readBack, wordsOf } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { WORD } from '../../gpu/words.ts';
import { ContactRecord } from '../bodies/device-layout.ts';
import type { GpuContacts, GpuContactsOptions } from './gpu-contacts.ts';
import { ContactHeader, HEADER_WORDS } from './header.ts';
import { firstCollidersOf, rowsOfRecords } from './records.ts';

/** The contacts that there was room for, and the header. */
export async function readContacts(
  device: Device,
  pool: BufferPool,
  { header: headerBuffer, records, capacity }: Pick<GpuContacts, 'header' | 'records' | 'capacity'>,
  { table, bodies }: Pick<GpuContactsOptions, 'table' | 'bodies'>,
) {
  const [head] = await readBack(device, pool, [{ buffer: headerBuffer, bytes: WORD * HEADER_WORDS }]);
  const header = wordsOf(head!);
  const count = Math.min(header[ContactHeader.contacts]!, capacity.contacts);
  const bytes = sizeOf(ContactRecord) * count;
  const [read] = count > 0 ? await readBack(device, pool, [{ buffer: records, bytes }]) : [];
  return {
    header,
    rows: [
      rowsOfRecords(
        read ? wordsOf(read) : new Uint32Array(0),
        firstCollidersOf(table.colliders, bodies.count),
      ),
    ],
    pairs: header[ContactHeader.pairs]! + header[ContactHeader.planePairs]!,
    nodes: { tested: header[ContactHeader.nodesTested]!, near: header[ContactHeader.nodesNear]! },
  };
}

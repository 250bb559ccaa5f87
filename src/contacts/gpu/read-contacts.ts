/** Reads back the contacts that a step has left on the GPU. */
import { sizeOf } from 'typegpu/data';
import { type BufferPool, type ReadBackSource, readBack, wordsOf } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { WORD } from '../../gpu/words.ts';
import { ContactRecord } from '../bodies/device-layout.ts';
import type { GpuContacts, GpuContactsOptions } from './gpu-contacts.ts';
import { ContactHeader, HEADER_WORDS } from './header.ts';
import { firstCollidersOf, rowsOfRecords } from './records.ts';

type Read = Pick<GpuContacts, 'header' | 'records' | 'capacity'>;

/** The contacts that there was room for, and the header. */
export async function readContacts(
  device: Device,
  pool: BufferPool,
  contacts: Read,
  { table, bodies }: Pick<GpuContactsOptions, 'table' | 'bodies'>,
) {
  const header = await readHeader(device, pool, contacts);
  const [records] = await readRecords(device, pool, contacts, header);
  return {
    header,
    rows: [rowsOfRecords(records!, firstCollidersOf(table.colliders, bodies.count))],
    pairs: header[ContactHeader.pairs]! + header[ContactHeader.planePairs]!,
    nodes: { tested: header[ContactHeader.nodesTested]!, near: header[ContactHeader.nodesNear]! },
  };
}

export async function readHeader(
  device: Device,
  pool: BufferPool,
  { header }: Pick<Read, 'header'>,
): Promise<Uint32Array> {
  const [words] = await readBack(device, pool, [{ buffer: header, bytes: WORD * HEADER_WORDS }]);
  return wordsOf(words!);
}

/** Records of the contacts that there was room for, then what else is to be read, as words. */
export async function readRecords(
  device: Device,
  pool: BufferPool,
  { records, capacity }: Pick<Read, 'records' | 'capacity'>,
  header: Uint32Array,
  more: readonly ReadBackSource[] = [],
): Promise<Uint32Array[]> {
  const count = Math.min(header[ContactHeader.contacts]!, capacity.contacts);
  if (count + more.length === 0) return [new Uint32Array(0)];
  const sources = [{ buffer: records, bytes: sizeOf(ContactRecord) * count }, ...more];
  return (await readBack(device, pool, sources)).map(wordsOf);
}

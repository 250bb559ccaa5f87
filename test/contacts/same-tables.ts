import { expect } from 'vitest';

/** Names and bytes of all tables in a plain object: quicker to compare than numbers one by one. */
function bytesOfTables(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    return `${value.constructor.name} ${Buffer.from(buffer, byteOffset, byteLength).toString('base64')}`;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, bytesOfTables(part)]));
}

/** Holds all tables and numbers of one plain object against those of another one. */
export function expectSameTables(found: object, expected: object): void {
  expect(bytesOfTables(found)).toEqual(bytesOfTables(expected));
}

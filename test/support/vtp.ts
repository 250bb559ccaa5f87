import { expect } from 'vitest';

/** The arrays of a .vtp file by name, found as VTK's reader does: by their offsets behind the underscore. */
export function decodeVtp(bytes: Uint8Array) {
  const latin = Buffer.from(bytes).toString('latin1');
  const start = latin.indexOf('_', latin.indexOf('<AppendedData encoding="raw">')) + 1;
  const head = latin.slice(0, start);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const types = {
    ...{ Float32: Float32Array, Float64: Float64Array },
    ...{ Int32: Int32Array, UInt32: Uint32Array, UInt8: Uint8Array },
  };
  const arrays: Record<string, number[]> = {};
  let end = start;
  for (const [tag] of head.matchAll(/<DataArray [^>]*>/g)) {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)![1]!;
    const at = start + Number(attribute('offset'));
    expect(at, 'arrays follow each other').toBe(end);
    const length = Number(view.getBigUint64(at, true));
    end = at + 8 + length;
    const raw = bytes.slice(at + 8, end).buffer;
    arrays[attribute('Name')] = [...new types[attribute('type') as keyof typeof types](raw)];
  }
  return { head, arrays, foot: latin.slice(end) };
}

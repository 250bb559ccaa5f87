/**
 * Typed arrays are compared in one go. `toEqual` asks about each of their elements as if it were an object, which takes
 * longer than many a kernel that made them. The verdict is the same: one type, one length, and equal elements, where
 * NaN is equal to NaN and -0 is not 0.
 */
import { expect } from 'vitest';

type Numbers = Float64Array | Float32Array | Uint32Array | BigUint64Array;

const isNumbers = (value: unknown): value is Numbers =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);

function equalArrays(a: unknown, b: unknown): boolean | undefined {
  if (!isNumbers(a) || !isNumbers(b)) return;
  if (a.constructor !== b.constructor || a.length !== b.length) return false;
  const bytes = ({ buffer, byteOffset, byteLength }: Numbers) => Buffer.from(buffer, byteOffset, byteLength);
  // Different bytes may be equal too: NaN has many.
  return bytes(a).equals(bytes(b)) || a.every((x: number | bigint, i: number) => Object.is(x, b[i]));
}

// Files that share a process run this anew and keep what was added.
const added = Symbol.for('scree: equal arrays');
if (!(added in globalThis)) {
  Object.assign(globalThis, { [added]: true });
  expect.addEqualityTesters([equalArrays]);
}

import { describe, expect, it } from 'vitest';
import { shareTogether } from '../../src/workers/shared-memory.ts';

describe('arrays that are shared together', () => {
  it('are the same numbers in one piece of memory, whatever their lengths', () => {
    const own = {
      name: 'scene',
      bytes: Uint8Array.of(1, 2, 3),
      lists: { pairs: Uint32Array.of(4, 5, 6), none: new Float64Array(0) },
      poses: Float64Array.of(0.5, -7),
    };
    const shared = shareTogether(own);
    expect(shared).toEqual(own);
    const { bytes, lists, poses } = shared;
    expect(bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(new Set([bytes, lists.pairs, lists.none, poses].map(({ buffer }) => buffer)).size).toBe(1);
    // None lies on another.
    bytes.fill(9);
    expect([...lists.pairs, ...poses]).toEqual([4, 5, 6, 0.5, -7]);
  });
});

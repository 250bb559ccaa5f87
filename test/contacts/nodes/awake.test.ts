import { describe, expect, it, vi } from 'vitest';
import type { Colliders } from '../../../src/contacts/bodies/colliders.ts';
import type { PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { awakeOf, takeRow } from '../../../src/contacts/nodes/awake.ts';
import { AWAKE_PER_PAIR } from '../../../src/contacts/nodes/constants.ts';
import { CLUSTER } from '../../../src/contacts/surface/surface-arrays.ts';

/** Rows of pairs of one body with so many clusters of nodes. */
function rowsOf(pairs: number, clusters: number) {
  const colliders = { polyhedra: new Uint32Array(2) } as unknown as Colliders;
  const surface = { weights: new Float64Array(CLUSTER * clusters), edges: new Float32Array(0) };
  const list = { pairs: Uint32Array.from({ length: 2 * pairs }, (_, k) => k % 2) };
  return awakeOf(list, colliders, [{ surface } as unknown as PolyhedronArrays]).nodes;
}

describe('rows of what is awake', () => {
  it('have room of their own, and keep it while it is enough', () => {
    const rows = rowsOf(8, 100);
    const wanted = [10, 0, 7, 40, 1, 12, 3, 9];
    const starts = wanted.map((clusters, pair) => takeRow(rows, pair, clusters));
    const owners = new Int32Array(rows.clusters.length).fill(-1);
    starts.forEach((start, pair) => {
      for (let k = start; k < start + wanted[pair]!; k++) {
        expect(owners[k]).toBe(-1);
        owners[k] = pair;
      }
    });
    expect(wanted.map((clusters, pair) => takeRow(rows, pair, clusters))).toEqual(starts);
    expect(rows.waits.length).toBe(CLUSTER * rows.clusters.length);
  });

  it('are refused where nothing is left, and smaller ones still fit', () => {
    const rows = rowsOf(4, 100);
    const all = 4 * AWAKE_PER_PAIR;
    expect(rows.clusters.length).toBe(all);
    expect(takeRow(rows, 0, all + 1)).toBe(-1);
    expect(takeRow(rows, 1, 300)).toBe(-1);
    expect(takeRow(rows, 2, 40)).toBe(0);
    expect(takeRow(rows, 3, 40)).toBe(-1);
    expect(takeRow(rows, 3, 8)).toBe(50);
  });

  it('have as many clusters as a byte counts, with less to spare', () => {
    const rows = rowsOf(20, 100);
    expect(takeRow(rows, 0, 256)).toBe(-1);
    expect(takeRow(rows, 0, 205)).toBe(0);
    expect(rows.rooms[0]).toBe(255);
    expect(takeRow(rows, 0, 255)).toBe(0);
    expect(rows.taken[0]).toBe(255);
  });

  it('leave the room that they are refused, also where another thread took some meanwhile', () => {
    const rows = rowsOf(4, 100);
    expect(takeRow(rows, 0, 40)).toBe(0);
    // What a thread saw before the other one took its row.
    const loads: { load(array: Int32Array, at: number): number } = Atomics;
    const seen = vi.spyOn(loads, 'load').mockReturnValue(0);
    try {
      expect(takeRow(rows, 1, 40)).toBe(-1);
      expect(rows.taken[0]).toBe(50);
      expect(takeRow(rows, 2, 8)).toBe(50);
    } finally {
      seen.mockRestore();
    }
  });
});

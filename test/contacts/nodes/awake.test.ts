import { describe, expect, it, vi } from 'vitest';
import type { Awake } from '../../../src/contacts/bodies/collider-pairs.ts';
import type { Colliders } from '../../../src/contacts/bodies/colliders.ts';
import type { PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { awakeOf, lacksRoom, NEXT, takeRow } from '../../../src/contacts/nodes/awake.ts';
import { AWAKE_PER_PAIR } from '../../../src/contacts/nodes/constants.ts';
import { CLUSTER } from '../../../src/contacts/surface/surface-arrays.ts';

/** What is awake of pairs of one body with so many clusters of nodes. */
function awakeOfPairs(pairs: number, clusters: number, before?: Awake): Awake {
  const colliders = { polyhedra: new Uint32Array(pairs + 1) } as unknown as Colliders;
  const surface = { weights: new Float64Array(CLUSTER * clusters), edges: new Float32Array(0) };
  const list = { pairs: Uint32Array.from({ length: 2 * pairs }, (_, k) => (k % 2 === 0 ? 0 : (k + 1) / 2)) };
  const polyhedra = [{ surface } as unknown as PolyhedronArrays];
  return awakeOf(list, colliders, polyhedra, before && { ...list, awake: before });
}

/** Their rows of nodes. */
const rowsOf = (pairs: number, clusters: number) => awakeOfPairs(pairs, clusters).nodes;

describe('rows of what is awake', () => {
  it('have room of their own, and keep it while it is enough', () => {
    const rows = rowsOf(64, 100);
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
    const rows = rowsOf(32, 100);
    const all = 32 * AWAKE_PER_PAIR;
    expect(rows.clusters.length).toBe(all);
    expect(takeRow(rows, 0, all + 1)).toBe(-1);
    expect(takeRow(rows, 1, 300)).toBe(-1);
    expect(takeRow(rows, 2, 40)).toBe(0);
    expect(takeRow(rows, 3, 40)).toBe(-1);
    expect(takeRow(rows, 3, 8)).toBe(50);
  });

  it('have as many clusters as a byte counts, with less to spare', () => {
    const rows = rowsOf(160, 100);
    expect(takeRow(rows, 0, 256)).toBe(-1);
    expect(takeRow(rows, 0, 205)).toBe(0);
    expect(rows.rooms[0]).toBe(255);
    expect(takeRow(rows, 0, 255)).toBe(0);
    expect(rows.taken[0]).toBe(255);
  });

  it('leave the room that they are refused, also where another thread took some meanwhile', () => {
    const rows = rowsOf(32, 100);
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

  it('get the room that they were refused, and keep what is known of pairs', () => {
    const before = awakeOfPairs(4, 100);
    const { nodes } = before;
    const start = takeRow(nodes, 1, 5);
    expect(start).toBe(0);
    nodes.counts.set([2, 3], 2);
    nodes.limits[1] = 0.5;
    before.paths[1] = 0.125;
    for (let k = 0; k < 5; k++) nodes.clusters[k] = 10 + k;
    for (let k = 0; k < 5 * CLUSTER; k++) nodes.waits[k] = k;
    expect(lacksRoom(before)).toBe(false);
    expect(takeRow(nodes, 2, 40)).toBe(-1);
    expect(takeRow(nodes, 0, 8)).toBe(-1);
    expect(lacksRoom(before)).toBe(true);
    const larger = awakeOfPairs(4, 100, before);
    const rows = larger.nodes;
    expect(lacksRoom(larger)).toBe(false);
    expect([...rows.limits]).toEqual([NEXT, 0.375, NEXT, NEXT]);
    const at = rows.starts[1]!;
    expect([...rows.counts.subarray(2, 4)]).toEqual([2, 3]);
    expect([...rows.clusters.subarray(at, at + 5)]).toEqual([10, 11, 12, 13, 14]);
    expect(rows.waits.subarray(CLUSTER * at, CLUSTER * (at + 5))).toEqual(
      nodes.waits.subarray(0, 5 * CLUSTER),
    );
    expect(takeRow(rows, 2, 40)).toBeGreaterThanOrEqual(0);
    expect(takeRow(rows, 0, 8)).toBeGreaterThanOrEqual(0);
    expect(lacksRoom(larger)).toBe(false);
  });

  it('have no more room than all clusters of their pairs may take', () => {
    const before = awakeOfPairs(4, 3);
    for (let pair = 0; pair < 4; pair++) takeRow(before.nodes, pair, 200);
    expect(awakeOfPairs(4, 3, before).nodes.clusters.length).toBe(4 * 7);
  });
});

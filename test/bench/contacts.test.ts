/** Parts of suite `contacts`, on bodies whose answers are known. */
import { describe, expect, it } from 'vitest';
import { hold } from '../../src/bench/contacts/measure.ts';
import { latticeCell, movedPoses, packedKinds, repeated, STEP } from '../../src/bench/contacts/packings.ts';
import { loadContactPeer } from '../../src/bench/contacts/rapier.ts';
import { relaxedCell } from '../../src/bench/contacts/relaxed.ts';
import { contactStatements } from '../../src/bench/contacts/statements.ts';
import type { ContactsReport } from '../../src/bench/report.ts';
import { ContactPipeline } from '../../src/index.ts';
import { around } from './sample-report.ts';

describe('packings', () => {
  const [spheres, hulls] = packedKinds() as [
    ReturnType<typeof packedKinds>[number],
    ReturnType<typeof packedKinds>[number],
  ];
  const overlapping = async (packing: { shapes: Uint32Array; poses: Float64Array }) => {
    const pipeline = await ContactPipeline.create(undefined, spheres.shapes, {
      bodies: { shapes: packing.shapes },
    });
    const { count, distances } = await pipeline.detect({ poses: packing.poses });
    pipeline.destroy();
    return { count, deepest: -Math.min(0, ...distances) };
  };

  it('give way to each other, and touch across the sides of repeated cells', async () => {
    const cell = await relaxedCell(spheres, { count: 64, across: 4, sweeps: 10 });
    const loose = latticeCell(spheres, 64, 4, cell.period[0] / 4);
    expect((await overlapping(cell)).deepest).toBeLessThan((await overlapping(loose)).deepest);
    const [once, often] = [await overlapping(cell), await overlapping(repeated(cell, 12 * 64))];
    expect(often.count).toBeGreaterThan(12 * once.count);
    // No deeper than within, but for copies that do not reach as far as the shell.
    expect(often.deepest).toBeLessThan(0.3);
  });

  it('move by the same length at every step, turned by unit quaternions', () => {
    const cell = latticeCell(hulls, 32, 4, 2);
    const [start, , later] = movedPoses(cell, 3) as [Float64Array, Float64Array, Float64Array];
    expect(start).toEqual(cell.poses);
    for (let o = 0; o < start.length; o += 7) {
      const moved = Math.hypot(...[0, 1, 2].map((k) => later[o + k]! - start[o + k]!));
      expect(moved).toBeCloseTo(2 * STEP, 9);
      expect(Math.hypot(...later.subarray(o + 3, o + 7))).toBeCloseTo(1, 12);
      const cosine = [3, 4, 5, 6].reduce((sum, k) => sum + start[o + k]! * later[o + k]!, 0);
      expect(Math.abs(cosine)).toBeCloseTo(Math.cos(STEP), 9);
    }
  });

  it('of hulls are settled by Rapier, alike in each run', async () => {
    const peer = (await loadContactPeer())!;
    const [one, two] = [peer.settle(hulls, 20), peer.settle(hulls, 20)];
    expect(one.poses).toEqual(two.poses);
    expect(Math.max(...one.poses.filter((_, i) => i % 7 === 2))).toBeLessThan(one.period[0]);
  });
});

describe('overlaps', () => {
  const expected = new Map([[2 ** 26 + 7, 0.1]]);
  const scree = { key: 'a', label: 'A', kind: 'scree' } as const;
  const peer = { ...scree, kind: 'peer' } as const;

  it('that a way of scree misses or makes up end the run with exit code 1 and name the bodies', () => {
    expect(hold('some', scree, expected, expected)).toEqual({ checked: 1, wrong: 0 });
    const missing = () => hold('some', scree, expected, new Map());
    expect(missing).toThrow('some: A gave 1 wrong pairs: it misses bodies 1 and 7, which overlap by 0.1');
    expect(missing).toThrow(expect.objectContaining({ exitCode: 1 }));
    expect(() => hold('some', scree, new Map(), expected)).toThrow('has bodies 1 and 7');
  });

  it('of a peer are counted, and hair-thin ones are free', () => {
    expect(hold('some', peer, expected, new Map())).toEqual({ checked: 1, wrong: 1 });
    expect(hold('some', scree, new Map([[9, 2 ** -16]]), new Map())).toEqual({ checked: 1, wrong: 0 });
  });
});

describe('statements', () => {
  const run = (way: string, seconds: number, ratioToPeer: number) => ({
    ...{ way, setUpSeconds: 1, seconds: around(seconds), stages: {}, ratioToPeer },
    ...{ pairs: 1, contacts: 1, nodesTested: 10, nodesNear: 6, openContacts: 0, deepContacts: 0, grown: 0 },
    ...{ gpuBytes: 0, checked: 1, wrong: 0 },
  });
  const packing = (bodies: number, seconds: number, ratio: number) => ({
    ...{ kind: 'hull', label: 'hulls', bodies, made: '', partners: 6, meanDepth: 0.01 },
    runs: [run('contacts-cpu', seconds, ratio), run('contacts-gpu', 4 * seconds, 0)],
  });
  const nodes = {
    label: 'rocks',
    points: 10,
    depth: around(2),
    classify: around(1),
    nodes: 5,
    tableBytes: 1,
  };
  const verdicts = (packings: ContactsReport['packings'], overClassify: number, ratioToPeer: number) => {
    const measured = { ways: [], steps: 5, packings, nodes: [{ ...nodes, overClassify, ratioToPeer }] };
    return contactStatements(measured, { software: true }).map(({ agrees }) => agrees);
  };

  it('hold where ratios are as wanted, differ where they are not, and are open where nothing was measured', () => {
    const good = verdicts([packing(1000, 1, 1.2), packing(10_000, 12, 1.1)], 2, 30);
    const bad = verdicts([packing(1000, 1, 0.5), packing(10_000, 20, 2)], 4, 10);
    expect(good).toEqual(['yes', 'not measured', 'yes', 'yes', 'no', 'yes', 'yes', 'yes']);
    expect(bad).toEqual(['no', 'not measured', 'no', 'no', 'no', 'no', 'no', 'yes']);
  });
});

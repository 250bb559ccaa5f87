import { expect, it } from 'vitest';
import { redoUndecided } from '../../../src/convex/batch/redo.ts';
import { BATCH_TOLERANCE } from '../../../src/convex/constants.ts';
import { CpuPairs } from '../../../src/convex/cpu/cpu-pairs.ts';
import { PairRun, queryPairs } from '../../../src/convex/cpu/pair-run.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { resolveQuery } from '../../../src/convex/query/check-query.ts';
import { arraysFor } from '../../../src/convex/query/pair-arrays.ts';
import { PAIR_KINDS } from '../../../src/convex/query/pair-kinds.ts';
import type { PairArrays } from '../../../src/convex/query/pair-query.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import { manyPairs, manyShapes } from '../scenes.ts';

const table = new ShapeTable(manyShapes);
const scene = manyPairs(200);
const cpu = new CpuPairs(table, () => undefined, 1);

it.each(PAIR_KINDS)(
  '%s: exactly the pairs that kernels left undecided are redone, in float64',
  async (kind) => {
    const asked = { ...scene, kind };
    const query = resolveQuery(table.count, asked, { algorithm: 'auto', tolerance: BATCH_TOLERANCE });
    // As the host answers: what kind `distance` leaves out of overlaps is left out later, for both backends.
    const exact = arraysFor(kind, 200);
    new PairRun(table, query, exact).answerAll(0, 200);
    const mark = -7;
    const wanted = exact.distance.length;
    // Every third pair is undecided; the others have what no algorithm answers.
    const answers: PairArrays = {
      distance: new Float32Array(wanted).fill(mark),
      lower: new Float32Array(wanted).fill(mark),
      upper: new Float32Array(wanted).fill(mark),
      normal: new Float32Array(3 * wanted).fill(mark),
      pointA: new Float32Array(3 * wanted).fill(mark),
      pointB: new Float32Array(3 * wanted).fill(mark),
      status: new Uint8Array(200).map((_, i) =>
        i % 3 === 0 ? PairStatus.iterationLimit : PairStatus.degenerate,
      ),
      iterations: new Uint32Array(200).fill(10),
      contactCounts: new Uint8Array(exact.contactCounts.length).fill(9),
      contacts: new Float32Array(exact.contacts.length).fill(mark),
      contactNormals: new Float32Array(exact.contactNormals.length).fill(mark),
    };
    const { redone, threads } = await redoUndecided(answers, query, cpu, {});
    expect({ redone, threads }).toEqual({ redone: 67, threads: 1 });
    for (let i = 0; i < 200; i++) {
      if (i % 3 !== 0) {
        expect(answers.status[i]).toBe(PairStatus.degenerate);
        expect(answers.iterations[i]).toBe(10);
        if (wanted > 0) expect([answers.distance[i], answers.normal[3 * i + 2]]).toEqual([mark, mark]);
        continue;
      }
      expect(answers.status[i]).toBe(exact.status[i]);
      expect(answers.iterations[i]).toBe(10 + exact.iterations[i]!);
      if (wanted === 0) continue;
      expect(answers.distance[i]).toBe(Math.fround(exact.distance[i]!));
      for (const name of ['normal', 'pointA', 'pointB'] as const) {
        const expected = exact[name].subarray(3 * i, 3 * i + 3).map(Math.fround);
        expect([...answers[name].subarray(3 * i, 3 * i + 3)]).toEqual([...expected]);
      }
      // Bounds are bounds after rounding, too, and no farther off than a spacing.
      expect(answers.lower[i]).toBeLessThanOrEqual(exact.lower[i]!);
      expect(answers.upper[i]).toBeGreaterThanOrEqual(exact.upper[i]!);
      const near = (x: number) => Math.abs(x) * 2 ** -22 + 2 ** -140;
      if (Number.isFinite(exact.lower[i])) {
        expect(exact.lower[i]! - answers.lower[i]!).toBeLessThanOrEqual(near(exact.lower[i]!));
      }
      if (Number.isFinite(exact.upper[i])) {
        expect(answers.upper[i]! - exact.upper[i]!).toBeLessThanOrEqual(near(exact.upper[i]!));
      }
      if (kind !== 'manifold') continue;
      expect(answers.contactCounts[i]).toBe(exact.contactCounts[i]);
      const contacts = exact.contacts.subarray(64 * i, 64 * (i + 1)).map(Math.fround);
      expect([...answers.contacts.subarray(64 * i, 64 * (i + 1))]).toEqual([...contacts]);
      const normals = exact.contactNormals.subarray(48 * i, 48 * (i + 1)).map(Math.fround);
      expect([...answers.contactNormals.subarray(48 * i, 48 * (i + 1))]).toEqual([...normals]);
    }
  },
);

it('nothing is redone where all is decided', async () => {
  const query = resolveQuery(
    table.count,
    { ...scene, kind: 'intersect' },
    { algorithm: 'auto', tolerance: BATCH_TOLERANCE },
  );
  const answers = queryPairs(table, { ...scene, kind: 'intersect' });
  expect(await redoUndecided(answers, query, cpu, {})).toEqual({ redone: 0, threads: 0 });
});

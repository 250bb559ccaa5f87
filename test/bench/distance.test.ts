/** Suite `distance`: a run with the peer, the report, and the statements. */
import { expect, it } from 'vitest';
import { distanceStatements, onlyRises, searchesOf } from '../../src/bench/distance/statements.ts';
import { planDistance } from '../../src/bench/distance/suite.ts';
import { loadMeshPeer } from '../../src/bench/distance/three-mesh-bvh.ts';
import { type DistanceReport, parseReport, reportJson } from '../../src/bench/report.ts';
import { reportHtml } from '../../src/bench/report-page/page.ts';
import { capitalized, inUnits } from '../../src/bench/text.ts';
import { formatReport } from '../../src/cli/bench/bench-text.ts';
import { sampleReport } from './sample-report.ts';

it('the suite reports distances by every way, with three-mesh-bvh beside them', async () => {
  const context = { host: { loadMeshPeer }, quick: true, measureCopyRate: async () => {} } as never;
  const plan = { triangles: [1000], gaps: [0.1], rounds: 1, seconds: 0 };
  const suite = await planDistance(context, plan);
  const said: string[] = [];
  const { distance, remarks } = await suite.run(async (what) => void said.push(what));
  expect(said).toEqual([
    'rocks of 1,000 triangles, 0.1 sizes apart',
    'foams of 1,000 triangles, 0.1 sizes apart',
  ]);
  expect(remarks).toEqual([]);
  for (const { runs } of distance!.cases) {
    expect(runs.map(({ way }) => way)).toHaveLength(9);
    for (const { way, wrong, ratioOfDistance, ratioOfMeet } of runs) {
      expect(wrong, way).toBe(0);
      expect([ratioOfDistance > 0, ratioOfMeet > 0], way).toEqual([
        way !== 'three-mesh-bvh',
        way !== 'three-mesh-bvh',
      ]);
    }
  }
  const report = sampleReport([], { distance: distance! });
  expect(parseReport(reportJson(report), 'report.json').distance!.cases).toHaveLength(2);
  const page = reportHtml(report, '');
  expect(page).toContain('<h2 id="distance">');
  expect(page).toContain('Statements beside measurements');
  // The terminal has what the page has: ratios beside what is wanted, pairs of nodes, set-up, bounds, statements.
  const text = formatReport(report);
  for (const { label, runs } of distance!.cases) {
    expect(text).toContain(`${capitalized(label)}, `);
    for (const { way, visited, ratioOfDistance } of runs) {
      const row = new RegExp(
        `^${distance!.ways.find(({ key }) => key === way)!.label} .*${inUnits(visited, 1)}`,
        'm',
      );
      expect(text).toMatch(row);
      expect(text).toContain(inUnits(ratioOfDistance, 1));
    }
  }
  for (const { overPeer } of distance!.setUps) expect(text).toContain(inUnits(overPeer, 1));
  expect(text.match(/ sizes apart .* to .* held$/gm)).toHaveLength(2);
  for (const { statement, agrees } of distance!.findings) {
    expect(text).toMatch(new RegExp(`^${agrees === 'yes' ? 'held' : 'not held'} +${statement}`, 'm'));
  }
});

it('says so where the peer is missing', async () => {
  const context = { host: { loadMeshPeer: async () => undefined }, quick: true } as never;
  const suite = await planDistance(context, { triangles: [], gaps: [], rounds: 1, seconds: 0 });
  const { remarks } = await suite.run(async () => {});
  expect(remarks).toEqual([
    expect.stringMatching(/^Distances: three-mesh-bvh was not compared: install three/),
  ]);
});

it('statements hold where ratios are as wanted, and not where they are not', () => {
  const time = (seconds: number) => ({ min: seconds, median: seconds, max: seconds, runs: 1 });
  const reportOf = (ratio: number, slower: number) => {
    const run = (way: string, seconds: number, visited: number) => ({
      ...{ way, distance: time(seconds), meet: time(seconds), visited, checked: 1, wrong: 0 },
      ...{ ratioOfDistance: ratio, ratioOfMeet: ratio / 3 },
    });
    const others = ['aabb', 'obb', 'k-dop-18'].map((volume) => run(`${volume}-best-first`, slower, 9));
    const meshes = { label: 'rocks', triangles: 1000 };
    return {
      ways: [],
      cases: [
        {
          ...meshes,
          gap: 1,
          runs: [run('sphere-best-first', 2, 10 * slower), run('sphere-greedy', 1, 25), ...others],
        },
      ],
      setUps: [{ ...meshes, way: 'sphere-best-first', seconds: time(1), overPeer: slower - 1 }],
      stopped: [0.5, slower / 3].map((lower, i) => ({ ...meshes, gap: 1, visits: 4 ** i, lower })),
    } satisfies Omit<DistanceReport, 'findings'>;
  };
  const verdicts = (of: Omit<DistanceReport, 'findings'>) =>
    distanceStatements(of).map(({ agrees }) => agrees);
  expect(verdicts(reportOf(12, 2.4))).toEqual(Array(7).fill('yes'));
  expect(verdicts(reportOf(5, 4)).slice(0, 3)).toEqual(['no', 'no', 'no']);
  expect(verdicts(reportOf(5, 1))[3]).toBe('no');
  expect(verdicts(reportOf(5, 1))[6]).toBe('no');
});

it('of a search of another gap a lower bound may be lower', () => {
  const cases = [1, 0.1].map((gap) => ({ label: 'rocks', triangles: 1000, gap, runs: [] }));
  const stopped = cases.flatMap(({ gap, label, triangles }) =>
    [1, 4].map((visits) => ({ label, triangles, gap, visits, lower: gap * visits })),
  );
  expect(cases.map((one) => searchesOf(stopped, one).map(({ lower }) => lower))).toEqual([
    [1, 4],
    [0.1, 0.4],
  ]);
  expect(onlyRises(searchesOf(stopped, cases[1]!))).toBe(true);
  expect(onlyRises(stopped)).toBe(false);
});

/** Suite `resolution`: compares the cost model's choice of a cell grid's resolution with the best of a sweep. */
import { foamBody, sphereBody } from '../points/bodies.ts';
import type { PointSuite } from '../points/suite.ts';
import { screeWay } from '../points/ways.ts';
import type { BodyReport, Finding } from '../report.ts';
import { countText, numberText } from '../text.ts';
import { QUICK } from './inside.ts';

/** Cells along the longest extent: twelve steps of a third. */
const SWEEP = [16, 21, 29, 38, 51, 69, 92, 123, 165, 221, 297, 400] as const;
const QUICK_SWEEP = [4, 8, 16] as const;
const CHOSEN = 'cells-chosen';
/** Points that the cost model foresees: constants of src/inside/constants.ts, docs/cell-grid.md. */
const foreseen = (triangles: number) => 20_000 + 8 * triangles;

/** One thread: threads would speed up building and asking alike, and add noise. */
export const resolution: PointSuite = {
  plan: (quick) => ({
    bodies: [sphereBody(7), ...[30_000, 120_000, 490_000].map((triangles) => foamBody(triangles))],
    ...{ sets: ['grid', 'random', 'near'], perAxis: [80], rounds: 3, setUpRounds: 3, sampleSize: 1000 },
    ...{ mostCallSeconds: 5, mostSetUpSeconds: 60 },
    ...(quick && { ...QUICK, bodies: [sphereBody(4)] }),
  }),
  ways: (_, __, quick) => {
    const way = { method: 'cell-grid', backend: 'cpu', threads: 1 } as const;
    return [
      screeWay(undefined, CHOSEN, 'as the model chooses', way),
      ...(quick ? QUICK_SWEEP : SWEEP).map((cells) =>
        screeWay(undefined, `cells-${cells}`, `${cells} cells`, { ...way, cellsPerAxis: cells }),
      ),
    ];
  },
  findings: (bodies) => bodies.flatMap(lossOf),
};

/** Cost of building and of the random points that the model foresees: at its choice, over the cheapest of the sweep. */
function lossOf(body: BodyReport): Finding[] {
  const costs = body.setUps.flatMap(({ way, total }) => {
    const run = body.runs.find((one) => one.way === way && one.set === 'random');
    if (run === undefined || run.status === 'left-out') return [];
    return [{ way, cost: total.min + (foreseen(body.triangles) * run.seconds.total.min) / run.points }];
  });
  const chosen = costs.find(({ way }) => way === CHOSEN);
  const [best] = costs.filter(({ way }) => way !== CHOSEN).sort((a, b) => a.cost - b.cost);
  if (chosen === undefined || best === undefined) return [];
  const [points, cells] = [foreseen(body.triangles), best.way.replace('cells-', '')];
  return [
    {
      source: body.name,
      statement: `The chosen cells take the least time, within a tenth, for set-up and ${countText(points)} points.`,
      measured: `${numberText(chosen.cost / best.cost)} times the least of the sweep, which is at ${cells} cells.`,
      agrees: chosen.cost <= 1.1 * best.cost ? 'yes' : 'no',
    },
  ];
}

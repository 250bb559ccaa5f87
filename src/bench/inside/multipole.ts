/** Suites about the fast multipole method: errors by degree and separation, choice of depth. */
import { foamBody, sphereBody } from '../points/bodies.ts';
import type { PointPlan, PointSuite } from '../points/suite.ts';
import { screeWay } from '../points/ways.ts';
import type { BodyReport, Finding } from '../report.ts';
import { numberText } from '../text.ts';
import { QUICK } from './inside.ts';

const PLAN = {
  ...{ sets: ['random'], perAxis: [80], rounds: 2, setUpRounds: 2, sampleSize: 5000 },
  ...{ mostCallSeconds: 10, mostSetUpSeconds: 120 },
} as const satisfies Partial<PointPlan>;

/** The flags, which on a closed body are the exact winding numbers. */
const FLAGS = screeWay(undefined, 'cell-grid-cpu', 'cell grid, CPU', { method: 'cell-grid', backend: 'cpu' });

/** Errors over trees of one depth: only degree and separation differ. Tolerance Infinity: expansions as they are. */
export const multipole: PointSuite = {
  plan: (quick) => ({ ...PLAN, bodies: [sphereBody(4)], ...(quick && QUICK) }),
  ways: (device, _, quick) => [
    FLAGS,
    ...(quick ? [1.6] : [1.3, 1.6, 2]).flatMap((separation) =>
      (quick ? [1, 2] : [1, 2, 3, 4, 5, 6, 7, 8]).flatMap((degree) =>
        (['gpu', 'cpu'] as const).map((backend) => {
          const label = `p = ${degree}, d = ${separation}, ${backend === 'gpu' ? 'float32' : 'float64'}`;
          const expansion = { method: 'multipole', backend, degree, separation, depth: 3 } as const;
          const key = `multipole-p${degree}-d${separation}-${backend}`;
          return screeWay(device, key, label, { ...expansion, tolerance: Infinity });
        }),
      ),
    ),
  ],
};

const DEPTHS = [2, 3, 4, 5, 6, 7] as const;
/** Deep levels take memory: the set-up's forecast leaves out trees deeper than a body has triangles for. */
export const depth: PointSuite = {
  plan: (quick) => ({
    ...{ ...PLAN, perAxis: [10, 40, 80], mostSetUpSeconds: 30 },
    bodies: [...[3, 5, 7].map(sphereBody), foamBody(30_000), foamBody(120_000)],
    ...(quick && { ...QUICK, bodies: [sphereBody(3)] }),
  }),
  ways: (device, _, quick) =>
    (['auto', 'well-chosen', 'pre-chosen', ...(quick ? [2, 3] : DEPTHS)] as const).map((level) => {
      const label = typeof level === 'number' ? `level ${level}` : level;
      const forPoints = level === 'auto' || level === 'well-chosen';
      const way = { method: 'multipole', backend: 'gpu', depth: level, forPoints } as const;
      return screeWay(device, `depth-${level}`, label, way);
    }),
  findings: (bodies) => bodies.map(depthFinding),
};

/** Depth `auto` beside the fixed level of least set-up and evaluation. */
function depthFinding(body: BodyReport): Finding {
  const counts = [...new Set(body.runs.map(({ points }) => points))];
  const ratios = counts.flatMap((points) => {
    const totals = body.runs.flatMap(({ way, points: own, status, seconds }) => {
      const setUp = body.setUps.find((one) => one.way === way && (one.points === points || one.points === 0));
      if (own !== points || status === 'left-out' || setUp === undefined) return [];
      return [{ way, total: setUp.total.min + seconds.total.min }];
    });
    const auto = totals.find(({ way }) => way === 'depth-auto');
    const fixed = totals.filter(({ way }) => /\d$/.test(way)).map(({ total }) => total);
    return auto === undefined || fixed.length === 0 ? [] : [auto.total / Math.min(...fixed)];
  });
  const measured = ratios.map((ratio, i) => `${numberText(ratio)} (${Math.cbrt(counts[i]!)}³ points)`);
  return {
    source: body.name,
    statement: 'Depth `auto` takes no more than a quarter longer than the best fixed level.',
    measured: `Times of auto over those of the best level: ${measured.join(', ')}.`,
    agrees: ratios.length === 0 ? 'not measured' : Math.max(...ratios) <= 1.25 ? 'yes' : 'no',
  };
}

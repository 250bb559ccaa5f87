/** Suite `paper`: Muth et al., section 3: spheres of 8 to 131,072 triangles, and foams of the paper's three sizes. */
import type { Device } from '../../index.ts';
import { QUICK } from '../inside/inside.ts';
import { foamBody, sphereBody } from '../points/bodies.ts';
import { copyWay } from '../points/copy.ts';
import type { PointPlan, PointSuite } from '../points/suite.ts';
import type { Way } from '../points/way.ts';
import { screeWay } from '../points/ways.ts';
import { countText } from '../text.ts';
import { paperStatements } from './statements.ts';

/** Triangles of the paper's foams; the generator meets them within a percent. */
const FOAMS = [28_952, 120_868, 494_124] as const;

const FULL: PointPlan = {
  bodies: [...[0, 1, 2, 3, 4, 5, 6, 7].map(sphereBody), ...FOAMS.map((triangles) => foamBody(triangles))],
  ...{ sets: ['grid'], perAxis: [10, 20, 40, 80], rounds: 3, setUpRounds: 2, sampleSize: 2000 },
  ...{ mostCallSeconds: 4, mostSetUpSeconds: 120 },
};

/** Those of the paper first: ray crossing as it has it, with every triangle, and as ours culls it. */
function paperWays(device: Device): Way[] {
  const crossing = { method: 'ray-crossing', backend: 'gpu' } as const;
  const multipole = { method: 'multipole', backend: 'gpu' } as const;
  const wellChosen = { ...multipole, depth: 'well-chosen', forPoints: true } as const;
  const way = (key: string, label: string, options: Parameters<typeof screeWay>[3]) =>
    screeWay(device, key, label, options);
  return [
    way('ray-crossing-all-gpu', 'ray crossing of all triangles, GPU', { ...crossing, cull: false }),
    way('ray-crossing-gpu', 'ray crossing, culled, GPU', crossing),
    way('multipole-well-chosen-gpu', 'multipole, well-chosen depth, GPU', wellChosen),
    way('multipole-pre-chosen-gpu', 'multipole, pre-chosen depth, GPU', { ...multipole, depth: 'pre-chosen' }),
    way('cell-grid-gpu', 'cell grid, GPU', { method: 'cell-grid', backend: 'gpu' }),
    way('cell-grid-cpu', 'cell grid, CPU', { method: 'cell-grid', backend: 'cpu' }),
    // Which backend it takes depends on the number of points.
    way('auto', 'auto', { forPoints: true }),
    copyWay(device),
  ];
}

export const paper: PointSuite = {
  plan: (quick) =>
    quick ? { ...FULL, ...QUICK, bodies: [sphereBody(0), sphereBody(3), foamBody(2000, 1)], perAxis: [10, 20] } : FULL,
  ways: paperWays,
  findings: paperStatements,
  remarks(bodies, _, quick) {
    if (quick) return [];
    const foams = bodies.filter(({ series }) => series === 'foam').map(({ triangles }) => triangles);
    const [own, others] = [foams, FOAMS].map((counts) => `${counts.map(countText).join(', ')}`);
    return [`Foams are of the kind of the paper's, not the same: they have ${own} triangles, the paper's ${others}.`];
  },
};

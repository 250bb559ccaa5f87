/** Suites about points in bodies: scree's methods beside three-mesh-bvh, on bodies of several kinds. */
import type { Device } from '../../index.ts';
import { foamBody, inBox, sphereBody } from '../points/bodies.ts';
import { copyWay } from '../points/copy.ts';
import type { PointPlan, PointSuite } from '../points/suite.ts';
import type { Way } from '../points/way.ts';
import { screeWay } from '../points/ways.ts';

const WITHOUT_PEER = 'three-mesh-bvh was not compared: install the packages three and three-mesh-bvh beside scree.';

const FULL: PointPlan = {
  bodies: [sphereBody(7), ...[30_000, 120_000, 490_000].map((triangles) => foamBody(triangles))],
  ...{ sets: ['grid', 'random', 'near'], perAxis: [80], rounds: 5, setUpRounds: 3, sampleSize: 5000 },
  ...{ mostCallSeconds: 5, mostSetUpSeconds: 120 },
};

/** What a quick run of any suite about points changes. */
export const QUICK = {
  ...{ perAxis: [20], rounds: 2, setUpRounds: 1, sampleSize: 300 },
  ...{ mostCallSeconds: 0.5, mostSetUpSeconds: 5 },
} as const satisfies Partial<PointPlan>;

const QUICK_BODIES = [sphereBody(4), foamBody(8000)];

/** @param peer undefined where it is not there */
export function insideWays(device: Device, peer: Way | undefined): Way[] {
  const grid = { method: 'cell-grid', backend: 'cpu' } as const;
  return [
    screeWay(device, 'cell-grid-cpu', 'cell grid, CPU', grid),
    screeWay(device, 'cell-grid-cpu-1', 'cell grid, CPU, 1 thread', { ...grid, threads: 1 }),
    screeWay(device, 'cell-grid-gpu', 'cell grid, GPU', { method: 'cell-grid', backend: 'gpu' }),
    screeWay(device, 'ray-crossing-gpu', 'ray crossing, GPU', { method: 'ray-crossing', backend: 'gpu' }),
    ...(peer ? [peer] : []),
    copyWay(device),
  ];
}

const compared = (full: PointPlan, quick: Partial<PointPlan>): PointSuite => ({
  plan: (isQuick) => (isQuick ? { ...full, ...QUICK, ...quick } : full),
  ways: async (device, host) => insideWays(device, await host.loadPeer()),
  remarks: (_, ways) => (ways.some(({ kind }) => kind === 'peer') ? [] : [WITHOUT_PEER]),
});

export const inside = compared(FULL, { bodies: QUICK_BODIES });

/** Triangles of very different sizes: what one cell size for all is worst at. */
export const graded = compared(
  { ...FULL, bodies: [inBox(sphereBody(7), 0.1), inBox(foamBody(120_000), 0.02)] },
  { bodies: [inBox(sphereBody(4), 0.1)] },
);

/** Time per point and set-up from 8 to 524,288 triangles. */
export const growth = compared(
  { ...FULL, bodies: [0, 1, 2, 3, 4, 5, 6, 7, 8].map(sphereBody), sets: ['random'], rounds: 3 },
  { bodies: [0, 2, 4].map(sphereBody) },
);

/** Points of one call in chunks, as they come from a file, beside all of them at once. */
export const stream: PointSuite = {
  plan: (quick) => ({
    ...{ ...FULL, bodies: [foamBody(120_000)], sets: ['random'], perAxis: [100, 215], rounds: 3 },
    ...(quick && { ...QUICK, bodies: [foamBody(8000)] }),
  }),
  ways: (device, _, quick) =>
    (['cpu', 'gpu'] as const).flatMap((backend) => {
      const grid = { method: 'cell-grid', backend } as const;
      const chunk = quick ? 1000 : 1 << 20;
      const name = `cell grid, ${backend.toUpperCase()}`;
      return [
        screeWay(device, `cell-grid-${backend}`, `${name}, at once`, grid),
        screeWay(device, `stream-${backend}`, `${name}, streamed`, { ...grid, chunk }),
      ];
    }),
};

import { expect, it } from 'vitest';
import { insideWays } from '../../src/bench/inside/inside.ts';
import { paper } from '../../src/bench/paper/paper.ts';
import { makePoints } from '../../src/bench/points/points.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { useDevice } from '../support/device.ts';

const device = useDevice();
const mesh = unitSphere(2);
const points = makePoints('grid', mesh, 4);

it('a set-up of every way of scree stops at its signal', async () => {
  const stopped = AbortSignal.abort(new Error('enough'));
  const ways = [...(await paper.ways(device(), {} as never, false)), ...insideWays(device(), undefined)];
  const own = ways.filter(({ kind }) => kind === 'scree');
  expect(own.length).toBeGreaterThan(8);
  for (const { key, prepare } of own) {
    await expect(prepare(mesh, points, stopped), key).rejects.toThrow('enough');
  }
});

/** Boxes among other shapes: separating axes decide pairs of boxes, though one set of kernels answers all kinds. */
import { describe, expect, it } from 'vitest';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { useDevice } from '../../support/device.ts';
import { hold } from '../../support/hold.ts';
import { askBoth } from './gpu-ask.ts';

const device = useDevice();

describe('a lattice of boxes, cylinders, ellipsoids and cones', () => {
  const shapes: Shape[] = [
    { kind: 'box', halfExtents: [0.51, 0.51, 0.51] },
    { kind: 'cylinder', radius: 0.51, halfHeight: 0.51 },
    { kind: 'box', halfExtents: [0.505, 0.52, 0.51] },
    { kind: 'ellipsoid', radii: [0.52, 0.51, 0.55] },
    { kind: 'cone', radius: 0.6, height: 1.1 },
  ];
  const side = 5;
  const cells = Array.from({ length: side ** 3 }, (_, i) => [
    i % side,
    Math.floor(i / side) % side,
    Math.floor(i / side ** 2),
  ]);
  const bodies = Uint32Array.from(cells, (_, i) => (i % 7 < 4 ? (i % 2) * 2 : i % shapes.length));
  const poses = Float32Array.from(cells.flatMap((cell) => [...cell, 0, 0, 0, 1]));
  const pairs = Uint32Array.from(
    cells.flatMap((a, i) =>
      cells.flatMap((b, j) => {
        const far = Math.max(...a.map((x, k) => Math.abs(x - b[k]!)));
        return j > i && far === 1 && a.filter((x, k) => x !== b[k]!).length === 1 ? [i, j] : [];
      }),
    ),
  );
  const isBox = (body: number) => shapes[bodies[body]!]!.kind === 'box';

  it.each(['manifold', 'intersect'] as const)('kind %s: no aligned boxes stay open', async (kind) => {
    const { kernels, exact } = await askBoth(device(), shapes, {
      kind,
      algorithm: 'auto',
      poses,
      shapes: bodies,
      pairs,
    });
    let boxes = 0;
    for (let i = 0; i < pairs.length / 2; i++) {
      if (!isBox(pairs[2 * i]!) || !isBox(pairs[2 * i + 1]!)) continue;
      boxes++;
      hold(kernels.status[i] === PairStatus.converged, () => `pair ${i}: ${kernels.status[i]}`);
      hold(exact.status[i] === PairStatus.converged, () => `pair ${i} in float64: ${exact.status[i]}`);
      if (kind === 'intersect') continue;
      hold(
        Math.abs(kernels.distance[i]! - exact.distance[i]!) < 1e-5,
        () => `pair ${i}: ${kernels.distance[i]}`,
      );
    }
    expect(boxes).toBeGreaterThan(50);
  });

  it('pairs of other kinds are answered as before', async () => {
    const { kernels, exact } = await askBoth(device(), shapes, {
      ...{ kind: 'manifold', algorithm: 'auto', poses, shapes: bodies, pairs },
    });
    let others = 0;
    for (let i = 0; i < pairs.length / 2; i++) {
      if (kernels.status[i] !== PairStatus.converged) continue;
      if (isBox(pairs[2 * i]!) && isBox(pairs[2 * i + 1]!)) continue;
      others++;
      hold(
        Math.abs(kernels.distance[i]! - exact.distance[i]!) < 1e-4,
        () => `pair ${i}: ${kernels.distance[i]} against ${exact.distance[i]}`,
      );
    }
    expect(others).toBeGreaterThan(50);
  });
});

import { describe, expect, it } from 'vitest';
import { LEAST_VERTICES_FOR_CELLS } from '../../../src/convex/gpu/direction-cells.ts';
import { RecordWord } from '../../../src/convex/gpu/shape-record.ts';
import { shapeBuffers } from '../../../src/convex/gpu/tables.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { Shape } from '../../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { useDevice } from '../../support/device.ts';
import { askKernels } from './gpu-ask.ts';

const device = useDevice();

/** Bodies 2 i and 2 i + 1 with shapes 0 and 1: one at the origin, the other moved. */
function moved(...offsets: readonly (readonly [number, number, number])[]) {
  return {
    poses: Float64Array.from(offsets.flatMap((p) => [0, 0, 0, 0, 0, 0, 1, ...p, 0, 0, 0, 1])),
    pairs: Uint32Array.from({ length: 2 * offsets.length }, (_, i) => i),
    shapes: Uint32Array.from({ length: 2 * offsets.length }, (_, i) => i % 2),
  };
}

describe('cores that meet inside margins', () => {
  const query = {
    ...moved([0, 0, 0], [1e-6, 0, 0], [0.25, 0, 0], [1e-6, 1e-6, 1e-6]),
    kind: 'distance',
  } as const;
  const capsule: Shape = { kind: 'capsule', halfLength: 0.5, radius: 0.25 };

  it.each([
    ['points', { kind: 'sphere', radius: 1 }],
    ['segments', capsule],
    ['areas', { kind: 'wheel', radius: 1, tubeRadius: 0.25 }],
  ] as const)('%s: a distance of 0, with a direction and finite points', async (_, shape) => {
    for (const algorithm of ['gjk', 'gjk-johnson'] as const) {
      const { status, distance, normal, pointA } = await askKernels(device(), [capsule, shape], {
        ...query,
        algorithm,
      });
      status.forEach((found, i) => {
        expect(found).toBe(PairStatus.converged);
        expect(distance[i]).toBe(0);
        expect(Math.hypot(...normal.subarray(3 * i, 3 * i + 3))).toBeCloseTo(1, 5);
        expect(Math.hypot(...pointA.subarray(3 * i, 3 * i + 3))).toBeLessThan(1);
      });
    }
  });
});

describe('a sweep', () => {
  const sphere: Shape = { kind: 'sphere', radius: 0.5 };
  const box: Shape = { kind: 'box', halfExtents: [0.5, 0.5, 0.5] };

  it.each([
    ['spheres', sphere, sphere],
    ['boxes', box, box],
  ])('%s as far apart as it reaches are left to float64', async (_, a, b) => {
    const offsets = [1e-3, 1e-6, 0, -1e-6, -1e-3].map((gap) => [1.2 + gap, 0.03, 0.01] as const);
    const { iterationLimit, separated, converged } = PairStatus;
    for (const tolerance of [2 ** -20, 0.1]) {
      const exact = offsets.map(([x, y, z]) => (a === sphere ? Math.hypot(x, y, z) - 1 : x - 1));
      // Half of the distance of the third, so that it touches.
      const sweep = { algorithm: 'sweep-gjk', sweepRadius: exact[2]! / 2 } as const;
      const query = { ...moved(...offsets), kind: 'penetration', tolerance, ...sweep } as const;
      const { status } = await askKernels(device(), [a, b], query);
      expect([...status]).toEqual([separated, iterationLimit, iterationLimit, iterationLimit, converged]);
    }
  });
});

describe('cells of directions', () => {
  /** Hulls of clusters on spheres of radius `spread` about (+-1, 0, 0). */
  const clusters = (count: number, spread: number, seed = 1): Shape => {
    const random = createRandom(seed);
    const vertices = Array.from({ length: count }, (_, i) => {
      const z = 2 * random() - 1;
      const angle = 2 * Math.PI * random();
      const r = spread * Math.sqrt(1 - z * z);
      return [(i % 2 ? 1 : -1) * (1 + spread * Math.abs(z)), r * Math.cos(angle), r * Math.sin(angle)];
    });
    return { kind: 'polytope', vertices: vertices.flat() };
  };
  const perEdge = (shape: Shape) => {
    const { records } = shapeBuffers(new ShapeTable([shape]));
    return new Uint32Array(records.buffer)[RecordWord.cellsPerEdge]!;
  };

  it('are not made where float32 could take any of a cluster of vertices', () => {
    expect(perEdge(clusters(400, 0.2))).toBeGreaterThan(0);
    expect(perEdge(clusters(400, 1e-7))).toBe(0);
    expect(perEdge(clusters(LEAST_VERTICES_FOR_CELLS * 2, 1e-7))).toBeGreaterThan(0);
  });
});

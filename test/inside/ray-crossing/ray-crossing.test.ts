import { describe, expect, it } from 'vitest';
import { chooseFrame } from '../../../src/inside/frame.ts';
import { Polyhedron } from '../../../src/inside/polyhedron.ts';
import { RayCrossing } from '../../../src/inside/ray-crossing/ray-crossing.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import {
  alignedCases,
  extremeCases,
  farCases,
  surfaceCases,
  thinCases,
  windingCases,
  zeroAreaCases,
} from '../../support/cases.ts';
import { useDevice } from '../../support/device.ts';
import { differences, exactFlags } from '../../support/flags.ts';
import { classifyByRandomRays, windingByCommonRay } from '../../support/ray-crossing-twin.ts';
import { joinMeshes, mapMesh, randomPoints } from '../../support/shapes.ts';

const device = useDevice();
const random = createRandom(11);

async function classify(mesh: TriangleMesh, points: Float32Array, options = {}) {
  const polyhedron = await Polyhedron.create(device(), mesh);
  try {
    return await polyhedron.classify(points, { method: 'ray-crossing', ...options });
  } finally {
    polyhedron.destroy();
  }
}

async function expectExact(mesh: TriangleMesh, points: Float32Array, options = {}) {
  const result = await classify(mesh, points, options);
  const rule = 'rule' in options && options.rule === 'nonzero' ? 'nonzero' : 'odd';
  expect(differences(result.flags, exactFlags(mesh, points, rule), points)).toEqual([]);
  return result;
}

const sphere = unitSphere(3);

describe('the kernel against its twins', () => {
  it('agrees with the method of the paper on a sphere, a foam and overlapping bodies', async () => {
    const foam = openCellFoam({ triangles: 2000, seed: 3 });
    const pair = joinMeshes([sphere, mapMesh(sphere, (x, y, z) => [x + 0.7, y, z + 0.1])]);
    for (const mesh of [sphere, foam, pair]) {
      const points = randomPoints(mesh, 4000, random);
      const reference = classifyByRandomRays(mesh, points);
      const { flags } = await classify(mesh, points);
      expect(differences(flags, reference.flags, points)).toEqual([]);
    }
  });

  it('counts the crossings that its own numbers give in float64', async () => {
    const frame = chooseFrame(sphere);
    const pair = joinMeshes([sphere, mapMesh(sphere, (x, y, z) => [x + 0.7, y, z + 0.1])]);
    const points = randomPoints(pair, 2000, random);
    for (const rule of ['odd', 'nonzero'] as const) {
      const { flags } = await classify(pair, points, { rule });
      for (let i = 0; i < flags.length; i++) {
        const winding = windingByCommonRay(
          pair,
          frame,
          points[3 * i]!,
          points[3 * i + 1]!,
          points[3 * i + 2]!,
        );
        expect(flags[i], `point ${i}`).toBe((rule === 'odd' ? winding & 1 : winding !== 0) ? 1 : 0);
      }
    }
  });
});

describe('flags are exact', () => {
  it('on vertices, edges and faces and one ulp beside them', async () => {
    for (const { mesh, points } of surfaceCases()) {
      const result = await expectExact(mesh, points[0]!);
      // A test of the surface that never meets it would prove nothing.
      expect(result.counts.boundary).toBeGreaterThan(20);
      expect(result.resolvedExactly).toBeGreaterThanOrEqual(result.counts.boundary);
    }
  });

  it('on grids aligned with axis-parallel faces and with voxels', async () => {
    for (const { mesh, points } of alignedCases()) {
      const result = await expectExact(mesh, points[0]!);
      expect(result.counts.boundary).toBeGreaterThan(100);
      // What lies on the surface has to go to the host; what merely lies in the plane of a face must not.
      expect(result.resolvedExactly).toBeLessThan(1.02 * result.counts.boundary + 10);
    }
  });

  it.each([...thinCases(), ...extremeCases(), ...farCases(), ...zeroAreaCases()])(
    'for $name',
    async ({ mesh, points }) => {
      for (const some of points) await expectExact(mesh, some);
    },
  );

  it.each(windingCases())('under both rules: $name', async ({ mesh, points }) => {
    for (const rule of ['odd', 'nonzero'] as const) await expectExact(mesh, points[0]!, { rule });
  });

  it('settles few random points on the host', async () => {
    const foam = openCellFoam({ triangles: 20_000, seed: 2 });
    const points = randomPoints(foam, 100_000, random, 0);
    const { resolvedExactly } = await classify(foam, points);
    // Per point and edge nearby the bound is some 1e-6 of the edge's distance; 1e-3 would be a wrong bound.
    expect(resolvedExactly).toBeLessThan(100);
  });
});

describe('the same flags, whatever the way', () => {
  const points = randomPoints(sphere, 20_000, random);

  it('with and without culling', async () => {
    const culled = await classify(sphere, points);
    const plain = await classify(sphere, points, { cull: false });
    expect(differences(culled.flags, plain.flags, points)).toEqual([]);
  });

  it('when triangles come in several pages', async () => {
    const mesh = unitSphere(4);
    const whole = await RayCrossing.create(device(), mesh);
    const paged = await RayCrossing.create(device(), mesh, { largestBinding: 64 * 16 * 32 });
    const { BufferPool } = await import('../../../src/gpu/buffers.ts');
    for (const rule of ['odd', 'nonzero'] as const) {
      const flags = await Promise.all(
        [whole, paged].map((body) =>
          device().exclusive(async () => {
            const out = new Uint8Array(points.length / 3);
            const work = new BufferPool(device());
            const seconds = { upload: 0, classify: 0, readback: 0 };
            const doubtful = await body.classify(points, out, { rule, cull: true }, work, seconds);
            work.destroy();
            for (const i of doubtful) out[i] = 3;
            return out;
          }),
        ),
      );
      expect(differences(flags[1]!, flags[0]!, points)).toEqual([]);
      expect(flags[0]!.includes(1)).toBe(true);
    }
    expect(paged.pageCount).toBeGreaterThan(2);
    expect(whole.pageCount).toBe(1);
    whole.destroy();
    paged.destroy();
  });

  it('for any order and number of points', async () => {
    const { flags } = await classify(sphere, points);
    for (const count of [1, 2, 15, 16, 17, 1000]) {
      const some = await classify(sphere, points.slice(0, 3 * count));
      expect(some.flags).toEqual(flags.slice(0, count));
    }
    const backwards = new Float32Array(points.length);
    for (let i = 0; i < points.length; i += 3)
      backwards.set(points.subarray(i, i + 3), points.length - 3 - i);
    expect((await classify(sphere, backwards)).flags).toEqual(flags.slice().reverse());
  });

  it('for no points, and for points that are all outside', async () => {
    expect((await classify(sphere, new Float32Array(0))).counts).toEqual({
      points: 0,
      outside: 0,
      inside: 0,
      boundary: 0,
    });
    const far = Float32Array.from([5, 0, 0, 0, -1e38, 0, 3e38, 3e38, 3e38]);
    expect((await classify(sphere, far)).counts.outside).toBe(3);
  });
});

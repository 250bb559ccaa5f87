import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { memoryLayoutOf } from 'typegpu/data';
import { describe, expect, it } from 'vitest';
import { FLOAT32_SPACING } from '../../../src/constants.ts';
import { PolyhedronHeader } from '../../../src/contacts/atlas/header.ts';
import { originOnGpu, packAtlas, requireAtlasRoom } from '../../../src/contacts/atlas/pack-atlas.ts';
import { CellCode, type PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import {
  DistanceStatus,
  SignedDistance,
  signedDistance,
} from '../../../src/contacts/field/signed-distance.ts';
import { bind } from '../../../src/gpu/bind.ts';
import { BufferPool, readBack } from '../../../src/gpu/buffers.ts';
import { compileKernel } from '../../../src/gpu/kernel.ts';
import { Recorder } from '../../../src/gpu/recorder.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { useDevice } from '../../support/device.ts';
import { fieldAtPointsSource } from '../../support/field-at-points.ts';
import { hold } from '../../support/hold.ts';
import { boxMesh, mapMesh, pointsOnSurface, randomPoints, voxelMesh } from '../../support/shapes.ts';

/**
 * By how much a depth of float32 kernels is off at most, of the diagonal of the body's box. Derived in
 * docs/contacts.md, "Depths in float32".
 */
const DEPTH_ERROR_32 = 24 * FLOAT32_SPACING;

const device = useDevice();
/** Words of an answer: normal, depth, code of the cell, triangle, and two of padding. */
const WORDS = 8;

async function kernelField(
  atlas: Uint32Array<ArrayBuffer>,
  shape: number,
  points: Float32Array<ArrayBuffer>,
) {
  const pool = new BufferPool(device());
  try {
    const count = points.length / 3;
    const kernel = await compileKernel(device(), fieldAtPointsSource);
    const answers = await device().checked('testing signed distances', () => {
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
      const buffer = pool.reserve('answers', 4 * WORDS * count, usage);
      const recorder = new Recorder(device());
      const buffers = {
        atlas: pool.upload('atlas', atlas),
        points: pool.upload('points', points),
        answers: buffer,
      };
      recorder.run(bind(device(), kernel, buffers), { threads: count, params: { shape, count } });
      recorder.submit();
      return buffer;
    });
    const [bytes] = await readBack(device(), pool, [{ buffer: answers, bytes: 4 * WORDS * count }]);
    const { buffer } = bytes!.slice();
    return { floats: new Float32Array(buffer), words: new Uint32Array(buffer) };
  } finally {
    pool.destroy();
  }
}

const sphere = unitSphere(3);
const meshes: [string, TriangleMesh][] = [
  ['a box', boxMesh([-1, -0.5, 0.25], [1, 0.75, 0.5])],
  ['an L', voxelMesh(2, 0.5, (i, j, k) => k === 0 && i + j < 2)],
  ['a rock', randomRock({ seed: 3, convex: false, triangles: 512 })],
  ['a sphere inside out', mapMesh(sphere, (x, y, z) => [-x, y, z])],
  ['a small sphere', mapMesh(sphere, (x, y, z) => [x * 1e-8, y * 1e-8, z * 1e-8])],
  ['a large sphere', mapMesh(sphere, (x, y, z) => [x * 1e8, y * 1e8, z * 1e8])],
  ['a sphere far from the origin', mapMesh(sphere, (x, y, z) => [x + 100, y, z])],
  ['a thin plate', boxMesh([0, 0, 0], [1, 1, 0.01])],
];

describe('signed distance on a GPU', () => {
  it('is that of the twin, within the bound of depths', async () => {
    const polyhedra: PolyhedronArrays[] = [];
    for (const [, mesh] of meshes) polyhedra.push(await makePolyhedron(mesh));
    const atlas = packAtlas(polyhedra);
    const out = new SignedDistance();
    let near = 0;
    for (const [shape, [name, mesh]] of meshes.entries()) {
      const random = createRandom(shape + 1);
      const size = Math.hypot(...[0, 1, 2].map((k) => mesh.box.max[k]! - mesh.box.min[k]!));
      const bound = DEPTH_ERROR_32 * size;
      // Points in the atlas's frame, in float32, are the question.
      const origin = originOnGpu(polyhedra[shape]!);
      const points = new Float32Array(3 * 2500);
      points.set(randomPoints(mesh, 1500, random));
      points.set(pointsOnSurface(mesh, 900, random), 4500);
      for (let i = 0; i < points.length; i++) points[i]! -= origin[i % 3]!;
      const { floats, words } = await kernelField(atlas, shape, points);
      for (let i = 0; i < points.length / 3; i++) {
        const p = [0, 1, 2].map((k) => points[3 * i + k]! + origin[k]!) as [number, number, number];
        signedDistance(polyhedra[shape]!, Float64Array.from(p), out);
        const at = WORDS * i;
        const [depth, code] = [floats[at + 3]!, words[at + 4]!];
        const said = () =>
          `${name}: point ${p.join(', ')}: depth ${depth}, code ${code}, twin ${JSON.stringify(out)}`;
        if (code === CellCode.outside || out.status === DistanceStatus.far) {
          hold(depth <= bound && out.depth <= bound, said);
          continue;
        }
        near++;
        hold(Math.abs(depth - out.depth) <= bound, said);
        hold((code === CellCode.deep) === (out.status === DistanceStatus.deep), said);
        // Near the medial axis the nearest triangle, and the normal, may be another one of equal distance.
        if (words[at + 5] !== out.triangle || Math.abs(out.depth) < 1e-3 * size) continue;
        const cosine = floats[at]! * out.nx + floats[at + 1]! * out.ny + floats[at + 2]! * out.nz;
        hold(cosine > 1 - 1e-4, () => `${said()}, normal ${floats.subarray(at, at + 3)}`);
      }
    }
    expect(near).toBeGreaterThan(5000);
  });
});

describe('the atlas', () => {
  it('has the places in its header that kernels read', () => {
    const file = resolve(import.meta.dirname, '../../../shaders/contacts/field/shape.wgsl');
    const named = new Map(
      [...readFileSync(file, 'utf8').matchAll(/^const (\w+) = (\d+)u;/gm)].map(([, name, place]) => [
        name,
        Number(place),
      ]),
    );
    const placeOf = (field: keyof (typeof PolyhedronHeader)['propTypes']) =>
      memoryLayoutOf(PolyhedronHeader, (header) => header[field] as number).offset / 4;
    const renamed = { countX: 'COUNTS', originX: 'ORIGIN', boxMinX: 'BOX_MIN', boxMaxX: 'BOX_MAX' };
    let found = 0;
    for (const field of Object.keys(
      PolyhedronHeader.propTypes,
    ) as (keyof typeof PolyhedronHeader.propTypes)[]) {
      if (/[YZ]$|^spare/.test(field)) continue;
      const name =
        (renamed as Record<string, string>)[field] ??
        field.replaceAll(/[A-Z]/g, (x) => `_${x}`).toUpperCase();
      expect([name, named.get(name)]).toEqual([name, placeOf(field)]);
      found++;
    }
    expect(found).toBe(27);
  });

  it('asks for what the tables need, and names the shapes', async () => {
    const rock = await makePolyhedron(meshes[2]![1], { name: 'grit' });
    const limits = { ...device().limits, maxBufferSize: 1000, maxStorageBufferBindingSize: 1000 };
    expect(() => requireAtlasRoom({ limits } as never, [rock])).toThrow(
      /^tables of 1 polyhedra: needs a buffer of \d+ bytes \(largest grit: \d+\), the device allows 1000 \(max/,
    );
    requireAtlasRoom(device(), [rock]);
  });

  it('refuses units of length that float32 has no room for', async () => {
    const edge = 2 ** 45;
    const box = await makePolyhedron(boxMesh([0, 0, 0], [edge, edge, edge]), { name: 'star' });
    expect(() => packAtlas([box])).toThrow(
      `star: coordinates up to ${edge} found, expected 2^-40 to 2^40 on a GPU`,
    );
  });
});

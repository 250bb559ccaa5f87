/** Rule winding on meshes that others broke: `bad/` of the data folder. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Polyhedron } from '../../../src/inside/polyhedron.ts';
import { directPotential } from '../../../src/inside/potential/solid-angle.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { parseNpy } from '../../../src/io/npy.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { readMesh } from '../../../src/mesh/read-mesh.ts';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { dataPath, describeWithData, manifestFiles } from '../../support/data.ts';
import { differences } from '../../support/flags.ts';
import { pointsOnSurface, randomPoints } from '../../support/shapes.ts';

async function flagsOf(
  mesh: TriangleMesh,
  points: Float32Array,
  method: 'auto' | 'direct' | 'multipole' = 'auto',
) {
  const body = await Polyhedron.create(undefined, mesh, { open: true });
  try {
    return await body.classify(points, { rule: 'winding', method });
  } finally {
    body.destroy();
  }
}

const read = (path: string) => parseNpy(readFileSync(dataPath(path)), path).data;
const oracle = (name: string) => ({
  points: read(`oracle/bad__${name}.points.npy`) as Float32Array,
  inside: read(`oracle/bad__${name}.inside.npy`) as Uint8Array,
});

describeWithData('rule winding has an answer for every bad mesh that can be read', () => {
  const readable = manifestFiles('bad').filter(
    ({ expect: wanted }) => !/reject: (non-finite|truncated)/.test(wanted ?? ''),
  );

  it.each(readable.map(({ file }) => file))('%s', async (file) => {
    const mesh = await readMesh(dataPath(file));
    const random = createRandom(91);
    const points = new Float32Array(3 * 2200);
    points.set(randomPoints(mesh, 2000, random, 0.1));
    points.set(pointsOnSurface(mesh, 200, random), 3 * 2000);
    const exact = directPotential(localSurface(mesh), points);
    for (const method of ['direct', 'multipole'] as const) {
      const { flags, undecided } = await flagsOf(mesh, points, method);
      // Some of those within an ulp of an edge: float64 sums cannot tell on which side of a face they are.
      expect(undecided).toBeLessThan(40);
      expect((await flagsOf(mesh, points.subarray(0, 3 * 2000), method)).undecided).toBe(0);
      const wrong = [...flags.keys()].filter((i) => {
        if (flags[i] === 2) return exact.bounds[i]! < 1;
        return exact.bounds[i]! < 0.1 && flags[i] !== (exact.values[i]! > 0.5 ? 1 : 0);
      });
      expect(wrong, method).toEqual([]);
    }
  });
});

describeWithData('rule winding repairs what others cannot use', () => {
  it('one missing face of 1,252 changes no flag but those of points on it', async () => {
    const { points, inside } = oracle('one_face_flipped');
    const torn = await readMesh(dataPath('bad/one_face_missing.stl'));
    const { flags } = await flagsOf(torn, points);
    // From no point off its plane does a triangle take half of the sphere.
    const wrong = [...flags.keys()].filter((i) => flags[i] !== inside[i] && inside[i] !== 2);
    expect(wrong).toEqual([]);
  });

  it('one turned face of 1,252 changes flags only right beside it', async () => {
    const { points, inside } = oracle('one_face_flipped');
    const turned = await flagsOf(await readMesh(dataPath('bad/one_face_flipped.stl')), points);
    const wrong = [...turned.flags.keys()].filter((i) => turned.flags[i] !== inside[i]);
    expect(wrong.length).toBeLessThan(0.002 * inside.length);
  });

  it('cracks between faces change no flag away from them', async () => {
    const cracked = await readMesh(dataPath('bad/featuretype_cracks.stl'));
    const size = Math.max(...cracked.box.max.map((x, k) => x - cracked.box.min[k]!));
    const welded = await readMesh(dataPath('bad/featuretype_cracks.stl'), { weld: 1e-5 * size });
    const points = randomPoints(cracked, 20_000, createRandom(92), 0.05);
    const body = await Polyhedron.create(undefined, welded);
    const { flags } = await body.classify(points);
    body.destroy();
    const found = await flagsOf(cracked, points);
    expect(differences(found.flags, flags, points)).toEqual([]);
  });

  it('duplicated and flat faces change nothing', async () => {
    const mesh = await readMesh(dataPath('bad/dup_and_zero_area.stl'));
    const { points, inside } = oracle('one_face_flipped');
    const { flags } = await flagsOf(mesh, points);
    expect(differences(flags, inside, points)).toEqual([]);
  });
});

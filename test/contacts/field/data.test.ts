import { expect, it } from 'vitest';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import {
  DistanceStatus,
  SignedDistance,
  signedDistance,
} from '../../../src/contacts/field/signed-distance.ts';
import { exactFlags } from '../../../src/inside/exact-flags.ts';
import { surfaceDefect } from '../../../src/mesh/mesh-verdict.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { readMesh } from '../../../src/mesh/read-mesh.ts';
import { dataPath, describeWithData, manifestFiles } from '../../support/data.ts';
import { hold } from '../../support/hold.ts';
import { randomPoints } from '../../support/shapes.ts';
import { bruteDistance } from './brute-force.ts';

/** Larger meshes would take too long here, by looking at every triangle. */
const MOST_TRIANGLES = 3000;
const meshes = manifestFiles('good').filter(({ triangles }) => (triangles ?? Infinity) <= MOST_TRIANGLES);

describeWithData('signed distance of meshes from elsewhere', () => {
  it.each(meshes.map(({ file }) => file))('%s: exact sign, nearest of all triangles', async (file) => {
    const mesh = await readMesh(dataPath(file));
    const defect = surfaceDefect(mesh, 'odd') ?? surfaceDefect(mesh, 'nonzero');
    if (defect !== undefined) {
      await expect(makePolyhedron(mesh)).rejects.toThrow(defect);
      return;
    }
    const poly = await makePolyhedron(mesh);
    const { weights, area } = poly.surface;
    expect(Math.abs(weights.reduce((a, b) => a + b, 0) / area - 1)).toBeLessThan(1e-10);
    const size = Math.hypot(...[0, 1, 2].map((k) => mesh.box.max[k]! - mesh.box.min[k]!));
    const points = randomPoints(mesh, 100, createRandom(3));
    const flags = exactFlags(mesh, points);
    const out = new SignedDistance();
    for (let i = 0; i < flags.length; i++) {
      const p = [...points.subarray(3 * i, 3 * i + 3)] as [number, number, number];
      signedDistance(poly, Float64Array.from(p), out);
      const distance = bruteDistance(mesh, p);
      const words = () =>
        `${file}: point ${p}: ${JSON.stringify(out)}, flag ${flags[i]}, distance ${distance}`;
      hold(flags[i] === 2 || out.depth > 0 === (flags[i] === 1), words);
      if (out.status === DistanceStatus.sure)
        hold(Math.abs(Math.abs(out.depth) - distance) <= 2 ** -30 * size, words);
      else if (out.status === DistanceStatus.deep) hold(out.depth >= distance * (1 - 1e-9), words);
      else hold(-out.depth <= distance * (1 + 1e-9), words);
    }
  });
});

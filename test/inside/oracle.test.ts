import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import { parseNpy } from '../../src/io/npy.ts';
import { readMesh } from '../../src/mesh/read-mesh.ts';
import { dataPath, describeWithData, type ManifestFile, manifestFiles } from '../support/data.ts';
import { useDevice } from '../support/device.ts';
import { differences } from '../support/flags.ts';

const device = useDevice();

function readOracle(entry: ManifestFile) {
  const read = (path: string) => parseNpy(readFileSync(dataPath(path)), path).data;
  const { points, inside, winding } = entry.oracle!;
  return {
    points: read(points) as Float32Array,
    inside: read(inside) as Uint8Array,
    winding: winding === undefined ? undefined : Array.from(read(winding) as ArrayLike<number>),
  };
}

describeWithData('no flag differs from the oracle', () => {
  const entries = [...manifestFiles('good'), ...manifestFiles('bad')].filter((entry) => entry.oracle);

  it.each(entries.map((entry) => [entry.file, entry] as const))('%s', async (file, entry) => {
    const { points, inside, winding } = readOracle(entry);
    const mesh = await readMesh(dataPath(file));
    const polyhedron = await Polyhedron.create(device(), mesh);
    try {
      const odd = await polyhedron.classify(points);
      expect(differences(odd.flags, inside, points)).toEqual([]);
      // Two places of a thousand: the points 1e-5 of the size off a face are the hardest there are in this data.
      expect(odd.resolvedExactly).toBeLessThan(0.002 * inside.length + odd.counts.boundary);
      if (!entry.oriented) {
        await expect(polyhedron.classify(points, { rule: 'nonzero' })).rejects.toThrow(
          /not consistently oriented/,
        );
        return;
      }
      const nonzero = await polyhedron.classify(points, { rule: 'nonzero' });
      const expected = inside.map((flag, i) => (flag === 2 || !winding ? flag : winding[i] === 0 ? 0 : 1));
      expect(differences(nonzero.flags, expected, points)).toEqual([]);
    } finally {
      polyhedron.destroy();
    }
  });
});

describeWithData('open meshes are refused with what is wrong and what to do', () => {
  const open = manifestFiles('bad').filter((entry) => entry.closed === false);

  it.each(open.map((entry) => [entry.file, entry] as const))('%s', async (file, entry) => {
    const mesh = await readMesh(dataPath(file));
    const creating = Polyhedron.create(device(), mesh);
    await expect(creating).rejects.toThrow(
      new RegExp(`open: ${entry.boundary_edges} boundary edges.*close the holes`),
    );
    await expect(creating).rejects.toMatchObject({ exitCode: 2 });
  });
});

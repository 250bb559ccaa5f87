import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { estimateCellGrid } from '../../src/inside/cell-grid/estimate.ts';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import { parseNpy } from '../../src/io/npy.ts';
import { readMesh } from '../../src/mesh/read-mesh.ts';
import { dataPath, describeWithData, type ManifestFile, manifestFiles } from '../support/data.ts';
import { useDevice } from '../support/device.ts';
import { differences } from '../support/flags.ts';
import { WAYS } from '../support/ways.ts';

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
      for (const way of WAYS) {
        const odd = await polyhedron.classify(points, way);
        expect(differences(odd.flags, inside, points), JSON.stringify(way)).toEqual([]);
        // A tenth of the points is 1e-5 to 1e-3 of the size off a face; few of them may be within the bounds. The cell
        // grid's bound counts the rows of all three corners.
        const share = way.method === 'cell-grid' ? 0.004 : 0.002;
        expect(odd.resolvedExactly).toBeLessThan(share * inside.length + odd.counts.boundary);
        if (!entry.oriented) {
          const refused = polyhedron.classify(points, { ...way, rule: 'nonzero' });
          await expect(refused).rejects.toThrow(/not consistently oriented/);
          continue;
        }
        const nonzero = await polyhedron.classify(points, { ...way, rule: 'nonzero' });
        const expected = inside.map((flag, i) => (flag === 2 || !winding ? flag : winding[i] === 0 ? 0 : 1));
        expect(differences(nonzero.flags, expected, points), JSON.stringify(way)).toEqual([]);
      }
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

describeWithData('parts of sizes that differ by a factor of 10,000', () => {
  const read = (path: string) => parseNpy(readFileSync(dataPath(path)), path).data;

  it('have no flag that differs from the oracle, in tables of the size that is foretold', async () => {
    const mesh = await readMesh(dataPath('hard/unequal_parts_20k.obj'));
    const points = read('hard/unequal_parts_20k.points.npy') as Float32Array;
    const inside = read('hard/unequal_parts_20k.inside.npy') as Uint8Array;
    const body = await Polyhedron.create(undefined, mesh);
    for (const method of ['auto', 'cell-grid'] as const) {
      const { flags, tableBytes } = await body.classify(points, { method });
      expect(differences(flags, inside, points)).toEqual([]);
      expect(Math.abs(tableBytes / estimateCellGrid(mesh).tableBytes - 1)).toBeLessThan(0.2);
    }
    body.destroy();
  });
});

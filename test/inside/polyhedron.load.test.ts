import { describe, expect, it } from 'vitest';
import { encodeBody, readBody } from '../../src/inside/body-file/body-file.ts';
import type { Rule } from '../../src/inside/classification.ts';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import { openCellFoam } from '../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { bodyOf, forged } from '../support/bodies.ts';
import { extremeCases, surfaceCases, windingCases } from '../support/cases.ts';
import { useDevice } from '../support/device.ts';
import { randomPoints } from '../support/shapes.ts';

const device = useDevice();
const random = createRandom(77);

describe('a body that was saved and loaded', () => {
  it.each([...surfaceCases(), ...extremeCases(), ...windingCases()])(
    'gives the same flags: $name',
    async ({ mesh, points }) => {
      const made = await Polyhedron.create(undefined, mesh);
      const loaded = await Polyhedron.load(device(), await made.save());
      for (const rule of ['odd', 'nonzero'] satisfies Rule[]) {
        for (const backend of ['cpu', 'gpu'] as const) {
          const expected = await made
            .classify(points[0]!, { rule })
            .catch((error: Error) => error.message.replace(mesh.name, 'body'));
          const found = await loaded
            .classify(points[0]!, { rule, backend })
            .catch((error: Error) => error.message);
          const flagsOf = (result: typeof found) =>
            typeof result === 'string' ? result : Buffer.from(result.flags).toString('hex');
          expect(flagsOf(found)).toBe(flagsOf(expected));
        }
      }
      loaded.destroy();
    },
  );

  it('gives the same flags on worker threads, of points enough for them', async () => {
    const mesh = openCellFoam({ triangles: 12_000, seed: 3 });
    const points = randomPoints(mesh, 100_000, random);
    const made = await Polyhedron.create(undefined, mesh);
    const { flags } = await made.classify(points);
    for (const threads of [8, 1]) {
      const loaded = await Polyhedron.load(undefined, await made.save(), { threads });
      for (let round = 0; round < 2; round++) {
        expect(Buffer.compare((await loaded.classify(points)).flags, flags)).toBe(0);
      }
      expect(Buffer.compare(await loaded.save(), await made.save())).toBe(0);
    }
  });

  it('uses the tables of the file, and builds none', async () => {
    // A cell of the file that is inside is made outside: flags follow the file.
    const body = bodyOf(unitSphere(3), 80);
    const { odd } = body.tables!;
    const word = odd.findIndex((w) => (w & 0xaaaaaaaa) === 0 && w !== 0);
    const file = forged(body, (view) => {
      const { positions, indices } = body.mesh;
      const pad = (bytes: number) => Math.ceil(bytes / 16) * 16;
      view.setUint32(96 + pad(positions.byteLength) + pad(indices.byteLength) + 4 * word, 0, true);
    });
    const { grid } = body.tables!;
    const [nx, ny] = grid.counts;
    const cell = 16 * word + Math.log2(odd[word]! & -odd[word]!) / 2;
    const at = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / nx / ny)];
    const point = Float32Array.from(at, (i, k) => grid.origin[k]! + (i + 0.5) * grid.cell);
    const honest = await Polyhedron.load(undefined, encodeBody(body));
    const lying = await Polyhedron.load(undefined, file);
    expect([...(await honest.classify(point)).flags, ...(await lying.classify(point)).flags]).toEqual([1, 0]);
    // What is not trusted is built from its mesh alone.
    const rebuilt = await Polyhedron.create(undefined, (await readBody(file)).mesh);
    expect([...(await rebuilt.classify(point)).flags]).toEqual([1]);
  });

  it('is checked for the rules that the file does not vouch for', async () => {
    const { positions, indices } = unitSphere(1);
    const open = new TriangleMesh({ positions, indices: indices.slice(3) });
    await expect(
      Polyhedron.load(undefined, encodeBody({ mesh: open, rules: [] }), { name: 'open.body' }),
    ).rejects.toThrow(/^open\.body: the surface is open: 3 boundary edges/);
    const turned = indices.slice();
    turned.subarray(1, 3).reverse();
    const mesh = new TriangleMesh({ positions, indices: turned });
    const loaded = await Polyhedron.load(undefined, await (await Polyhedron.create(undefined, mesh)).save());
    await expect(loaded.classify(new Float32Array(3), { rule: 'nonzero' })).rejects.toThrow(
      /not consistently oriented/,
    );
    expect((await loaded.classify(new Float32Array(3))).counts.inside).toBe(1);
  });

  it('without tables gets them when they are needed', async () => {
    const mesh = unitSphere(2);
    const loaded = await Polyhedron.load(undefined, encodeBody({ mesh, rules: ['odd'], cellsPerAxis: 9 }));
    expect((await loaded.classify(new Float32Array(3))).counts.inside).toBe(1);
    const built = await Polyhedron.create(undefined, mesh, { cellsPerAxis: 9 });
    expect(Buffer.compare(await loaded.save(), await built.save())).toBe(0);
  });

  it('saved after it was destroyed is refused', async () => {
    const body = await Polyhedron.create(undefined, unitSphere(1));
    body.destroy();
    await expect(body.save()).rejects.toThrow(/was destroyed/);
  });

  it('several at once are saved and classified in turn', async () => {
    const body = await Polyhedron.create(device(), unitSphere(3));
    const points = randomPoints(body.mesh, 1000, random);
    const [file, { flags }, again] = await Promise.all([body.save(), body.classify(points), body.save()]);
    expect(Buffer.compare(file, again)).toBe(0);
    const loaded = await Polyhedron.load(device(), await readBody(file));
    expect(Buffer.compare((await loaded.classify(points)).flags, flags)).toBe(0);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { DEGREE } from '../../../src/constants.ts';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import { decodeTables } from '../../../src/contacts/field/saved-tables.ts';
import { ContactPipeline } from '../../../src/contacts/pipeline/contact-pipeline.ts';
import { contactTables } from '../../../src/contacts/pipeline/contact-tables.ts';
import { readBody, type SavedBody } from '../../../src/inside/body-file/body-file.ts';
import { Polyhedron } from '../../../src/inside/polyhedron.ts';
import { checksum } from '../../../src/mesh/checksum.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { boxMesh, mapMesh } from '../../support/shapes.ts';
import { expectSameTables } from '../same-tables.ts';

const rock = randomRock({ seed: 6, convex: false, triangles: 200 });

/** A body that went through a file, with tables for contacts. */
async function savedOf(mesh: TriangleMesh, options = {}): Promise<SavedBody> {
  const body = await Polyhedron.create(undefined, mesh);
  return readBody(await body.save({ contacts: await contactTables(mesh, options) }), { name: 'rock.body' });
}

describe('saved tables for contacts', () => {
  let saved: SavedBody;

  beforeAll(async () => {
    saved = await savedOf(rock);
  });

  it.each([
    ['a rock', rock, {}],
    ['a rock with options', rock, { nodeSpacing: 0.2, reach: 0.1, sharpAngle: 60 * DEGREE }],
    ['a box, far from its origin', mapMesh(boxMesh([0, 0, 0], [1, 2, 3]), (x, y, z) => [x + 1e4, y, z]), {}],
    ['a sliver of 10^-20', mapMesh(rock, (x, y, z) => [x * 1e-20, y * 1e-21, z * 1e-20]), {}],
  ])('are those that are made of the mesh: %s', async (_, mesh, options) => {
    const found = await makePolyhedron(await savedOf(mesh, options));
    expectSameTables({ ...found, name: mesh.name }, await makePolyhedron(mesh, options));
  });

  it('give a pipeline the same contacts, to the bit', async () => {
    const bodies = { shapes: Uint32Array.of(0, 0, 1), isStatic: Uint8Array.of(0, 0, 1) };
    const poses = Float64Array.of(0, 0, 1, 0, 0, 0, 1, 1.1, 0.2, 1.3, 0.6, 0, 0, 0.8, 0, 0, 0, 0, 0, 0, 1);
    const [one, other] = await Promise.all(
      [rock, saved].map(async (mesh) => {
        const pipeline = await ContactPipeline.create(
          undefined,
          [{ kind: 'polyhedron', mesh }, { kind: 'plane' }],
          {
            bodies,
          },
        );
        const { seconds: _, ...contacts } = await pipeline.detect({ poses, backend: 'cpu' });
        return contacts;
      }),
    );
    expect(one!.count).toBeGreaterThan(10);
    expectSameTables(other!, one!);
    // It is the saved tables that it begins with: they take no other options.
    const shapes = [{ kind: 'polyhedron', mesh: saved, reach: 0.5 }] as const;
    const create = ContactPipeline.create(undefined, shapes, { bodies: { shapes: Uint32Array.of(0) } });
    await expect(create).rejects.toThrow(
      /^shape 0: reach is 0.5, expected .* tables for contacts of rock.body/,
    );
  });

  it('are taken with the options that they were made with, or none', async () => {
    const { surface, field } = await makePolyhedron(saved);
    const same = { nodeSpacing: surface.spacing, reach: field.reach, sharpAngle: 30 * DEGREE };
    await expect(makePolyhedron(saved, same)).resolves.toBeDefined();
    for (const option of Object.keys(same)) {
      const other = { ...same, [option]: 0.5, name: 'shape 3' };
      await expect(makePolyhedron(saved, other)).rejects.toThrow(
        new RegExp(
          `^shape 3: ${option} is 0.5, expected .* tables for contacts of rock.body were made, or none`,
        ),
      );
    }
  });

  it('are refused for another mesh, as another version, and as what they are not', async () => {
    const body = await Polyhedron.create(undefined, boxMesh([0, 0, 0], [1, 1, 1]));
    await expect(body.save({ contacts: saved.contacts })).rejects.toThrow(
      /^save: contacts: tables of another mesh found/,
    );
    const newer = saved.contacts!.slice();
    newer[0]! ^= 6;
    await expect(makePolyhedron({ ...saved, contacts: newer })).rejects.toThrow(
      /^rock\.body: tables for contacts: version 7 found, expected 1: make them again/,
    );
    await expect(body.save({ contacts: new Uint8Array(7) })).rejects.toThrow(
      /^save: contacts: found a Uint8Array of length 7, expected what contactTables made$/,
    );
  });

  it('are refused where a number would lead out of them, wherever it stands', () => {
    const { mesh, contacts } = saved;
    const words = (bytes: Uint8Array) => new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const tables = decodeTables(mesh, contacts!);
    const { surface, field, tree } = tables;
    const indices = {
      ...{ edgeTriangles: surface.edgeTriangles, patches: surface.patches, cells: field.cells },
      ...{ lists: field.lists, starts: field.starts, pairTriangles: field.pairTriangles },
      ...{ links: tree.links, order: tree.order, ranks: tree.ranks },
    };
    for (const [name, table] of Object.entries(indices)) {
      for (const at of [0, Math.floor(table.length / 2), table.length - 1]) {
        const forged = contacts!.slice();
        words(forged)[placeOf(words(contacts!), table) + at] = 0xfffffff0;
        expect(() => decodeTables(mesh, forged), `${name} ${at}`).toThrow(
          /^rock\.body: tables for contacts: .*expected/,
        );
      }
    }
    for (let number = 0; number < words(contacts!)[2]!; number++) {
      const forged = contacts!.slice();
      new DataView(forged.buffer).setFloat64(16 + 8 * number, Number.NaN, true);
      expect(() => decodeTables(mesh, forged), `number ${number}`).toThrow(
        /^rock\.body: tables for contacts: .*expected/,
      );
    }
  });

  it('have the bytes of version 1: after the first release, a change of tables needs another one', async () => {
    // Until then version 1 may change (docs/body-file.md), and a new checksum here is enough.
    const bytes = await contactTables(boxMesh([0, 0, 0], [1, 1, 1]));
    expect(checksum(new Uint32Array(bytes.buffer)).toString(16)).toBe('952a566e');
  });
});

/** Where the words of a table begin. */
function placeOf(words: Uint32Array, table: Uint32Array): number {
  const all = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
  for (let from = 0; ; ) {
    const at = all.indexOf(Buffer.from(table.buffer, table.byteOffset, table.byteLength), from);
    if (at < 0) throw new Error('not there');
    if (at % 16 === 0) return at / 4;
    from = at + 1;
  }
}

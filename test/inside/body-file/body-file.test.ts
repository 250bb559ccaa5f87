import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  BODY_FORMAT_VERSION,
  decodeBody,
  encodeBody,
  readBody,
  type SavedBody,
} from '../../../src/inside/body-file/body-file.ts';
import { encodeNpy } from '../../../src/io/npy.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { encodeMesh } from '../../../src/mesh/write-mesh.ts';
import { bodyOf, refusal } from '../../support/bodies.ts';
import { boxMesh, mapMesh } from '../../support/shapes.ts';

const temporaryFolder = mkdtempSync(join(tmpdir(), 'scree-test-'));
afterAll(() => rmSync(temporaryFolder, { recursive: true }));

/** 8 triangles on 16 x 2 x 2 cells: a file small enough to try every byte of. */
const tiny = bodyOf(unitSphere(0), 2);
const tinyFile = encodeBody(tiny);

/** The bytes of all arrays of a body, and what else it has, for comparing bit for bit without walking them. */
function bitsOf({ mesh, tables, ...rest }: SavedBody) {
  const bits = (object: object) =>
    Object.entries(object).map(([key, value]) => [
      key,
      ArrayBuffer.isView(value)
        ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
        : value,
    ]);
  const { positions, indices } = mesh;
  return { ...rest, mesh: bits({ positions, indices }), tables: tables && bits(tables) };
}

describe('a saved body', () => {
  it.each([
    ['a foam', openCellFoam({ triangles: 3000, seed: 2 }), undefined],
    ['a rock in 40 cells', randomRock({ convex: false, seed: 4, triangles: 500 }), 40],
    ['a body of 10^-38', mapMesh(unitSphere(2), (x, y, z) => [x * 1e-38, y * 1e-38, z * 1e-38]), undefined],
    ['a body of 10^38', mapMesh(unitSphere(2), (x, y, z) => [x * 1e38, y * 1e38, z * 1e38]), 17],
    [
      'a rock far off the origin',
      mapMesh(randomRock({ convex: true, seed: 1, triangles: 60 }), (x, y, z) => [x + 1e4, y - 1e4, z]),
      9,
    ],
    ['a box at -0', boxMesh([-0, -0, -0], [1, 2, 3]), 5],
  ])('comes back bit for bit: %s', (_, mesh, cells) => {
    const body = bodyOf(mesh, cells);
    const back = decodeBody(encodeBody(body), 'back.body');
    expect(bitsOf(back)).toEqual(bitsOf(body));
    expect(Buffer.compare(encodeBody(back), encodeBody(body))).toBe(0);
  });

  it('comes back without tables, and with the rules that it was saved with', () => {
    const { mesh } = tiny;
    for (const rules of [[], ['odd'], ['odd', 'nonzero']] as const) {
      const back = decodeBody(encodeBody({ mesh, rules }), 'mesh.body');
      expect(back).toMatchObject({ rules, mesh: { name: 'mesh.body', indices: mesh.indices } });
      expect(back.tables).toBeUndefined();
    }
  });

  it('of version 1 comes back without its tables, which meant something else', () => {
    const old = tinyFile.slice();
    old[8] = 1;
    const { mesh, rules, tables, cellsPerAxis } = decodeBody(old, 'old.body');
    expect({ mesh: { ...mesh }, rules, cellsPerAxis }).toMatchObject({
      mesh: { positions: tiny.mesh.positions, indices: tiny.mesh.indices },
      rules: tiny.rules,
      cellsPerAxis: 2,
    });
    expect(tables).toBeUndefined();
  });

  it('comes back with tables for contacts, whatever they are', () => {
    const contacts = Uint8Array.from({ length: 48 }, (_, i) => 5 * i);
    const file = encodeBody({ ...tiny, contacts });
    expect(file.length).toBe(tinyFile.length + 48);
    expect(decodeBody(file, 'back.body').contacts).toEqual(contacts);
    expect(decodeBody(encodeBody({ mesh: tiny.mesh, rules: [], contacts }), 'back.body').contacts).toEqual(
      contacts,
    );
    expect(refusal(file.subarray(0, tinyFile.length))).toMatch(/^rock\.body: truncated: /);
    file[file.length - 1]! ^= 1;
    expect(refusal(file)).toMatch(/^rock\.body: damaged: /);
  });

  it('any rock comes back, from any place in a larger buffer', () => {
    const rock = fc.record({
      seed: fc.nat(1e6),
      triangles: fc.integer({ min: 100, max: 800 }),
      cells: fc.integer({ min: 1, max: 40 }),
      offset: fc.nat(20),
    });
    fc.assert(
      fc.property(rock, ({ seed, triangles, cells, offset }) => {
        const body = bodyOf(randomRock({ convex: false, seed, triangles }), cells);
        const file = encodeBody(body);
        const larger = new Uint8Array(offset + file.length + 7);
        larger.set(file, offset);
        const back = decodeBody(larger.subarray(offset, offset + file.length), 'rock.body');
        expect(bitsOf(back)).toEqual(bitsOf(body));
      }),
      { numRuns: 30 },
    );
  });

  it('is views on the bytes of the file, at multiples of 16', () => {
    const { mesh, tables } = decodeBody(tinyFile, 'tiny.body');
    const { odd, nonzero, bases, references, starts, pairs } = tables!;
    for (const array of [mesh.positions, mesh.indices, odd, nonzero, bases, references, starts, pairs]) {
      expect(array.buffer).toBe(tinyFile.buffer);
      expect(array.byteOffset % 16).toBe(0);
      expect(array.length).toBeGreaterThan(0);
    }
  });

  it('is laid out as docs/body-file.md says', () => {
    const view = new DataView(tinyFile.buffer);
    const { mesh, tables } = tiny;
    const { grid, mixedCount, pairCount, settledExactly } = tables!;
    expect(Buffer.from(tinyFile.subarray(0, 8)).toString('latin1')).toBe('\x89SCREE\r\n');
    expect(view.getUint32(8, true)).toBe(2);
    expect(Array.from({ length: 10 }, (_, i) => view.getUint32(16 + 4 * i, true))).toEqual([
      ...[mesh.vertexCount, mesh.triangleCount, 3, settledExactly],
      ...[...grid.counts, mixedCount, pairCount, 2],
    ]);
    expect(view.getFloat32(56, true)).toBe(grid.cell);
    expect([60, 64, 68, 72].map((byte) => view.getInt32(byte, true))).toEqual([0, 0, 0, 0]);
    expect([76, 80, 84, 88, 92].map((byte) => view.getUint32(byte, true))).toEqual([4, 0, 0, 0, 0]);
    let at = 96;
    const { positions, indices } = mesh;
    const { odd, nonzero, bases, references, starts, pairs } = tables!;
    for (const array of [positions, indices, odd, nonzero, bases, references, starts, pairs]) {
      for (const [i, value] of array.entries()) {
        const found =
          array instanceof Float32Array
            ? view.getFloat32(at + 4 * i, true)
            : view.getUint32(at + 4 * i, true);
        expect(found).toBe(value);
      }
      at = Math.ceil((at + array.byteLength) / 16) * 16;
    }
    expect(tinyFile.length).toBe(at);
  });

  it('has the bytes of version 2: after the first release, a change of tables or layout needs another version', () => {
    // Until then version 2 may change (docs/body-file.md), and a new checksum here is enough.
    expect(BODY_FORMAT_VERSION).toBe(2);
    expect(new DataView(tinyFile.buffer).getUint32(12, true).toString(16)).toBe('acae889');
  });

  it('is read from bytes, a Blob, a path and a URL, under its name or the one given', async () => {
    const path = join(temporaryFolder, 'tiny.body');
    writeFileSync(path, tinyFile);
    for (const source of [tinyFile, tinyFile.buffer, new Blob([tinyFile]), path, pathToFileURL(path)]) {
      const { mesh } = await readBody(source, { name: 'a.body' });
      expect(mesh).toMatchObject({ name: 'a.body', indices: tiny.mesh.indices });
    }
    expect((await readBody(path)).mesh.name).toBe(path);
    await expect(readBody('/no/such.body')).rejects.toThrow(/^\/no\/such\.body: no such file$/);
  });
});

describe('a damaged body is refused', () => {
  it('with the words that fit, whichever bit of it is flipped', () => {
    const wrong: string[] = [];
    const begins = 'a file that begins with ".+" found, expected a scree body, which begins with ';
    const checksum = String.raw`damaged: checksum [\da-f]{8} found, expected [\da-f]{8}`;
    const length = String.raw`(truncated|too long): [\d,]+ bytes found, header promises [\d,]+`;
    const otherFile = new RegExp(String.raw`^rock\.body: ${begins}"\\x89SCREE\\x0d\\x0a"$`);
    const badHeader = new RegExp(String.raw`^rock\.body: (${checksum}|${length})$`);
    const badTables = new RegExp(String.raw`^rock\.body: ${checksum}$`);
    for (let at = 0; at < tinyFile.length; at++) {
      const expected =
        at < 8
          ? otherFile
          : at < 12
            ? /^rock\.body: format version \d+ found, expected 2: /
            : at < 96
              ? badHeader
              : badTables;
      for (let bit = 0; bit < 8; bit++) {
        const damaged = tinyFile.slice();
        damaged[at]! ^= 1 << bit;
        const message = refusal(damaged);
        if (!expected.test(message ?? '')) wrong.push(`byte ${at}, bit ${bit}: ${message}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('whatever a byte, or a run of bytes, is changed to', () => {
    const run = fc.record({
      at: fc.nat(tinyFile.length - 1),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }),
    });
    fc.assert(
      fc.property(run, ({ at, bytes }) => {
        const damaged = tinyFile.slice();
        damaged.set(bytes.subarray(0, damaged.length - at), at);
        fc.pre(Buffer.compare(damaged, tinyFile) !== 0);
        return refusal(damaged) !== undefined;
      }),
      { numRuns: 5000 },
    );
  });

  it('at whichever byte it is cut off', () => {
    const length = tinyFile.length.toLocaleString('en-US');
    const wrong: string[] = [];
    for (let size = 0; size < tinyFile.length; size++) {
      const expected =
        size === 0
          ? 'an empty file found, expected a scree body, which begins with "\\x89SCREE\\x0d\\x0a"'
          : size < 96
            ? `truncated: ${size} bytes found, expected a header of 96`
            : `truncated: ${size.toLocaleString('en-US')} bytes found, header promises ${length}`;
      const message = refusal(tinyFile.slice(0, size));
      if (message !== `rock.body: ${expected}`) wrong.push(`${size}: ${message}`);
    }
    expect(wrong).toEqual([]);
    const longer = new Uint8Array(tinyFile.length + 16);
    longer.set(tinyFile);
    expect(refusal(longer)).toBe(
      `rock.body: too long: ${longer.length.toLocaleString('en-US')} bytes found, header promises ${length}`,
    );
  });

  it('of another version, with both versions', () => {
    const newer = tinyFile.slice();
    newer[8] = 3;
    for (const bytes of [newer, newer.subarray(0, 12)]) {
      expect(refusal(bytes)).toBe(
        'rock.body: format version 3 found, expected 2: save the body again with this scree',
      );
    }
  });

  it('by its name on one line', () => {
    expect(() => decodeBody(tinyFile.subarray(0, 99), 'two\nlines.body')).toThrow(
      /^two lines\.body: truncated: 99 bytes/,
    );
  });

  it.each([
    ['STL', encodeMesh(unitSphere(1), 'stl')],
    ['OBJ', encodeMesh(unitSphere(1), 'obj')],
    ['PLY', encodeMesh(unitSphere(1), 'ply')],
    ['.npy', encodeNpy(new Uint8Array(100), [100])],
    ['gzip', Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3)],
    ['one byte', Uint8Array.of(7)],
    ['a body after a transfer as text', Uint8Array.from(tinyFile.filter((byte) => byte !== 0x0d))],
  ])('and no body at all is: %s', (_, bytes) => {
    expect(refusal(bytes)).toMatch(
      /^rock\.body: a file that begins with ".+" found, expected a scree body, /,
    );
  });

  it('that promises more than there is before anything of that size is made', () => {
    const header = tinyFile.slice(0, 96);
    header.fill(0xff, 16);
    expect(refusal(header)).toMatch(/^rock\.body: truncated: 96 bytes found, header promises [\d,]{15,}$/);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBody, encodeBody } from '../../../src/inside/body-file/body-file.ts';
import { CellGridTest } from '../../../src/inside/cell-grid/point-test.ts';
import { mixedRank, PAIR_FLOATS } from '../../../src/inside/cell-grid/tables.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { bodyOf, forged, refusal } from '../../support/bodies.ts';
import { boxMesh, joinMeshes, mapMesh, randomPoints } from '../../support/shapes.ts';

/** 8 triangles on 16 x 2 x 2 cells. */
const tiny = bodyOf(unitSphere(0), 2);

/** A sphere of a hundredth of a box. */
const graded = bodyOf(
  joinMeshes([
    boxMesh([0, 0, 0], [1, 1, 1]),
    mapMesh(unitSphere(3), (x, y, z) => [x, y, z].map((c) => 0.5 + c / 100)),
  ]),
);

describe('a body whose checksum is right but whose numbers lead out of it is refused', () => {
  const { mesh, tables } = tiny;
  const { odd, nonzero, bases, references, starts } = tables!;
  let end = 96;
  const places = [mesh.positions, mesh.indices, odd, nonzero, bases, references, starts].map((array) => {
    const at = end;
    end = Math.ceil((at + array.byteLength) / 16) * 16;
    return at;
  });
  const [positionsAt, indicesAt, oddAt, nonzeroAt, basesAt, , startsAt] = places as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const last = tables!.mixedCount;
  const write = (at: number, value: number) => (view: DataView) => view.setUint32(at, value, true);
  const cells = (x: number, y: number, z: number) => (view: DataView) => {
    for (const [axis, count] of [x, y, z].entries()) view.setUint32(32 + 4 * axis, count, true);
  };

  it.each<[string, (view: DataView) => void, RegExp]>([
    ['a triangle', write(indicesAt + 8, 99), /triangle 0 refers to vertex 99, expected less than 6$/],
    [
      'a vertex',
      write(positionsAt, 0x7fc00000),
      /vertex 0 has the coordinate NaN, expected a finite number$/,
    ],
    // As many words as 16 x 2 x 2.
    ['the cells along an axis', cells(64, 1, 1), /: 1 cells of size .+ found along y, expected to cover 2$/],
    [
      'cells that fill no words',
      cells(8, 8, 1),
      /: 8 x 8 x 1 cells found, expected 1 to 4,096 along each axis, along x a multiple of 16$/,
    ],
    [
      'the size of a cell',
      (view) => view.setFloat32(56, 1e-3, true),
      /16 cells of size .+ found along x, expected to cover 2$/,
    ],
    [
      'a cell without size',
      (view) => view.setFloat32(56, Number.NaN, true),
      /cells of size NaN found, expected a finite/,
    ],
    [
      'the scale',
      (view) => view.setInt32(60, 5, true),
      /: scale 32 and shift 0, 0, 0 found, expected scale 1 and shift 0, 0, 0 for this mesh$/,
    ],
    [
      'the shift',
      (view) => view.setFloat32(68, 5, true),
      /shift 0, 5, 0 found, expected scale 1 and shift 0, 0, 0 /,
    ],
    ['the first word', write(basesAt, 1), /1 mixed cells before word 0 found, expected 0$/],
    ['a later word', write(basesAt + 4, 4e9), /4,000,000,000 mixed cells before word 1 found, expected \d+$/],
    [
      'mixed cells',
      write(oddAt, 0),
      /other mixed cells in word 0 of rule nonzero found, expected those of rule odd$/,
    ],
    [
      'all mixed cells',
      (view) => {
        for (let w = 0; w < odd.length; w++) {
          for (const at of [oddAt, nonzeroAt, basesAt]) view.setUint32(at + 4 * w, 0, true);
        }
      },
      new RegExp(`: 0 mixed cells found, expected ${last}$`),
    ],
    ['the first start', write(startsAt, 1), /start 1 of mixed cell 0 found, expected 0$/],
    [
      'a start',
      write(startsAt + 8, 4e9),
      /start \d+ of mixed cell 3 found, expected at least 4,000,000,000$/,
    ],
    [
      'the last start',
      write(startsAt + 4 * last, 4e9),
      /pairs up to 4,000,000,000 found, expected up to \d+$/,
    ],
  ])('%s', (_, change, message) => {
    expect(refusal(forged(tiny, change))).toMatch(message);
    expect(refusal(forged(tiny, change))).toMatch(/^rock\.body: /);
  });

  it.each<[string, (words: Uint32Array, floats: Float32Array) => void, RegExp]>([
    ['the cells of a block', (words) => (words[5] = 0), /0 cells along block 0 found, expected 1 to 25$/],
    ['its place', (words) => words[6]++, /block 0 at word \d+ found, expected \d+$/],
    ['its size', (_, floats) => (floats[4] = 0), /block 0 with cells of size 0 at .+ found, expected finite/],
    ['its origin', (_, floats) => (floats[1] = Number.NaN), /block 0 .+ NaN, .+ found, expected finite/],
    [
      'the cell it refines',
      (words) => words[7]++,
      /mixed cell \d+ refined by block 0 found, expected the one/,
    ],
  ])('%s', (_, change, message) => {
    const bytes = encodeBody(graded);
    const at = bytes.length - graded.tables!.blocks.byteLength;
    const words = new Uint32Array(bytes.buffer, at);
    change(words, new Float32Array(bytes.buffer, at));
    const copy = words.slice();
    const file = forged(graded, (view) => {
      for (const [i, word] of copy.entries()) view.setUint32(at + 4 * i, word, true);
    });
    expect(refusal(file)).toMatch(message);
  });

  it('and so are a block of a cell of its own and a reference to no block', () => {
    const { mixedCount, references, blocks, bases } = graded.tables!;
    const change = (edit: (r: Float32Array, b: Uint32Array) => void) => {
      const [r, b] = [references.slice(), blocks.slice()];
      edit(r, b);
      return refusal(encodeBody({ ...graded, tables: { ...graded.tables!, references: r, blocks: b } }));
    };
    expect(bases[blocks[6]!]).toBeLessThan(mixedCount);
    const own = (r: Float32Array, b: Uint32Array) => {
      const parent = b[7]!;
      r.set([1, 1, 1, 0], 4 * parent);
      b[7] = mixedCount - 1;
      r.set([0, 0, 0, 2 ** 30], 4 * (mixedCount - 1));
    };
    expect(change(own)).toMatch(/block 0 of its own cell [\d,]+ found, expected one of a cell before it$/);
    const unknown = (r: Float32Array) => r.set([0.5, 0, 0, 2 ** 30], 4 * (mixedCount - 1));
    expect(change(unknown)).toMatch(
      /refined by block 0\.5 found, expected the one of [\d,]+ that refines it$/,
    );
    const forgotten = (r: Float32Array, b: Uint32Array) => r.set([1, 1, 1, 0], 4 * b[7]!);
    expect(change(forgotten)).toMatch(/blocks found, expected [\d,]+, one per refined cell$/);
  });

  it('and so is one with half a grid', () => {
    const file = forged({ mesh, rules: [] }, cells(0, 2, 2));
    expect(refusal(file)).toMatch(/^rock\.body: cell grid: 0 x 2 x 2 cells found, expected 1 to 4,096 /);
  });

  it('and so is one without triangles', () => {
    const empty = new TriangleMesh({ positions: new Float32Array(0), indices: new Uint32Array(0) });
    expect(refusal(encodeBody({ mesh: empty, rules: [] }))).toBe(
      'rock.body: no triangles found, expected a closed mesh',
    );
  });

  it.each([
    ['a grid', tiny, 200],
    ['a grid with blocks', graded, 20],
  ])('and tables of %s that are not refused can be walked, whatever else is in them', (_, body, least) => {
    const random = createRandom(9);
    const words = encodeBody(body).length / 4;
    const value = fc.oneof(
      fc.nat(40),
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      fc.constantFrom(0x7fc00000, 0xff800000),
    );
    const edits = fc.array(fc.tuple(fc.integer({ min: 4, max: words - 1 }), value), {
      minLength: 1,
      maxLength: 6,
    });
    let walked = 0;
    fc.assert(
      fc.property(edits, (all) => {
        const file = forged(body, (view) => {
          for (const [word, bits] of all) view.setUint32(4 * word, bits, true);
        });
        if (refusal(file) !== undefined) return;
        const { mesh, tables } = decodeBody(file, 'rock.body');
        if (tables === undefined) return;
        const { grid, odd, bases, starts, pairs, mixedCount } = tables;
        let mixed = 0;
        for (let cell = 0; cell < 16 * odd.length; cell++) {
          if (((odd[cell >>> 4]! >>> (2 * (cell & 15))) & 2) === 0) continue;
          if (mixedRank(odd, bases, cell) !== mixed++) throw new Error(`cell ${cell}`);
        }
        expect(mixed).toBe(mixedCount);
        expect(starts.every((start, m) => m === 0 || start >= starts[m - 1]!)).toBe(true);
        expect(PAIR_FLOATS * starts[mixedCount]!).toBe(pairs.length);
        expect(grid.counts.reduce((product, n) => product * n)).toBeLessThanOrEqual(16 * odd.length);
        const { box, frame } = localSurface(mesh);
        const flags = new Uint8Array(50).fill(9);
        const points = randomPoints(mesh, 50, random, 0);
        const test = new CellGridTest({ tables, box, frame, rule: 'nonzero', points, flags });
        expect(test.lookUp(0, 50)).toBe(true);
        test.finish();
        expect(Math.max(...flags)).toBeLessThanOrEqual(3);
        walked++;
      }),
      { numRuns: 10 * least },
    );
    expect(walked).toBeGreaterThan(least);
  });
});

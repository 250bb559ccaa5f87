import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { gridPoints } from '../../src/io/points.ts';
import { sliceSvg } from '../../src/io/slice.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { boxMesh } from '../support/shapes.ts';

const mesh = boxMesh([0, 0, 0], [1, 1, 1]);

function grid(n: number) {
  return { mesh, points: gridPoints(mesh.box, n), n, title: 'a box' };
}

/** Flags that differ along every axis, in no symmetric way. */
function mixedFlags(n: number): Uint8Array {
  return Uint8Array.from(
    { length: n ** 3 },
    (_, i) => Math.floor(1e4 * Math.abs(Math.sin(12.9898 * (i + 1)))) % 3,
  );
}

/** The flags of all cells by the rectangles of the picture, row 0 at the top. No cell may be painted twice. */
function paintedCells(svg: string, n: number): Uint8Array {
  const cells = new Uint8Array(n * n);
  const paths = [...svg.matchAll(/<path fill="#[0-9a-f]{6}" d="([^"]*)"\/>/g)];
  expect(paths).toHaveLength(2);
  for (const [index, path] of paths.entries()) {
    const rectangles = path[1]!.split('z').filter((part) => part !== '');
    for (const rectangle of rectangles) {
      const [x, y, width, height, back] = /^M(\d+) (\d+)h(\d+)v(\d+)h-(\d+)$/
        .exec(rectangle)!
        .slice(1)
        .map(Number);
      expect(back).toBe(width);
      for (let row = y!; row < y! + height!; row++) {
        for (let column = x!; column < x! + width!; column++) {
          expect(cells[row * n + column]).toBe(0);
          cells[row * n + column] = index + 1;
        }
      }
    }
  }
  return cells;
}

describe('sliceSvg', () => {
  it.each([
    ['x', (i: number, j: number, n: number, layer: number) => layer + n * (i + n * j)],
    ['y', (i: number, j: number, n: number, layer: number) => i + n * (layer + n * j)],
    ['z', (i: number, j: number, n: number, layer: number) => i + n * (j + n * layer)],
  ] as const)('paints every cell of a layer across %s in the colour of its flag, upwards', (axis, index) => {
    const n = 7;
    const flags = mixedFlags(n);
    const cells = paintedCells(sliceSvg({ ...grid(n), flags, axis, place: 0.3 }), n);
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) expect(cells[(n - 1 - j) * n + i]).toBe(flags[index(i, j, n, 2)]);
    }
  });

  it('merges equal rows into one rectangle', () => {
    const n = 50;
    const svg = sliceSvg({ ...grid(n), flags: new Uint8Array(n ** 3).fill(1) });
    expect(svg).toContain(`d="M0 0h${n}v${n}h-${n}z"`);
  });

  it('stands for the layer at the ends of the grid for the places 0 and 1', () => {
    const flags = mixedFlags(4);
    expect(sliceSvg({ ...grid(4), flags, place: 0 })).toContain('layer 1 of 4');
    expect(sliceSvg({ ...grid(4), flags, place: 1 })).toContain('layer 4 of 4');
  });

  it('draws the section of the mesh to scale', () => {
    // The plot is 600 pixels of 20 steps for the grid's cube, which is 1.1 times as wide as the box.
    const svg = sliceSvg({ ...grid(10), flags: new Uint8Array(1000) });
    const path = /stroke-linecap="round" d="([^"]*)"/.exec(svg)![1]!;
    let [x, y] = [0, 0];
    const corners = [...path.matchAll(/([Ml])(-?\d+) (-?\d+)/g)].map(([, kind, a, b]) => {
      [x, y] = kind === 'M' ? [Number(a), Number(b)] : [x + Number(a), y + Number(b)];
      return [x, y] as const;
    });
    const low = Math.round((0.05 / 1.1) * 12_000);
    const high = 12_000 - low;
    for (const [cx, cy] of corners) {
      expect([cx, cy].some((c) => Math.abs(c - low) <= 1 || Math.abs(c - high) <= 1)).toBe(true);
    }
    expect(Math.min(...corners.map(([cx]) => cx))).toBeCloseTo(low, -0.5);
    expect(Math.max(...corners.map(([, cy]) => cy))).toBeCloseTo(high, -0.5);
    expect(path.endsWith('z')).toBe(true);
  });

  it('is one well-formed, self-contained file with title, unit and counts', () => {
    const n = 12;
    const flags = new Uint8Array(n ** 3).fill(1, 0, 1234);
    const svg = sliceSvg({ ...grid(n), flags, title: 'rocks & <stones>\u0007', unit: 'mm', place: 0 });
    expect(svg).toContain('<title>rocks &amp; &lt;stones&gt; </title>');
    expect(svg).toContain('x (mm)');
    expect(svg).toContain('1,234 in grid');
    expect(svg).toContain('144 in layer');
    expect(svg).not.toMatch(/NaN|undefined|Infinity|href|url\(http/);
    const open: string[] = [];
    for (const [, close, name, selfClosed] of svg.matchAll(/<(\/?)([a-zA-Z]+)[^>]*?(\/?)>/g)) {
      if (close) expect(open.pop()).toBe(name);
      else if (!selfClosed) open.push(name!);
    }
    expect(open).toEqual([]);
  });

  it('stays small for a fine grid and mesh', () => {
    const sphere = unitSphere(6);
    const n = 100;
    const points = gridPoints(sphere.box, n);
    const flags = Uint8Array.from({ length: n ** 3 }, (_, i) =>
      Math.hypot(...points.subarray(3 * i, 3 * i + 3)) < 1 ? 1 : 0,
    );
    expect(sliceSvg({ mesh: sphere, points, flags, n, title: 'sphere' }).length).toBeLessThan(20_000);
  });

  it('takes a grid of one point', () => {
    expect(sliceSvg({ ...grid(1), flags: Uint8Array.of(1) })).not.toContain('NaN');
  });

  it.each([
    ['flags that do not fit', { flags: new Uint8Array(26) }, /flags: found 26 flags/],
    ['another number of points than n * n * n', { n: 4 }, /slice: found 27 points for n = 4/],
    ['a place beyond the grid', { place: 1.5 }, /slice: place is 1\.5, expected a number from 0 to 1/],
    ['an unknown axis', { axis: 'w' as 'x' }, /slice: axis is "w", expected x, y or z/],
  ])('refuses %s', (_, change, message) => {
    const call = () => sliceSvg({ ...grid(3), flags: new Uint8Array(27), ...change });
    expect(call).toThrow(InputError);
    expect(call).toThrow(message);
  });
});

/** What the viewer draws, as numbers; the drawing itself is tested in Chrome. */
import { describe, expect, it } from 'vitest';
import { cloudOf, visiblePoints } from '../../demos/inside/visible-points.ts';
import { rangeOf, sliceGrid, windingColour } from '../../demos/inside/winding-map.ts';
import { gridPoints } from '../../src/index.ts';

const BOX = { min: [-1, -2, 0], max: [3, 2, 1] } as const;

describe('visible points', () => {
  const points = gridPoints(BOX, 20, { margin: 0 });
  const flags = Uint8Array.from({ length: 8000 }, (_, i) => (i * 7) % 3);
  const all = { points, flags, isShown: [true, true, true], slice: undefined, layer: Infinity };

  it('are all where nothing is hidden, and those of the flags that are shown', () => {
    expect(visiblePoints(all)).toEqual(Uint32Array.from(flags.keys()));
    const drawn = visiblePoints({ ...all, isShown: [false, true, false] });
    expect(drawn.length).toBe(flags.filter((flag) => flag === 1).length);
    expect([...drawn].every((i) => flags[i] === 1)).toBe(true);
  });

  it.each([
    [0, 1],
    [1, -1],
    [2, 1],
  ] as const)('end at a slice across axis %i, and outside lie in its layer alone', (axis, side) => {
    const slice = { axis, at: points[3 * 4210 + axis]! };
    const drawn = visiblePoints({ ...all, slice, layer: 0.3 });
    const expected = [...flags.keys()].filter((i) => {
      const above = side * (points[3 * i + axis]! - slice.at);
      return above <= 0 && (flags[i] !== 0 || above >= -0.3);
    });
    expect([...drawn]).toEqual(expected);
    // The point that the slice goes through is one of them.
    expect(expected).toContain(4210);
  });

  it('are thinned out to a limit, evenly and always the same, with all that differ among them', () => {
    const differing = Uint32Array.of(0, 17, 4210);
    const some = cloudOf(points, flags, differing, 2000);
    const { length } = some.flags;
    // Four standard deviations of picking each with a chance of a quarter, and those that differ.
    expect(Math.abs(length - 2000)).toBeLessThan(4 * Math.sqrt(8000 * 0.25 * 0.75) + differing.length);
    for (let axis = 0; axis < 3; axis++) {
      const middle = (BOX.min[axis]! + BOX.max[axis]!) / 2;
      const low = some.flags.filter((_, i) => some.points[3 * i + axis]! < middle).length;
      expect(Math.abs(low / length - 0.5)).toBeLessThan(0.05);
    }
    const placeOf = (all: Float32Array, i: number) => [...all.subarray(3 * i, 3 * i + 3)];
    expect([...some.differing].map((i) => placeOf(some.points, i))).toEqual(
      [...differing].map((i) => placeOf(points, i)),
    );
    expect([...some.differing].map((i) => some.flags[i])).toEqual([...differing].map((i) => flags[i]));
    expect(cloudOf(points, flags, differing, 2000)).toEqual(some);
    expect(cloudOf(points, flags, differing, 8000)).toEqual({ points, flags, differing });
  });
});

describe('winding numbers on a slice', () => {
  it('are asked for at the middles of equal cells over the box', () => {
    const { points, columns, rows, low, high } = sliceGrid(BOX, { axis: 1, at: 0.5 }, 64, 0);
    expect({ columns, rows, low, high }).toEqual({ columns: 16, rows: 4, low: [-1, 0], high: [3, 1] });
    expect(points.length).toBe(3 * 64);
    expect([...points.subarray(0, 3)]).toEqual([-0.875, 0.5, 0.125]);
    expect([...points.subarray(3 * 17, 3 * 18)]).toEqual([-0.625, 0.5, 0.375]);
    const grown = sliceGrid(BOX, { axis: 1, at: 0.5 }, 64, 0.25);
    expect([grown.low, grown.high]).toEqual([
      [-2, -1],
      [4, 2],
    ]);
  });

  it('have a range about 0.5 that holds them and 0 and 1, and colours that tell its halves apart', () => {
    expect(rangeOf([0.2, 0.9])).toEqual([-0.25, 1.25]);
    expect(rangeOf([0.2, 2, Number.NaN])).toEqual([-1, 2]);
    const range = rangeOf([]);
    const [blue, orange] = [windingColour(0, range), windingColour(1, range)];
    expect(blue[2]! - blue[0]!).toBeGreaterThan(80);
    expect(orange[0]! - orange[2]!).toBeGreaterThan(80);
    // Lightness falls from the middle to both ends, and beyond them nothing changes.
    const light = (value: number) => windingColour(value, range).reduce((sum, x) => sum + x, 0);
    for (const sign of [-1, 1]) {
      const lights = Array.from({ length: 16 }, (_, i) => light(0.5 + (sign * 0.75 * i) / 15));
      expect(lights).toEqual(lights.toSorted((a, b) => b - a));
      expect(light(0.5 + sign * 9)).toBe(lights.at(-1));
    }
  });
});

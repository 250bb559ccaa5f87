/** `cullBoxes` beside a look at all pairs, and boxes of bodies beside where their corners are on the way. */
import { describe, expect, it } from 'vitest';
import { PoseWay } from '../../src/bounding/motion/moving-points.ts';
import { bodyBoxes, createRandom, cullBoxes } from '../../src/index.ts';

const METHODS = ['hash', 'sort'] as const;

/** Boxes of sizes 1 to `ratio` of a unit, about `partners` of which overlap one. */
function randomBoxes(count: number, ratio: number, seed: number): Float64Array {
  const random = createRandom(seed);
  const edge = Math.cbrt(count) * 1.5;
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    const size = 1 / ratio ** random();
    for (let k = 0; k < 3; k++) {
      boxes[6 * i + k] = edge * random() - edge / 3;
      boxes[6 * i + 3 + k] = boxes[6 * i + k]! + size * (0.5 + random());
    }
  }
  return boxes;
}

function allPairs(boxes: ArrayLike<number>): number[] {
  const found: number[] = [];
  for (let a = 0; a < boxes.length; a += 6) {
    for (let b = a + 6; b < boxes.length; b += 6) {
      const apart = [0, 1, 2].some(
        (k) => boxes[a + k]! > boxes[b + 3 + k]! || boxes[b + k]! > boxes[a + 3 + k]!,
      );
      if (!apart) found.push(a / 6, b / 6);
    }
  }
  return found;
}

describe('cullBoxes', () => {
  for (const method of METHODS) {
    it(`finds the pairs that all boxes have, each once: ${method}`, () => {
      for (const [count, ratio] of [
        [0, 1],
        [1, 1],
        [400, 1],
        [600, 1000],
      ] as const) {
        const boxes = randomBoxes(count, ratio, 3);
        expect([...cullBoxes(boxes, { method }).pairs]).toEqual(allPairs(boxes));
        const small = Float32Array.from(boxes, (x) => 1e-30 * x);
        expect([...cullBoxes(small, { method }).pairs]).toEqual(allPairs(small));
      }
    });

    it(`counts boxes that only touch, and none that are a rounding apart: ${method}`, () => {
      const box = (x: number) => [x, 0, 0, 1, 1, 1];
      const boxes = (x: number) => Float64Array.of(...box(0), x, 1, 1, 2, 2, 2);
      expect([...cullBoxes(boxes(1), { method }).pairs]).toEqual([0, 1]);
      expect(cullBoxes(boxes(1 + 2 ** -52), { method }).pairs).toHaveLength(0);
    });

    it(`finds the same when it goes on from the last step: ${method}`, () => {
      const boxes = randomBoxes(300, 10, 4);
      const random = createRandom(5);
      let previous = cullBoxes(boxes, { method });
      for (let step = 0; step < 6; step++) {
        // Slow at first, then everywhere anew.
        for (let i = 0; i < 300; i++) {
          for (let k = 0; k < 3; k++) {
            const shift = (step < 4 ? 0.2 : 20) * (random() - 0.5);
            boxes[6 * i + k]! += shift;
            boxes[6 * i + 3 + k]! += shift;
          }
        }
        previous = cullBoxes(boxes, { method, previous });
        expect([...previous.pairs]).toEqual(allPairs(boxes));
      }
    });
  }

  it.each(METHODS)(
    'takes boxes that are tiny beside how far they are spread, and coordinates near the largest: %s',
    (method) => {
      // Of 6,000 boxes in less than a quantum of the hash, 18 million pairs are candidates, and few overlap.
      const crowd = randomBoxes(6000, 1, 6).map((x) => 1e-12 * x);
      const boxes = Float64Array.of(...crowd, 1, 1, 1, 1, 1, 1);
      expect(cullBoxes(boxes, { method }).pairs).toEqual(cullBoxes(crowd, { method: 'sort' }).pairs);
      const huge = randomBoxes(300, 1, 7).map((x) => 1e306 * x);
      expect([...cullBoxes(huge, { method }).pairs]).toEqual(allPairs(huge));
    },
  );

  it('tells bad input in one line', () => {
    const one = [0, 0, 0, 1, 1, 1];
    expect(() => cullBoxes(Float64Array.of(...one, 0, 2, 0, 1, 1, 1))).toThrow(
      'cullBoxes: box 1: found least y 2 above greatest 1, expected least first',
    );
    expect(() => cullBoxes(Float64Array.of(0, Number.NaN, 0, 1, 1, 1))).toThrow(
      'box 0: found the coordinate NaN',
    );
    expect(() => cullBoxes(Float64Array.of(1, 2))).toThrow('found 2 numbers, expected 6 for each box');
    expect(() => cullBoxes(Float64Array.from(one), { method: 'tree' as never })).toThrow(
      'expected one of hash, sort',
    );
    const previous = cullBoxes(Float64Array.from(one), { method: 'sort' });
    expect(() => cullBoxes(Float64Array.of(...one, ...one), { method: 'sort', previous })).toThrow(
      'found 1 boxes',
    );
  });
});

describe('bodyBoxes', () => {
  const local = { min: [-1, -0.25, 0], max: [2, 0.5, 0.125] } as const;
  const turn = (angle: number) => [
    0.6 * Math.sin(angle / 2),
    0,
    0.8 * Math.sin(angle / 2),
    Math.cos(angle / 2),
  ];
  const corners = Array.from({ length: 8 }, (_, i) =>
    [0, 1, 2].map((k) => ((i >> k) & 1 ? local.max[k]! : local.min[k]!)),
  );

  it('hold every corner, all along the way', () => {
    for (const angle of [0, 1, 3.1, -2]) {
      const [from, to] = [
        Float64Array.of(1, 2, 3, ...turn(0.4)),
        Float64Array.of(-2, 2.5, 3, ...turn(0.4 + angle)),
      ];
      const box = bodyBoxes([local], from, to);
      const way = new PoseWay(from, to);
      const least = [Infinity, Infinity, Infinity];
      for (let step = 0; step <= 100; step++) {
        for (const corner of corners) {
          const at = new Float64Array(3);
          way.place(corner, 0, step / 100, at);
          for (let k = 0; k < 3; k++) {
            expect(at[k]).toBeGreaterThanOrEqual(box[k]!);
            expect(at[k]).toBeLessThanOrEqual(box[3 + k]!);
            least[k] = Math.min(least[k]!, at[k]! - box[k]!, box[3 + k]! - at[k]!);
          }
        }
      }
      // Without a turn the box is tight.
      if (angle === 0) expect(Math.max(...least)).toBeLessThan(1e-12);
    }
  });

  it('are those of the corners at an instant, and refuse what has no box', () => {
    const pose = Float64Array.of(1, 2, 3, 0, 0, Math.SQRT1_2, Math.SQRT1_2);
    const box = bodyBoxes([local], pose);
    for (const [i, side] of [0.5, 1, 3, 1.25, 4, 3.125].entries()) expect(box[i]).toBeCloseTo(side, 12);
    expect(() => bodyBoxes([{ min: [1, 0, 0], max: [0, 1, 1] }], pose)).toThrow('body 0: found an empty box');
    expect(() => bodyBoxes([local, local], pose)).toThrow('from: found 7 numbers, expected 7 for each of 2');
    expect(() => bodyBoxes([local], new Float64Array(7))).toThrow('body 0: found the pose');
    expect(() => bodyBoxes([local], Float64Array.of(1, 2, 3, 0, 0, 0, 1.1))).toThrow(
      'a quaternion of length 1',
    );
  });
});

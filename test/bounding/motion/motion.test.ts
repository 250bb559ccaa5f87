import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MovingPoints, PoseWay } from '../../../src/bounding/motion/moving-points.ts';
import { type TriangleTouch, triangleCollision } from '../../../src/bounding/motion/triangle-collision.ts';
import { box } from '../../mesh/sample-meshes.ts';
import { hold } from '../../support/hold.ts';
import '../../support/fixed-seed.ts';

const STILL = [0, 0, 0, 0, 0, 0, 1];
const FLAT = [-1, -1, 0, 1, -1, 0, 0, 1, 0];
const at = (x: number, y: number, z: number) => [x, y, z, 0, 0, 0, 1];

function meet(
  p: number[],
  from: number[],
  to: number[],
  q = FLAT,
  way: [number[], number[]] = [STILL, STILL],
) {
  const points = (local: number[], a: number[], b: number[]) => new MovingPoints(new PoseWay(a, b), local);
  return triangleCollision(points(p, from, to), 0, points(q, ...way), 0);
}

/** A box of this half size as triangles, outwards. */
function boxTriangles(h: number): number[][] {
  const { vertices, triangles } = box([-h, -h, -h], [h, h, h]);
  return triangles.map((corners) => corners.flatMap((vertex) => vertices[vertex]!));
}

/** The first touch of two boxes. */
function boxesMeet(from: number[], to: number[], half = 0.5): TriangleTouch | undefined {
  let best: TriangleTouch | undefined;
  const lower = boxTriangles(0.5).map((t) => new MovingPoints(new PoseWay(STILL, STILL), t));
  const upper = boxTriangles(half).map((t) => new MovingPoints(new PoseWay(from, to), t));
  for (const p of upper)
    for (const q of lower) {
      const touch = triangleCollision(p, 0, q, 0);
      if (touch && touch.time < (best?.time ?? Infinity)) best = touch;
    }
  return best;
}

describe('triangles that move straight on meet when their features do', () => {
  it('a vertex that falls on a face', () => {
    const spike = [0, 0, 0, 0.1, 0, 1, -0.1, 0.1, 1];
    const touch = meet(spike, at(0, 0, 1), at(0, 0, -3))!;
    expect(touch.kind).toBe('vertex-face');
    expect(touch.features).toEqual([0, 0]);
    expect(touch.time).toBeCloseTo(0.25, 14);
    expect([...touch.normal]).toEqual([0, 0, 1]);
    expect(meet(spike, at(3, 0, 1), at(3, 0, -3))).toBeUndefined();
    // From below is the wrong side.
    expect(
      meet(
        spike.map((x, i) => (i % 3 === 2 ? -x : x)),
        at(0, 0, -1),
        at(0, 0, 3),
      ),
    ).toBeUndefined();
  });

  it('a face that rises to a vertex', () => {
    const below = [0, 0, 0, 0.1, 0, -1, -0.1, 0.1, -1];
    const plate = [-1, -1, 0, 0, 1, 0, 1, -1, 0];
    const touch = meet(plate, at(0, 0, 2), at(0, 0, -2), below)!;
    expect(touch.kind).toBe('face-vertex');
    expect(touch.time).toBeCloseTo(0.5, 14);
    expect(touch.normal[2]).toBeCloseTo(1, 14);
  });

  it('two crossed edges', () => {
    const roof = [-1, 0, 0, 1, 0, 0, 0, 1, -1];
    const keel = [0, -1, 0, 0, 1, 0, 1, 0, 1];
    const touch = meet(keel, at(0.1, 0, 1), at(0.1, 0, -1), roof)!;
    expect(touch.kind).toBe('edge-edge');
    expect(touch.time).toBeCloseTo(0.5, 14);
    expect([...touch.normal].map((x) => Math.round(x * 1e12) / 1e12 + 0)).toEqual([0, 0, 1]);
    expect([...touch.point].map((x) => Math.round(x * 1e12) / 1e12 + 0)).toEqual([0.1, 0, 0]);
  });

  it('boxes of any turn, when their closest points have come together', () => {
    const angle = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true });
    const shift = fc.double({ min: -1.2, max: 1.2, noNaN: true });
    fc.assert(
      fc.property(angle, angle, angle, shift, (a, b, c, x) => {
        // Any rotation, as Hopf's coordinates have it.
        const half = b / 2;
        const [s, t] = [Math.sin(half), Math.cos(half)];
        const turn = [s * Math.cos(a), s * Math.sin(a), t * Math.cos(c), t * Math.sin(c)];
        const [from, to] = [
          [x, 0.3, 2, ...turn],
          [x / 2, 0.1, 0, ...turn],
        ];
        const touch = boxesMeet(from, to);
        hold(touch !== undefined, () => `${turn} ${x}: no touch`);
        // The axes of boxes that touch overlap by nothing.
        const pose = from.map((p, k) => p + touch!.time * (to[k]! - p));
        const deep = overlap(pose);
        hold(Math.abs(deep) < 1e-12, () => `${turn} ${x}: overlap ${deep} at ${touch!.time}`);
      }),
      { numRuns: 100 },
    );
  });
});

/** Least overlap of the projections of a box at a pose and the one at the origin, over all axes that may part them. */
function overlap(pose: number[]): number {
  const way = new PoseWay(pose, pose);
  const axes = new Float64Array(9);
  way.place([1, 0, 0, 0, 1, 0, 0, 0, 1], 0, 0, axes, 0, 3);
  const turned = [0, 1, 2].map((i) => [0, 1, 2].map((k) => axes[3 * i + k]! - pose[k]!));
  const own = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const cross = (a: number[], b: number[]) =>
    [0, 1, 2].map((k) => a[(k + 1) % 3]! * b[(k + 2) % 3]! - a[(k + 2) % 3]! * b[(k + 1) % 3]!);
  const dot = (a: number[], b: number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
  const parting = [...own, ...turned, ...own.flatMap((a) => turned.map((b) => cross(a, b)))];
  return Math.min(
    ...parting.flatMap((axis) => {
      const length = Math.hypot(...axis);
      if (length < 1e-6) return [];
      const radius = [...own, ...turned].reduce((sum, a) => sum + Math.abs(dot(a, axis)) / 2, 0);
      return [(radius - Math.abs(dot(pose, axis))) / length];
    }),
  );
}

describe('features that lie in a plane or touch do not slip through', () => {
  it('a box that lands flat, aligned, shifted or turned about the vertical', () => {
    for (const shift of [0, 0.25, 1, 0.999999])
      for (const angle of [0, 1e-9, 0.3, Math.PI / 4]) {
        const turn = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
        const touch = boxesMeet([shift, 0, 1.5, ...turn], [shift, 0, 0.5, ...turn]);
        expect(touch?.time, `${shift} ${angle}`).toBeCloseTo(0.5, 12);
        expect(Math.abs(touch!.normal[2]!)).toBeCloseTo(1, 9);
      }
  });

  it('a small box that rests on a large one and is pressed into it', () => {
    for (const gap of [0, 1e-16, -1e-16]) {
      const touch = boxesMeet([0.1, 0.05, 0.7 + gap, 0, 0, 0, 1], [0.1, 0.05, 0.69, 0, 0, 0, 1], 0.2);
      expect(touch?.time, `${gap}`).toBeLessThan(1e-10);
    }
  });

  it('an edge near its end that a turn carries on past a corner: neither slips past the other', () => {
    // A cube that comes to the edge of a bar: of a random motion, where interpolated times of both were beside them.
    const turns = [
      [0.22094238269039457, -0.22094238269039457, -0.22094238269039457, 0.9238795325112867],
      [0.22460672416026853, -0.21524994493253768, -0.22827068368548087, 0.9225571936949469],
    ];
    const from = [-0.7252840182286444, 0.625, 0.4752840182286444, ...turns[0]!];
    const to = [-0.3717306276353707, 0.625, 0.1618376118008075, ...turns[1]!];
    const bar = boxTriangles(1).map((t) => t.map((x, i) => (i % 3 === 2 ? x : x / 8)));
    let time = Infinity;
    for (const p of bar.map((t) => new MovingPoints(new PoseWay(STILL, STILL), t)))
      for (const q of boxTriangles(0.5).map((t) => new MovingPoints(new PoseWay(from, to), t)))
        time = Math.min(time, triangleCollision(p, 0, q, 0)?.time ?? Infinity);
    // By conservative advancement.
    expect(time).toBeCloseTo(0.2947953, 6);
  });

  it('an edge that leaves a body through a face, past its rim', () => {
    const bottom = [-2, -1, 0, -2, 1, 0, 0, 0, 0];
    const wall = [-3, 0, 0, 1, 0, 0, 1, 0, 1];
    // Down out of the body above the face, and up from where nothing is.
    expect(meet(wall, at(0.5, 0.1, 0.5), at(0.5, 0.1, -0.5), bottom)).toBeUndefined();
    const hung = wall.map((x) => -x);
    expect(meet(hung, at(-0.5, 0.1, -0.5), at(-0.5, 0.1, 0.5), bottom)?.time).toBeCloseTo(0.5, 12);
  });

  it('a sheet that lands flat on a sheet, crosswise: no corner is over the other', () => {
    const along = [-2, 0, 0, 2, -0.1, 0, 2, 0.1, 0];
    const faceDown = [0, -2, 0, -0.1, 2, 0, 0.1, 2, 0];
    const faceUp = [0, -2, 0, 0.1, 2, 0, -0.1, 2, 0];
    expect(meet(faceDown, at(0, 0, 1), at(0, 0, -1), along)?.time).toBe(0.5);
    // Behind its face there is a body, which has met the other before.
    expect(meet(faceUp, at(0, 0, 1), at(0, 0, -1), along)).toBeUndefined();
  });

  it('a box that passes by at a distance, and one that leaves', () => {
    expect(boxesMeet(at(-2, 0, 1.001), at(2, 0, 1.001))).toBeUndefined();
    expect(boxesMeet(at(0, 0, 1), at(0, 0, 2))).toBeUndefined();
  });
});

describe('under a turn the time is off by the square of the step', () => {
  it('a bar whose end swings down on a face: the error falls fourfold or more where the step is half as long', () => {
    const bar = [0, 0, 0, 0, 0.1, 0.2, 0.9, 0, 0];
    // The end is at height 0.9 sin(angle) + 0.5; it comes down to 0 where sin(angle) = -5/9.
    const exact = Math.asin(-0.5 / 0.9);
    const errors = [1, 2, 4, 8].map((parts) => {
      // The step of 0.8 radians lies around the touch.
      const [begin, end] = [exact + 0.3 / parts, exact - 0.5 / parts];
      const pose = (angle: number) => [0, 0, 0.5, 0, -Math.sin(angle / 2), 0, Math.cos(angle / 2)];
      const touch = meet(
        bar,
        pose(begin),
        pose(end),
        FLAT.map((x) => 4 * x),
      )!;
      return Math.abs(begin + touch.time * (end - begin) - exact);
    });
    for (let i = 1; i < errors.length; i++) expect(errors[i - 1]! / errors[i]!).toBeGreaterThan(3.5);
    expect(errors.at(-1)).toBeLessThan(4e-3);
  });
});

// 'auto' against the plain algorithm, and what statuses and bounds promise of both.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TOUCHING_TOLERANCE } from '../../../src/convex/constants.ts';
import { PairSolver } from '../../../src/convex/cpu/pair-solver.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import type { PairKind } from '../../../src/convex/query/pair-kinds.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import { hold } from '../../support/hold.ts';
import { type Answer, ask, type PlacedShape, tableOf } from '../ask.ts';
import {
  arbitraryPlaced,
  directions,
  kindPairs,
  outsideBy,
  overlapAlong,
  type Placed,
  rotate,
  type Vector,
} from '../shapes-of-all-kinds.ts';

/** Kinds whose cores are boxes: 'auto' has a way of its own for them. */
const BOXES = new Set(['point', 'segment', 'rectangle', 'box', 'sphere', 'capsule', 'lozenge', 'round-box']);
const LENGTHS = new Set([
  ...['halfLength', 'halfExtents', 'radius', 'radii', 'halfHeight', 'height', 'tubeRadius', 'bottom', 'top'],
  ...['vertices', 'margin', 'position'],
]);
const TOLERANCES = [2 ** -36, 2 ** -20, 1e-3];

function scaled(value: unknown, scale: number, isLength = false): unknown {
  if (typeof value === 'number') return isLength ? scale * value : value;
  if (Array.isArray(value)) return value.map((x) => scaled(x, scale, isLength));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, x]) => [key, scaled(x, scale, LENGTHS.has(key))]),
  );
}

/** The pair's size as src has it. */
function sizeOfPair(a: PlacedShape, b: PlacedShape): number {
  const table = tableOf(a.shape, b.shape);
  const centre = (placed: PlacedShape, i: number) =>
    rotate(placed.rotation, table.parameters.subarray(24 * i + 17, 24 * i + 20)).map(
      (x, k) => x + placed.position[k]!,
    );
  const [p, q] = [centre(a, 0), centre(b, 1)];
  const apart = Math.hypot(...p.map((x, k) => x - q[k]!));
  return table.boundingRadius(0) + table.boundingRadius(1) + apart || 1;
}

function requireSame(a: PlacedShape, b: PlacedShape, kind: PairKind, tolerance: number): Answer {
  const size = sizeOfPair(a, b);
  const plain = ask(a, b, kind, 'gjk', { tolerance });
  const auto = ask(a, b, kind, 'auto', { tolerance });
  const slack = TOUCHING_TOLERANCE * size;
  if (auto.status !== plain.status) {
    // What touches is within rounding of both sides: which way is first to know decides what it is called.
    const { distance } = ask(a, b, 'signed-distance', 'gjk', { tolerance });
    expect(Math.abs(distance)).toBeLessThanOrEqual(4 * slack);
    return auto;
  }
  if (kind === 'intersect') return auto;
  if (plain.status !== PairStatus.separated && plain.status !== PairStatus.degenerate) {
    expect(Math.abs(auto.distance - plain.distance)).toBeLessThanOrEqual(tolerance * size + slack);
  }
  // Both bracket the one exact distance.
  expect(auto.lower).toBeLessThanOrEqual(plain.upper + slack);
  expect(plain.lower).toBeLessThanOrEqual(auto.upper + slack);
  for (const { distance, lower, upper, normal, pointA, pointB } of [plain, auto]) {
    // Where they overlap, kind `distance` says 0, has the bounds of the signed distance, and points in which they do.
    if (kind === 'distance' && distance === 0) continue;
    expect(lower).toBeLessThanOrEqual(distance + slack);
    expect(upper).toBeGreaterThanOrEqual(distance - slack);
    if (plain.status === PairStatus.separated) continue;
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(pointB[k]! - pointA[k]! - distance * normal[k]!)).toBeLessThan(1e-12 * size);
    }
  }
  if (kind !== 'distance') requireNarrow(plain, tolerance, size);
  if (kind !== 'distance') requireNarrow(auto, tolerance, size);
  return auto;
}

function requireNarrow({ status, lower, upper }: Answer, tolerance: number, size: number): void {
  if (status !== PairStatus.converged) return;
  expect(upper - lower).toBeLessThanOrEqual(tolerance * size * (1 + 1e-12));
}

describe.each(kindPairs)('auto: %s and %s', (kindA, kindB) => {
  const boxes = BOXES.has(kindA) && BOXES.has(kindB);
  const pairs = fc.record({
    a: arbitraryPlaced(kindA),
    b: arbitraryPlaced(kindB),
    scale: fc.constantFrom(1e-6, 1e-3, 1, 1, 1e3, 1e6),
    tolerance: fc.constantFrom(...TOLERANCES),
  });

  it('answers like gjk, at any scale', () => {
    fc.assert(
      fc.property(pairs, ({ a, b, scale, tolerance }) => {
        const move = (p: Placed) => scaled(p, scale) as Placed;
        const [p, q] = [move(a), move(b)];
        const size = sizeOfPair(p, q);
        for (const kind of ['intersect', 'distance', 'penetration'] as const)
          requireSame(p, q, kind, tolerance);
        const { status, distance, normal, pointA, pointB, upper } = requireSame(
          p,
          q,
          'signed-distance',
          tolerance,
        );
        if (status === PairStatus.degenerate) return;
        // The normal's support planes know the distance, and no other direction knows more.
        expect(Math.abs(overlapAlong(p, q, normal) + distance)).toBeLessThan((tolerance + 1e-11) * size);
        if (!boxes) return;
        for (const n of directions) {
          const far = -overlapAlong(p, q, n);
          hold(far <= upper + TOUCHING_TOLERANCE * size, () => `${far} along ${n}, at most ${upper}`);
        }
        const around = [normal, normal.map((x) => -x) as unknown as Vector];
        const within = (tolerance + 1e-11) * size;
        expect(outsideBy(p, pointA, around)).toBeLessThan(within);
        expect(outsideBy(q, pointB, around)).toBeLessThan(Math.max(within, 1e-6 * size));
      }),
      { numRuns: boxes ? 40 : 8, endOnFailure: true },
    );
  });
});

const box = (margin: number, ...halfExtents: Vector) => ({ kind: 'box', halfExtents, margin }) as const;

describe('auto: boxes', () => {
  const angle = fc
    .tuple(fc.integer({ min: 0, max: 60 }), fc.constantFrom(0, 1, 2), fc.constantFrom(-1, 1))
    .map(([bits, axis, sign]) => {
      const q: [number, number, number, number] = [0, 0, 0, Math.cos(2 ** -bits / 2)];
      q[axis] = sign * Math.sin(2 ** -bits / 2);
      return q;
    });
  const offset = fc.oneof(
    fc.constantFrom(-2, -1.5, -1, -0.5, 0, 0.25, 1, 1.5),
    fc.integer({ min: 1, max: 52 }).map((bits) => 1 - 2 ** -bits),
  );
  const extent = fc.constantFrom(0, 0.25, 0.5, 0.5, 1);
  const sizes = fc.tuple(extent, extent, extent);

  it('nearly parallel, nearly touching, and flat ones, by angles and gaps down to rounding', () => {
    fc.assert(
      fc.property(
        fc.tuple(sizes, sizes, fc.tuple(offset, offset, offset), angle, fc.constantFrom(0, 0.125)),
        ([one, other, position, rotation, margin]) => {
          const a = { shape: box(margin, ...one), position: [0, 0, 0], rotation: [0, 0, 0, 1] } as const;
          const b = { shape: box(0, ...other), position, rotation };
          for (const kind of ['signed-distance', 'penetration', 'intersect', 'distance'] as const) {
            requireSame(a, b, kind, 2 ** -36);
          }
        },
      ),
      { numRuns: 1500, endOnFailure: true },
    );
  });

  it('aligned, one in the other: the depth across the nearest faces, without a polytope', () => {
    const table = new ShapeTable([box(0, 1, 2, 3), box(0, 0.5, 0.25, 0.25)]);
    const solver = new PairSolver(table, {
      kind: 'penetration',
      algorithm: 'auto',
      tolerance: 2 ** -36,
      sweepRadius: 0,
    });
    const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    const placedA = Float64Array.from([...identity, 0, 0, 0]);
    const placedB = Float64Array.from([...identity, 0.75, 1, -2]);
    solver.pair.place({ record: 0, frames: placedA, at: 0 }, { record: 1, frames: placedB, at: 0 });
    expect(solver.solve()).toBe(PairStatus.converged);
    // 1 + 0.5 - 0.75 along x, 2 + 0.25 - 1 along y, 3 + 0.25 - 2 along z.
    expect(solver.pair.distance).toBe(-0.75);
    expect([...solver.pair.normal]).toEqual([1, 0, 0]);
    expect(solver.pair.pointA[0]).toBe(1);
    expect(solver.pair.pointB[0]).toBe(0.25);
    expect(solver.pair.calls).toBe(1);
  });
});

describe('auto: boxes apart', () => {
  const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;
  const tilted = [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)] as const;
  const upright = [0, 0, 0, 1] as const;
  const answer = (position: Vector, rotation: PlacedShape['rotation'], half: Vector) =>
    ask(
      { shape: box(0, 1, 1, 1), position: [0, 0, 0], rotation: upright },
      { shape: box(0, ...half), position, rotation },
      'signed-distance',
      'auto',
      { tolerance: 2 ** -36 },
    );

  it('have the distance along an axis where a face or two edges have points that near, which takes no more', () => {
    // A face beside a part of a face; an edge of B over A's top; edges that cross.
    const face = answer([2.5, 1.5, 0], quarter, [1, 1, 1]);
    expect([face.distance, face.iterations]).toEqual([0.5, 1]);
    const edge = answer([0, 0, 2 + Math.SQRT2], tilted, [1, 1, 1]);
    expect(edge.distance).toBeCloseTo(1, 14);
    expect(edge.iterations).toBe(1);
    // A's edge along y at x = z = 1 and B's, across it by 60 degrees: d is the way from the one to the other.
    const d = [Math.SQRT1_2, 0, Math.SQRT1_2] as const;
    // Half a unit from A's edge to B's, and from there half the diagonal of B's face to its centre.
    const far = 0.5 + Math.SQRT2;
    // Turned about d, by twice 30 degrees.
    const turned = [0.5 * d[0], 0, 0.5 * d[2], Math.sqrt(0.75)] as const;
    const crossing = answer([1 + far * d[0], 0, 1 + far * d[2]], turned, [1, 1, 1]);
    expect(crossing.distance).toBeCloseTo(0.5, 14);
    crossing.normal.forEach((value, k) => {
      expect(value).toBeCloseTo(d[k]!, 14);
    });
    expect(crossing.iterations).toBe(1);
  });

  it('are separated where they are farther apart than what counts as touching by rounding alone', () => {
    const capsule = (radius: number) => ({ kind: 'capsule', halfLength: 0.3, radius }) as const;
    const [r, s] = [0.9386475483947525, 1.4794332491184783];
    const at = (y: number): [PlacedShape, PlacedShape] => [
      { shape: capsule(r), position: [0, 0, 0], rotation: upright },
      { shape: capsule(s), position: [0, y, 0], rotation: upright },
    ];
    let y = (r + s) * (1 + 2 ** -45) + 0.6 * 2 ** -46 - 16 * 2 ** -51;
    for (let ulp = 0; ulp < 32; ulp++, y += 2 ** -51) {
      const touching = TOUCHING_TOLERANCE * sizeOfPair(...at(y));
      const { distance } = ask(...at(y), 'signed-distance', 'auto');
      for (const kind of ['intersect', 'penetration', 'manifold'] as const) {
        const { status } = ask(...at(y), kind, 'auto');
        expect(status).toBe(distance > touching ? PairStatus.separated : PairStatus.touching);
      }
    }
    expect(ask(...at(2.418080797513308), 'intersect', 'auto').status).toBe(PairStatus.separated);
  });

  it('have the distance of their corners where no axis knows it', () => {
    const corners = answer([3, 3, 3], upright, [1, 1, 1]);
    expect(corners.distance).toBeCloseTo(Math.sqrt(3), 14);
    expect(corners.iterations).toBeGreaterThan(1);
    // Just past the end of A's face: the axis has 0.5, a millionth of a millionth too little.
    const past = answer([2.5, 2 + 1e-6, 0], upright, [1, 1, 1]);
    expect(past.distance).toBeCloseTo(Math.hypot(0.5, 1e-6), 15);
    expect(past.distance).toBeGreaterThan(0.5);
    // The same far below what points of overlapping boxes may be off: past a face, and past the ends of edges.
    const gap = 2 ** -38;
    const touching = TOUCHING_TOLERANCE * 7;
    const near = answer([2 + gap, 2 + gap / 2, 0], upright, [1, 1, 1]);
    expect(Math.abs(near.distance - Math.hypot(gap, gap / 2))).toBeLessThan(touching);
    expect(near.upper).toBeGreaterThan(Math.hypot(gap, gap / 2) - touching);
    // B's edge crosses A's as above, but half a gap beyond its end, which is nearest.
    const d = 1 + Math.SQRT1_2 * gap;
    const turned = [0.5 * Math.SQRT1_2, 0, 0.5 * Math.SQRT1_2, Math.sqrt(0.75)] as const;
    const edges = answer([1 + d, 1 + gap / 2, 1 + d], turned, [1, 1, 1]);
    expect(Math.abs(edges.distance - gap * Math.hypot(1, Math.sqrt(0.75) / 2))).toBeLessThan(touching);
  });
});

describe('converged', () => {
  it.each(['gjk', 'gjk-johnson', 'sweep-gjk', 'auto'] as const)(
    '%s: has its bounds within the tolerance',
    (algorithm) => {
      // Tolerances near that of rounding, where algorithms may end for other reasons.
      const tolerances = fc.constantFrom(2 ** -45, 2 ** -44, 2 ** -42, 2 ** -36, 2 ** -20);
      const pair = fc
        .constantFrom(...kindPairs)
        .chain(([a, b]) => fc.tuple(arbitraryPlaced(a), arbitraryPlaced(b)));
      fc.assert(
        fc.property(pair, tolerances, ([a, b], tolerance) => {
          const answer = ask(a, b, 'signed-distance', algorithm, { tolerance, sweepRadius: 0.5 });
          requireNarrow(answer, tolerance, sizeOfPair(a, b));
        }),
        { numRuns: 1500, endOnFailure: true },
      );
    },
  );

  // A curved edge 1e-4 of a radius away: the nearest point stands still while bounds are 3e-13 and 3e-12 apart.
  it.each<[string, PlacedShape, PlacedShape]>([
    [
      'point and cylinder',
      { shape: { kind: 'point' }, position: [0, 0, 0], rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
      {
        shape: { kind: 'cylinder', radius: 1, halfHeight: 1, margin: 0.1 },
        position: [0, -0.5, 1],
        rotation: [1e-4, 0, 0, Math.sqrt(1 - 1e-8)],
      },
    ],
    [
      'disc and sphere',
      {
        shape: { kind: 'disc', radius: 0.7406074189255014 },
        position: [0, 0, 0],
        rotation: [1e-4, 0, 0, Math.sqrt(1 - 1e-8)],
      },
      {
        shape: { kind: 'sphere', radius: 1.2129235740192235, margin: 0.03296881839632988 },
        position: [0, 0.08752080611884594, 0],
        rotation: [0, 0, 0, 1],
      },
    ],
  ])('is not said of %s whose bounds rounding keeps apart', (_, a, b) => {
    const tolerance = 2 ** -44;
    const answer = ask(a, b, 'signed-distance', 'gjk', { tolerance });
    requireNarrow(answer, tolerance, sizeOfPair(a, b));
    expect(answer.upper - answer.lower).toBeLessThan(1e-11);
  });
});

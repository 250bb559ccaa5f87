import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utils } from 'wgpu-matrix';
import {
  MANIFOLD_RESOLUTION,
  MOST_CLIPPED_POINTS,
  TOUCHING_TOLERANCE,
} from '../../../src/convex/constants.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import type { ConvexShape, Shape, SimpleShape } from '../../../src/convex/shapes/shapes.ts';
import { type Answer, ask, at, mayLieOff, offSurfaces, type PlacedShape, sizeOfPair } from '../ask.ts';
import { bentEdge } from '../scenes.ts';
import {
  arbitraryPlaced,
  arbitraryShape,
  kinds,
  type Placed,
  product,
  type Quaternion,
  rotate,
  sizeOf,
  turnAbout,
  type Vector,
} from '../shapes-of-all-kinds.ts';

const box = (x: number, y: number, z: number): SimpleShape => ({ kind: 'box', halfExtents: [x, y, z] });
const manifold = (a: PlacedShape, b: PlacedShape): Answer => ask(a, b, 'manifold', 'auto');
const about = (axis: Vector, degrees: number) => turnAbout(axis, utils.degToRad(degrees));
const floor = at(box(4, 4, 0.5));
/** Contacts of a shape on the floor, whose top is at 0.5. */
const onFloor = (shape: Shape, z: number, rotation: Quaternion = [0, 0, 0, 1]) =>
  manifold(floor, { shape, position: [0.013, 0.007, z], rotation });
const S = Math.SQRT1_2;
/** What turns each side of a shape up. */
const SIDES: readonly Quaternion[] = [
  [0, 0, 0, 1],
  [S, 0, 0, S],
  [0, S, 0, S],
  [1, 0, 0, 0],
  [-S, 0, 0, S],
  [0, -S, 0, S],
];
const direction = fc.constantFrom<Vector>(
  [1, 0, 0],
  [0, 1, 0],
  [0.6, 0.8, 0],
  [-0.28, 0.96, 0],
  [0.36, 0.48, 0.8],
);
const cubeVertices = [-0.5, 0.5].flatMap((x) =>
  [-0.5, 0.5].flatMap((y) => [-0.5, 0.5].flatMap((z) => [x, y, z])),
);
const lying = about([1, 0, 0], 90);

/** Area of the hull of contacts seen along z. */
function areaOf({ contacts }: Answer): number {
  let most = 0;
  for (const p of contacts)
    for (const q of contacts)
      for (const r of contacts)
        for (const s of contacts) {
          const [dx, dy] = [r[0]! - p[0]!, r[1]! - p[1]!];
          const [ex, ey] = [s[0]! - q[0]!, s[1]! - q[1]!];
          most = Math.max(most, (dx * ey - dy * ex) / 2);
        }
  return most;
}

/** A sum that bends across its line, and two shapes whose lines pass each other beside the place where they touch. */
const sampledLines: readonly (readonly [Placed, Placed])[] = [
  [
    {
      shape: {
        kind: 'sum',
        a: { kind: 'ellipsoid', radii: [1.041527164156289, 0.25, 0.25] },
        b: box(1.5, 1, 0.1),
        place: { position: [-1, 0.5, 0], rotation: [0, 1, 0, 0] },
      },
      position: [0, 0, 0],
      rotation: [0, 0, S, S],
    },
    {
      shape: {
        kind: 'round-box',
        halfExtents: [0.25, 0.25, 0.5],
        radius: 0.1020444623660733,
        margin: 0.08615355423974842,
      },
      position: [0.9454660597196511, 1.5972518446697828, -0.23440614458062992],
      rotation: [0.0000029881567360480228, 0.0000029881567360480228, 0.7071067811802337, 0.7071067811802337],
    },
  ],
  [
    {
      shape: {
        kind: 'hull',
        a: { kind: 'capsule', halfLength: 1, radius: 0.22032056738862738 },
        b: box(0.25, 1, 0.25),
        place: { position: [-1, 0, -1], rotation: [0.000009628768456961443, 0.9999999999536436, 0, 0] },
      },
      position: [0, 0, 0],
      rotation: [0.5000119611989047, 0.5000079200927504, 0.5000076080641881, 0.4999725096247554],
    },
    {
      shape: {
        kind: 'sum',
        a: { kind: 'cone', radius: 0.6081426055873288, height: 0.1929023730725031 },
        b: { kind: 'cone', radius: 0.10956283143652593, height: 1 },
        place: { position: [0, 0, 6.286200479588399e-9] },
        margin: 0.02,
      },
      position: [-1.497984860265242, -1.925456090878277, -1.2977186568771657],
      rotation: [0.5002958091755633, 0.4998004109229976, -0.5009624462063332, -0.49893915466070393],
    },
  ],
];

describe('clipped contact manifold', () => {
  it.each<[string, Shape]>([
    ['box', box(0.5, 0.5, 0.5)],
    ['polytope', { kind: 'polytope', vertices: cubeVertices }],
    ['round box', { kind: 'round-box', halfExtents: [0.4, 0.4, 0.4], radius: 0.1 }],
    ['frustum', { kind: 'frustum', bottom: [0.5, 0.5], top: [0.3, 0.4], height: 1 }],
    [
      'hull',
      { kind: 'hull', a: box(0.5, 0.5, 0.1), b: box(0.2, 0.2, 0.2), place: { position: [0, 0, 0.9] } },
    ],
  ])(
    'of a %s tilted by half a degree, all corners overlapping: four, of which one is the deepest',
    (_, shape) => {
      for (const rotation of [about([0, 1, 0], 0.5), about([0.6, 0.8, 0], 0.5), about([1, 0, 0], 3)]) {
        const height = ask(floor, { shape, position: [0, 0, 3], rotation }, 'signed-distance').distance;
        // Sunk by more than its far corner is lifted.
        const answer = onFloor(shape, 3 - height - 0.06, rotation);
        expect(answer.contacts.length).toBe(4);
        expect(answer.contacts[0]![3]).toBeCloseTo(answer.distance, 4);
        for (const [, , , distance] of answer.contacts) expect(distance).toBeLessThan(0);
        expect(areaOf(answer)).toBeGreaterThan(0.6);
      }
    },
  );

  it('of a box tilted over the line where it leaves the floor: as far as it overlaps, and no farther', () => {
    const answer = onFloor(box(0.5, 0.5, 0.5), 0.99, about([0, 1, 0], 3));
    const depths = answer.contacts.map(([, , , d]) => Math.round(1e5 * d!) / 1e5 + 0);
    expect(depths.sort((p, q) => p - q)).toEqual([-0.03548, -0.03548, 0, 0]);
  });

  it('of a lying cylinder tilted by one degree: two, of which one is the deepest place', () => {
    const cylinder: ConvexShape = { kind: 'cylinder', radius: 0.5, halfHeight: 1 };
    for (const z of [0.98, 1]) {
      const answer = onFloor(cylinder, z, about([1, 0, 0], 91));
      expect(answer.contacts.length).toBe(2);
      expect(answer.contacts[0]![3]).toBeCloseTo(answer.distance, 12);
      expect(answer.contacts[1]![3]).toBeLessThanOrEqual(1e-12);
      expect(answer.contacts[1]![3]).toBeGreaterThan(answer.distance + 0.01);
    }
  });

  it.each<[string, Shape, number, Quaternion, number]>([
    ['sphere', { kind: 'sphere', radius: 0.5 }, 0.99, [0, 0, 0, 1], 1],
    ['ellipsoid', { kind: 'ellipsoid', radii: [0.5, 0.7, 0.5] }, 0.99, [0, 0, 0, 1], 1],
    ['capsule', { kind: 'capsule', halfLength: 1, radius: 0.25 }, 0.74, [0, 0, 0, 1], 2],
    ['capsule on its end', { kind: 'capsule', halfLength: 1, radius: 0.25 }, 1.74, about([0, 1, 0], 90), 1],
    ['cylinder on its side', { kind: 'cylinder', radius: 0.5, halfHeight: 1 }, 0.99, lying, 2],
    ['cylinder upright', { kind: 'cylinder', radius: 0.5, halfHeight: 1 }, 1.49, [0, 0, 0, 1], 4],
    ['cylinder on its rim', { kind: 'cylinder', radius: 0.5, halfHeight: 1 }, 1.55, about([1, 0, 0], 45), 1],
    ['cone on its base', { kind: 'cone', radius: 0.5, height: 1 }, 0.74, [0, 0, 0, 1], 4],
    ['cone on its apex', { kind: 'cone', radius: 0.5, height: 1 }, 1.24, about([1, 0, 0], 180), 1],
    ['cone on its side', { kind: 'cone', radius: 0.5, height: 1 }, 0.72, about([1, 0, 0], 116.565), 2],
    ['disc', { kind: 'disc', radius: 0.5 }, 0.49, about([1, 0, 0], 0.5), 4],
    ['wheel', { kind: 'wheel', radius: 0.5, tubeRadius: 0.1 }, 0.59, [0, 0, 0, 1], 4],
    ['corner', box(0.5, 0.5, 0.5), 0.5 + Math.sqrt(0.75) - 0.01, about([1, -1, 0], 54.7356), 1],
    ['edge', box(0.5, 0.5, 0.5), 0.5 + Math.SQRT1_2 - 0.01, about([0, 1, 0], 45), 2],
    ['edge of a polytope', { kind: 'polytope', vertices: cubeVertices }, 1.2, about([0, 1, 0], 45), 2],
    ['thin plate', box(1, 1, 1e-6), 0.4999, about([0, 1, 0], 0.001), 4],
    [
      'flat polytope',
      { kind: 'polytope', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0] },
      0.49,
      about([1, 0, 0], 0.1),
      3,
    ],
    [
      'tetrahedron',
      { kind: 'polytope', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
      0.49,
      about([1, 0, 0], 0.1),
      3,
    ],
    // Its face on the floor is 1 long and 1e-7 wide.
    [
      'needle',
      { kind: 'polytope', vertices: [0, 0, 0, 1, 0, 0, 0, 1e-7, 0, 0.3, 0, 0.5] },
      0.49,
      [0, 0, 0, 1],
      2,
    ],
    // The triangle beside the edge is all but level.
    ['bent edge', bentEdge, 1.49, about([0, 1, 0], 180), 3],
  ])('of a %s', (_, shape, z, rotation, count) => {
    const answer = onFloor(shape, z, rotation);
    expect(answer.contacts.length).toBe(count);
    const [a, b] = offSurfaces(
      floor,
      { shape: shape as ConvexShape, position: [0.013, 0.007, z], rotation },
      answer,
    );
    expect(Math.max(a, b)).toBeLessThan(1e-5);
  });

  it('of lines: two where they lie along each other, one where they cross', () => {
    const capsule: ConvexShape = { kind: 'capsule', halfLength: 1, radius: 0.25 };
    const crossing = (degrees: number) =>
      manifold(at(capsule), {
        shape: capsule,
        position: [0.6, 0, 0.49],
        rotation: about([0, 0, 1], degrees),
      });
    expect(
      crossing(0)
        .contacts.map(([x]) => Math.round(1e6 * x!) / 1e6)
        .sort(),
    ).toEqual([-0.4, 1]);
    const slanted = crossing(2);
    expect(slanted.contacts.length).toBe(2);
    // Where the lines part the surfaces do, too.
    expect(Math.max(...slanted.contacts.map(([, , , d]) => d!))).toBeGreaterThan(-0.01 + 1e-4);
    expect(crossing(40).contacts.length).toBe(1);
    const beam = (yaw: number, x: number, z: number): PlacedShape => ({
      shape: box(1, 0.05, 0.05),
      position: [x, 0, z],
      rotation: product(about([0, 0, 1], yaw), about([1, 0, 0], 45)),
    });
    const height = 0.1 * Math.SQRT2 - 1e-3;
    expect(manifold(beam(0, 0, 0), beam(90, 0.3, height)).contacts.length).toBe(1);
  });

  it('of faces with nothing but an edge or a corner in common, and of one place', () => {
    const cube = box(0.5, 0.5, 0.5);
    const beside = manifold(at(cube), at(cube, 1, 0, 0.999));
    expect(beside.status).not.toBe(PairStatus.separated);
    expect(beside.contacts.length).toBeGreaterThanOrEqual(1);
    const corner = manifold(at(cube), at(cube, 1, 1, 1));
    for (const { contacts } of [beside, corner]) {
      for (const [x, , , distance] of contacts) {
        expect(x).toBeCloseTo(0.5, 5);
        expect(distance).toBeLessThan(1e-12);
      }
    }
    const same = manifold(at(cube), at(cube));
    expect(same.contacts.length).toBe(4);
    for (const [, , , distance] of same.contacts) expect(distance).toBeCloseTo(-1, 12);
    // The lower cube reaches through the upper one.
    const deep = manifold(at(box(1, 1, 1)), at(box(0.5, 0.5, 0.5), 0, 0, 0.9));
    expect(deep.contacts.map(([, , , d]) => d!.toFixed(9))).toEqual(Array(4).fill('-0.600000000'));
  });

  it('takes triangles in one plane for one face', () => {
    // Every face of the cube has 25 points, which rounding to float32 after a turn moves out of its plane.
    const turn = about([1, 2, 3], 40);
    const steps = [-0.5, -0.25, 0, 0.25, 0.5];
    const points = steps
      .flatMap((x) => steps.flatMap((y) => steps.map((z): Vector => [x, y, z])))
      .filter((p) => p.some((c) => Math.abs(c) === 0.5));
    const vertices = Float32Array.from(points.flatMap((p) => rotate(turn, p)));
    const [x, y, z, w] = turn;
    const answer = onFloor(
      { kind: 'polytope', vertices },
      0.98,
      product(about([0, 1, 0], 0.5), [-x, -y, -z, w]),
    );
    expect(answer.contacts.length).toBe(4);
    expect(areaOf(answer)).toBeGreaterThan(0.999);
  });

  it('of a table on four legs: contacts on all legs, each with the normal of its own', () => {
    const leg = (x: number, y: number) => ({ shape: box(0.1, 0.1, 0.5), position: [x, y, 0] as Vector });
    const legs = [leg(0.8, 0.8), leg(-0.8, 0.8), leg(0.8, -0.8), leg(-0.8, -0.8)];
    const table: Shape = {
      kind: 'parts',
      parts: [{ shape: box(1, 1, 0.1), position: [0, 0, 0.6] }, ...legs],
    };
    for (const answer of [onFloor(table, 0.99), onFloor(table, 0.99, about([0, 1, 0], 0.2))]) {
      for (const { position } of legs) {
        const here = answer.contacts.filter(
          ([x, y]) => Math.abs(x! - position[0]) < 0.2 && Math.abs(y! - position[1]) < 0.2,
        );
        expect(here.length).toBe(4);
      }
      expect(answer.contacts[0]![3]).toBeCloseTo(answer.distance, 12);
    }
    // A floor and a wall.
    const corner: Shape = {
      kind: 'parts',
      parts: [{ shape: box(2, 2, 0.5) }, { shape: box(0.5, 2, 2), position: [-1.5, 0, 1.5] }],
    };
    const inCorner = manifold(at(corner), at(box(0.5, 0.5, 0.5), -0.505, 0, 0.99));
    expect(inCorner.contacts.length).toBe(8);
    const up = inCorner.contactNormals.filter(([, , nz]) => nz > 0.999).length;
    expect([up, inCorner.contactNormals.filter(([nx]) => nx > 0.999).length]).toEqual([4, 4]);
    // Six legs have 24 corners: of 16 contacts every leg has its share.
    const six = [-0.8, 0, 0.8].flatMap((x) => [leg(x, 0.8), leg(x, -0.8)]);
    const many = onFloor({ kind: 'parts', parts: six }, 0.99);
    expect(many.contacts.length).toBe(16);
    for (const { position } of six) {
      const here = many.contacts.filter(
        ([x, y]) => Math.abs(x! - position[0]) < 0.2 && Math.abs(y! - position[1]) < 0.2,
      );
      expect(here.length).toBeGreaterThanOrEqual(2);
    }
  });

  it('of a box with a bevel that is all but level, on its wide face: as wide as that', () => {
    // The bevel is 0.01 wide and turned by half a degree against the face that lies on the floor.
    const slope = 0.01 * Math.tan(Math.PI / 360);
    const profile = [
      [-0.5, 0],
      [0.5, 0],
      [0.51, slope],
      [0.51, 1],
      [-0.5, 1],
    ] as const;
    const vertices = profile.flatMap(([x, z]) => [x, -0.5, z, x, 0.5, z]);
    for (const degrees of [0, 0.1, -0.1, -0.2]) {
      const answer = onFloor({ kind: 'polytope', vertices }, 0.495, about([0, 1, 0], degrees));
      expect(areaOf(answer)).toBeGreaterThan(0.99);
    }
  });

  /** What holds of any manifold, as docs/convex.md promises it. */
  function requireContacts(a: Placed, b: Placed): void {
    const answer = manifold(a, b);
    if (answer.status === PairStatus.separated) {
      expect(answer.contacts).toEqual([]);
      return;
    }
    const size = sizeOfPair(a, b);
    const near = 1.01 * MANIFOLD_RESOLUTION * size;
    expect(answer.contacts.length).toBeGreaterThan(0);
    expect(answer.contacts.length).toBeLessThanOrEqual(MOST_CLIPPED_POINTS);
    expect(answer.contacts[0]![3]).toBeLessThanOrEqual(answer.distance + near);
    for (const [, , , distance] of answer.contacts) {
      expect(distance).toBeGreaterThanOrEqual(answer.distance - near);
      expect(distance).toBeLessThanOrEqual(Math.max(0, answer.distance) + 1.01 * TOUCHING_TOLERANCE * size);
    }
    for (const normal of answer.contactNormals)
      expect(Math.abs(Math.hypot(...normal) - 1)).toBeLessThan(1e-14);
    const off = offSurfaces(a, b, answer);
    [a, b].forEach(({ shape }, side) => {
      expect(off[side]).toBeLessThanOrEqual(near + mayLieOff(shape));
    });
  }

  it.each(kinds)('%s and all others: contacts on both surfaces, the deepest first, four at most', (kindA) => {
    for (const kindB of kinds) {
      const pair = fc.property(arbitraryPlaced(kindA), arbitraryPlaced(kindB), requireContacts);
      fc.assert(pair, { numRuns: 4, endOnFailure: true });
    }
  });

  it.each(kinds)('the same of a %s that lies on others, all but level', (kindA) => {
    for (const kindB of kinds) {
      const resting = fc
        .tuple(
          arbitraryShape(kindA),
          arbitraryShape(kindB),
          fc.nat(5),
          fc.nat(5),
          direction,
          fc.nat(4),
          fc.nat(5),
        )
        .map(([lower, upper, sideA, sideB, axis, tilt, sunk]): [Placed, Placed] => {
          const rotation = SIDES[sideB]!;
          const a: Placed = { shape: lower, position: [0, 0, 0], rotation: SIDES[sideA]! };
          const turned = product(about(axis, tilt === 0 ? 0 : 7 * 10 ** (1 - tilt)), rotation);
          const away: Placed = { shape: upper, position: [axis[0]!, axis[1]!, 12], rotation: turned };
          const { distance, normal } = ask(a, away, 'signed-distance', 'auto');
          const way = distance + 0.3 * 10 ** -sunk * Math.min(sizeOf(lower), sizeOf(upper));
          const position = away.position.map((x, k) => x - way * normal[k]!) as unknown as Vector;
          return [a, { ...away, position }];
        });
      fc.assert(
        fc.property(resting, ([a, b]) => requireContacts(a, b)),
        { numRuns: 4, endOnFailure: true },
      );
    }
  });

  it('of lines of which only support points are known: no contact apart, none off the surface', () => {
    for (const [a, b] of sampledLines) requireContacts(a, b);
  });
});

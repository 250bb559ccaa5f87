/** Contacts of faces beside an independent integration, closed forms, and the gradient of their energy. */
import { describe, expect, it } from 'vitest';
import { ColliderKind } from '../../../src/contacts/bodies/colliders.ts';
import { REMEMBERED } from '../../../src/contacts/convex/remembered.ts';
import { MOST_TOGETHER } from '../../../src/contacts/faces/constants.ts';
import { ContactKind, ContactStatus } from '../../../src/contacts/list/contact-arrays.ts';
import { ContactSink } from '../../../src/contacts/list/contact-sink.ts';
import { planeContacts } from '../../../src/contacts/planes/plane-contacts.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { ConvexShape } from '../../../src/convex/shapes/shapes.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import {
  dot,
  product,
  type Quaternion,
  rotate,
  turnAbout,
  type Vector,
} from '../../convex/shapes-of-all-kinds.ts';
import { hold } from '../../support/hold.ts';
import { bodyOf, contactsIn, convexContactsOf, facesOf, posedConvex, type TestBody } from '../posed.ts';
import { areaOf, cross, foundationOf, lengthOf, minus, plus, solidOf, sumsOf } from './foundation.ts';
import { facedShapes, overlapping, randomPoints, randomTurn } from './shapes.ts';

function contactsOf(table: ShapeTable, bodies: readonly TestBody[]) {
  const sink = new ContactSink();
  convexContactsOf(table, posedConvex(bodies), { pairs: Uint32Array.of(0, 1) }, sink);
  return contactsIn(sink);
}

/** With a body on a plane, which is B. */
function contactsOnPlane(shape: ConvexShape, position: Vector, rotation: Quaternion) {
  const table = new ShapeTable([shape]);
  const sink = new ContactSink();
  const bodies = [bodyOf(0, position, rotation), bodyOf(0, [0, 0, 0], [0, 0, 0, 1], ColliderKind.plane)];
  planeContacts(table, facesOf(table), [], posedConvex(bodies), { pairs: Uint32Array.of(0, 1) }, 0, 1, sink);
  return contactsIn(sink);
}

const cube = (half: number): ConvexShape => ({ kind: 'box', halfExtents: [half, half, half] });
const corners = (half: Vector) =>
  [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((y) => [-1, 1].map((z): Vector => [x * half[0], y * half[1], z * half[2]])),
  );
const positionOf = ({ pose }: TestBody) => pose.slice(0, 3) as unknown as Vector;
const turnOf = ({ pose }: TestBody) => pose.slice(3) as unknown as Quaternion;
const faced = new ShapeTable(facedShapes.map(([, shape]) => shape));
const isCapsule = (record: number) => facedShapes[record]![0] === 'capsule';
const pairsOfKinds = facedShapes.flatMap((_, a) =>
  facedShapes.slice(a).flatMap((__, k) => (isCapsule(a) && k === 0 ? [] : [[a, a + k] as const])),
);

describe('three contacts of a pair with faces', () => {
  const random = createRandom(21);
  const half: Vector = [0.5, 0.4, 0.6];
  const points = Array.from({ length: 4 }, () => randomPoints(random, 12));
  const shapes: [ConvexShape, Vector[]][] = [
    [{ kind: 'box', halfExtents: half }, corners(half)],
    ...points.map((own): [ConvexShape, Vector[]] => [{ kind: 'polytope', vertices: own.flat() }, own]),
  ];
  const table = new ShapeTable(shapes.map(([shape]) => shape));

  it('have force, torque and energy of an integration that shares nothing with theirs', () => {
    for (let i = 0; i < 40; i++) {
      const [a, b] = [i % 5, Math.floor(i / 2) % 5] as const;
      const bodies = overlapping(table, [a, b], 10 ** (-1.5 + random()), random);
      const solids = bodies.map((body, k) => solidOf(shapes[[a, b][k]!]![1], positionOf(body), turnOf(body)));
      const expected = foundationOf(solids[0]!, solids[1]!, 10);
      const contacts = contactsOf(table, bodies);
      const found = sumsOf(contacts);
      const told = () => `pair ${i}: ${JSON.stringify([found, expected])}`;
      hold(contacts.length === 3, told);
      // Sums of products of coordinates below 2.
      const rounding = 1e-12;
      hold(expected.unsure <= 0.1 * lengthOf(expected.force), told);
      hold(lengthOf(minus(found.force, expected.force)) <= expected.unsure + rounding, told);
      // All places are within 3 of the origin.
      hold(lengthOf(minus(found.torque, expected.torque)) <= 3 * expected.unsure + rounding, told);
      hold(Math.abs(found.energy - expected.energy) <= expected.unsureWork + rounding, told);
    }
  });

  it('have force, torque and energy of it, too, where one face has many nearest planes', () => {
    const random = createRandom(90);
    const round = randomPoints(random, 90).map((p) => p.map((x) => x / lengthOf(p)) as unknown as Vector);
    const plate: Vector = [1.2, 1.1, 0.05];
    const own = [corners(plate), round];
    const two = new ShapeTable([
      { kind: 'box', halfExtents: plate },
      { kind: 'polytope', vertices: round.flat() },
    ]);
    const bodies = overlapping(two, [0, 1], 0.5, random);
    const solids = bodies.map((body, k) => solidOf(own[k]!, positionOf(body), turnOf(body)));
    // Of its planes so many are nearest to some part of the plate that each of them has its region cut by itself.
    expect(solids[1]!.planes.length).toBeGreaterThan(8 * MOST_TOGETHER);
    const expected = foundationOf(solids[0]!, solids[1]!, 10);
    const found = sumsOf(contactsOf(two, bodies));
    expect(expected.unsure).toBeLessThan(0.1 * lengthOf(expected.force));
    expect(lengthOf(minus(found.force, expected.force))).toBeLessThanOrEqual(expected.unsure);
    expect(lengthOf(minus(found.torque, expected.torque))).toBeLessThanOrEqual(3 * expected.unsure);
    expect(Math.abs(found.energy - expected.energy)).toBeLessThanOrEqual(expected.unsureWork);
  });

  it('have features 0, 1 and 2, one depth, and are sure', () => {
    for (const [a, b] of pairsOfKinds) {
      const contacts = contactsOf(faced, overlapping(faced, [a, b], 0.05, random));
      expect(contacts.map(({ feature }) => feature)).toEqual([0, 1, 2]);
      for (const { kind, status, distance, area } of contacts) {
        expect(kind).toBe(ContactKind.convex);
        expect(status).toBe(ContactStatus.sure);
        expect(distance).toBe(contacts[0]!.distance);
        expect(area).toBeGreaterThan(0);
      }
    }
  });

  it('of a cube on a larger one have the closed form, with what the rims add', () => {
    const two = new ShapeTable([cube(1), cube(0.5)]);
    for (const d of [1e-9, 1e-3, 0.1, 0.2]) {
      const { force, energy } = sumsOf(contactsOf(two, [bodyOf(0, [0, 0, 0]), bodyOf(1, [0, 0, 1.5 - d])]));
      // Half of B: its lower face, d, and four sides, d^2 / 2 each. Half of A: d (1 - 2 d)^2: its rims push sideways.
      const expected = d - d ** 2 + 2 * d ** 3;
      // d itself is rounded to 2^-53 of 1.5.
      expect(Math.abs(force[2] - expected)).toBeLessThan(1e-15 + 1e-13 * expected);
      expect(Math.hypot(force[0], force[1])).toBeLessThan(1e-13 * expected);
      const work = d ** 2 / 2 - d ** 3 / 3 + d ** 4 / 2;
      expect(Math.abs(energy - work)).toBeLessThan(1e-15 * d + 1e-13 * work);
    }
  });

  it('of a corner in a face have the closed form of the pyramid', () => {
    // The diagonal of the cube points down.
    const turn = product(turnAbout([1, 0, 0], Math.atan(Math.SQRT2)), turnAbout([0, 0, 1], Math.PI / 4));
    const [, , lowest] = corners([0.5, 0.5, 0.5])
      .map((p) => rotate(turn, p))
      .sort((p, q) => p[2] - q[2])[0]!;
    const two = new ShapeTable([cube(2), cube(0.5)]);
    for (const h of [1e-4, 0.02, 0.1]) {
      const { force } = sumsOf(
        contactsOf(two, [bodyOf(0, [0, 0, 0]), bodyOf(1, [0, 0, 2 - h - lowest], turn)]),
      );
      // B's three faces: 3 h^3 / 2. A's triangle in B: the least of three distances, h sqrt(3) / 9 in the mean.
      const expected = (1.5 * h ** 3 + (Math.sqrt(3) * h ** 3) / 6) / 2;
      // h is rounded to 2^-53 of 2, and the turn to a few of these.
      expect(Math.abs(force[2] - expected)).toBeLessThan((1e-14 / h + 1e-12) * expected);
    }
  });

  it('are one force and torque, exchanged when the bodies are', () => {
    for (const [a, b] of pairsOfKinds) {
      const [one, two] = overlapping(faced, [a, b], 0.1, random);
      const found = sumsOf(contactsOf(faced, [one, two]));
      const other = sumsOf(contactsOf(faced, [two, one]), positionOf(two));
      const size = lengthOf(found.force);
      const told = () => `${a} ${b}: ${JSON.stringify([found, other])}`;
      // Some hundred sums of numbers of size 1, rounded.
      hold(lengthOf(plus(found.force, other.force)) <= 1e-13 + 1e-10 * size, told);
      hold(lengthOf(plus(found.torque, other.torque)) <= 1e-13 + 1e-10 * size, told);
      hold(Math.abs(found.energy - other.energy) <= 1e-13, told);
    }
  });

  it('push B with minus the gradient of their energy, for each pair of kinds', () => {
    const step = 2 ** -20;
    let most = 0;
    for (const [a, b] of pairsOfKinds) {
      for (const depth of [0.01, 0.15]) {
        const [one, two] = overlapping(faced, [a, b], depth, random);
        const energyAt = (way: Vector, turn: Vector, amount: number) => {
          const q = product(turnAbout(turn, amount), turnOf(two));
          const moved = bodyOf(b, plus(positionOf(two), way, amount), lengthOf(turn) > 0 ? q : turnOf(two));
          return sumsOf(contactsOf(faced, [one, moved])).energy;
        };
        const { force, torque } = sumsOf(contactsOf(faced, [one, two]));
        const about = minus(torque, cross(positionOf(two), force));
        const axis = randomPoints(random, 1)[0]!;
        for (const [way, turn, expected] of [
          [axis, [0, 0, 0], dot(axis, force)],
          [[0, 0, 0], axis, dot(axis, about)],
        ] as [Vector, Vector, number][]) {
          const fall = (energyAt(way, turn, -step) - energyAt(way, turn, step)) / (2 * step);
          const off = Math.abs(fall - expected);
          most = Math.max(most, off);
          // The force changes by at most the area of both surfaces inside per length, below 8, where no face lies along
          // an edge's bisector; and energies below 1 are rounded by some 2^-50.
          hold(off <= 8 * step + 2 ** -48 / step, () => `${a} ${b} at ${depth}: ${fall}, not ${expected}`);
        }
      }
    }
    expect(most).toBeGreaterThan(0);
  });

  it('stand where they did after a tiny motion, whichever corner of a cut face is the first', () => {
    const round = new ShapeTable([
      { kind: 'box', halfExtents: [1, 1, 0.1] },
      { kind: 'cylinder', radius: 0.05, halfHeight: 0.08 },
    ]);
    const turn = turnAbout([1, 0.2, 0], 2e-4);
    const at = (depth: number) =>
      contactsOf(round, [bodyOf(0, [0, 0, -0.1]), bodyOf(1, [0, 0, 0.08001 - depth], turn)]);
    for (let i = 0; i < 10; i++) {
      const [one, other] = [at(3e-6 + i * 1e-8), at(3e-6 + i * 1e-8 + 1e-10)];
      expect(one).toHaveLength(3);
      // The patch is 0.1 wide and moves by the depth over the slope, 5e-7.
      one.forEach(({ point }, k) => {
        expect(lengthOf(minus(point, other[k]!.point))).toBeLessThan(1e-5);
      });
    }
  });

  it('fade with the depth of the overlap', () => {
    const surface = shapes.map(([, own]) => areaOf(solidOf(own, [0, 0, 0], [0, 0, 0, 1])));
    for (let i = 0; i < 60; i++) {
      const pair = [i % 5, (i >> 2) % 5] as const;
      const depth = 10 ** -(2 + (i % 12));
      const contacts = contactsOf(table, overlapping(table, pair, depth, random));
      const { force } = sumsOf(contacts);
      // A point of the overlap is within its depth of both surfaces. Depths have rounding of their own.
      const most = ((surface[pair[0]]! + surface[pair[1]]!) / 2) * (depth + 1e-12);
      hold(lengthOf(force) <= most, () => `${pair} at ${depth}: ${force}`);
      const areFinite = contacts.every(({ normal, point, distance, area }) =>
        [...normal, ...point, distance, area].every(Number.isFinite),
      );
      hold(areFinite, () => JSON.stringify(contacts));
    }
  });

  it.each<[string, Vector, Quaternion]>([
    ['touch', [2, 0, 0], [0, 0, 0, 1]],
    ['touch along an edge', [2, 2, 0], [0, 0, 0, 1]],
    ['touch in a corner', [2, 2, 2], [0, 0, 0, 1]],
    ['lie flush', [1.9, 0, 0], [0, 0, 0, 1]],
    ['lie in one place', [0, 0, 0], [0, 0, 0, 1]],
    ['lie in one place, turned by a right angle', [0, 0, 0], [0, 0, Math.SQRT1_2, Math.SQRT1_2]],
  ])('are finite numbers where two cubes %s', (_, position, rotation) => {
    const contacts = contactsOf(new ShapeTable([cube(1)]), [
      bodyOf(0, [0, 0, 0]),
      bodyOf(0, position, rotation),
    ]);
    for (const { normal, point, distance, area } of contacts) {
      for (const x of [...normal, ...point, distance, area]) expect(x).toSatisfy(Number.isFinite);
      expect(lengthOf(normal)).toBeCloseTo(1, 12);
      expect(distance).toBeLessThan(0);
      expect(area).toBeGreaterThan(0);
    }
    if (Math.max(...position) === 2) expect(contacts).toEqual([]);
  });

  it.each([2 ** -20, 2 ** 20])('are the same %s times as large', (scale) => {
    const sized = (factor: number) =>
      new ShapeTable(
        shapes.map(
          ([, own]): ConvexShape => ({ kind: 'polytope', vertices: own.flat().map((x) => factor * x) }),
        ),
      );
    const [near, far] = [sized(1), sized(scale)];
    for (let i = 0; i < 20; i++) {
      const bodies = overlapping(near, [i % 5, (i + 1 + (i >> 2)) % 5], 0.05, random);
      const large = bodies.map((body) => ({
        ...body,
        pose: body.pose.map((x, k) => (k < 3 ? scale * x : x)),
      }));
      const [small, found] = [contactsOf(near, bodies), contactsOf(far, large)];
      expect(small.length).toBe(3);
      expect(found).toEqual(
        small.map((one) => ({
          ...one,
          point: one.point.map((x) => scale * x),
          ...{ distance: scale * one.distance, area: scale ** 2 * one.area },
        })),
      );
    }
  });
});

describe('a meeting of faces', () => {
  const table = new ShapeTable([
    ...facedShapes.map(([, shape]) => shape),
    { kind: 'polytope', vertices: randomPoints(createRandom(8), 16).flat() },
    { kind: 'box', halfExtents: [0.6, 0.6, 0.05] },
  ]);
  const kinds = [0, 2, 3, 6, facedShapes.length, facedShapes.length + 1];

  function asked(bodies: TestBody[], memory?: Uint32Array) {
    const sink = new ContactSink();
    convexContactsOf(table, posedConvex(bodies), { pairs: Uint32Array.of(0, 1), remembered: memory }, sink);
    return contactsIn(sink);
  }

  it('has nothing of pairs before in its row, which is saved', () => {
    const random = createRandom(32);
    const rowOf = (bodies: TestBody[]) => {
      const row = new Uint32Array(REMEMBERED);
      asked(bodies, row);
      return [...row];
    };
    const pairs = Array.from({ length: 60 }, (_, i) =>
      overlapping(table, [kinds[i % 6]!, kinds[Math.floor(i / 6) % 6]!], 10 ** (-3 + 2.3 * random()), random),
    );
    const rows = pairs.map(rowOf);
    expect(new Set(rows.map((row) => row[1]! >>> 8)).size).toBeGreaterThan(4);
    // After other pairs than before.
    for (const i of [...pairs.keys()].reverse()) expect(rowOf(pairs[i]!)).toEqual(rows[i]);
  });

  it('that is kept changes no contact, and is found anew where another face has come in', () => {
    const random = createRandom(31);
    let [kept, changed] = [0, 0];
    for (let i = 0; i < 500; i++) {
      const depth = 10 ** (-3 + 2.3 * random());
      const pair = [kinds[i % 6]!, kinds[Math.floor(i / 6) % 6]!] as const;
      const [one, two] = overlapping(table, pair, depth, random);
      const remembered = new Uint32Array(REMEMBERED);
      asked([one, two], remembered);
      for (let step = 0; step < 6; step++) {
        const amount = 10 ** (-5 + 4.5 * random());
        const [way, about] = randomPoints(random, 2) as [Vector, Vector];
        const turned = product(turnAbout(about, amount), turnOf(two));
        const moved = [one, bodyOf(pair[1], plus(positionOf(two), way, amount), turned)];
        const memory = remembered.slice();
        const [found, expected] = [asked(moved, memory), asked(moved)];
        if (memory[0] === remembered[0] && found.length > 0) {
          if (memory.every((word, k) => word === remembered[k])) kept++;
          else changed++;
        }
        const told = () => `pair ${i}, moved by ${amount}: ${JSON.stringify([found, expected])}`;
        // Bit for bit.
        hold(JSON.stringify(found) === JSON.stringify(expected), told);
      }
    }
    expect(kept).toBeGreaterThan(400);
    expect(changed).toBeGreaterThan(400);
  });
});

describe('three contacts of a shape with faces and a plane', () => {
  it('have the closed forms of a corner and of an edge of a cube', () => {
    const turn = product(turnAbout([1, 0, 0], Math.atan(Math.SQRT2)), turnAbout([0, 0, 1], Math.PI / 4));
    const lowest = Math.min(...corners([1, 1, 1]).map((p) => rotate(turn, p)[2]));
    for (const h of [1e-3, 0.1, 0.3]) {
      // Force on the plane, which is B: downwards.
      const corner = sumsOf(contactsOnPlane(cube(1), [0, 0, -h - lowest], turn));
      expect(-corner.force[2] / (1.5 * h ** 3)).toBeCloseTo(1, 10);
      expect(corner.energy / (0.375 * h ** 4)).toBeCloseTo(1, 10);
      const tilt = turnAbout([0, 1, 0], Math.PI / 4);
      const edge = sumsOf(contactsOnPlane(cube(1), [0, 0, Math.SQRT2 - h], tilt));
      // Two faces of length 2, and the triangles at both ends.
      expect(-edge.force[2] / (2 * Math.SQRT2 * h ** 2 + (2 / 3) * h ** 3)).toBeCloseTo(1, 10);
    }
  });

  it('push with minus the gradient of their energy', () => {
    const random = createRandom(5);
    for (const [name, shape] of facedShapes) {
      if (name === 'capsule') continue;
      const turn = randomTurn(random);
      const step = 2 ** -20;
      const at = (z: number, angle = 0) =>
        sumsOf(contactsOnPlane(shape, [0, 0, z], product(turnAbout([1, 2, 0], angle), turn)), [0, 0, z]);
      const z = 0.15;
      const { force, torque } = at(z);
      const fall = (at(z - step).energy - at(z + step).energy) / (2 * step);
      hold(Math.abs(fall + force[2]) <= 8 * step, () => `${name}: ${fall}, not ${-force[2]}`);
      // On the body acts the opposite of what acts on the plane.
      const spin = (at(z, -step).energy - at(z, step).energy) / (2 * step);
      const expected = -dot(minus(torque, cross([0, 0, z], force)), [1 / Math.sqrt(5), 2 / Math.sqrt(5), 0]);
      hold(Math.abs(spin - expected) <= 8 * step, () => `${name}: ${spin}, not ${expected}`);
    }
  });
});

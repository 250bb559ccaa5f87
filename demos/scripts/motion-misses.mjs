// Random motions of two meshes, by `interpolated` beside `conservative` of meshCollision: of how many the collision is
// missed, late, or told where there is none, beyond the error of interpolation. docs/bounding.md has that error.
//
//     node demos/scripts/motion-misses.mjs [motions, default 100000] [first seed, default 1]
import {
  BoundingTree,
  createRandom,
  extrusion,
  meshCollision,
  meshDistance,
  randomRock,
  TriangleMesh,
} from 'scree';
import { whole } from './arguments.mjs';

const motions = whole('motions', process.argv[2], 100_000);
const firstSeed = whole('first seed', process.argv[3], 1);
/** Of `conservative`, a length: bodies are about 1 large. */
const TOLERANCE = 1e-7;
/** Of bodies that are at rest first: a hair apart, they would slide in steps as short as that. */
const SLIDING = 1e-4;

const square = (x, y) => [
  [-x, -y],
  [x, -y],
  [x, y],
  [-x, y],
];
const star = Array.from({ length: 10 }, (_, k) => {
  const radius = k % 2 === 0 ? 1 : 0.375;
  return [radius * Math.cos((Math.PI * k) / 5), radius * Math.sin((Math.PI * k) / 5)];
});
const angle = [
  [-1, -1],
  [1, -1],
  [1, -0.5],
  [-0.5, -0.5],
  [-0.5, 1],
  [-1, 1],
];
const tetrahedron = new TriangleMesh({
  positions: Float32Array.of(-1, -1, -1, 1, 1, -1, 1, -1, 1, -1, 1, 1),
  indices: Uint32Array.of(0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2),
});
/** Those with edges along axes first. */
const meshes = [
  extrusion({ outline: square(0.5, 0.5), height: 1 }),
  extrusion({ outline: square(1, 1), height: 2 ** -6 }),
  extrusion({ outline: angle, height: 1 }),
  extrusion({ outline: square(0.125, 0.125), height: 2 }),
  tetrahedron,
  extrusion({ outline: star, height: 0.5 }),
  randomRock({ seed: 1, convex: false, triangles: 72 }),
  randomRock({ seed: 2, convex: false, triangles: 32 }),
];
const SQUARE_MESHES = 4;
const trees = meshes.map((mesh) => BoundingTree.create(mesh));

const unit = (vector) => vector.map((x) => x / Math.hypot(...vector));
const times = (q, r) => [
  q[3] * r[0] + q[0] * r[3] + q[1] * r[2] - q[2] * r[1],
  q[3] * r[1] - q[0] * r[2] + q[1] * r[3] + q[2] * r[0],
  q[3] * r[2] + q[0] * r[1] - q[1] * r[0] + q[2] * r[3],
  q[3] * r[3] - q[0] * r[0] - q[1] * r[1] - q[2] * r[2],
];
const turnBy = (radians, axis) => [
  ...unit(axis).map((x) => x * Math.sin(radians / 2)),
  Math.cos(radians / 2),
];
/** Directions to corners, edges and faces of a cube. */
const LATTICE = Array.from({ length: 27 }, (_, i) => [0, 1, 2].map((k) => (Math.floor(i / 3 ** k) % 3) - 1))
  .filter((way) => way.some((x) => x !== 0))
  .map(unit);

/** Kinds of motions: where they begin, how much b turns at most, and whether features are in line. */
const KINDS = [
  { name: 'straight' },
  { name: 'straight, in line', isInLine: true },
  { name: 'turns up to 0.5', turn: 0.5 },
  { name: 'short, turns up to 0.01', start: 'near', turn: 0.01 },
  { name: 'short, turns up to 0.1', start: 'near', turn: 0.1 },
  { name: 'short, turns up to 0.5', start: 'near', turn: 0.5 },
  { name: 'short, in line, turns up to 0.1', start: 'near', isInLine: true, turn: 0.1 },
  { name: 'from rest, straight', start: 'rest' },
  { name: 'from rest, turns up to 0.1', start: 'rest', turn: 0.1 },
  { name: 'from rest, in line, straight', start: 'rest', isInLine: true },
  { name: 'from rest, in line, turns up to 0.1', start: 'rest', isInLine: true, turn: 0.1 },
];

/** A motion of two bodies that do not cross at first; undefined where a draw gives none. */
async function drawMotion({ start = 'far', isInLine = false, turn = 0 }, random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const [a, b] = [0, 1].map(() => pick(isInLine ? trees.slice(0, SQUARE_MESHES) : trees));
  const vector = () => unit([0, 1, 2].map(() => random() + random() + random() - 1.5));
  const anyTurn = () => turnBy(2 * Math.PI * random(), vector());
  const turnA = isInLine ? [0, 0, 0, 1] : anyTurn();
  const turnB = isInLine ? turnBy((Math.floor(random() * 8) * Math.PI) / 4, pick(LATTICE)) : anyTurn();
  const way = isInLine ? pick(LATTICE) : vector();
  const reach = 1.7 * random();
  const beside = isInLine
    ? [0, 1, 2].map(() => (Math.floor(random() * 17) - 8) / 8)
    : vector().map((x) => x * reach);
  const far = a.reach + b.reach;
  const along = (share) => beside.map((x, k) => x + share * way[k]);
  const posesOf = (place, rotation) => Float64Array.of(0, 0, 0, ...turnA, ...place, ...rotation);
  let from = posesOf(along(-far), turnB);
  let end = along(far);
  if ((await meshDistance({ a, b, poses: from })).distance === 0) return undefined;
  if (start !== 'far') {
    // In line bodies touch to rounding, others are a hair apart.
    const options = isInLine ? {} : { method: 'conservative', tolerance: TOLERANCE };
    const met = await meshCollision({ a, b, from, to: posesOf(end, turnB) }, options);
    if (met === undefined) return undefined;
    const share = 2 * far * met.time - far - (start === 'near' ? random() / 4 : 0);
    from = posesOf(along(share), turnB);
    const goes = isInLine && random() < 0.5 ? pick(LATTICE) : vector();
    const goesFar = random() ** 2 / 2;
    end = goes.map((x, k) => from[7 + k] + (start === 'near' ? way[k] / 2 : 0) + goesFar * x);
  }
  const to = posesOf(end, times(turnBy(turn * random(), vector()), turnB));
  return { a, b, from, to };
}

/** Both bodies at a time of a motion. */
function posesAt({ from, to }, time) {
  return [0, 7].flatMap((body) => {
    const [first, last] = [from, to].map((poses) => [...poses.subarray(body, body + 7)]);
    const along = [3, 4, 5, 6].reduce((sum, k) => sum + first[k] * last[k], 0);
    const pose = first.map((x, k) => x + time * ((k > 2 && along < 0 ? -1 : 1) * last[k] - x));
    return [...pose.slice(0, 3), ...unit(pose.slice(3))];
  });
}

/** An eighth of the largest acceleration of a point of one body in the frame of the other: docs/bounding.md. */
function errorOf({ a, b, from, to }) {
  const [p, q] = [0, 7].map((body) => {
    const along = [3, 4, 5, 6].reduce((sum, k) => sum + from[body + k] * to[body + k], 0);
    return 4 * Math.tan(Math.acos(Math.min(1, Math.abs(along))) / 2);
  });
  const [first, last] = [from, to].map((poses) => [0, 1, 2].map((k) => poses[7 + k] - poses[k]));
  const way = Math.hypot(...last.map((x, k) => x - first[k]));
  const far = Math.max(Math.hypot(...first), Math.hypot(...last));
  const turning = (spin) => spin ** 2 + spin ** 3 / 4;
  const inFrame = (own, other, reach) =>
    turning(own) * (far + reach) + 2 * own * (way + other * reach) + turning(other) * reach;
  return Math.max(inFrame(p, q, b.reach), inFrame(q, p, a.reach)) / 8;
}

/** What `interpolated` makes of a motion, beside `conservative`. */
async function judge(motion, tolerance) {
  const { a, b, from, to } = motion;
  const sure = await meshCollision(motion, { method: 'conservative', tolerance });
  const found = await meshCollision(motion);
  if (found !== undefined) {
    const { distance } = await meshDistance({ a, b, poses: posesAt(motion, found.time) });
    if (distance > TOLERANCE) return 'early';
  }
  const time = found?.time ?? Infinity;
  if (sure === undefined) return 'apart';
  if (time <= sure.time + tolerance) return 'met';
  // Late or missed. Bodies that are by a little farther apart, along one of these directions, may meet no earlier: by a
  // component along each of up to three normals.
  for (const [little, verdict] of [
    [4 * tolerance, found ? 'met' : 'passed'],
    [errorOf(motion), 'dipped'],
  ])
    for (const way of [sure.normal.map((x) => -x), ...LATTICE]) {
      const apart = (poses) =>
        poses.map((x, k) => (k > 6 && k < 10 ? x + Math.sqrt(3) * little * way[k - 7] : x));
      const moved = { a, b, from: apart(from), to: apart(to) };
      const other = await meshCollision(moved, { method: 'conservative', tolerance });
      if (other === undefined || other.time >= time) return verdict;
    }
  return found ? 'late' : 'missed';
}

const VERDICTS = ['apart', 'met', 'passed', 'dipped', 'missed', 'late', 'early'];
const counts = KINDS.map(() => new Map(VERDICTS.map((verdict) => [verdict, 0])));
for (let done = 0, seed = firstSeed; done < motions; seed++) {
  const kind = seed % KINDS.length;
  const motion = await drawMotion(KINDS[kind], createRandom(seed));
  if (motion === undefined) continue;
  const verdict = await judge(motion, KINDS[kind].start === 'rest' ? SLIDING : TOLERANCE);
  counts[kind].set(verdict, counts[kind].get(verdict) + 1);
  if (VERDICTS.indexOf(verdict) > 3) console.log(`seed ${seed}: ${verdict}`);
  done++;
}
console.log('| motions | apart | met | touch and part | dip in and out, unseen | missed | late | early |');
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const [kind, { name }] of KINDS.entries())
  console.log(`| ${[name, ...counts[kind].values()].join(' | ')} |`);

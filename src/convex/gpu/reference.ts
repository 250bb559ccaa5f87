// Twins of the kernels that place bodies and sort pairs: shaders/convex/pair/.
import { sizeOf } from 'typegpu/data';
import { LARGEST_SHAPE_SIZE, QUATERNION_NORM_TOLERANCE } from '../constants.ts';
import { POSE_SIZE } from '../shapes/pose.ts';
import { Body } from './layout.ts';
import { placeOf, reachOfPart, type ShapePart, type ShapeParts } from './shape-parts.ts';

type Quaternion = readonly [number, number, number, number];

/** Words of `Body`. */
export const BodyWord = { centre: 0, record: 3, centreRest: 4, reach: 7, quaternion: 8, kind: 12 } as const;
export const BODY_WORDS = sizeOf(Body) / 4;

/** Convex bodies, as `place-bodies.wgsl` writes them; those of bodies of several parts in the order of the bodies. */
export interface PlacedBodies {
  /** `Body` of each convex body. */
  readonly bodies: Float32Array<ArrayBuffer>;
  /** Of each body: its first convex body, and how many it has; none if it is not usable. */
  readonly spans: Uint32Array<ArrayBuffer>;
}

/** Twin of place-bodies.wgsl and part-place.wgsl, in float64. */
export function placeBodies(
  shapes: ShapeParts,
  poses: Float32Array | Float64Array,
  bodies: Uint32Array,
): PlacedBodies {
  const spans = new Uint32Array(2 * bodies.length);
  const placed: Float32Array[] = [];
  bodies.forEach((shape, i) => {
    const pose = poses.subarray(POSE_SIZE * i, POSE_SIZE * (i + 1));
    const count = isUsable(pose) && 2 * shape < shapes.spans.length ? shapes.spans[2 * shape + 1]! : 0;
    spans.set([placed.length, count], 2 * i);
    for (let k = 0; k < count; k++) {
      placed.push(placePart(shapes.parts[shapes.spans[2 * shape]! + k]!, pose));
    }
  });
  const out = new Float32Array(BODY_WORDS * placed.length);
  // As integers: records are kept as bits, which a copy as numbers may change.
  const words = new Uint32Array(out.buffer);
  placed.forEach((body, i) => {
    words.set(new Uint32Array(body.buffer), BODY_WORDS * i);
  });
  return { bodies: out, spans };
}

function isUsable(pose: Float32Array | Float64Array): boolean {
  const q = pose.subarray(3);
  const squared = q[0]! ** 2 + q[1]! ** 2 + q[2]! ** 2 + q[3]! ** 2;
  const isNear = pose.subarray(0, 3).every((x) => Math.abs(x) <= LARGEST_SHAPE_SIZE);
  return isNear && Math.abs(squared - 1) <= 2 * QUATERNION_NORM_TOLERANCE;
}

function placePart(part: ShapePart, pose: Float32Array | Float64Array): Float32Array {
  const body = new Float32Array(BODY_WORDS);
  const words = new Uint32Array(body.buffer);
  words[BodyWord.record] = part.record;
  words[BodyWord.kind] = part.kind;
  const high = Float32Array.from(pose);
  const low = Float32Array.from(pose, (x, i) => x - high[i]!);
  body[BodyWord.reach] = Math.max(...high.subarray(0, 3).map(Math.abs), reachOfPart(part));
  if (placeOf(part) === 0) {
    body.set(high.subarray(0, 3), BodyWord.centre);
    body.set(low.subarray(0, 3), BodyWord.centreRest);
    body.set(high.subarray(3), BodyWord.quaternion);
    return body;
  }
  const sum = (i: number) => high[i]! + low[i]!;
  const q: Quaternion = [sum(6), sum(3), sum(4), sum(5)];
  const back: Quaternion = [q[0], -q[1], -q[2], -q[3]];
  const squared = product(q, back)[0];
  const turned = product(product(q, [0, ...part.centre]), back);
  for (let k = 0; k < 3; k++) {
    const place = low[k]! + high[k]! + turned[k + 1]! / squared;
    body[BodyWord.centre + k] = place;
    body[BodyWord.centreRest + k] = place - Math.fround(place);
  }
  if (part.turn === undefined) {
    body.set(high.subarray(3), BodyWord.quaternion);
  } else {
    const [w, x, y, z] = product(q, part.turn);
    body.set([x, y, z, w], BodyWord.quaternion);
  }
  return body;
}

/** Signs of the product of units i and i ^ k in component k: a bit is set for minus. */
const MINUS = 0x428e;

/** Product of two quaternions w, x, y, z, summed up in the kernel's order. */
function product(a: Quaternion, b: Quaternion): Quaternion {
  const component = (k: number) => {
    let sum = -0;
    for (let i = 0; i < 4; i++) {
      const term = a[i]! * b[i ^ k]!;
      sum += (MINUS >> (4 * k + i)) & 1 ? -term : term;
    }
    return sum;
  };
  return [component(0), component(1), component(2), component(3)];
}

/** Pairs of convex bodies by buckets, as `place-pairs.wgsl` leaves them. */
export interface SortedPairs {
  /** First slot and number of pairs of each bucket; the last one has all. */
  readonly buckets: readonly (readonly [number, number])[];
  /** Convex bodies A and B of each slot, and the place of its results. */
  readonly slots: readonly (readonly [number, number, number])[];
  /** Place of each pair's first result; undefined for a pair without. */
  readonly places: readonly (number | undefined)[];
}

/**
 * Twin of count-pairs.wgsl and place-pairs.wgsl, where there is room for all: a stable sort by the kinds of both
 * records.
 */
export function sortPairs(
  asked: Uint32Array,
  { bodies, spans }: PlacedBodies,
  kinds: readonly number[],
): SortedPairs {
  const words = new Uint32Array(bodies.buffer);
  const kindOf = (body: number) => kinds.indexOf(words[BODY_WORDS * body + BodyWord.kind]!);
  const found: { bucket: number; slot: readonly [number, number, number] }[] = [];
  const places: (number | undefined)[] = [];
  for (let i = 0; i < asked.length; i += 2) {
    const [a, b] = [asked[i]!, asked[i + 1]!];
    const [firstA, firstB] = [spans[2 * a] ?? 0, spans[2 * b] ?? 0];
    const [countA, countB] = [spans[2 * a + 1] ?? 0, spans[2 * b + 1] ?? 0];
    const isUsable = a !== b && countA * countB > 0;
    places.push(isUsable ? found.length : undefined);
    if (!isUsable) continue;
    for (let p = firstA; p < firstA + countA; p++) {
      for (let q = firstB; q < firstB + countB; q++) {
        found.push({ bucket: kinds.length * kindOf(p) + kindOf(q), slot: [p, q, found.length] });
      }
    }
  }
  const sorted = found.toSorted((x, y) => x.bucket - y.bucket);
  const buckets = Array.from({ length: kinds.length ** 2 }, (_, bucket) => {
    const own = sorted.filter((one) => one.bucket === bucket);
    return [sorted.findIndex((one) => one.bucket >= bucket), own.length] as const;
  }).map(([first, count]) => [first < 0 ? sorted.length : first, count] as const);
  return { buckets: [...buckets, [0, sorted.length]], slots: sorted.map(({ slot }) => slot), places };
}

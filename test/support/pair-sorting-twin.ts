// Twins of the kernels that place bodies and sort pairs: shaders/convex/pair/.
import { sizeOf } from 'typegpu/data';
import { quatd, vec3d } from 'wgpu-matrix';
import { LARGEST_SHAPE_SIZE, QUATERNION_NORM_TOLERANCE } from '../../src/convex/constants.ts';
import { Body } from '../../src/convex/gpu/pair-layout.ts';
import { placeOf, reachOfPart, type ShapePart, type ShapeParts } from '../../src/convex/gpu/shape-parts.ts';
import { POSE_SIZE } from '../../src/convex/shapes/pose.ts';

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
  const seen = Float64Array.from(high, (x, i) => x + low[i]!);
  const q = seen.subarray(3);
  const centre = vec3d.add(seen.subarray(0, 3), vec3d.transformQuat(part.centre, quatd.normalize(q)));
  body.set(centre, BodyWord.centre);
  body.set(
    centre.map((x) => x - Math.fround(x)),
    BodyWord.centreRest,
  );
  const isTurned = part.turn !== undefined;
  body.set(isTurned ? quatd.multiply(q, part.turn) : high.subarray(3), BodyWord.quaternion);
  return body;
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

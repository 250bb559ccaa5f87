/** k-DOPs: slabs along k/2 fixed directions (Held et al. 1996). With k = 6 they are axis-aligned boxes. */
import type { DOP_FACES } from '../names.ts';
import { inverseOf, type Placement } from '../pose.ts';
import type { PairBound, VolumeKind } from './volume.ts';

type Direction = readonly [number, number, number];

const FACES: readonly Direction[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const CORNERS: readonly Direction[] = [
  [1, 1, 1],
  [1, 1, -1],
  [1, -1, 1],
  [1, -1, -1],
];
const EDGES: readonly Direction[] = [
  [1, 1, 0],
  [1, -1, 0],
  [1, 0, 1],
  [1, 0, -1],
  [0, 1, 1],
  [0, 1, -1],
];

export type DopSize = 6 | (typeof DOP_FACES)[number];

/** Half of the directions of a k-DOP; the others are their opposites. */
const DIRECTIONS: Readonly<Record<DopSize, readonly Direction[]>> = {
  ...{ 6: FACES, 14: [...FACES, ...CORNERS], 18: [...FACES, ...EDGES], 26: [...FACES, ...EDGES, ...CORNERS] },
};

/** Directions of a k-DOP with shares above 0 whose sum is a vector: `[index, share]`. */
type Sum = readonly (readonly [index: number, share: number])[];

/**
 * A vector as a sum of the directions around it. Supports are sublinear, so the sum of theirs, with the same shares, is
 * not below that of the vector. Directions k/2 and on are the opposites of the first.
 */
export function sumOf(vector: Direction, k: DopSize): Sum {
  const directions = DIRECTIONS[k];
  const order = [0, 1, 2].sort((i, j) => Math.abs(vector[j]!) - Math.abs(vector[i]!)) as [
    number,
    number,
    number,
  ];
  const [x, y, z] = order.map((axis) => Math.abs(vector[axis]!)) as [number, number, number];
  // A direction in the frame where x >= y >= z >= 0.
  const term = (share: number, ...own: readonly number[]): [number, number] => {
    const turned = [0, 0, 0];
    order.forEach((axis, i) => {
      turned[axis] = vector[axis]! < 0 ? -own[i]! : own[i]!;
    });
    const same = (sign: number) =>
      directions.findIndex((one) => one.every((c, i) => c === sign * turned[i]!));
    const index = same(1);
    return [index >= 0 ? index : same(-1) + directions.length, share];
  };
  const terms =
    k === 6
      ? [term(x, 1, 0, 0), term(y, 0, 1, 0), term(z, 0, 0, 1)]
      : k === 14
        ? [term(x - z, 1, 0, 0), term(y - z, 0, 1, 0), term(z, 1, 1, 1)]
        : k === 26
          ? [term(x - y, 1, 0, 0), term(y - z, 1, 1, 0), term(z, 1, 1, 1)]
          : x >= y + z
            ? [term(x - y - z, 1, 0, 0), term(y, 1, 1, 0), term(z, 1, 0, 1)]
            : [
                term((x + y - z) / 2, 1, 1, 0),
                term((x + z - y) / 2, 1, 0, 1),
                term((y + z - x) / 2, 0, 1, 1),
              ];
  return terms;
}

/** Numbers per direction in the table of a placement: shares, length, shift; and indices, then of the opposites. */
const SHARES = 5;
const TERMS = 6;

/** What projections of one k-DOP on the directions of the other need. */
interface Table {
  readonly shares: Float64Array;
  readonly terms: Uint8Array;
}

function tableOf(k: DopSize, { turn, shift }: Placement): Table {
  const directions = DIRECTIONS[k];
  const half = directions.length;
  const shares = new Float64Array(SHARES * half);
  const terms = new Uint8Array(TERMS * half);
  directions.forEach(([x, y, z], i) => {
    const local = [0, 1, 2].map((j) => x * turn[j]! + y * turn[3 + j]! + z * turn[6 + j]!);
    sumOf(local as unknown as Direction, k).forEach(([index, share], n) => {
      shares[SHARES * i + n] = share;
      terms[TERMS * i + n] = index;
      terms[TERMS * i + 3 + n] = (index + half) % k;
    });
    shares[SHARES * i + 3] = 1 / Math.sqrt(x * x + y * y + z * z);
    shares[SHARES * i + 4] = x * shift[0]! + y * shift[1]! + z * shift[2]!;
  });
  return { shares, terms };
}

/** Supports along each direction, then along its opposite. */
export function kDops(k: DopSize): VolumeKind {
  const directions = DIRECTIONS[k];
  const half = directions.length;
  const flat = Float64Array.from(directions.flat());

  /** The largest gap along the directions of the first, or that of the boxes along its axes. */
  const gapAlong =
    (first: Float64Array, second: Float64Array, { shares, terms }: Table): PairBound =>
    (one, other, enough) => {
      const i = k * one;
      const j = k * other;
      let most = -Infinity;
      let square = 0;
      for (let d = 0; d < half; d++) {
        const s = SHARES * d;
        const t = TERMS * d;
        const u = shares[s]!;
        const v = shares[s + 1]!;
        const w = shares[s + 2]!;
        const high =
          u * second[j + terms[t]!]! + v * second[j + terms[t + 1]!]! + w * second[j + terms[t + 2]!]!;
        const low =
          u * second[j + terms[t + 3]!]! + v * second[j + terms[t + 4]!]! + w * second[j + terms[t + 5]!]!;
        const shift = shares[s + 4]!;
        const gap =
          Math.max(shift - low - first[i + d]!, -shift - high - first[i + half + d]!) * shares[s + 3]!;
        if (gap > most) most = gap;
        if (gap >= enough) return gap;
        if (d < 3 && gap > 0) square += gap * gap;
      }
      // Gaps along axes at right angles add up.
      return square > 0 ? Math.max(most, Math.sqrt(square)) : most;
    };

  return {
    width: k,

    fitter:
      ({ first, count, second }, { points, starts }, values) =>
      (node) => {
        const at = k * node;
        if (second[node] !== 0) {
          const other = k * second[node]!;
          for (let d = 0; d < k; d++) values[at + d] = Math.max(values[at + k + d]!, values[other + d]!);
          return;
        }
        const begin = 3 * starts[first[node]!]!;
        const end = 3 * starts[first[node]! + count[node]!]!;
        for (let d = 0; d < half; d++) {
          const x = flat[3 * d]!;
          const y = flat[3 * d + 1]!;
          const z = flat[3 * d + 2]!;
          let low = Infinity;
          let high = -Infinity;
          for (let p = begin; p < end; p += 3) {
            const along = x * points[p]! + y * points[p + 1]! + z * points[p + 2]!;
            if (along < low) low = along;
            if (along > high) high = along;
          }
          values[at + d] = high;
          values[at + half + d] = -low;
        }
      },

    sizeOf(values, node) {
      const at = k * node;
      const x = values[at]! + values[at + half]!;
      const y = values[at + 1]! + values[at + half + 1]!;
      const z = values[at + 2]! + values[at + half + 2]!;
      return Math.sqrt(x * x + y * y + z * z) / 2;
    },

    bound(a, b, placement, error) {
      const alongA = gapAlong(a, b, tableOf(k, placement));
      const alongB = gapAlong(b, a, tableOf(k, inverseOf(placement)));
      return (nodeA, nodeB, enough) => {
        const most = alongA(nodeA, nodeB, enough + error);
        return (most >= enough + error ? most : Math.max(most, alongB(nodeB, nodeA, enough + error))) - error;
      };
    },
  };
}

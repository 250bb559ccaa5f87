/**
 * Clusters as the kernel reads them: in the unit frame, centres in two parts, each cluster's moments in units of its
 * size, and what their float32 sum may lose. Derived in docs/multipole.md, "Float32".
 */
import { sizeOf } from 'typegpu/data';
import { FLOAT32_SPACING } from '../../constants.ts';
import { CLUSTER_RATIO } from '../multipole/constants.ts';
import {
  doubleFactorial,
  largestOnSphere,
  POLYNOMIAL_STARTS,
  polynomialSize,
} from '../multipole/polynomials.ts';
import { LEAST_LENGTH_32 } from '../potential/constants.ts';
import { float32Above } from '../potential/unit-frame.ts';
import { KernelCluster } from './cluster-layout.ts';
import { CLUSTER_DEGREE, MOMENT_SIZE, PLACE_SIZE } from './cluster-moments.ts';
import type { ClusterTable } from './cluster-tree.ts';

/** Quads of a cluster's moments; `MOMENT_QUADS` in the WGSL. */
const MOMENT_QUADS = Math.ceil(MOMENT_SIZE / 4);
const CLUSTER_WORDS = sizeOf(KernelCluster) / 4;
/** By what bounds are raised that a few dozen float32 roundings must not undercut. */
const SLACK = 1 + 2 ** -18;
/** Where a centre is off by a larger part of the least distance, the series is never used. */
const MOST_SHIFT = 2 ** -6;
/** A square that no distance reaches. */
const NEVER = 2 ** 100;
/** By what gradients grow where a centre is off by that part: (1 - MOST_SHIFT)^-(CLUSTER_DEGREE + 2), and some. */
const GRADIENT_GROWTH = 1.2;

/**
 * The sum of the absolute values of a harmonic polynomial's terms on the unit sphere, over the largest value that it
 * may have there: by the Cauchy-Schwarz inequality, with the factorials of the exponents as weights.
 */
const SPREADS = [1, 2, 3, 4].map((n) =>
  Math.sqrt(doubleFactorial(2 * n - 1) / (doubleFactorial(n) * doubleFactorial(n - 1))),
);

/** Spacings that a term of degree n may lose in the kernel, of its size: see docs/multipole.md. */
export function seriesRounding(n: number): number {
  return 0.5 + 8.5 * n + n + (polynomialSize(n) - 1) + 6.5 * (n - 1) + (CLUSTER_DEGREE - 1) + 13;
}

export interface KernelTables {
  /** `KernelCluster` each. */
  readonly clusters: Uint32Array<ArrayBuffer>;
  readonly moments: Float32Array<ArrayBuffer>;
}

/** @param unit scale of the unit frame */
export function packClusters(
  { places, moments, next, firsts, lasts }: ClusterTable,
  unit: number,
): KernelTables {
  const count = next.length;
  const words = new Uint32Array(CLUSTER_WORDS * count);
  const floats = new Float32Array(words.buffer);
  const packed = new Float32Array(4 * MOMENT_QUADS * count);
  const sizes = new Float64Array(CLUSTER_DEGREE);
  for (let c = 0; c < count; c++) {
    const at = CLUSTER_WORDS * c;
    const place = PLACE_SIZE * c;
    let shift = 0;
    for (let k = 0; k < 3; k++) {
      const x = places[place + k]! * unit;
      const high = Math.fround(x);
      const low = Math.fround(x - high);
      floats[at + k] = high;
      floats[at + 4 + k] = low;
      // What two parts leave of the centre, and what the difference of the first one and a point loses of the second.
      shift += (Math.abs(x - high - low) + FLOAT32_SPACING * Math.abs(low)) ** 2;
    }
    shift = Math.sqrt(shift) * SLACK;
    const radius = Math.max(Math.sqrt(places[place + 3]!) * unit, LEAST_LENGTH_32) * SLACK;
    const least = radius / CLUSTER_RATIO;
    const scale = 2 ** Math.ceil(Math.log2(radius));
    const moved = shift / least;
    const nearest = (scale / least) * SLACK;
    for (let n = 1; n <= CLUSTER_DEGREE; n++) {
      const factor = (unit / scale) ** (n + 1);
      const start = POLYNOMIAL_STARTS[n]!;
      const from = MOMENT_SIZE * c + start;
      const into = 4 * MOMENT_QUADS * c + start;
      for (let i = 0; i < polynomialSize(n); i++) packed[into + i] = moments[from + i]! * factor;
      const rounding = FLOAT32_SPACING * seriesRounding(n) * SPREADS[n - 1]! * SLACK;
      const gradient = GRADIENT_GROWTH * (2 * n + 1) * (shift / scale) * nearest;
      sizes[n - 1] = largestOnSphere(n, moments, from) * factor * (rounding + gradient);
    }
    let others = 0;
    for (let n = CLUSTER_DEGREE; n >= 2; n--) others = others * nearest + sizes[n - 1]!;
    floats[at + 3] = scale;
    floats[at + 7] = float32Above((radius / scale / (1 - moved)) * SLACK);
    for (let n = CLUSTER_DEGREE + 1; n <= CLUSTER_DEGREE + 3; n++) {
      const norm = places[place + n - 1]! * (unit / scale) ** (n + 1);
      floats[at + 3 + n] = float32Above((norm / (1 - moved) ** (n + 1)) * SLACK);
    }
    floats[at + 11] = moved < MOST_SHIFT ? float32Above(least * least * SLACK ** 4) : NEVER;
    floats[at + 12] = float32Above(sizes[0]!);
    floats[at + 13] = float32Above(others);
    const isLeaf = next[c] === c + 1;
    words[at + 14] = isLeaf ? firsts[c]! : next[c]!;
    words[at + 15] = isLeaf ? lasts[c]! : 0;
  }
  return { clusters: words, moments: packed };
}

/** Boxes along the principal axes of what they hold (Gottschalk, Lin, Manocha 1996). */
import { axesOfPoints } from './point-axes.ts';
import type { FitPart, VolumeKind } from './volume.ts';

/** Middle, three axes one after the other, half edges. */
const WIDTH = 15;
/** Edges whose angle has a lesser squared sine bound nothing that normals do not, and rounding more. */
const LEAST_SQUARED_SINE = 1 / 64;
/** Half edges are rounded up: they are a difference of projections, halved. */
const UPWARDS = 2 ** -48;

/** Of Jacobi's method. Any axes bound what boxes hold, so they need not be exact: 3 boxes in 2,007 grow by over 1 %. */
const SWEEPS = 3;
/** Corners, at most, that tell axes: searches visit no more pairs than by all of them. */
const ASKED = 512;
/** As columns. */
const axes = new Float64Array(9);
const mean = new Float64Array(3);
/** Least coordinates along each axis, then greatest ones. */
const spans = new Float64Array(6);

/** The spans of corners along the axes. */
function spanCorners(corners: Float32Array, begin: number, end: number): void {
  const ux = axes[0]!;
  const vx = axes[1]!;
  const wx = axes[2]!;
  const uy = axes[3]!;
  const vy = axes[4]!;
  const wy = axes[5]!;
  const uz = axes[6]!;
  const vz = axes[7]!;
  const wz = axes[8]!;
  let minU = Infinity;
  let minV = Infinity;
  let minW = Infinity;
  let maxU = -Infinity;
  let maxV = -Infinity;
  let maxW = -Infinity;
  for (let c = 9 * begin; c < 9 * end; c += 3) {
    const x = corners[c]!;
    const y = corners[c + 1]!;
    const z = corners[c + 2]!;
    const u = ux * x + uy * y + uz * z;
    const v = vx * x + vy * y + vz * z;
    const w = wx * x + wy * y + wz * z;
    if (u < minU) minU = u;
    if (v < minV) minV = v;
    if (w < minW) minW = w;
    if (u > maxU) maxU = u;
    if (v > maxV) maxV = v;
    if (w > maxW) maxW = w;
  }
  spans[0] = minU;
  spans[1] = minV;
  spans[2] = minW;
  spans[3] = maxU;
  spans[4] = maxV;
  spans[5] = maxW;
}

export const orientedBoxes: VolumeKind = {
  width: WIDTH,

  fit({ corners, begin, end, node, values }: FitPart): void {
    axesOfPoints(corners, 3 * begin, 3 * end, axes, mean, SWEEPS, Math.ceil((3 * (end - begin)) / ASKED));
    spanCorners(corners, begin, end);
    const at = WIDTH * node;
    for (let i = 0; i < 3; i++) {
      const x = axes[i]!;
      const y = axes[3 + i]!;
      const z = axes[6 + i]!;
      const low = spans[i]!;
      const high = spans[3 + i]!;
      const middle = (low + high) / 2;
      values[at]! += middle * x;
      values[at + 1]! += middle * y;
      values[at + 2]! += middle * z;
      values[at + 3 + 3 * i] = x;
      values[at + 4 + 3 * i] = y;
      values[at + 5 + 3 * i] = z;
      values[at + 12 + i] = (high - low) / 2 + UPWARDS * (Math.abs(high) + Math.abs(low));
    }
  },

  sizeOf(values, node) {
    const x = values[WIDTH * node + 12]!;
    const y = values[WIDTH * node + 13]!;
    const z = values[WIDTH * node + 14]!;
    return Math.sqrt(x * x + y * y + z * z);
  },

  bound(a, b, { turn, shift }, error) {
    const cosines = new Float64Array(9);
    const between = new Float64Array(3);
    const turned = new Float64Array(12);
    return (nodeA, nodeB, enough) => {
      const limit = enough + error;
      const i = WIDTH * nodeA;
      const j = WIDTH * nodeB;
      // Middle and axes of b in the frame of a.
      for (let v = 0; v < 12; v += 3) {
        const x = b[j + v]!;
        const y = b[j + v + 1]!;
        const z = b[j + v + 2]!;
        for (let k = 0; k < 3; k++) {
          turned[v + k] = turn[3 * k]! * x + turn[3 * k + 1]! * y + turn[3 * k + 2]! * z;
        }
      }
      const dx = turned[0]! + shift[0]! - a[i]!;
      const dy = turned[1]! + shift[1]! - a[i + 1]!;
      const dz = turned[2]! + shift[2]! - a[i + 2]!;
      for (let k = 0; k < 3; k++) {
        const x = a[i + 3 + 3 * k]!;
        const y = a[i + 4 + 3 * k]!;
        const z = a[i + 5 + 3 * k]!;
        between[k] = x * dx + y * dy + z * dz;
        for (let l = 0; l < 3; l++) {
          const m = 3 + 3 * l;
          cosines[3 * k + l] = x * turned[m]! + y * turned[m + 1]! + z * turned[m + 2]!;
        }
      }
      let most = -Infinity;
      let square = 0;
      for (let k = 0; k < 3; k++) {
        let gap = Math.abs(between[k]!) - a[i + 12 + k]!;
        for (let l = 0; l < 3; l++) gap -= b[j + 12 + l]! * Math.abs(cosines[3 * k + l]!);
        if (gap > most) most = gap;
        if (gap > 0) square += gap * gap;
      }
      // Gaps along axes at right angles add up.
      if (square > 0) most = Math.sqrt(square);
      if (most >= limit) return most - error;
      for (let l = 0; l < 3; l++) {
        const own = between[0]! * cosines[l]! + between[1]! * cosines[3 + l]! + between[2]! * cosines[6 + l]!;
        let gap = Math.abs(own) - b[j + 12 + l]!;
        for (let k = 0; k < 3; k++) gap -= a[i + 12 + k]! * Math.abs(cosines[3 * k + l]!);
        if (gap > most) most = gap;
      }
      if (most >= limit) return most - error;
      for (let k = 0; k < 3; k++) {
        const k1 = (k + 1) % 3;
        const k2 = (k + 2) % 3;
        for (let l = 0; l < 3; l++) {
          const l1 = (l + 1) % 3;
          const l2 = (l + 2) % 3;
          const c1 = cosines[3 * k + l1]!;
          const c2 = cosines[3 * k + l2]!;
          const sine = c1 * c1 + c2 * c2;
          if (sine < LEAST_SQUARED_SINE) continue;
          const gap =
            Math.abs(between[k2]! * cosines[3 * k1 + l]! - between[k1]! * cosines[3 * k2 + l]!) -
            a[i + 12 + k1]! * Math.abs(cosines[3 * k2 + l]!) -
            a[i + 12 + k2]! * Math.abs(cosines[3 * k1 + l]!) -
            b[j + 12 + l1]! * Math.abs(c2) -
            b[j + 12 + l2]! * Math.abs(c1);
          const length = Math.sqrt(sine);
          if (gap > most * length) most = gap / length;
        }
      }
      return most - error;
    };
  },
};

/** Boxes along the principal axes of what they hold (Gottschalk, Lin, Manocha 1996). */
import { axesOfMoments, MOMENTS, writeMoments } from './point-axes.ts';
import type { BareTree, LeafPoints, VolumeKind } from './volume.ts';

/** Middle, three axes one after the other, half edges. */
const WIDTH = 15;
/** Edges whose angle has a lesser squared sine bound nothing that normals do not, and rounding more. */
const LEAST_SQUARED_SINE = 1 / 64;
/** Half edges are rounded up: they are a difference of projections, halved. */
const UPWARDS = 2 ** -48;

/** Of Jacobi's method. Any axes bound what boxes hold, so they need not be exact: 3 boxes in 2,007 grow by over 1 %. */
const SWEEPS = 3;
/**
 * What rounding may hide of how far a box reaches, relative to its middle's coordinates and half edges: of a projection
 * 5 u = 5 * 2^-53, of its half edges' 8 u, of axes that nine turns leave at right angles but for 36 u.
 */
const REACH_ERROR = 2 ** -46;

/** As columns. */
const axes = new Float64Array(9);
/** Least coordinates along each axis, then greatest ones. */
const spans = new Float64Array(6);

/** Boxes of a tree's nodes. */
class BoxFitter {
  readonly #tree: BareTree;
  readonly #values: Float64Array;
  readonly #points: Float32Array;
  readonly #starts: Uint32Array;
  /**
   * `[nodes * MOMENTS]`: of the corners of their triangles. A leaf counts each place once, a node above weighs its
   * children by their triangles.
   */
  readonly #moments: Float64Array;
  /** Nodes that are still to be looked at. */
  readonly #open: number[] = [];

  constructor(tree: BareTree, { points, starts }: LeafPoints, values: Float64Array) {
    this.#tree = tree;
    this.#values = values;
    this.#points = points;
    this.#starts = starts;
    this.#moments = new Float64Array(MOMENTS * tree.nodes);
  }

  fit(node: number): void {
    const { second } = this.#tree;
    const values = this.#values;
    if (second[node] === 0) this.#sumCorners(node);
    else this.#addChildren(node);
    axesOfMoments(this.#moments, MOMENTS * node, axes, SWEEPS);
    for (let i = 0; i < 3; i++) {
      spans[i] = Infinity;
      spans[3 + i] = -Infinity;
    }
    if (second[node] === 0) this.#spanCorners(node);
    else this.#spanBoxes(node);
    const at = WIDTH * node;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let i = 0; i < 3; i++) {
      const low = spans[i]!;
      const high = spans[3 + i]!;
      const middle = (low + high) / 2;
      const ux = axes[i]!;
      const uy = axes[3 + i]!;
      const uz = axes[6 + i]!;
      x += middle * ux;
      y += middle * uy;
      z += middle * uz;
      values[at + 3 + 3 * i] = ux;
      values[at + 4 + 3 * i] = uy;
      values[at + 5 + 3 * i] = uz;
      values[at + 12 + i] = (high - low) / 2 + UPWARDS * (Math.abs(high) + Math.abs(low));
    }
    values[at] = x;
    values[at + 1] = y;
    values[at + 2] = z;
  }

  #sumCorners(node: number): void {
    const { first, count } = this.#tree;
    const points = this.#points;
    const starts = this.#starts;
    const end = starts[first[node]! + count[node]!]!;
    writeMoments(points, starts[first[node]!]!, end, this.#moments, MOMENTS * node);
  }

  /** Moments of both children together (Chan, Golub, LeVeque 1979), weighed by their triangles. */
  #addChildren(node: number): void {
    const { second, count } = this.#tree;
    const moments = this.#moments;
    const to = MOMENTS * node;
    const a = to + MOMENTS;
    const b = MOMENTS * second[node]!;
    const share = count[second[node]!]! / count[node]!;
    const dx = moments[b]! - moments[a]!;
    const dy = moments[b + 1]! - moments[a + 1]!;
    const dz = moments[b + 2]! - moments[a + 2]!;
    const weight = 3 * share * count[node + 1]!;
    moments[to] = moments[a]! + share * dx;
    moments[to + 1] = moments[a + 1]! + share * dy;
    moments[to + 2] = moments[a + 2]! + share * dz;
    moments[to + 3] = moments[a + 3]! + moments[b + 3]! + weight * dx * dx;
    moments[to + 4] = moments[a + 4]! + moments[b + 4]! + weight * dy * dy;
    moments[to + 5] = moments[a + 5]! + moments[b + 5]! + weight * dz * dz;
    moments[to + 6] = moments[a + 6]! + moments[b + 6]! + weight * dx * dy;
    moments[to + 7] = moments[a + 7]! + moments[b + 7]! + weight * dy * dz;
    moments[to + 8] = moments[a + 8]! + moments[b + 8]! + weight * dz * dx;
  }

  /** Widens spans to the corners of a node. */
  #spanCorners(node: number): void {
    const { first, count } = this.#tree;
    const points = this.#points;
    const starts = this.#starts;
    const ux = axes[0]!;
    const vx = axes[1]!;
    const wx = axes[2]!;
    const uy = axes[3]!;
    const vy = axes[4]!;
    const wy = axes[5]!;
    const uz = axes[6]!;
    const vz = axes[7]!;
    const wz = axes[8]!;
    let minU = spans[0]!;
    let minV = spans[1]!;
    let minW = spans[2]!;
    let maxU = spans[3]!;
    let maxV = spans[4]!;
    let maxW = spans[5]!;
    const end = 3 * starts[first[node]! + count[node]!]!;
    for (let p = 3 * starts[first[node]!]!; p < end; p += 3) {
      const x = points[p]!;
      const y = points[p + 1]!;
      const z = points[p + 2]!;
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

  /** Spans of all corners of a node: those in boxes that reach no farther than what was found are passed over. */
  #spanBoxes(node: number): void {
    const { second } = this.#tree;
    const open = this.#open;
    open.push(second[node]!, node + 1);
    while (open.length > 0) {
      const part = open.pop()!;
      if (!this.#reachesOut(part)) continue;
      if (second[part] === 0) this.#spanCorners(part);
      else open.push(second[part]!, part + 1);
    }
  }

  /** Whether a box reaches out of the spans. */
  #reachesOut(part: number): boolean {
    const values = this.#values;
    const at = WIDTH * part;
    const x = values[at]!;
    const y = values[at + 1]!;
    const z = values[at + 2]!;
    const halfEdges = values[at + 12]! + values[at + 13]! + values[at + 14]!;
    const error = REACH_ERROR * (Math.abs(x) + Math.abs(y) + Math.abs(z) + halfEdges);
    for (let i = 0; i < 3; i++) {
      const ux = axes[i]!;
      const uy = axes[3 + i]!;
      const uz = axes[6 + i]!;
      const middle = ux * x + uy * y + uz * z;
      const reach =
        error +
        values[at + 12]! * Math.abs(ux * values[at + 3]! + uy * values[at + 4]! + uz * values[at + 5]!) +
        values[at + 13]! * Math.abs(ux * values[at + 6]! + uy * values[at + 7]! + uz * values[at + 8]!) +
        values[at + 14]! * Math.abs(ux * values[at + 9]! + uy * values[at + 10]! + uz * values[at + 11]!);
      if (middle - reach < spans[i]! || middle + reach > spans[3 + i]!) return true;
    }
    return false;
  }
}

export const orientedBoxes: VolumeKind = {
  width: WIDTH,

  fitter(tree, leaves, values) {
    const boxes = new BoxFitter(tree, leaves, values);
    return (node) => boxes.fit(node);
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

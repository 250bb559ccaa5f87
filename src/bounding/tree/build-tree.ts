/**
 * A binary tree over the triangles of a mesh, from the top down (Lennerz, Schömer, Warken, section 2.2): a node's
 * triangles are parted by the plane through the mean of their reference points, the middles of their corners, across
 * one of the principal axes of these points. Of the three axes it is the one whose two parts have the least sum of
 * volumes: of balls around them, whatever volumes the tree gets. So trees of all volumes have the same nodes.
 */
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { axesOfMoments, MOMENTS, writeLongestAxis, writeMoments } from './point-axes.ts';
import type { BareTree, LeafPoints, VolumeKind } from './volume.ts';

/** Triangles per leaf, at most. */
export const LEAF = 12;
/**
 * Points, at most, that tell the volumes of a node's parts: more of them choose the same axis. Smaller nodes are parted
 * across the axis along which their points are spread the most, as balls around halves of what is longest are least.
 */
const JUDGED = 64;
/** Of Jacobi's method: axes need not be exact. */
const SWEEPS = 2;

export interface TreeArrays extends BareTree {
  /** `[triangles]`: the triangle of the mesh at each place. */
  readonly triangles: Uint32Array;
  /** `[nodes * width]` */
  readonly values: Float64Array;
}

export function buildTree(mesh: TriangleMesh, volumes: VolumeKind): TreeArrays {
  const parting = new Parting(mesh);
  parting.build(0, mesh.triangleCount);
  const { nodes, triangles } = parting;
  const tree: BareTree = {
    nodes,
    second: parting.second.slice(0, nodes),
    first: parting.first.slice(0, nodes),
    count: parting.count.slice(0, nodes),
    corners: new Float32Array(9 * mesh.triangleCount),
  };
  const leaves = collectCorners(mesh, triangles, tree);
  const values = new Float64Array(nodes * volumes.width);
  const writeVolume = volumes.fitter(tree, leaves, values);
  // Children come behind their node: their volumes are written before it.
  for (let node = nodes - 1; node >= 0; node--) writeVolume(node);
  return { ...tree, triangles, values };
}

/** Writes the corners of triangles, and collects those of leaves: most belong to several triangles. */
function collectCorners(mesh: TriangleMesh, triangles: Uint32Array, tree: BareTree): LeafPoints {
  const { positions, indices, vertexCount } = mesh;
  const { nodes, second, first, count, corners } = tree;
  const points = new Float32Array(corners.length);
  const starts = new Uint32Array(triangles.length + 1);
  /** The leaf that a vertex was collected for last, and 1. */
  const lastLeaf = new Uint32Array(vertexCount);
  let corner = 0;
  let point = 0;
  for (let node = 0; node < nodes; node++) {
    if (second[node] !== 0) continue;
    starts[first[node]!] = point / 3;
    const end = first[node]! + count[node]!;
    for (let place = first[node]!; place < end; place++) {
      for (let i = 3 * triangles[place]!; i < 3 * triangles[place]! + 3; i++) {
        const vertex = indices[i]!;
        const x = positions[3 * vertex]!;
        const y = positions[3 * vertex + 1]!;
        const z = positions[3 * vertex + 2]!;
        corners[corner++] = x;
        corners[corner++] = y;
        corners[corner++] = z;
        if (lastLeaf[vertex] === node + 1) continue;
        lastLeaf[vertex] = node + 1;
        points[point++] = x;
        points[point++] = y;
        points[point++] = z;
      }
    }
  }
  starts[triangles.length] = point / 3;
  return { points, starts };
}

/** Triangles with their reference points, and the nodes that they are parted into. */
class Parting {
  readonly triangles: Uint32Array;
  /** Those made so far, with room for a triangle in each leaf. */
  nodes = 0;
  readonly second: Uint32Array;
  readonly first: Uint32Array;
  readonly count: Uint32Array;
  /** Three times the middles of corners, by place. */
  readonly #points: Float64Array;
  readonly #moments = new Float64Array(MOMENTS);
  /** Principal axes, as columns. */
  readonly #axes = new Float64Array(9);
  /** The one to part across. */
  readonly #axis = new Float64Array(3);
  /** `[axis * 12 + side * 6]`: least and greatest coordinates along the axes of the points on a side of a plane. */
  readonly #boxes = new Float64Array(36);

  constructor({ positions, indices, triangleCount }: TriangleMesh) {
    const most = 2 * triangleCount - 1;
    this.second = new Uint32Array(most);
    this.first = new Uint32Array(most);
    this.count = new Uint32Array(most);
    this.triangles = new Uint32Array(triangleCount);
    const points = new Float64Array(3 * triangleCount);
    this.#points = points;
    for (let t = 0; t < triangleCount; t++) {
      this.triangles[t] = t;
      const a = 3 * indices[3 * t]!;
      const b = 3 * indices[3 * t + 1]!;
      const c = 3 * indices[3 * t + 2]!;
      points[3 * t] = positions[a]! + positions[b]! + positions[c]!;
      points[3 * t + 1] = positions[a + 1]! + positions[b + 1]! + positions[c + 1]!;
      points[3 * t + 2] = positions[a + 2]! + positions[b + 2]! + positions[c + 2]!;
    }
  }

  /** Makes the node of the triangles at some places, and those below it; returns its number. */
  build(begin: number, end: number): number {
    const node = this.nodes++;
    this.first[node] = begin;
    this.count[node] = end - begin;
    if (end - begin > LEAF) {
      const middle = this.#part(begin, end);
      this.build(begin, middle);
      this.second[node] = this.build(middle, end);
    }
    return node;
  }

  /** Orders triangles by the side of the plane that they are on; returns where the second side begins. */
  #part(begin: number, end: number): number {
    const axis = this.#axis;
    writeMoments(this.#points, begin, end, this.#moments, 0);
    if (end - begin > JUDGED) this.#chooseAxis(begin, end);
    else writeLongestAxis(this.#moments, 0, axis);
    const points = this.#points;
    const triangles = this.triangles;
    const x = axis[0]!;
    const y = axis[1]!;
    const z = axis[2]!;
    const plane = x * this.#moments[0]! + y * this.#moments[1]! + z * this.#moments[2]!;
    let low = begin;
    let high = end - 1;
    while (low <= high) {
      const p = 3 * low;
      if (x * points[p]! + y * points[p + 1]! + z * points[p + 2]! < plane) low++;
      else {
        const q = 3 * high;
        const other = triangles[high]!;
        triangles[high] = triangles[low]!;
        triangles[low] = other;
        for (let k = 0; k < 3; k++) {
          const coordinate = points[p + k]!;
          points[p + k] = points[q + k]!;
          points[q + k] = coordinate;
        }
        high--;
      }
    }
    // Points that are all on one side are one point, but for rounding.
    return low > begin && low < end ? low : (begin + end) >> 1;
  }

  #chooseAxis(begin: number, end: number): void {
    const axes = this.#axes;
    axesOfMoments(this.#moments, 0, axes, SWEEPS);
    const points = this.#points;
    const boxes = this.#boxes;
    const mx = this.#moments[0]!;
    const my = this.#moments[1]!;
    const mz = this.#moments[2]!;
    for (let i = 0; i < 36; i += 6) {
      boxes[i] = boxes[i + 1] = boxes[i + 2] = Infinity;
      boxes[i + 3] = boxes[i + 4] = boxes[i + 5] = -Infinity;
    }
    const step = 3 * Math.ceil((end - begin) / JUDGED);
    for (let p = 3 * begin; p < 3 * end; p += step) {
      const dx = points[p]! - mx;
      const dy = points[p + 1]! - my;
      const dz = points[p + 2]! - mz;
      const u = axes[0]! * dx + axes[3]! * dy + axes[6]! * dz;
      const v = axes[1]! * dx + axes[4]! * dy + axes[7]! * dz;
      const w = axes[2]! * dx + axes[5]! * dy + axes[8]! * dz;
      grow(boxes, u < 0 ? 0 : 6, u, v, w);
      grow(boxes, v < 0 ? 12 : 18, u, v, w);
      grow(boxes, w < 0 ? 24 : 30, u, v, w);
    }
    let chosen = 0;
    let least = Infinity;
    for (let axis = 0; axis < 3; axis++) {
      const sum = volume(boxes, 12 * axis) + volume(boxes, 12 * axis + 6);
      if (sum >= least) continue;
      chosen = axis;
      least = sum;
    }
    for (let k = 0; k < 3; k++) this.#axis[k] = axes[3 * k + chosen]!;
  }
}

function grow(boxes: Float64Array, at: number, u: number, v: number, w: number): void {
  if (u < boxes[at]!) boxes[at] = u;
  if (v < boxes[at + 1]!) boxes[at + 1] = v;
  if (w < boxes[at + 2]!) boxes[at + 2] = w;
  if (u > boxes[at + 3]!) boxes[at + 3] = u;
  if (v > boxes[at + 4]!) boxes[at + 4] = v;
  if (w > boxes[at + 5]!) boxes[at + 5] = w;
}

function volume(boxes: Float64Array, at: number): number {
  if (boxes[at]! > boxes[at + 3]!) return 0;
  const x = boxes[at + 3]! - boxes[at]!;
  const y = boxes[at + 4]! - boxes[at + 1]!;
  const z = boxes[at + 5]! - boxes[at + 2]!;
  const square = x * x + y * y + z * z;
  return square * Math.sqrt(square);
}

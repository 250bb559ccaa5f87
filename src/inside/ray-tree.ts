/**
 * Boxes in boxes over the triangles of a mesh, for rays along one axis: which triangles a ray may pass depends on where
 * they are, not on their order in the file. Halves are parted at the median of the middles, along the axis on which
 * these reach farthest, down to a few triangles. A node is parted when a ray first passes it: few points take little
 * more than a look at all triangles. Trees of contacts (`contacts/surface/triangle-tree.ts`) are whole from the start,
 * saved with a body and read by kernels.
 */
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';

/** Triangles per leaf. */
const LEAF = 4;

export class RayTree {
  readonly #mesh: TriangleMesh;
  /** Triangles, those of a leaf together. */
  readonly order: Uint32Array;
  /**
   * Per node, parents before their children: `[minX, minY, minZ, maxX, maxY, maxZ]`, the mesh's own float32
   * coordinates.
   */
  readonly boxes: Float32Array;
  /** Per node, the first one behind it and all below it. */
  readonly next: Uint32Array;
  /** Per node, its first place in `order`. */
  readonly first: Uint32Array;
  /** Per node, 1 where it is parted. */
  readonly #parted: Uint8Array;
  /** Three times the middle of each triangle: `[x, y, z]`. */
  #middles: Float64Array | undefined;

  constructor(mesh: TriangleMesh) {
    this.#mesh = mesh;
    const { triangleCount } = mesh;
    const nodes = Math.max(0, nodesOver(triangleCount));
    this.order = new Uint32Array(triangleCount);
    for (let t = 0; t < triangleCount; t++) this.order[t] = t;
    this.boxes = new Float32Array(6 * nodes);
    this.next = new Uint32Array(nodes);
    this.first = new Uint32Array(nodes);
    this.#parted = new Uint8Array(nodes);
    if (nodes > 0) this.#add(0, 0, triangleCount);
  }

  get nodeCount(): number {
    return this.next.length;
  }

  /** Whether a node has triangles rather than nodes. */
  isLeaf(node: number): boolean {
    return this.next[node] === node + 1;
  }

  /** The end of a node's triangles in `order`. All leaves but the last are full. */
  endOf(node: number): number {
    const leaves = (this.next[node]! - node + 1) / 2;
    return Math.min(this.order.length, this.first[node]! + LEAF * leaves);
  }

  /** Makes the two nodes of a node that is no leaf, `node + 1` and the one behind that, where nobody did. */
  part(node: number): void {
    if (this.#parted[node] === 1) return;
    this.#parted[node] = 1;
    const { order } = this;
    const [from, to] = [this.first[node]!, this.endOf(node)];
    this.#middles ??= middlesOf(this.#mesh);
    const axis = farthestAxis(this.#middles, order, from, to);
    // Whole leaves on the left.
    const middle = from + LEAF * Math.ceil((to - from) / LEAF / 2);
    select(order, this.#middles.subarray(axis), from, to, middle);
    this.#add(node + 1, from, middle);
    this.#add(this.next[node + 1]!, middle, to);
  }

  #add(node: number, from: number, to: number): void {
    const { order, boxes } = this;
    const { positions, indices } = this.#mesh;
    this.first[node] = from;
    this.next[node] = node + nodesOver(to - from);
    let [x0, y0, z0, x1, y1, z1] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let i = from; i < to; i++) {
      const t = 3 * order[i]!;
      for (let corner = t; corner < t + 3; corner++) {
        const v = 3 * indices[corner]!;
        const x = positions[v]!;
        const y = positions[v + 1]!;
        const z = positions[v + 2]!;
        if (x < x0) x0 = x;
        if (y < y0) y0 = y;
        if (z < z0) z0 = z;
        if (x > x1) x1 = x;
        if (y > y1) y1 = y;
        if (z > z1) z1 = z;
      }
    }
    boxes.set([x0, y0, z0, x1, y1, z1], 6 * node);
  }

  /** Parts the nodes of so many triangles and more, one step each: what would be long in one go. */
  *partLarge(triangles: number): Generator<void, void, void> {
    const nodes = this.nodeCount > 0 ? [0] : [];
    for (;;) {
      const node = nodes.pop();
      if (node === undefined) return;
      if (this.isLeaf(node) || this.endOf(node) - this.first[node]! < triangles) continue;
      this.part(node);
      nodes.push(this.next[node + 1]!, node + 1);
      yield;
    }
  }
}

function middlesOf({ positions, indices, triangleCount }: TriangleMesh): Float64Array {
  const middles = new Float64Array(3 * triangleCount);
  for (let t = 0; t < middles.length; t += 3) {
    const a = 3 * indices[t]!;
    const b = 3 * indices[t + 1]!;
    const c = 3 * indices[t + 2]!;
    middles[t] = positions[a]! + positions[b]! + positions[c]!;
    middles[t + 1] = positions[a + 1]! + positions[b + 1]! + positions[c + 1]!;
    middles[t + 2] = positions[a + 2]! + positions[b + 2]! + positions[c + 2]!;
  }
  return middles;
}

/** Nodes of a tree over so many triangles, leaves included. */
function nodesOver(triangles: number): number {
  return 2 * Math.ceil(triangles / LEAF) - 1;
}

/** The axis along which the middles of some triangles reach farthest. */
function farthestAxis(middles: Float64Array, order: Uint32Array, from: number, to: number): number {
  let [x0, y0, z0, x1, y1, z1] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = from; i < to; i++) {
    const at = 3 * order[i]!;
    const x = middles[at]!;
    const y = middles[at + 1]!;
    const z = middles[at + 2]!;
    if (x < x0) x0 = x;
    if (y < y0) y0 = y;
    if (z < z0) z0 = z;
    if (x > x1) x1 = x;
    if (y > y1) y1 = y;
    if (z > z1) z1 = z;
  }
  const extents = [x1 - x0, y1 - y0, z1 - z0];
  return extents.indexOf(Math.max(...extents));
}

/**
 * Moves the triangles with the smallest of every third value, `order[from .. to]`, before `middle`: Hoare's selection,
 * parted at the median of three.
 */
function select(order: Uint32Array, values: Float64Array, from: number, to: number, middle: number): void {
  let [low, high] = [from, to - 1];
  while (low < high) {
    const a = values[3 * order[low]!]!;
    const b = values[3 * order[(low + high) >>> 1]!]!;
    const c = values[3 * order[high]!]!;
    const pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    let [i, j] = [low, high];
    while (i <= j) {
      while (values[3 * order[i]!]! < pivot) i++;
      while (values[3 * order[j]!]! > pivot) j--;
      if (i > j) break;
      const t = order[i]!;
      order[i++] = order[j]!;
      order[j--] = t;
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}

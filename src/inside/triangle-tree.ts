/**
 * Boxes in boxes over the triangles of a mesh, for rays along one axis: which triangles a ray may pass depends on where they are,
 * not on their order in the file. Halves are parted at the median of the middles, along the longest axis, down to a few triangles.
 */
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';

/** Triangles per leaf. */
const LEAF = 4;
/** Triangles that are looked at between two pauses of building: some milliseconds. */
const TRIANGLES_PER_SLICE = 1 << 16;

export class TriangleTree {
  /** Triangles, those of a leaf together. */
  readonly order: Uint32Array;
  /** Per node, parents before their children: `[minX, minY, minZ, maxX, maxY, maxZ]`, the mesh's own float32 coordinates. */
  readonly boxes: Float32Array;
  /** Per node, the first one behind it and all below it. */
  readonly next: Uint32Array;
  /** Per node, its first place in `order`. */
  readonly first: Uint32Array;

  private constructor(triangles: number) {
    const nodes = Math.max(0, nodesOver(triangles));
    this.order = Uint32Array.from({ length: triangles }, (_, t) => t);
    this.boxes = new Float32Array(6 * nodes);
    this.next = new Uint32Array(nodes);
    this.first = new Uint32Array(nodes);
  }

  get nodeCount(): number {
    return this.next.length;
  }

  /** Whether a node has triangles rather than nodes: those at `first` to `first + LEAF`, or to the end. */
  isLeaf(node: number): boolean {
    return this.next[node] === node + 1;
  }

  /** The end of a leaf's triangles in `order`. */
  endOf(leaf: number): number {
    return Math.min(this.order.length, this.first[leaf]! + LEAF);
  }

  /** Builds a tree, in steps of some milliseconds; the last one returns it. */
  static *build(mesh: TriangleMesh): Generator<void, TriangleTree, void> {
    const tree = new TriangleTree(mesh.triangleCount);
    yield* tree.#part(mesh);
    yield* tree.#fit(mesh);
    return tree;
  }

  /** Orders the triangles and numbers the nodes. */
  *#part({ positions, indices, triangleCount }: TriangleMesh): Generator<void, void, void> {
    const middles = [0, 1, 2].map(() => new Float64Array(triangleCount));
    for (let t = 0; t < triangleCount; t++) {
      if (t % TRIANGLES_PER_SLICE === TRIANGLES_PER_SLICE - 1) yield;
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let corner = 0; corner < 3; corner++) sum += positions[3 * indices[3 * t + corner]! + k]!;
        middles[k]![t] = sum;
      }
    }
    const { order, next, first } = this;
    const ranges = triangleCount > 0 ? [{ from: 0, to: triangleCount }] : [];
    let looked = 0;
    for (let node = 0; ranges.length > 0; node++) {
      const { from, to } = ranges.pop()!;
      first[node] = from;
      next[node] = node + nodesOver(to - from);
      if (to - from <= LEAF) continue;
      const axis = longestAxis(middles, order, from, to);
      // Whole leaves on the left, so that every leaf but the last is full and nodes can be counted.
      const middle = from + LEAF * Math.ceil((to - from) / LEAF / 2);
      select(order, middles[axis]!, from, to, middle);
      ranges.push({ from: middle, to }, { from, to: middle });
      looked += to - from;
      if (looked >= TRIANGLES_PER_SLICE) {
        looked = 0;
        yield;
      }
    }
  }

  /** Boxes, from the last node to the first: a node's children come behind it. */
  *#fit({ positions, indices }: TriangleMesh): Generator<void, void, void> {
    const { order, boxes, next, first } = this;
    for (let node = this.nodeCount - 1; node >= 0; node--) {
      if (node % TRIANGLES_PER_SLICE === 0) yield;
      const at = 6 * node;
      if (!this.isLeaf(node)) {
        const [left, right] = [6 * (node + 1), 6 * next[node + 1]!];
        for (let k = 0; k < 3; k++) {
          boxes[at + k] = Math.min(boxes[left + k]!, boxes[right + k]!);
          boxes[at + 3 + k] = Math.max(boxes[left + 3 + k]!, boxes[right + 3 + k]!);
        }
        continue;
      }
      boxes.fill(Infinity, at, at + 3).fill(-Infinity, at + 3, at + 6);
      for (let i = first[node]!; i < this.endOf(node); i++) {
        for (let corner = 0; corner < 3; corner++) {
          const v = 3 * indices[3 * order[i]! + corner]!;
          for (let k = 0; k < 3; k++) {
            const x = positions[v + k]!;
            if (x < boxes[at + k]!) boxes[at + k] = x;
            if (x > boxes[at + 3 + k]!) boxes[at + 3 + k] = x;
          }
        }
      }
    }
  }
}

/** Nodes of a tree over so many triangles, leaves included. */
function nodesOver(triangles: number): number {
  return 2 * Math.ceil(triangles / LEAF) - 1;
}

/** The axis along which the middles of some triangles reach farthest. */
function longestAxis(middles: readonly Float64Array[], order: Uint32Array, from: number, to: number): number {
  let best = 0;
  let longest = -1;
  for (let k = 0; k < 3; k++) {
    const values = middles[k]!;
    let low = Infinity;
    let high = -Infinity;
    for (let i = from; i < to; i++) {
      const x = values[order[i]!]!;
      if (x < low) low = x;
      if (x > high) high = x;
    }
    if (high - low > longest) {
      longest = high - low;
      best = k;
    }
  }
  return best;
}

/** Moves the smallest values of `order[from .. to]` before `middle`: Hoare's selection, parted at the median of three. */
function select(order: Uint32Array, values: Float64Array, from: number, to: number, middle: number): void {
  let [low, high] = [from, to - 1];
  while (low < high) {
    const [a, b, c] = [low, (low + high) >>> 1, high].map((i) => values[order[i]!]!) as [
      number,
      number,
      number,
    ];
    const pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    let [i, j] = [low, high];
    while (i <= j) {
      while (values[order[i]!]! < pivot) i++;
      while (values[order[j]!]! > pivot) j--;
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

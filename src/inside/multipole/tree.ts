/**
 * The source tree of the fast multipole method: cubic octree cells with the triangles whose centroid they contain
 * (clusters omega of Muth et al., section 2.1.2). Cells without triangles do not exist. All in flat arrays, clusters
 * level after level, along a Morton curve within a level, triangles in that order too: a cluster of any level is a
 * range.
 */
import { LAST_CELL_SLACK } from '../constants.ts';
import { mortonCode, sortOrder } from '../morton.ts';
import { gatherTriangles } from '../potential/solid-angle.ts';
import type { Surface } from '../surface.ts';
import { MOST_MULTIPOLE_LEVEL, ROOT_EDGE_BITS } from './constants.ts';

/** The cube that cell 0 of level 0 is; cells of level l have the edge `edge * 2^-l`. */
export interface RootCell {
  readonly origin: readonly [number, number, number];
  readonly edge: number;
}

export interface SourceTree {
  readonly root: RootCell;
  /** Finest level, 0 .. 10. */
  readonly depth: number;
  /** Clusters of level l are `levelStarts[l] .. levelStarts[l + 1] - 1`; length `depth + 2`. */
  readonly levelStarts: Uint32Array;
  /** `[i, j, k]` of each cluster's cell in its level. */
  readonly cells: Uint16Array;
  /** Triangles of cluster c are `firsts[c] .. lasts[c] - 1`. */
  readonly firsts: Uint32Array;
  readonly lasts: Uint32Array;
  /** Children of cluster c, above the finest level, are `childStarts[c] .. childStarts[c + 1] - 1`. */
  readonly childStarts: Uint32Array;
  /** r(omega): greatest distance of a point of the cluster's triangles from the cell's centre, in cells. */
  readonly radii: Float64Array;
  /** The mesh's triangles in the order of the tree. */
  readonly order: Uint32Array;
  /** Their corners, nine coordinates per triangle, in the surface's local frame. */
  readonly triangles: Float64Array;
}

/** A tree of clusters of anything that triangles make up, in whatever order. */
export type ClusterTree = Omit<SourceTree, 'order'>;

/**
 * The cube over a surface's box. A surface without extent gets a cube that has one. Its edge has ROOT_EDGE_BITS bits
 * and its origin is a multiple of half the finest cell, so that the centres of all cells are float32 numbers: kernels
 * need that.
 */
export function rootCell({ box: { min, max } }: Surface): RootCell {
  const sizes = [0, 1, 2].map((k) => max[k]! - min[k]!);
  const longest = Math.max(...sizes);
  // An empty mesh's box is inverted.
  if (!Number.isFinite(longest)) return { origin: [-0.5, -0.5, -0.5], edge: 1 };
  const largest = Math.max(...[...min, ...max].map(Math.abs));
  const least = longest > 0 ? longest : largest > 0 ? largest : 1;
  const bit = 2 ** (Math.floor(Math.log2(least)) + 1 - ROOT_EDGE_BITS);
  // Half the finest cell's edge is the edge's number of bits times this.
  const grain = bit * 2 ** -(MOST_MULTIPOLE_LEVEL + 1);
  const edge = bit * Math.ceil((least * (1 + LAST_CELL_SLACK) + 2 * grain) / bit);
  const originOf = (k: number) => grain * Math.floor((min[k]! - (edge - sizes[k]!) / 2) / grain);
  return { origin: [originOf(0), originOf(1), originOf(2)], edge };
}

/** Morton codes of the triangles' centroids at the finest level there is. */
export function centroidCodes(surface: Surface, { origin, edge }: RootCell): Uint32Array {
  const { positions, indices, triangleCount } = surface;
  const cells = 2 ** MOST_MULTIPOLE_LEVEL;
  const codes = new Uint32Array(triangleCount);
  for (let t = 0; t < triangleCount; t++) {
    const a = 3 * indices[3 * t]!;
    const b = 3 * indices[3 * t + 1]!;
    const c = 3 * indices[3 * t + 2]!;
    const cellOf = (k: number) => {
      const centroid = (positions[a + k]! + positions[b + k]! + positions[c + k]!) / 3;
      return Math.min(Math.max(Math.floor(((centroid - origin[k]!) / edge) * cells), 0), cells - 1);
    };
    codes[t] = mortonCode(cellOf(0), cellOf(1), cellOf(2));
  }
  return codes;
}

/** Number of cells with triangles per level 0 .. MOST_MULTIPOLE_LEVEL, from sorted codes. */
function countCells(codes: Uint32Array): Uint32Array {
  const counts = new Uint32Array(MOST_MULTIPOLE_LEVEL + 1);
  for (let t = 0; t < codes.length; t++) {
    // Neighbours part at the level where their codes' highest different bit is.
    const different = t === 0 ? 2 ** 31 : codes[t]! ^ codes[t - 1]!;
    if (different === 0) continue;
    const shared = t === 0 ? 0 : MOST_MULTIPOLE_LEVEL - Math.floor((31 - Math.clz32(different)) / 3);
    for (let level = shared; level <= MOST_MULTIPOLE_LEVEL; level++) counts[level]!++;
  }
  return counts;
}

/** The inverse of mortonCode along one axis: every third bit of `code >> axis`. */
function compact(code: number): number {
  let v = code & 0x09249249;
  v = (v | (v >>> 2)) & 0x030c30c3;
  v = (v | (v >>> 4)) & 0x0300f00f;
  v = (v | (v >>> 8)) & 0x030000ff;
  return (v | (v >>> 16)) & 0x3ff;
}

/**
 * Builds the tree down to the level where half of the triangles have a cell of their own. Finer levels would only cut
 * single triangles off. `deepest` stops it earlier.
 */
export function buildSourceTree(surface: Surface, deepest: number = MOST_MULTIPOLE_LEVEL): SourceTree {
  const root = rootCell(surface);
  const unsorted = centroidCodes(surface, root);
  const order = sortOrder(unsorted);
  const codes = Uint32Array.from(order, (t) => unsorted[t]!);
  const counts = countCells(codes);
  let depth = 0;
  while (depth < Math.min(deepest, MOST_MULTIPOLE_LEVEL) && 2 * counts[depth]! < surface.triangleCount)
    depth++;

  const levelStarts = new Uint32Array(depth + 2);
  for (let level = 0; level <= depth; level++) levelStarts[level + 1] = levelStarts[level]! + counts[level]!;
  const total = levelStarts[depth + 1]!;
  const cells = new Uint16Array(3 * total);
  const firsts = new Uint32Array(total);
  const lasts = new Uint32Array(total);
  const childStarts = new Uint32Array(total + 1);
  for (let level = depth; level >= 0; level--) {
    const shift = 3 * (MOST_MULTIPOLE_LEVEL - level);
    let cluster = levelStarts[level]! - 1;
    let child = levelStarts[level + 1]!;
    for (let t = 0; t < codes.length; t++) {
      const code = codes[t]! >>> shift;
      if (t > 0 && code === codes[t - 1]! >>> shift) continue;
      if (t > 0) lasts[cluster] = t;
      firsts[++cluster] = t;
      for (let k = 0; k < 3; k++) cells[3 * cluster + k] = compact(code >>> k);
      if (level === depth) continue;
      while (child < total && firsts[child]! < t) child++;
      childStarts[cluster] = child;
    }
    if (codes.length > 0) lasts[cluster] = codes.length;
  }
  childStarts.fill(total, levelStarts[depth]!);

  const triangles = gatherTriangles(surface, order);
  const tree = { root, depth, levelStarts, cells, firsts, lasts, childStarts, order, triangles };
  return { ...tree, radii: clusterRadii(tree) };
}

/** Coordinate of a cell's centre along an axis. */
export function cellCentre(root: RootCell, level: number, cell: number, axis: number): number {
  return root.origin[axis]! + (cell + 0.5) * (root.edge * 2 ** -level);
}

function clusterRadii(tree: Omit<SourceTree, 'radii'>): Float64Array {
  const radii = new Float64Array(tree.firsts.length);
  forEachCluster(tree, (cluster, x, y, z, edge) => {
    let square = 0;
    for (let v = 9 * tree.firsts[cluster]!; v < 9 * tree.lasts[cluster]!; v += 3) {
      const dx = tree.triangles[v]! - x;
      const dy = tree.triangles[v + 1]! - y;
      const dz = tree.triangles[v + 2]! - z;
      const s = dx * dx + dy * dy + dz * dz;
      if (s > square) square = s;
    }
    radii[cluster] = Math.sqrt(square) / edge;
  });
  return radii;
}

/** Calls `visit` for every cluster from the finest level up, with its centre and the edge of its cell. */
export function forEachCluster(
  tree: Omit<SourceTree, 'radii'>,
  visit: (cluster: number, x: number, y: number, z: number, edge: number, level: number) => void,
): void {
  for (let level = tree.depth; level >= 0; level--) {
    const edge = tree.root.edge * 2 ** -level;
    for (let c = tree.levelStarts[level]!; c < tree.levelStarts[level + 1]!; c++) {
      const x = cellCentre(tree.root, level, tree.cells[3 * c]!, 0);
      const y = cellCentre(tree.root, level, tree.cells[3 * c + 1]!, 1);
      const z = cellCentre(tree.root, level, tree.cells[3 * c + 2]!, 2);
      visit(c, x, y, z, edge, level);
    }
  }
}

/** The tree without its levels below `depth`: no table needs them. */
export function truncateSourceTree(tree: SourceTree, depth: number): SourceTree {
  if (depth >= tree.depth) return tree;
  const total = tree.levelStarts[depth + 1]!;
  const childStarts = tree.childStarts.slice(0, total + 1);
  childStarts.fill(total, tree.levelStarts[depth]!);
  return {
    ...tree,
    depth,
    levelStarts: tree.levelStarts.slice(0, depth + 2),
    cells: tree.cells.slice(0, 3 * total),
    firsts: tree.firsts.slice(0, total),
    lasts: tree.lasts.slice(0, total),
    childStarts,
    radii: tree.radii.slice(0, total),
  };
}

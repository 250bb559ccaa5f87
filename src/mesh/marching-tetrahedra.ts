// Marching tetrahedra (A. Doi, A. Koide, "An efficient method of triangulating equi-valued surfaces by using
// tetrahedral cells", 1991) on a cubic grid whose cubes are cut into the six tetrahedra of Freudenthal and Kuhn along
// the diagonal from corner 000 to corner 111: neighbouring cubes agree on their common face's diagonal.
//
// Every tetrahedron separates its inside from its outside nodes by one or two triangles with corners in the interior
// of its edges, and two tetrahedra at a face draw the same segment on it. So if the outermost nodes are outside, the
// surface is closed, manifold and oriented whatever the values are, and triangles meet only where they share an edge
// or a corner.

/** Bits of a cube's corner, and of an edge's direction: 1 is +x, 2 is +y, 4 is +z. */
const CORNERS = 8;

/** Edges of a tetrahedral grid start at a node and run along one of 7 directions: 1 .. 7 in the bits above. */
const DIRECTIONS = 7;

/**
 * Axis orders of the tetrahedra's walks from corner 0 to corner 7: the even permutations give tetrahedra of positive
 * orientation, the odd ones of negative.
 */
const WALKS = [
  { axes: [1, 2, 4], positive: true },
  { axes: [2, 4, 1], positive: true },
  { axes: [4, 1, 2], positive: true },
  { axes: [2, 1, 4], positive: false },
  { axes: [1, 4, 2], positive: false },
  { axes: [4, 2, 1], positive: false },
] as const;

/** Even permutations of a tetrahedron's corners, one per corner alone and one per pair of corners. */
const SINGLES = [
  [0, 1, 2, 3],
  [1, 0, 3, 2],
  [2, 0, 1, 3],
  [3, 0, 2, 1],
] as const;
const PAIRS = [
  [0, 1, 2, 3],
  [0, 2, 3, 1],
  [0, 3, 1, 2],
  [1, 2, 0, 3],
  [1, 3, 2, 0],
  [2, 3, 0, 1],
] as const;

/** Which nodes of a cubic grid are inside. Node (i, j, k) is `inside[(k * size + j) * size + i]`. */
export interface NodeGrid {
  /** Nodes per axis. */
  readonly size: number;
  /** 1 inside, 0 outside, length `size^3`; the outermost nodes are outside. */
  readonly inside: Uint8Array;
}

/** A surface in units of the grid: node (i, j, k) lies at those coordinates. */
export interface GridSurface {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

/** Number of triangles that `contour` will make, without making them. */
export function countContour(grid: NodeGrid): number {
  const trianglesOf = cubeCases().map((edges) => edges.length / 3);
  let count = 0;
  forEachMixedCube(grid, (_, code) => {
    count += trianglesOf[code]!;
  });
  return count;
}

/**
 * Surface between the inside and the outside nodes, counter-clockwise seen from outside, with one vertex on every
 * edge that joins an inside to an outside node.
 *
 * @param crossing where the surface lies between two nodes, which are given by their indices: 0 is at the first, 1 at
 *   the second. It has to stay so far from both that vertices on different edges stay apart when rounded.
 */
export function contour(grid: NodeGrid, crossing: (from: number, to: number) => number): GridSurface {
  const { size } = grid;
  const cases = cubeCases();
  const step = (bits: number) => (bits & 1) + ((bits >> 1) & 1) * size + (bits >> 2) * size * size;
  const triangles = countContour(grid);
  const positions: number[] = [];
  const indices = new Uint32Array(3 * triangles);
  const vertexAt = new Int32Array(DIRECTIONS * size ** 3); // one more than the vertex's index; 0 is none yet
  let filled = 0;
  forEachMixedCube(grid, (node, code) => {
    for (const edge of cases[code]!) {
      const direction = edge % CORNERS;
      const from = node + step((edge - direction) / CORNERS);
      const slot = DIRECTIONS * from + direction - 1;
      if (vertexAt[slot] === 0) {
        const s = crossing(from, from + step(direction));
        const i = from % size;
        const j = Math.floor(from / size) % size;
        const k = Math.floor(from / (size * size));
        positions.push(i + s * (direction & 1), j + s * ((direction >> 1) & 1), k + s * (direction >> 2));
        vertexAt[slot] = positions.length / 3;
      }
      indices[filled++] = vertexAt[slot]! - 1;
    }
  });
  return { positions: new Float64Array(positions), indices };
}

/** Calls back for every cube that is neither all inside nor all outside, with its corner 0 and its corners' bits. */
function forEachMixedCube({ size, inside }: NodeGrid, visit: (node: number, code: number) => void): void {
  const layer = size * size;
  for (let k = 0; k + 1 < size; k++) {
    for (let j = 0; j + 1 < size; j++) {
      let node = k * layer + j * size;
      // Bits 0, 2, 4 and 6 are the cube's corners at the lower x; moving on by one turns the higher into the lower.
      let lower = columnBits(inside, node, size, layer);
      for (let i = 0; i + 1 < size; i++, node++) {
        const higher = columnBits(inside, node + 1, size, layer);
        const code = lower | (higher << 1);
        if (code !== 0 && code !== 255) visit(node, code);
        lower = higher;
      }
    }
  }
}

function columnBits(inside: Uint8Array, node: number, size: number, layer: number): number {
  return (
    inside[node]! |
    (inside[node + size]! << 2) |
    (inside[node + layer]! << 4) |
    (inside[node + layer + size]! << 6)
  );
}

let cachedCases: readonly (readonly number[])[] | undefined;

/**
 * For every set of inside corners of a cube (bit c is corner c): its triangles' corners, three by three, each the
 * grid edge `8 * corner + direction` from the cube's lower to its higher corner.
 */
function cubeCases(): readonly (readonly number[])[] {
  cachedCases ??= Array.from({ length: 256 }, (_, code) =>
    WALKS.flatMap((walk) => tetrahedronCase(walk, code)),
  );
  return cachedCases;
}

function tetrahedronCase({ axes, positive }: (typeof WALKS)[number], code: number): number[] {
  const [first, second] = [axes[0], axes[0] | axes[1]];
  const corners = positive ? [0, first, second, 7] : [0, second, first, 7]; // a swap makes a negative one positive
  const isInside = corners.map((corner) => ((code >> corner) & 1) === 1);
  const edge = (a: number, b: number) => {
    const [low, high] = [Math.min(corners[a]!, corners[b]!), Math.max(corners[a]!, corners[b]!)];
    return CORNERS * low + (high - low);
  };
  const count = isInside.filter(Boolean).length;
  if (count === 1 || count === 3) {
    const [a, b, c, d] = SINGLES.find(([alone]) => isInside[alone] === (count === 1))!;
    return count === 1 ? [edge(a, b), edge(a, c), edge(a, d)] : [edge(a, b), edge(a, d), edge(a, c)];
  }
  if (count === 2) {
    const [a, b, c, d] = PAIRS.find(([one, other]) => isInside[one] && isInside[other])!;
    const quad = [edge(a, c), edge(a, d), edge(b, d), edge(b, c)] as const;
    return [quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]];
  }
  return [];
}

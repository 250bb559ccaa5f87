// Open-cell foam like the one in figure 11 of Muth, Of, Eberhard, Steinbach, "Collision Detection for Complicated
// Polyhedra Using the Fast Multipole Method or Ray Crossing": struts along the edges of a Voronoi diagram. On such an
// edge the three nearest sites are equally far away, so with F1 <= F2 <= F3 the distances to them the struts are
//   F3 - F1 < thickness.
// Along a way of length l, F3 - F1 changes by at most 2 l. So struts are nowhere thinner than the thickness, but for a
// slight blur that suits them to the grid. The sites are a jittered body-centred cubic lattice, whose pores are
// jittered Kelvin cells. A cube cuts the foam out of it.
//
// Marching tetrahedra make the surface: it is closed and manifold for any values. The wanted number of triangles
// decides how fine the grid is. Then the thickness is tuned to meet that number; for this, triangles are counted and
// not made. Only arithmetic and square roots are used, so the result is the same on every machine.
import { type Options, requireOptions } from '../arguments.ts';
import { InputError } from '../errors.ts';
import { contour, countContour, type NodeGrid } from './marching-tetrahedra.ts';
import { createRandom, hashCell, requireSeed } from './random.ts';
import { TriangleMesh } from './triangle-mesh.ts';

export interface FoamOptions {
  /** Wanted number of triangles, 1,000 to 600,000. The foam has that many within 3 %, from 5,000 on within 1 %. */
  readonly triangles: number;
  /** An integer from 0 to 2^32 - 1, default 1; equal options give bit-identical foams on every machine. */
  readonly seed?: number;
  /**
   * Lattice cells, of two pores each, along an edge of the cube: 1 to 8 with at least 1,000 triangles for each of the
   * `cells^3`. Default: the number that leaves about 4,500 for each. Foams that differ in `triangles` only are the
   * same body, finer or coarser.
   */
  readonly cells?: number;
}

const OPTIONS: Options<FoamOptions> = { triangles: 'number', seed: 'number', cells: 'number' };

const FEWEST_TRIANGLES = 1000;
const MOST_TRIANGLES = 600_000;
const MOST_CELLS = 8;
/** With fewer triangles per lattice cell the grid is too coarse for the struts. */
const FEWEST_TRIANGLES_PER_CELL = 1000;
const DEFAULT_TRIANGLES_PER_CELL = 4500;

/** Thickness of the struts in lattice cells; they fill about 0.22 of the cube. */
const THICKNESS = 0.16;
/** Largest displacement of a site along each axis, in lattice cells: with SHIFT, every site stays in its cell. */
const JITTER = 0.15;
/** Offset of the sites from the cells' corners, so that no face of the cube cuts a pore at its site. */
const SHIFT = 0.25;
/** Layers of lattice cells around the cube: one that can hold a point's nearest sites, one for the outermost nodes. */
const CELLS_AROUND = 2;

/** Grid nodes along a lattice cell, at least: struts are then no thinner than a grid spacing. */
const FEWEST_NODES_PER_CELL = 6;
/** Bounds of the tuned threshold relative to the nominal one; above and below, struts merge or break. */
const LEAST_TUNING = 0.8;
const MOST_TUNING = 1.3;
/** Halvings of that range: afterwards it is about as fine as the steps between the values of two nodes. */
const TUNING_STEPS = 18;
/** The tuning on a grid ends when the number of triangles is so close to the wanted one, relative to it. */
const CLOSE_ENOUGH = 0.001;
/** The next best grid is not tried when the number of triangles is so close to the wanted one, relative to it. */
const ACCEPTABLE = 0.01;

/**
 * Least distance of the surface from a grid node along an edge, in edge lengths. It keeps the vertices of different
 * edges apart by far more than float32 rounds, so no two coincide and no triangle folds over.
 */
const LEAST_CROSSING = 0.125;

/**
 * An open-cell foam in the cube [0, 1]^3: one connected surface, closed, manifold, oriented outwards, with planar faces
 * where the cube cuts struts. Struts that the cube cuts off from the rest are left out. One to two seconds for 500,000
 * triangles.
 *
 * @throws InputError if an option is out of its range.
 */
export function openCellFoam(options: FoamOptions): TriangleMesh {
  requireOptions('openCellFoam', options, OPTIONS);
  const { triangles, seed = 1 } = options;
  requireInteger('triangles', triangles, FEWEST_TRIANGLES, MOST_TRIANGLES);
  const cells = options.cells ?? defaultCells(triangles);
  requireInteger('cells', cells, 1, MOST_CELLS);
  if (triangles < FEWEST_TRIANGLES_PER_CELL * cells ** 3) {
    throw new InputError(
      `openCellFoam: ${triangles} triangles for ${cells} cells along an edge, ` +
        `expected at least ${FEWEST_TRIANGLES_PER_CELL * cells ** 3} triangles or fewer cells`,
    );
  }

  requireSeed(seed);
  const sites = latticeSites(seed, cells);
  const foam = searchFoam(triangles, FEWEST_NODES_PER_CELL * cells, (nodes) =>
    sampleFoam(sites, cells, nodes),
  );
  const { nodes, values } = foam.field;
  const size = nodes + 2;
  const { positions, indices } = contour(foam.grid, (from, to) => {
    if (isOutermost(from, size)) return 1 - LEAST_CROSSING;
    if (isOutermost(to, size)) return LEAST_CROSSING;
    const s = (foam.threshold - values[from]!) / (values[to]! - values[from]!);
    return Math.min(Math.max(s, LEAST_CROSSING), 1 - LEAST_CROSSING);
  });
  // The faces of the cube lie LEAST_CROSSING outside the first and the last inner nodes, 1 and `nodes`.
  const width = nodes - 1 + 2 * LEAST_CROSSING;
  const scaled = Float32Array.from(positions, (x) => (x - 1 + LEAST_CROSSING) / width);
  return new TriangleMesh({
    positions: scaled,
    indices,
    name: `foam ${seed} of ${indices.length / 3} triangles`,
  });
}

/** F3 - F1 on a cubic grid with one layer of nodes around the cube. */
interface FoamField {
  /** Nodes per axis in the cube. */
  readonly nodes: number;
  /** In lattice cells, smoothed, length `(nodes + 2)^3`. */
  readonly values: Float32Array;
  /** Value below which a node is in a strut of about THICKNESS. */
  readonly nominal: number;
}

interface Foam {
  readonly field: FoamField;
  readonly threshold: number;
  readonly grid: NodeGrid;
}

/** The foam whose number of triangles is closest to the wanted one among those tried. */
function searchFoam(triangles: number, fewestNodes: number, sample: (nodes: number) => FoamField): Foam {
  const countAt = (nodes: number) => {
    const field = sample(nodes);
    return countContour(strutNodes(field, field.nominal));
  };
  // The number of triangles grows nearly with the square of the nodes per axis: leap, then step to the last grid
  // that does not give too many.
  let nodes = fewestNodes;
  for (let leap = 0; leap < 2; leap++) {
    nodes = Math.max(fewestNodes, Math.round(nodes * Math.sqrt(triangles / countAt(nodes))));
  }
  while (nodes > fewestNodes && countAt(nodes) > triangles) nodes--;
  while (countAt(nodes + 1) <= triangles) nodes++;

  // The grid that needs the least tuning comes first.
  const distance = (field: FoamField) => Math.abs(countContour(strutNodes(field, field.nominal)) - triangles);
  const [coarse, fine] = [sample(nodes), sample(nodes + 1)];
  const fields = distance(coarse) < distance(fine) ? [coarse, fine] : [fine, coarse];

  let best: Foam | undefined;
  let least = Infinity;
  for (const field of fields) {
    if (least <= ACCEPTABLE * triangles) break;
    let low = LEAST_TUNING * field.nominal;
    let high = MOST_TUNING * field.nominal;
    let threshold = field.nominal;
    for (let step = 0; step < TUNING_STEPS && least > CLOSE_ENOUGH * triangles; step++) {
      const grid = strutNodes(field, threshold);
      const excess = countContour(grid) - triangles;
      if (Math.abs(excess) < least) {
        least = Math.abs(excess);
        best = { field, threshold, grid };
      }
      if (excess > 0) high = threshold;
      else low = threshold;
      threshold = (low + high) / 2;
    }
  }
  return best!;
}

/** Jittered lattice sites of the cells around and in the cube, six coordinates per cell, x fastest. */
function latticeSites(seed: number, cells: number): Float64Array {
  const size = cells + 2 * CELLS_AROUND;
  const sites = new Float64Array(6 * size ** 3);
  let filled = 0;
  for (let k = -CELLS_AROUND; k < size - CELLS_AROUND; k++) {
    for (let j = -CELLS_AROUND; j < size - CELLS_AROUND; j++) {
      for (let i = -CELLS_AROUND; i < size - CELLS_AROUND; i++) {
        const random = createRandom(hashCell(seed, i, j, k));
        for (const centre of [SHIFT, SHIFT + 0.5]) {
          for (const corner of [i, j, k]) sites[filled++] = corner + centre + JITTER * (2 * random() - 1);
        }
      }
    }
  }
  return sites;
}

/** Samples F3 - F1 at the nodes and blurs it by a spacing, which rounds the struts' edges for the grid. */
function sampleFoam(sites: Float64Array, cells: number, nodes: number): FoamField {
  const size = nodes + 2;
  const spacing = cells / (nodes - 1 + 2 * LEAST_CROSSING);
  let values = new Float32Array(size ** 3);
  let filled = 0;
  for (let k = 0; k < size; k++) {
    for (let j = 0; j < size; j++) {
      for (let i = 0; i < size; i++) {
        const at = (index: number) => (index - 1 + LEAST_CROSSING) * spacing;
        values[filled++] = strutDistance(sites, cells, at(i), at(j), at(k));
      }
    }
  }
  for (const stride of [1, size, size * size]) {
    const blurred = values.slice();
    for (let n = stride; n < values.length - stride; n++) {
      blurred[n] = (values[n - stride]! + 2 * values[n]! + values[n + stride]!) / 4;
    }
    values = blurred;
  }
  // The blur raises the least values, along a strut's middle. With this threshold the foam's volume is nearly the
  // same for all spacings up to 0.2, and for each the number of triangles grows with the square of the nodes.
  return { nodes, values, nominal: Math.sqrt(THICKNESS * THICKNESS + spacing * spacing) };
}

/**
 * F3 - F1 at a point in lattice cells. Sites beyond the neighbouring cells are left out: they are more than 1.1 away,
 * while F1 is at most 0.82 (0.56 for the lattice, 0.26 for its jitter). So they matter only well outside the struts.
 */
function strutDistance(sites: Float64Array, cells: number, x: number, y: number, z: number): number {
  const size = cells + 2 * CELLS_AROUND;
  const i = Math.floor(x) + CELLS_AROUND;
  const j = Math.floor(y) + CELLS_AROUND;
  const k = Math.floor(z) + CELLS_AROUND;
  let [first, second, third] = [Infinity, Infinity, Infinity]; // squared
  for (let kk = k - 1; kk <= k + 1; kk++) {
    for (let jj = j - 1; jj <= j + 1; jj++) {
      const row = 6 * ((kk * size + jj) * size + i - 1);
      for (let s = row; s < row + 18; s += 3) {
        const dx = sites[s]! - x;
        const dy = sites[s + 1]! - y;
        const dz = sites[s + 2]! - z;
        const square = dx * dx + dy * dy + dz * dz;
        if (square >= third) continue;
        third = Math.max(second, square);
        if (square >= second) continue;
        second = Math.max(first, square);
        first = Math.min(first, square);
      }
    }
  }
  return Math.sqrt(third) - Math.sqrt(first);
}

/** The largest connected part of the nodes below a threshold, with its enclosed voids filled. */
function strutNodes({ nodes, values }: FoamField, threshold: number): NodeGrid {
  const size = nodes + 2;
  const [outside, strut, visited, kept, open] = [0, 1, 2, 3, 4];
  const state = new Uint8Array(values.length);
  for (let n = 0; n < state.length; n++) {
    state[n] = values[n]! < threshold && !isOutermost(n, size) ? strut : outside;
  }
  const queue = new Int32Array(state.length);
  let largest = 0;
  let start = -1;
  for (let n = 0; n < state.length; n++) {
    if (state[n] !== strut) continue;
    const count = flood(state, size, queue, n, visited);
    if (count > largest) {
      largest = count;
      start = n;
    }
  }
  if (start >= 0) flood(state, size, queue, start, kept);
  for (let n = 0; n < state.length; n++) if (state[n] !== kept) state[n] = outside;
  flood(state, size, queue, 0, open);
  return { size, inside: state.map((value) => (value === open ? 0 : 1)) };
}

/**
 * Flood fill: gives a new value to the start node, and to all nodes of its old value that edges of tetrahedra connect
 * to it. Returns how many there are.
 */
function flood(state: Uint8Array, size: number, queue: Int32Array, start: number, value: number): number {
  const layer = size * size;
  const steps = [1, size, layer, 1 + size, 1 + layer, size + layer, 1 + size + layer];
  const old = state[start]!;
  state[start] = value;
  queue[0] = start;
  let count = 1;
  for (let head = 0; head < count; head++) {
    const node = queue[head]!;
    // A step over the grid's end leads to no node, or to another outermost one. Those are all connected anyway.
    for (const step of steps) {
      for (const next of [node - step, node + step]) {
        if (state[next] !== old) continue;
        state[next] = value;
        queue[count++] = next;
      }
    }
  }
  return count;
}

function isOutermost(node: number, size: number): boolean {
  const i = node % size;
  const j = Math.floor(node / size) % size;
  const k = Math.floor(node / (size * size));
  return Math.min(i, j, k) === 0 || Math.max(i, j, k) === size - 1;
}

function defaultCells(triangles: number): number {
  let cells = 1;
  while (triangles >= DEFAULT_TRIANGLES_PER_CELL * (cells + 0.5) ** 3) cells++;
  return cells;
}

function requireInteger(name: string, value: number, least: number, most: number): void {
  if (value >= least && value <= most && Number.isInteger(value)) return;
  throw new InputError(`openCellFoam: ${name} is ${value}, expected an integer from ${least} to ${most}`);
}

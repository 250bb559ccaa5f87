/** Heaps: bodies that came to rest in a box, by scree's own steps. */
import { type ContactShape, Simulation, type SimulationScene } from '../../index.ts';
import { type Cell, copies, divisorNear, latticeCell, type PackedKind, type Packing } from '../contacts/packings.ts';

/** Lattice constant of the column that bodies fall from: hardly any two overlap. */
const LOOSE = 2.1;
/** How far the column stays from walls and floor: bodies are about 1 unit in radius, and those outside half as far. */
const CLEAR = 0.65;
export const DENSITY = 1;
/** Bodies overlap by some hundredths of their radius at most under a heap's weight. */
const MATERIAL = { density: DENSITY, youngsModulus: 1e5, restitution: 0.3, friction: 0.3 } as const;
const GRAVITY = [0, 0, -10] as const;

/** A packing and the width and depth of its box, which has a corner at the origin. */
export interface Heap {
  readonly packing: Packing;
  readonly box: readonly [number, number];
}

/** Bodies in a box, at rest or not. */
export function sceneOf({ shapes }: PackedKind, { packing, box: [width, depth] }: Heap): SimulationScene {
  const s = Math.SQRT1_2;
  // A plane's normal is its axis z.
  const planes = [
    ...[0, 0, 0, 0, 0, 0, 1],
    ...[0, 0, 0, 0, s, 0, s],
    ...[width, 0, 0, 0, -s, 0, s],
    ...[0, 0, 0, -s, 0, 0, s],
    ...[0, depth, 0, s, 0, 0, s],
  ];
  const ofPlanes = new Uint32Array(planes.length / 7).fill(shapes.length);
  return {
    shapes: [...shapes, { kind: 'plane' }],
    materials: [MATERIAL],
    gravity: GRAVITY,
    bodies: {
      shapes: Uint32Array.from([...packing.shapes, ...ofPlanes]),
      poses: Float64Array.from([...packing.poses, ...planes]),
    },
  };
}

/** Bodies that fell into a box, after so much simulated time. Rocks fall as their hulls, then settle as they are. */
export async function settledCell(
  kind: PackedKind,
  { count, across, settling }: { readonly count: number; readonly across: number; readonly settling: number },
  signal?: AbortSignal,
): Promise<Cell> {
  const { shapes, poses, period } = latticeCell(kind, count, across, LOOSE);
  const side = period[0] + 2 * CLEAR;
  for (let i = 0; i < poses.length; i++) if (i % 7 < 3) poses[i]! += CLEAR;
  let cell: Cell = { shapes, poses, period: [side, side, 0], made: 'in a lattice' };
  if (kind.shapes[0]!.kind === 'polyhedron') {
    // Rocks take ten times as long.
    const hulls = kind.shapes.map((shape) => ({ kind: 'polytope' as const, vertices: verticesOf(shape) }));
    cell = await moved({ ...kind, shapes: hulls }, cell, settling, signal);
    cell = await moved(kind, cell, settling / 10, signal);
  } else cell = await moved(kind, cell, settling, signal);
  const made = `${count} fell into a box by scree’s own steps, for ${settling} units of time`;
  return { ...cell, made };
}

async function moved(kind: PackedKind, cell: Cell, time: number, signal?: AbortSignal): Promise<Cell> {
  const simulation = await Simulation.create(undefined, sceneOf(kind, heapOf(cell, cell.shapes.length)), { signal });
  try {
    await simulation.step(Math.ceil(time / simulation.timeStep), { signal });
    const poses = await simulation.read('poses');
    return { ...cell, poses: poses.slice(0, cell.poses.length) };
  } finally {
    simulation.destroy();
  }
}

function verticesOf(shape: ContactShape): ArrayLike<number> {
  return shape.kind === 'polyhedron' && 'positions' in shape.mesh ? shape.mesh.positions : [];
}

/** Cells side by side in one box, without walls between them, until there are so many bodies. */
export function heapOf(cell: Cell, bodies: number): Heap {
  const cells = Math.round(bodies / cell.shapes.length);
  const nx = divisorNear(cells, Math.sqrt(cells));
  const [width, depth] = cell.period;
  return { packing: copies(cell, [nx, cells / nx, 1]), box: [nx * width, (cells / nx) * depth] };
}

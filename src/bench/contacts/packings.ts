/** Packings: bodies that touch about as many others as in a heap, the same ones on every machine. */
import { quatd } from 'wgpu-matrix';
import { type ContactShape, checkMesh, createRandom, randomRock } from '../../index.ts';
import { randomRotation } from '../pairs/configurations.ts';

const SHAPE_SEED = 5100;
const START_SEED = 5200;
const MOTION_SEED = 5300;

/** Bodies of a packing are of so many shapes, at random. */
const [SHAPES, QUICK_SHAPES] = [4, 1];
/** Radii of spheres: the others are about as large, and differ as much. */
const RADII = [0.85, 0.9, 0.95, 1] as const;
/** How far a body starts from its place in the lattice at most, along each axis, in lattice constants. */
const JITTER = 0.03;
/** Way of a body from step to step, and what it turns by in radians: bodies are about 1 unit in radius. */
export const STEP = 1e-3;

/** What the bodies of a packing are. */
export interface PackedKind {
  readonly name: 'sphere' | 'hull' | 'rock-80' | 'rock-2048';
  readonly label: string;
  readonly shapes: readonly ContactShape[];
  /** Mean volume of the shapes. */
  readonly volume: number;
  /** Share of the space that bodies fill, chosen for about six partners of each. Overlaps count twice. */
  readonly filled: number;
}

/** Bodies in a box that is repeated along the axes. */
export interface Cell {
  /** `[n]`: shapes; `[n * 7]`: poses. */
  readonly shapes: Uint32Array;
  readonly poses: Float64Array;
  readonly period: readonly [number, number, number];
  /** What put the bodies where they are. */
  readonly made: string;
}

export type Packing = Pick<Cell, 'shapes' | 'poses'>;

/** @param quick one shape of each: tables take longer to make than a quick run to measure */
export function packedKinds(quick = false): PackedKind[] {
  const rocks = (convex: boolean, triangles: number) =>
    Array.from({ length: quick ? QUICK_SHAPES : SHAPES }, (_, i) =>
      randomRock({ seed: SHAPE_SEED + i, convex, triangles }),
    );
  const mean = (volumes: readonly number[]) => volumes.reduce((sum, one) => sum + one, 0) / volumes.length;
  const rock = (name: PackedKind['name'], triangles: number): PackedKind => {
    const meshes = rocks(false, triangles);
    return {
      ...{ name, label: `rocks of ${meshes[0]!.triangleCount.toLocaleString('en-US')} triangles`, filled: 0.62 },
      shapes: meshes.map((mesh) => ({ kind: 'polyhedron', mesh })),
      volume: mean(meshes.map((mesh) => checkMesh(mesh).enclosedVolume!)),
    };
  };
  // A convex rock of 28 triangles has 16 vertices.
  const hulls = rocks(true, 28);
  return [
    {
      ...{ name: 'sphere', label: 'spheres', filled: 0.7 },
      shapes: RADII.map((radius) => ({ kind: 'sphere', radius })),
      volume: mean(RADII.map((radius) => (4 / 3) * Math.PI * radius ** 3)),
    },
    {
      ...{ name: 'hull', label: 'hulls of 16 points', filled: 0.64 },
      shapes: hulls.map(({ positions: vertices }) => ({ kind: 'polytope', vertices })),
      volume: mean(hulls.map((mesh) => checkMesh(mesh).enclosedVolume!)),
    },
    rock('rock-80', 80),
    rock('rock-2048', 2048),
  ];
}

/**
 * Bodies turned at random at jittered places of a lattice, `across` along x and y, and as high as they get: squares,
 * each layer above the middles of the one below, so that each body has twelve neighbours in the distance `constant`.
 */
export function latticeCell(kind: PackedKind, count: number, across: number, constant: number): Cell {
  const random = createRandom(START_SEED);
  const poses = new Float64Array(7 * count);
  const rise = constant * Math.SQRT1_2;
  for (let i = 0; i < count; i++) {
    const layer = Math.floor(i / across ** 2);
    const shift = 0.25 + 0.5 * (layer % 2);
    const place = [(i % across) + shift, (Math.floor(i / across) % across) + shift, Math.SQRT1_2 * (layer + 0.5)];
    for (let k = 0; k < 3; k++) poses[7 * i + k] = constant * (place[k]! + JITTER * (2 * random() - 1));
    poses.set(randomRotation(random), 7 * i + 3);
  }
  const shapes = Uint32Array.from({ length: count }, () => Math.floor(kind.shapes.length * random()));
  const side = constant * across;
  return { shapes, poses, period: [side, side, rise * Math.ceil(count / across ** 2)], made: 'in a lattice' };
}

/** The cell again and again along the axes, until there are so many bodies: a multiple of the cell's. */
export function repeated(cell: Cell, bodies: number): Packing {
  const cells = Math.round(bodies / cell.shapes.length);
  const nx = divisorNear(cells, Math.cbrt(cells));
  const ny = divisorNear(cells / nx, Math.sqrt(cells / nx));
  return copies(cell, [nx, ny, cells / (nx * ny)]);
}

/** So many copies of the cell along each axis. */
export function copies({ shapes, poses, period }: Cell, [nx, ny, nz]: readonly [number, number, number]): Packing {
  const cells = nx * ny * nz;
  const all = { shapes: new Uint32Array(shapes.length * cells), poses: new Float64Array(poses.length * cells) };
  for (let c = 0; c < cells; c++) {
    const shift = [c % nx, Math.floor(c / nx) % ny, Math.floor(c / (nx * ny))];
    all.shapes.set(shapes, c * shapes.length);
    all.poses.set(poses, c * poses.length);
    for (let i = c * shapes.length; i < (c + 1) * shapes.length; i++) {
      for (let k = 0; k < 3; k++) all.poses[7 * i + k]! += shift[k]! * period[k]!;
    }
  }
  return all;
}

/** The divisor of a number that is next to another one, or below it. */
export function divisorNear(number: number, wanted: number): number {
  let divisor = Math.round(wanted);
  while (number % divisor !== 0) divisor--;
  return divisor;
}

/** Poses of the steps from the packing on: every body moves and turns on, in a direction of its own. */
export function movedPoses({ poses }: Packing, steps: number): Float64Array[] {
  const random = createRandom(MOTION_SEED);
  const moved = Array.from({ length: steps }, () => poses.slice());
  for (let at = 0; at < poses.length; at += 7) {
    const way = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
    const length = Math.hypot(...way) || 1;
    for (const [step, own] of moved.entries()) {
      if (step === 0) continue;
      const far = (step * STEP) / length;
      for (let k = 0; k < 3; k++) own[at + k]! += far * way[k]!;
      const turn = quatd.fromAxisAngle(
        way.map((one) => one / length),
        step * STEP,
      );
      const turned = own.subarray(at + 3, at + 7);
      quatd.normalize(quatd.multiply(turn, turned), turned);
    }
  }
  return moved;
}

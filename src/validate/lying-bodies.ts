/** Bodies that lie on each other, and how still they lie. */
import {
  type ContactShape,
  extrusion,
  type Material,
  type Outline,
  randomRock,
  type Simulation,
  type SimulationScene,
} from '../index.ts';
import { boxMesh, G } from './scenes.ts';

/** Soft, so that steps are long: a cube of 1 m sinks by 0.1 % into a plane. */
export const SOFT: Material = {
  density: 1000,
  youngsModulus: 1e7,
  poissonRatio: 0.25,
  restitution: 0.3,
  friction: 0.5,
  rollingFriction: 0.05,
  torsionalFriction: 0.05,
};

/** About x, by degrees. */
const turn = (degrees: number) => {
  const half = (degrees * Math.PI) / 360;
  return [Math.sin(half), 0, 0, Math.cos(half)];
};
const NONE = [0, 0, 0, 1];

export interface Lying {
  readonly shape: ContactShape;
  readonly rotation: readonly number[];
  /** Of the origin above the ground, and from one of a tower to the next. */
  readonly height: number;
  readonly next?: number;
}

/** Letters 1 wide and high, with strokes 0.3 thick. */
const LETTER_L: Outline = [
  [-0.5, -0.5],
  [0.5, -0.5],
  [0.5, -0.2],
  [-0.2, -0.2],
  [-0.2, 0.5],
  [-0.5, 0.5],
];
export const LETTER_U: Outline = [
  [-0.5, -0.5],
  [0.5, -0.5],
  [0.5, 0.5],
  [0.2, 0.5],
  [0.2, -0.2],
  [-0.2, -0.2],
  [-0.2, 0.5],
  [-0.5, 0.5],
];

const hull = (): ContactShape => ({
  kind: 'polytope',
  vertices: [...randomRock({ seed: 5, convex: true, triangles: 40 }).positions].map((x) => x / 2),
});

/** Shapes about 1 in size, as they lie. */
export const LYING: Readonly<Record<string, Lying>> = {
  sphere: { shape: { kind: 'sphere', radius: 0.5 }, rotation: NONE, height: 0.5 },
  box: { shape: { kind: 'box', halfExtents: [0.5, 0.5, 0.5] }, rotation: NONE, height: 0.5, next: 1 },
  'cylinder, upright': {
    shape: { kind: 'cylinder', radius: 0.5, halfHeight: 0.5 },
    rotation: NONE,
    height: 0.5,
    next: 1,
  },
  'cylinder, lying': {
    shape: { kind: 'cylinder', radius: 0.5, halfHeight: 0.5 },
    rotation: turn(90),
    height: 0.5,
  },
  cone: { shape: { kind: 'cone', radius: 0.5, height: 1 }, rotation: NONE, height: 0.25 },
  capsule: { shape: { kind: 'capsule', halfLength: 0.3, radius: 0.3 }, rotation: NONE, height: 0.3 },
  hull: { shape: hull(), rotation: NONE, height: 0.5 },
  ellipsoid: { shape: { kind: 'ellipsoid', radii: [0.5, 0.4, 0.3] }, rotation: NONE, height: 0.3 },
  'round box': {
    shape: { kind: 'round-box', halfExtents: [0.4, 0.4, 0.4], radius: 0.1 },
    rotation: NONE,
    height: 0.5,
    next: 1,
  },
  cube: { shape: { kind: 'polyhedron', mesh: boxMesh(0.5, 0.5, 0.5) }, rotation: NONE, height: 0.5, next: 1 },
  // Towers take many steps.
  'cube of few nodes': {
    shape: { kind: 'polyhedron', mesh: boxMesh(0.5, 0.5, 0.5), nodeSpacing: 0.3 },
    rotation: NONE,
    height: 0.5,
    next: 1,
  },
  rock: {
    shape: { kind: 'polyhedron', mesh: randomRock({ seed: 3, triangles: 72, convex: false }) },
    rotation: NONE,
    height: 0.9,
  },
  'L, lying': {
    shape: { kind: 'polyhedron', mesh: extrusion({ outline: LETTER_L, height: 0.5 }) },
    rotation: NONE,
    height: 0.25,
    next: 0.5,
  },
  'L, upright': {
    shape: { kind: 'polyhedron', mesh: extrusion({ outline: LETTER_L, height: 0.5 }) },
    rotation: turn(90),
    height: 0.5,
  },
  'U, lying': {
    shape: { kind: 'polyhedron', mesh: extrusion({ outline: LETTER_U, height: 0.5 }) },
    rotation: NONE,
    height: 0.25,
    next: 0.5,
  },
  'U, upright': {
    shape: { kind: 'polyhedron', mesh: extrusion({ outline: LETTER_U, height: 0.5 }) },
    rotation: turn(90),
    height: 0.5,
  },
  'U, upside down': {
    shape: { kind: 'polyhedron', mesh: extrusion({ outline: LETTER_U, height: 0.5 }) },
    rotation: turn(-90),
    height: 0.5,
  },
};

const GROUNDS = {
  plane: { kind: 'plane' },
  mesh: { kind: 'polyhedron', mesh: boxMesh(4, 4, 1), nodeSpacing: 0.5 },
} satisfies Record<string, ContactShape>;

/** A tower of bodies, each so far above the ground and the one below, the lowest one tipped by half of that. */
export function tower(
  { shape, rotation, height, next = 1 }: Lying,
  ground: keyof typeof GROUNDS,
  count = 1,
  material: Material = SOFT,
  drop = 0.01,
): SimulationScene {
  const poses = [0, 0, ground === 'mesh' ? -1 : 0, ...NONE];
  const tipped = rotation.map((x, k) => x + (k < 3 ? (drop / 2) * (k + 1) * rotation[3]! : 0));
  const length = Math.hypot(...tipped);
  for (let i = 0; i < count; i++) {
    const own = i === 0 ? tipped.map((x) => x / length) : rotation;
    poses.push(drop * i, 0, height + drop + i * (next + drop), ...own);
  }
  return {
    shapes: [GROUNDS[ground], shape],
    materials: [material],
    bodies: {
      shapes: Uint32Array.from({ length: count + 1 }, (_, i) => Math.min(1, i)),
      poses: Float64Array.from(poses),
      isStatic: Uint8Array.from({ length: count + 1 }, (_, i) => (i === 0 ? 1 : 0)),
    },
    margin: 0.05,
  };
}

/** The fastest point of all bodies of about this size, in sqrt(g size). */
export async function restlessness(simulation: Simulation, size = 1): Promise<number> {
  const v = await simulation.read('velocities');
  const w = await simulation.read('angularVelocities');
  let most = 0;
  for (let i = 0; i < v.length; i += 3) {
    const turning = (size / 2) * Math.hypot(w[i]!, w[i + 1]!, w[i + 2]!);
    most = Math.max(most, Math.hypot(v[i]!, v[i + 1]!, v[i + 2]!) + turning);
  }
  return most / Math.sqrt(G * size);
}

/** How far a body's centroid has moved at most since centroids were `before`. */
export async function creepSince(simulation: Simulation, before: Float64Array): Promise<number> {
  const now = await simulation.read('centroids');
  let most = 0;
  for (let i = 0; i < now.length; i += 3) {
    most = Math.max(
      most,
      Math.hypot(now[i]! - before[i]!, now[i + 1]! - before[i + 1]!, now[i + 2]! - before[i + 2]!),
    );
  }
  return most;
}

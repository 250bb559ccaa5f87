/**
 * The peer for convex bodies: Rapier in its build with SIMD; one thread, float32, WebAssembly. Suite `contacts` takes
 * its collision detection alone, by its own clock. Its bodies are kinematic then and put in place before each step: for
 * dynamic ones, whose contacts its solver needs, the same takes about twice as long. Suite `dem` takes whole steps.
 */
import type { World } from '@dimforge/rapier3d-simd-compat';
import type { ContactShape } from '../../index.ts';
import { ifInstalled } from '../optional-package.ts';
import { type Cell, latticeCell, type PackedKind, type Packing } from './packings.ts';

type Rapier = Awaited<typeof import('@dimforge/rapier3d-simd-compat')>['default'];

/** Lattice constant of the column that bodies fall from: hardly any two overlap. */
const LOOSE = 2.1;
/** Bodies fall 10 units/s^2, slowed down, for as many steps of 1/60 s as a thousand need to come to rest. */
const GRAVITY = -10;
const DAMPING = 0.5;
const SETTLING_STEPS = 240;
const FRICTION = 0.3;

/** Bodies in Rapier. */
export interface PeerWorld {
  /** Puts bodies in place and detects collisions; tells the seconds that the latter took. */
  detect(poses: Float64Array): number;
  /** Pairs of bodies that overlap, `a * 2^26 + b`, a < b, with their depths. */
  overlaps(): Map<number, number>;
  destroy(): void;
}

/** Bodies in motion, in a box. */
export interface PeerHeap {
  readonly timeStep: number;
  step(): void;
  destroy(): void;
}

/** A stack of boxes, of one radius of their edges, on a floor that is a box as well; z is up. */
export interface PeerStackOptions {
  readonly halfExtents: readonly [number, number, number];
  readonly radius: number;
  /** `[n * 7]`; the floor's top is at 0. */
  readonly poses: Float64Array;
  readonly floor: readonly [number, number, number];
  readonly friction: number;
  readonly gravity: number;
  readonly timeStep: number;
  readonly iterations: number;
}

export interface PeerStack {
  /** Height of the topmost box after so many steps more. */
  top(steps: number): number;
  /** That collision detection took so far, by the engine's own clock. */
  seconds(): number;
  destroy(): void;
}

export interface ContactPeer {
  /** Lets so many bodies fall into a box, whose bottom they cover about as high as it is wide. */
  settle(kind: PackedKind, count: number): Cell;
  /** Undefined where it has not all shapes. */
  world(shapes: readonly ContactShape[], packing: Packing): PeerWorld | undefined;
  /** The same; in a box of this width and depth. */
  heap(shapes: readonly ContactShape[], packing: Packing, box: readonly [number, number]): PeerHeap | undefined;
  stack(options: PeerStackOptions): PeerStack;
}

/** @returns undefined where the package `@dimforge/rapier3d-simd-compat` is not installed. */
export async function loadContactPeer(): Promise<ContactPeer | undefined> {
  const rapier = await ifInstalled(async () => (await import('@dimforge/rapier3d-simd-compat')).default);
  if (rapier === undefined) return undefined;
  await rapier.init();
  return {
    settle: (...of) => settle(rapier, ...of),
    world: (...of) => worldOf(rapier, ...of),
    heap: (...of) => heapOf(rapier, ...of),
    stack: (options) => stackOf(rapier, options),
  };
}

function colliderOf({ ColliderDesc }: Rapier, shape: ContactShape) {
  switch (shape.kind) {
    case 'sphere':
      return ColliderDesc.ball(shape.radius);
    case 'polytope':
      return ColliderDesc.convexHull(Float32Array.from(shape.vertices))!;
    default:
      return undefined;
  }
}

/** Bodies with a collider each. */
function fill(rapier: Rapier, world: World, shapes: readonly ContactShape[], packing: Packing, kinematic: boolean) {
  const { RigidBodyDesc, ActiveCollisionTypes } = rapier;
  return Array.from(packing.shapes, (shape, i) => {
    const desc = kinematic ? RigidBodyDesc.kinematicPositionBased() : RigidBodyDesc.dynamic();
    const body = world.createRigidBody(desc.setCanSleep(false));
    place(body, packing.poses, 7 * i);
    const collider = colliderOf(rapier, shapes[shape]!)!.setFriction(FRICTION);
    // By default, two kinematic bodies do not collide.
    if (kinematic) collider.setActiveCollisionTypes(ActiveCollisionTypes.ALL);
    return { body, collider: world.createCollider(collider, body) };
  });
}

function place(body: InstanceType<Rapier['RigidBody']>, poses: Float64Array, o: number): void {
  body.setTranslation({ x: poses[o]!, y: poses[o + 1]!, z: poses[o + 2]! }, true);
  body.setRotation({ x: poses[o + 3]!, y: poses[o + 4]!, z: poses[o + 5]!, w: poses[o + 6]! }, true);
}

function worldOf(rapier: Rapier, shapes: readonly ContactShape[], packing: Packing): PeerWorld | undefined {
  if (shapes.some((shape) => colliderOf(rapier, shape) === undefined)) return undefined;
  const world = new rapier.World({ x: 0, y: 0, z: 0 });
  world.profilerEnabled = true;
  const bodies = fill(rapier, world, shapes, packing, true);
  const numbers = new Map(bodies.map(({ collider }, i) => [collider.handle, i]));
  return {
    detect(poses) {
      for (const [i, { body }] of bodies.entries()) place(body, poses, 7 * i);
      world.step();
      // Milliseconds.
      return world.timingCollisionDetection() / 1000;
    },
    overlaps() {
      const found = new Map<number, number>();
      for (const [a, { collider }] of bodies.entries()) {
        world.contactPairsWith(collider, (other) => {
          const b = numbers.get(other.handle)!;
          if (b <= a) return;
          world.contactPair(collider, other, (manifold) => {
            let depth = 0;
            for (let i = 0; i < manifold.numContacts(); i++) depth = Math.max(depth, -manifold.contactDist(i));
            if (depth > 0) found.set(a * 2 ** 26 + b, depth);
          });
        });
      }
      return found;
    },
    destroy: () => world.free(),
  };
}

/** A floor and four walls: cuboids, of a corner at the origin. */
function addBox({ ColliderDesc }: Rapier, world: World, [width, depth]: readonly [number, number]): void {
  const size = 2 * Math.max(width, depth);
  for (const [x, y, z] of [
    ...[-size, width + size].map((one) => [one, depth / 2, 0] as const),
    ...[-size, depth + size].map((one) => [width / 2, one, 0] as const),
    [width / 2, depth / 2, -size] as const,
  ]) {
    world.createCollider(ColliderDesc.cuboid(size, size, size).setTranslation(x, y, z));
  }
}

function heapOf(
  rapier: Rapier,
  shapes: readonly ContactShape[],
  packing: Packing,
  box: readonly [number, number],
): PeerHeap | undefined {
  if (shapes.some((shape) => colliderOf(rapier, shape) === undefined)) return undefined;
  const world = new rapier.World({ x: 0, y: 0, z: GRAVITY });
  addBox(rapier, world, box);
  fill(rapier, world, shapes, packing, false);
  return { timeStep: world.timestep, step: () => world.step(), destroy: () => world.free() };
}

function stackOf({ World, RigidBodyDesc, ColliderDesc }: Rapier, options: PeerStackOptions): PeerStack {
  const { halfExtents, radius, poses, floor, friction, gravity, timeStep, iterations } = options;
  const world = new World({ x: 0, y: 0, z: -gravity });
  world.timestep = timeStep;
  world.numSolverIterations = iterations;
  world.profilerEnabled = true;
  world.createCollider(
    ColliderDesc.cuboid(...floor)
      .setTranslation(0, 0, -floor[2])
      .setFriction(friction),
  );
  const [x, y, z] = halfExtents;
  const boxes = Array.from({ length: poses.length / 7 }, (_, i) => {
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setCanSleep(false));
    place(body, poses, 7 * i);
    const round = () => ColliderDesc.roundCuboid(x - radius, y - radius, z - radius, radius);
    world.createCollider((radius > 0 ? round() : ColliderDesc.cuboid(x, y, z)).setFriction(friction), body);
    return body;
  });
  let seconds = 0;
  return {
    top(steps) {
      for (let step = 0; step < steps; step++) {
        world.step();
        // Milliseconds.
        seconds += world.timingCollisionDetection() / 1000;
      }
      return boxes.at(-1)!.translation().z;
    },
    seconds: () => seconds,
    destroy: () => world.free(),
  };
}

function settle(rapier: Rapier, kind: PackedKind, count: number): Cell {
  const across = Math.max(1, Math.round(Math.cbrt((count * kind.volume) / kind.filled) / LOOSE));
  const start = latticeCell(kind, count, across, LOOSE);
  const world = new rapier.World({ x: 0, y: 0, z: GRAVITY });
  try {
    const [side] = start.period;
    addBox(rapier, world, [side, side]);
    const bodies = fill(rapier, world, kind.shapes, start, false);
    for (const { body } of bodies) body.setLinearDamping(DAMPING);
    for (let step = 0; step < SETTLING_STEPS; step++) world.step();
    let top = 0;
    const poses = start.poses.slice();
    for (const [i, { body }] of bodies.entries()) {
      const [position, turn] = [body.translation(), body.rotation()];
      poses.set([position.x, position.y, position.z, turn.x, turn.y, turn.z, turn.w], 7 * i);
      top = Math.max(top, position.z);
    }
    return { shapes: start.shapes, poses, period: [side, side, top], made: 'settled by Rapier' };
  } finally {
    world.free();
  }
}

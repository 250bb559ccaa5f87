/**
 * The peer: contacts between colliders of Rapier, in WebAssembly, one thread, float32. Colliders are made and put in place
 * beforehand, a block at a time: what is timed is the call for a contact and nothing else, which is less than scree is timed
 * for. Of the ways that its interface has this is the cheapest: others build the shape anew for every call. Whether a pair
 * intersects is told by there being a contact or, where that is faster, by its test of a collider against a shape.
 */

import type { Shape } from '../../index.ts';
import { ifInstalled } from '../optional-package.ts';
import type { PairQuestion } from '../report.ts';
import {
  APART,
  firstOf,
  INTERSECTING,
  type PairLibrary,
  type PairSet,
  type PairWay,
  type PreparedPairs,
} from './pair-way.ts';
import type { Problem } from './problems.ts';

type Rapier = Awaited<typeof import('@dimforge/rapier3d-compat')>['default'];
type Collider = InstanceType<Rapier['Collider']>;

/** Pairs whose colliders are in place at once. */
const BLOCK = 512;
/** By the best of these it is told which of its two tests is the faster one. */
const TRIES = [1, 2, 3, 4, 5] as const;
/** Farther than any pair of the benchmark is apart. */
const FAR = 1e4;

/** @returns undefined where the package `@dimforge/rapier3d-compat` is not installed. */
export async function loadRapier(): Promise<PairLibrary | undefined> {
  const rapier = await ifInstalled(async () => (await import('@dimforge/rapier3d-compat')).default);
  if (rapier === undefined) return undefined;
  await rapier.init();
  const way: PairWay = {
    ...{ key: 'rapier', label: 'Rapier, CPU', kind: 'peer', algorithm: 'contactCollider', precision: 'float32' },
    questions: ['intersect', 'penetration', 'signed-distance'],
    ...{ fromAbove: false, compared: true, hasClock: false, wide: false },
  };
  return { ways: [way], prepare: async (problem) => prepare(rapier, problem) };
}

/** A shape as Rapier has it, and where: rotation and position of its frame in that of scree's. */
interface Form {
  readonly make: () => InstanceType<Rapier['ColliderDesc']>;
  /** Rapier's cones have the axis y and the origin halfway up: how far that is above scree's, along scree's axis z. */
  readonly lift?: number;
}

function formOf({ ColliderDesc }: Rapier, shape: Shape): Form | undefined {
  switch (shape.kind) {
    case 'box':
      return { make: () => ColliderDesc.cuboid(...shape.halfExtents) };
    case 'round-box':
      return { make: () => ColliderDesc.roundCuboid(...shape.halfExtents, shape.radius) };
    case 'cone':
      return { make: () => ColliderDesc.cone(shape.height / 2, shape.radius), lift: shape.height / 4 };
    case 'polytope': {
      const vertices = Float32Array.from(shape.vertices);
      return { make: () => ColliderDesc.convexHull(vertices)! };
    }
    default:
      return undefined;
  }
}

type Place = readonly [ReturnType<Collider['translation']>, ReturnType<Collider['rotation']>];
/** Asks about pair i, whose colliders are in place; `place` is that of the second. */
type Ask = (a: Collider, b: Collider, i: number, place: Place) => void;

function prepare(rapier: Rapier, { a, b }: Problem): PreparedPairs | undefined {
  const [first, second] = [formOf(rapier, a.shape), formOf(rapier, b.shape)];
  if (first === undefined || second === undefined) return undefined;
  const world = new rapier.World({ x: 0, y: 0, z: 0 });
  const forms = [first, second] as const;
  const colliders: Collider[] = Array.from({ length: 2 * BLOCK }, (_, i) => world.createCollider(forms[i % 2]!.make()));
  /** Seconds of all calls about pairs; putting bodies in place, block after block, is no part of them. */
  const inBlocks = ({ poses, count }: PairSet, ask: Ask, signal: AbortSignal | undefined): number => {
    let milliseconds = 0;
    for (let from = 0; from < count; from += BLOCK) {
      signal?.throwIfAborted();
      const end = Math.min(count, from + BLOCK);
      for (let body = 2 * from; body < 2 * end; body++) {
        putInPlace(colliders[body - 2 * from]!, forms[body % 2]!, poses, 7 * body);
      }
      const places = colliders.map((one): Place => [one.translation(), one.rotation()]);
      const started = performance.now();
      for (let i = from; i < end; i++) {
        const at = 2 * (i - from);
        ask(colliders[at]!, colliders[at + 1]!, i, places[at + 1]!);
      }
      milliseconds += performance.now() - started;
    }
    return milliseconds / 1000;
  };
  const byContact = (set: PairSet, question: PairQuestion, signal?: AbortSignal) => {
    const prediction = question === 'signed-distance' ? FAR : 0;
    const asksDistance = question !== 'intersect';
    const sides = new Uint8Array(set.count).fill(APART);
    const distance = new Float32Array(asksDistance ? set.count : 0).fill(Number.NaN);
    const ask: Ask = (one, other, i) => {
      const contact = one.contactCollider(other, prediction);
      if (contact === null) return;
      if (contact.distance <= 0) sides[i] = INTERSECTING;
      if (asksDistance) distance[i] = contact.distance;
    };
    return { sides, distance, calls: [], undecided: 0, seconds: inBlocks(set, ask, signal) };
  };
  /** Whether pairs intersect, by its test of a collider against a shape that is somewhere. */
  const byTest = (set: PairSet, _: PairQuestion, signal?: AbortSignal) => {
    const sides = new Uint8Array(set.count).fill(APART);
    const { shape } = colliders[1]!;
    const ask: Ask = (one, _, i, [position, rotation]) => {
      if (one.intersectsShape(shape, position, rotation)) sides[i] = INTERSECTING;
    };
    return { sides, distance: [], calls: [], undecided: 0, seconds: inBlocks(set, ask, signal) };
  };
  /** The faster one of its two tests for these shapes: found by the first question. */
  let faster: typeof byContact | typeof byTest | undefined;
  return {
    async ask(_, set, question, { signal } = {}) {
      if (question !== 'intersect') return byContact(set, question, signal);
      if (faster === undefined) {
        const some = firstOf(set, BLOCK);
        const [contacts, tests] = [byContact, byTest].map((way) =>
          Math.min(...TRIES.map(() => way(some, 'intersect', signal).seconds)),
        );
        faster = tests! < contacts! ? byTest : byContact;
      }
      return faster(set, question, signal);
    },
    destroy: () => world.free(),
  };
}

const HALF = Math.SQRT1_2;

function putInPlace(collider: Collider, { lift }: Form, poses: Float32Array, o: number): void {
  const [px, py, pz] = [poses[o]!, poses[o + 1]!, poses[o + 2]!];
  const [x, y, z, w] = [poses[o + 3]!, poses[o + 4]!, poses[o + 5]!, poses[o + 6]!];
  if (lift === undefined) {
    collider.setTranslation({ x: px, y: py, z: pz });
    collider.setRotation({ x, y, z, w });
    return;
  }
  // A quarter turn about x takes Rapier's axis y to scree's axis z; that axis in the world is the third column of the rotation.
  const axis = [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)] as const;
  collider.setTranslation({ x: px + lift * axis[0], y: py + lift * axis[1], z: pz + lift * axis[2] });
  collider.setRotation({ x: HALF * (x + w), y: HALF * (y + z), z: HALF * (z - y), w: HALF * (w - x) });
}

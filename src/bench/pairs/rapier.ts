/**
 * The peer: contacts between colliders of Rapier, in WebAssembly, one thread, float32. Colliders are made and placed
 * beforehand, a block at a time. Only the call for a contact is timed; of scree more is timed. This is the cheapest way
 * that Rapier's interface has: others build the shape anew for every call. A pair intersects if there is a contact or,
 * where that is faster, if a collider meets the other's shape.
 */
import { quatd, vec3d } from 'wgpu-matrix';
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
/** The best of these tells which of its two tests is faster. */
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

/** About x: takes Rapier's axis y to scree's axis z. */
const QUARTER_TURN = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];

function putInPlace(collider: Collider, { lift }: Form, poses: Float32Array, o: number): void {
  const [position, rotation] = [poses.subarray(o, o + 3), poses.subarray(o + 3, o + 7)];
  const moved = lift === undefined ? position : vec3d.add(position, vec3d.transformQuat([0, 0, lift], rotation));
  const turned = lift === undefined ? rotation : quatd.multiply(rotation, QUARTER_TURN);
  collider.setTranslation({ x: moved[0]!, y: moved[1]!, z: moved[2]! });
  collider.setRotation({ x: turned[0]!, y: turned[1]!, z: turned[2]!, w: turned[3]! });
}

/** Contacts of all pairs of colliders, without a broad phase: what the pipeline has to find. */
import { writeEntryBoxes } from '../../../src/broadphase/entry-boxes.ts';
import { nearPairs } from '../../../src/broadphase/near-pairs.ts';
import { overlappingPairs } from '../../../src/broadphase/pairs-task.ts';
import { checkedPoses, mayTouch, resolveBodies } from '../../../src/contacts/bodies/check-bodies.ts';
import { namesOf } from '../../../src/contacts/bodies/check-shapes.ts';
import { makeColliders } from '../../../src/contacts/bodies/collider-table.ts';
import { ColliderKind } from '../../../src/contacts/bodies/colliders.ts';
import { makeEntries } from '../../../src/contacts/bodies/entries.ts';
import { sceneScale } from '../../../src/contacts/bodies/scene-scale.ts';
import { findContacts, STAGES } from '../../../src/contacts/cpu/contacts-task.ts';
import { classifyPairs } from '../../../src/contacts/cpu/pair-classes.ts';
import { withFaces } from '../../../src/contacts/faces/face-table.ts';
import { assembleContacts } from '../../../src/contacts/list/assemble.ts';
import type { ContactArrays } from '../../../src/contacts/list/contact-arrays.ts';
import { ContactSink } from '../../../src/contacts/list/contact-sink.ts';
import { preparePolyhedra } from '../../../src/contacts/pipeline/prepare-polyhedra.ts';
import { centresOf, facesOf } from '../posed.ts';
import type { Scene } from './scenes.ts';

/** One thread, no boxes, no margin: each pair that may touch goes through its narrow phases. */
export async function allContacts({
  shapes,
  bodies: given,
  poses: givenPoses,
}: Scene): Promise<ContactArrays> {
  const names = namesOf('shape', undefined, shapes.length);
  const bodies = resolveBodies(given, shapes, (count) => namesOf('body', undefined, count));
  const poses = checkedPoses(givenPoses, bodies);
  const table = withFaces(makeColliders(shapes, names, bodies));
  const { colliders } = table;
  const polyhedra = (await preparePolyhedra(table, {})).map(({ arrays }) => arrays);
  const pairs: number[] = [];
  const planes: number[] = [];
  for (let a = 0; a < colliders.count; a++) {
    for (let b = a + 1; b < colliders.count; b++) {
      const [bodyA, bodyB] = [colliders.bodies[a]!, colliders.bodies[b]!];
      if (bodyA === bodyB || !mayTouch(bodies, bodyA, bodyB)) continue;
      const isPlane = [a, b].some((c) => colliders.kinds[c] === ColliderKind.plane);
      if (isPlane) planes.push(a, b);
      else pairs.push(a, b);
    }
  }
  const entries = Uint32Array.from({ length: colliders.count }, (_, collider) => collider);
  const { polyhedra: nodes, ...others } = classifyPairs(Uint32Array.from(pairs), entries, colliders);
  const lists = { ...others, nodes, edges: nodes, planes: { pairs: Uint32Array.from(planes) } };
  const sink = new ContactSink();
  const posed = { colliders, poses };
  const centres = table.convex ? centresOf(table.convex, posed) : new Float64Array(0);
  const scene = {
    convex: table.convex,
    faces: table.convex && facesOf(table.convex),
    polyhedra,
    posed,
    centres,
  };
  for (const stage of STAGES)
    findContacts(stage, scene, lists[stage], 0, lists[stage].pairs.length / 2, sink);
  return listOf(assembleContacts([sink.rows()], colliders, poses));
}

/** Pairs of colliders whose boxes overlap, though their balls are apart: kernels ask about them, the CPU does not. */
export async function pairsOfBoxesAlone({ shapes, bodies: given, poses }: Scene): Promise<number> {
  const names = namesOf('shape', undefined, shapes.length);
  const bodies = resolveBodies(given, shapes, (count) => namesOf('body', undefined, count));
  const table = makeColliders(shapes, names, bodies);
  const { places } = makeEntries(table.colliders);
  const { cell, margin } = sceneScale(table.colliders, bodies, places, table.convex);
  const boxes = new Int32Array(6 * places.count);
  writeEntryBoxes({ entries: places, poses, cell, margin }, boxes);
  const of = (array: Uint8Array) => Uint8Array.from(places.bodies, (body) => array[body]!);
  const words = (array: Uint32Array) => places.bodies.map((body) => array[body]!);
  const { pairs } = await overlappingPairs(boxes, {
    ...{
      count: places.count,
      bodies: places.bodies,
      isStatic: of(bodies.isStatic),
      apart: of(bodies.apart),
    },
    ...{ groups: words(bodies.groups), masks: words(bodies.masks) },
  });
  const all = pairs.length;
  return (all - nearPairs(pairs, { entries: places, poses, margin }).length) / 2;
}

/** A list without the contacts of some bodies: what is left where they are not there. */
export function without(absent: Uint8Array, { count, ...arrays }: ContactArrays): ContactArrays {
  const kept = Array.from({ length: count }, (_, i) => i).filter(
    (i) => absent[arrays.bodies[2 * i]!] === 0 && absent[arrays.bodies[2 * i + 1]!] === 0,
  );
  const picked = Object.entries(arrays).map(([name, array]) => {
    const size = array.length / count;
    const values = kept.flatMap((i) => [...array.subarray(size * i, size * (i + 1))]);
    return [name, new (array.constructor as Uint32ArrayConstructor)(values)];
  });
  return { count: kept.length, ...Object.fromEntries(picked) };
}

/** Every so many bodies, from one on. */
export function everyNth(count: number, { nth, from }: { nth: number; from: number }): Uint8Array {
  return Uint8Array.from({ length: count }, (_, body) => (body % nth === from ? 1 : 0));
}

/** The arrays of a list alone. */
export function listOf(found: ContactArrays): ContactArrays {
  const { count, bodies, parts, kinds, statuses, features, triangles, normals, points, distances, areas } =
    found;
  return { count, bodies, parts, kinds, statuses, features, triangles, normals, points, distances, areas };
}

/** Bodies for tests of narrow phases: colliders and poses without a pipeline. */

import type { ColliderPairs, PosedColliders } from '../../src/contacts/bodies/collider-pairs.ts';
import { ColliderKind, NO_POLYHEDRON } from '../../src/contacts/bodies/colliders.ts';
import { centresInBodies, turnCentres } from '../../src/contacts/convex/centres.ts';
import { convexContacts } from '../../src/contacts/convex/convex-contacts.ts';
import { type FaceTable, makeFaceTable } from '../../src/contacts/faces/face-table.ts';
import { CONTACT_VALUES, type ContactSink } from '../../src/contacts/list/contact-sink.ts';
import type { ShapeArrays } from '../../src/convex/shapes/records.ts';
import type { Vector } from '../convex/shapes-of-all-kinds.ts';

/** A body with one collider. */
export interface TestBody {
  /** Record, or number of the polyhedron. */
  readonly shape: number;
  readonly kind: ColliderKind;
  readonly pose: readonly number[];
  /** Of the collider in the body. */
  readonly place: readonly number[];
}

const NO_TURN = [0, 0, 0, 1] as const;

export function bodyOf(
  shape: number,
  position: readonly number[],
  rotation: readonly number[] = NO_TURN,
  kind: ColliderKind = ColliderKind.convex,
): TestBody {
  return { shape, kind, pose: [...position, ...rotation], place: [0, 0, 0, ...NO_TURN] };
}

/** One collider per body, in their order. Boxes are left out: narrow phases here need none. */
export function posedConvex(bodies: readonly TestBody[]): PosedColliders {
  const isPolyhedron = (body: TestBody) => body.kind === ColliderKind.polyhedron;
  return {
    colliders: {
      count: bodies.length,
      bodies: Uint32Array.from(bodies.keys()),
      parts: new Uint32Array(bodies.length),
      kinds: Uint8Array.from(bodies, ({ kind }) => kind),
      shapes: Uint32Array.from(bodies, ({ shape }) => shape),
      polyhedra: Uint32Array.from(bodies, (body) => (isPolyhedron(body) ? body.shape : NO_POLYHEDRON)),
      places: Float64Array.from(bodies.flatMap(({ place }) => [...place])),
      boxes: new Float64Array(6 * bodies.length),
      radii: new Float64Array(bodies.length),
    },
    poses: Float64Array.from(bodies.flatMap(({ pose }) => [...pose])),
  };
}

const faceTables = new WeakMap<ShapeArrays, FaceTable>();

/** Faces of the shapes of a table, made once. */
export function facesOf(shapes: ShapeArrays): FaceTable {
  let faces = faceTables.get(shapes);
  if (faces === undefined) {
    const names = Array.from({ length: shapes.count }, (_, i) => `shape ${i}`);
    faceTables.set(shapes, (faces = makeFaceTable(shapes, names)));
  }
  return faces;
}

/** Contacts of convex pairs. */
export function convexContactsOf(
  shapes: ShapeArrays,
  posed: PosedColliders,
  pairs: ColliderPairs,
  sink: ContactSink,
  [first, end] = [0, pairs.pairs.length / 2],
): void {
  const centres = centresOf(shapes, posed);
  convexContacts({ shapes, faces: facesOf(shapes), posed, centres, pairs, first, end, sink });
}

/** Centres of colliders in the world's axes, less the positions of their bodies. */
export function centresOf(shapes: ShapeArrays, { colliders, poses }: PosedColliders): Float64Array {
  const centres = centresInBodies(shapes, colliders);
  turnCentres(centres, colliders, poses, centres);
  return centres;
}

/** The contacts in a sink, one by one. */
export function contactsIn(sink: ContactSink) {
  const { count, colliders, features, statuses, kinds, triangles, values } = sink.rows();
  return Array.from({ length: count }, (_, i) => {
    const [nx, ny, nz, px, py, pz, distance, area] = values.subarray(CONTACT_VALUES * i);
    return {
      ...{ colliderA: colliders[2 * i]!, colliderB: colliders[2 * i + 1]! },
      ...{ feature: features[i]!, status: statuses[i]!, kind: kinds[i]!, triangle: triangles[i]! },
      normal: [nx, ny, nz] as Vector,
      point: [px, py, pz] as Vector,
      ...{ distance: distance!, area: area! },
    };
  });
}

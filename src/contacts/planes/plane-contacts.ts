/** Contacts with planes, in float64: of convex shapes (convex-on-plane.ts) and of polyhedra (nodes-below-plane.ts). */
import { PARAMETERS, Parameter, type PlacedRecord, type ShapeArrays } from '../../convex/shapes/records.ts';
import type { ColliderPairs, PosedColliders } from '../bodies/collider-pairs.ts';
import { ColliderKind } from '../bodies/colliders.ts';
import { PLACED, placeCollider } from '../bodies/placed-collider.ts';
import { facesBelowPlane } from '../faces/face-pieces.ts';
import { type FaceTable, meetsPlaneWithFaces } from '../faces/face-table.ts';
import { ContactKind, ContactStatus, NO_TRIANGLE } from '../list/contact-arrays.ts';
import type { ContactSink, FoundContact } from '../list/contact-sink.ts';
import { convexOnPlane } from './convex-on-plane.ts';
import { nodesBelowPlane, type PolyhedronNodes } from './nodes-below-plane.ts';

/** Work space, made once: pairs come a few at a time. */
const frames = new Float64Array(PLACED);
const plane = new Float64Array(PLACED);
const shape: PlacedRecord = { record: 0, frames, at: 0 };
const found: FoundContact = {
  ...{ pair: 0, colliderA: 0, colliderB: 0, kind: ContactKind.plane, status: ContactStatus.sure },
  ...{ feature: 0, triangle: NO_TRIANGLE, nx: 0, ny: 0, nz: 0, px: 0, py: 0, pz: 0, distance: 0, area: 0 },
};

/**
 * Adds the contacts of pairs `first .. end - 1`, in the order of pairs and then of features. One collider of each is a
 * plane. Distances are 0 or less, and points lie halfway between the plane and the other surface.
 *
 * @param polyhedra by their numbers in `Colliders.polyhedra`
 */
export function planeContacts(
  shapes: ShapeArrays,
  faces: FaceTable,
  polyhedra: readonly PolyhedronNodes[],
  posed: PosedColliders,
  { pairs }: ColliderPairs,
  first: number,
  end: number,
  sink: ContactSink,
): void {
  const { colliders } = posed;
  for (let i = first; i < end; i++) {
    const a = pairs[2 * i]!;
    const b = pairs[2 * i + 1]!;
    const isB = colliders.kinds[a] === ColliderKind.plane;
    const other = isB ? b : a;
    const origin = colliders.bodies[a]!;
    placeCollider(posed, isB ? a : b, origin, plane, 0);
    placeCollider(posed, other, origin, frames, 0);
    found.pair = i;
    found.colliderA = a;
    found.colliderB = b;
    if (colliders.kinds[other] === ColliderKind.polyhedron) {
      nodesBelowPlane(polyhedra[colliders.polyhedra[other]!]!, frames, plane, found, isB, sink);
    } else {
      const record = colliders.shapes[other]!;
      if (meetsPlaneWithFaces(faces, record)) {
        const centre = PARAMETERS * record + Parameter.centre;
        const x = shapes.parameters[centre]!;
        const y = shapes.parameters[centre + 1]!;
        const z = shapes.parameters[centre + 2]!;
        for (let k = 0; k < 3; k++)
          frames[9 + k]! += frames[3 * k]! * x + frames[3 * k + 1]! * y + frames[3 * k + 2]! * z;
        facesBelowPlane(faces, record, frames, plane, found, isB, sink);
      } else {
        shape.record = record;
        convexOnPlane(shapes, shape, plane, found, isB, sink);
      }
    }
  }
}

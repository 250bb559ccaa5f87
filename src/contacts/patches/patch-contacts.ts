/**
 * Contacts of balls with polyhedra, in float64: one with each patch of the surface (surface/patches.ts) that is nearer
 * than the radius, or more where the patch has several parts within the ball. docs/contacts.md, "Spheres on meshes".
 */
import { PARAMETERS, Parameter, type ShapeArrays } from '../../convex/shapes/records.ts';
import type { ColliderPairs, PosedColliders } from '../bodies/collider-pairs.ts';
import { ColliderKind } from '../bodies/colliders.ts';
import { PLACED, placeCollider } from '../bodies/placed-collider.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { DistanceStatus, SignedDistance, signedDistance } from '../field/signed-distance.ts';
import { ContactKind, ContactStatus, FEATURE_OF_B } from '../list/contact-arrays.ts';
import type { ContactSink, FoundContact } from '../list/contact-sink.ts';
import { NearestOfPatches, patchAt } from './nearest-of-patches.ts';

const signed = new SignedDistance();
const nearest = new NearestOfPatches();

/**
 * Adds the contacts of pairs `first .. end - 1`, in the order of pairs and then of patches. One collider of each is a
 * ball, the other one a polyhedron. A contact's feature is that of its `PatchPart`, with `FEATURE_OF_B` where the ball
 * is B.
 *
 * A ball whose centre is inside has one contact, along the way out.
 *
 * @param polyhedra by their numbers in `Colliders.polyhedra`
 */
export function patchContacts(
  shapes: ShapeArrays,
  polyhedra: readonly PolyhedronArrays[],
  posed: PosedColliders,
  { pairs }: ColliderPairs,
  first: number,
  end: number,
  sink: ContactSink,
): void {
  const { colliders } = posed;
  const ball = new Float64Array(PLACED);
  const mesh = new Float64Array(PLACED);
  const found: FoundContact = {
    ...{ pair: 0, colliderA: 0, colliderB: 0, kind: ContactKind.patch, status: ContactStatus.sure },
    ...{ feature: 0, triangle: 0, nx: 0, ny: 0, nz: 0, px: 0, py: 0, pz: 0, distance: 0, area: 0 },
  };
  for (let i = first; i < end; i++) {
    const a = pairs[2 * i]!;
    const b = pairs[2 * i + 1]!;
    const isB = colliders.kinds[a] === ColliderKind.polyhedron;
    const [round, other] = isB ? [b, a] : [a, b];
    const origin = colliders.bodies[a]!;
    placeCollider(posed, round, origin, ball, 0);
    placeCollider(posed, other, origin, mesh, 0);
    found.pair = i;
    found.colliderA = a;
    found.colliderB = b;
    const radius = shapes.parameters[PARAMETERS * colliders.shapes[round]! + Parameter.margin]!;
    onPolyhedron(polyhedra[colliders.polyhedra[other]!]!, mesh, ball, radius, found, isB, sink);
  }
}

const centre = new Float64Array(3);

/** @param ball where the ball is, and `mesh` the polyhedron: as `placeCollider` says; a ball's centre is its origin */
function onPolyhedron(
  poly: PolyhedronArrays,
  mesh: Float64Array,
  ball: Float64Array,
  radius: number,
  found: FoundContact,
  isB: boolean,
  sink: ContactSink,
): void {
  const [dx, dy, dz] = [ball[9]! - mesh[9]!, ball[10]! - mesh[10]!, ball[11]! - mesh[11]!];
  const x = mesh[0]! * dx + mesh[3]! * dy + mesh[6]! * dz;
  const y = mesh[1]! * dx + mesh[4]! * dy + mesh[7]! * dz;
  const z = mesh[2]! * dx + mesh[5]! * dy + mesh[8]! * dz;
  centre[0] = x;
  centre[1] = y;
  centre[2] = z;
  signedDistance(poly, centre, signed);
  const { status, depth } = signed;
  if (status === DistanceStatus.far && -depth > radius) return;
  const push = (feature: number, triangle: number, distance: number, nx: number, ny: number, nz: number) => {
    if (distance > radius) return;
    // Out of the polyhedron, in the world.
    const wx = mesh[0]! * nx + mesh[1]! * ny + mesh[2]! * nz;
    const wy = mesh[3]! * nx + mesh[4]! * ny + mesh[5]! * nz;
    const wz = mesh[6]! * nx + mesh[7]! * ny + mesh[8]! * nz;
    // From the centre to halfway between the ball's lowest point and the surface.
    const down = (radius + distance) / 2;
    const sign = isB ? 1 : -1;
    found.feature = feature + (isB ? FEATURE_OF_B : 0);
    found.triangle = triangle;
    found.distance = distance - radius;
    found.nx = sign * wx;
    found.ny = sign * wy;
    found.nz = sign * wz;
    found.px = ball[9]! - down * wx;
    found.py = ball[10]! - down * wy;
    found.pz = ball[11]! - down * wz;
    sink.push(found);
  };
  found.status = status === DistanceStatus.deep ? ContactStatus.deep : ContactStatus.sure;
  if (depth >= 0 && status !== DistanceStatus.far) {
    const { triangle, px, py, pz } = signed;
    push(patchAt(poly, triangle, px, py, pz), triangle, -depth, signed.nx, signed.ny, signed.nz);
    return;
  }
  for (const part of nearest.find(poly, x, y, z, radius)) {
    const { feature, triangle, distance, direction } = part;
    // The centre nearly on the surface: the signed distance knows the direction.
    const isSame = status === DistanceStatus.sure && triangle === signed.triangle;
    if (isSame) push(feature, triangle, distance, signed.nx, signed.ny, signed.nz);
    else push(feature, triangle, distance, direction[0], direction[1], direction[2]);
  }
}

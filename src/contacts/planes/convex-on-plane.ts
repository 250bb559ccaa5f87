/** Contacts of convex shapes with planes, in float64. docs/contacts.md, "Planes". */
import { MANIFOLD_RESOLUTION, MOST_FACE_CORNERS } from '../../convex/constants.ts';
import { CONTACT } from '../../convex/manifold/contact-plane.ts';
import { SupportingFace } from '../../convex/manifold/feature.ts';
import { spanningContacts } from '../../convex/manifold/spanning-contacts.ts';
import { boxCorner, supportingFace } from '../../convex/manifold/supporting-face.ts';
import { setAcross } from '../../convex/shapes/directions-across.ts';
import { farthestVertex } from '../../convex/shapes/farthest-vertex.ts';
import {
  INTEGERS,
  Integer,
  PARAMETERS,
  Parameter,
  type PlacedRecord,
  type ShapeArrays,
  ShapeKind,
} from '../../convex/shapes/records.ts';
import { coreSupport } from '../../convex/shapes/support.ts';
import { FEATURE_OF_B } from '../list/contact-arrays.ts';
import type { ContactSink, FoundContact } from '../list/contact-sink.ts';

const face = new SupportingFace();
const across = new Float64Array(3);
const along = new Float64Array(3);
const deepest = new Float64Array(3);
/** u, v, 0 and the distance of each place that is below the plane. */
const below = new Float64Array(CONTACT * (MOST_FACE_CORNERS + 1));
/** Places of these points on the core, in the shape's frame, and their names. */
const places = new Float64Array(3 * (MOST_FACE_CORNERS + 1));
const names = new Uint32Array(MOST_FACE_CORNERS + 1);
const order = new Uint32Array(MOST_FACE_CORNERS + 1);

/** Name of a contact that is no corner of the shape. */
const POINT = 0;
/** Names of corners begin here. */
const FIRST_CORNER = 1;

/**
 * Adds the contacts of a convex shape with a plane: of a face that lies on it, up to four corners that span what is
 * below; else the deepest point.
 *
 * @param plane where it is, as `placeCollider` says: its normal is the third column
 * @param found colliders and kind are set already
 * @param isB true where the shape is B
 */
export function convexOnPlane(
  shapes: ShapeArrays,
  shape: PlacedRecord,
  plane: Float64Array,
  found: FoundContact,
  isB: boolean,
  sink: ContactSink,
): void {
  const { record, frames: f, at } = shape;
  const p = shapes.parameters;
  const o = PARAMETERS * record;
  const nx = plane[2]!;
  const ny = plane[5]!;
  const nz = plane[8]!;
  // The plane's normal in the shape's frame, and the height of the shape's centre.
  const x = f[at]! * nx + f[at + 3]! * ny + f[at + 6]! * nz;
  const y = f[at + 1]! * nx + f[at + 4]! * ny + f[at + 7]! * nz;
  const z = f[at + 2]! * nx + f[at + 5]! * ny + f[at + 8]! * nz;
  const c = o + Parameter.centre;
  const height =
    (f[at + 9]! - plane[9]!) * nx +
    (f[at + 10]! - plane[10]!) * ny +
    (f[at + 11]! - plane[11]!) * nz +
    (x * p[c]! + y * p[c + 1]! + z * p[c + 2]!);
  const radius = p[o + Parameter.boundingRadius]!;
  if (height > radius) return;
  const margin = p[o + Parameter.margin]!;
  coreSupport(shapes, record, -x, -y, -z, deepest, 0);
  const distance = height - margin + (x * deepest[0]! + y * deepest[1]! + z * deepest[2]!);
  if (distance > 0) return;

  const sign = isB ? 1 : -1;
  found.nx = sign * nx;
  found.ny = sign * ny;
  found.nz = sign * nz;
  found.area = 0;
  if (radius === margin) {
    // A ball's core is its centre: that is its deepest point.
    deepest.fill(0);
    pushBelow(shapes, shape, plane, found, isB, sink, deepest, 0, POINT, distance);
    return;
  }
  const near = MANIFOLD_RESOLUTION * radius;
  const deep = distance + near;
  face.count = 0;
  supportingFace(shapes, record, -x, -y, -z, face);
  setAcross(x, y, z, across, along);
  let count = 0;
  let isDeep = false;
  const add = (from: Float64Array, i: number, name: number, d: number) => {
    const [a, b, e] = [from[i]!, from[i + 1]!, from[i + 2]!];
    places.set([a, b, e], 3 * count);
    below[CONTACT * count] = across[0]! * a + across[1]! * b + across[2]! * e;
    below[CONTACT * count + 1] = along[0]! * a + along[1]! * b + along[2]! * e;
    below[CONTACT * count + 2] = 0;
    below[CONTACT * count + 3] = d;
    names[count++] = name;
    isDeep ||= d <= deep;
  };
  for (let i = 0; i < face.count; i++) {
    const q = face.points;
    const d = height - margin + (x * q[3 * i]! + y * q[3 * i + 1]! + z * q[3 * i + 2]!);
    if (d <= 0) add(q, 3 * i, FIRST_CORNER + face.names[i]!, d);
  }
  if (!isDeep) add(deepest, 0, nameOf(shapes, record, x, y, z), distance);
  const kept = spanningContacts(below, count, deep, near);
  for (let i = 0; i < kept.count; i++) {
    const from = kept.chosen[i]!;
    let k = i;
    while (k > 0 && names[order[k - 1]!]! > names[from]!) {
      order[k] = order[k - 1]!;
      k--;
    }
    order[k] = from;
  }
  for (let i = 0; i < kept.count; i++) {
    const k = order[i]!;
    const distance = below[CONTACT * k + 3]!;
    pushBelow(shapes, shape, plane, found, isB, sink, places, 3 * k, names[k]!, distance);
  }
}

/** Adds the contact of a place on the core, `[x, y, z]` from `place` on in the shape's frame about its centre. */
function pushBelow(
  shapes: ShapeArrays,
  { record, frames: f, at }: PlacedRecord,
  plane: Float64Array,
  found: FoundContact,
  isB: boolean,
  sink: ContactSink,
  places: Float64Array,
  place: number,
  name: number,
  distance: number,
): void {
  const p = shapes.parameters;
  const c = PARAMETERS * record + Parameter.centre;
  // From the core down to halfway between the surfaces.
  const down = p[PARAMETERS * record + Parameter.margin]! + distance / 2;
  const px = p[c]! + places[place]!;
  const py = p[c + 1]! + places[place + 1]!;
  const pz = p[c + 2]! + places[place + 2]!;
  found.px = f[at + 9]! + (f[at]! * px + f[at + 1]! * py + f[at + 2]! * pz) - down * plane[2]!;
  found.py = f[at + 10]! + (f[at + 3]! * px + f[at + 4]! * py + f[at + 5]! * pz) - down * plane[5]!;
  found.pz = f[at + 11]! + (f[at + 6]! * px + f[at + 7]! * py + f[at + 8]! * pz) - down * plane[8]!;
  found.distance = distance;
  found.feature = name + (isB ? FEATURE_OF_B : 0);
  sink.push(found);
}

/** Name of the deepest point: that of a corner where it is one, so that a corner keeps it while the shape turns. */
function nameOf(shapes: ShapeArrays, record: number, x: number, y: number, z: number): number {
  const { integers } = shapes;
  switch (integers[INTEGERS * record + Integer.kind]!) {
    case ShapeKind.polytope:
      return (
        FIRST_CORNER +
        farthestVertex(shapes, record, -x, -y, -z) -
        integers[INTEGERS * record + Integer.firstVertex]!
      );
    case ShapeKind.box:
      return FIRST_CORNER + boxCorner(deepest[0]!, deepest[1]!, deepest[2]!);
    default:
      return POINT;
  }
}

/**
 * Nodes of polyhedra in polyhedra: which surface nodes of A lie in B and of B in A, and how deep. In float64; the twin
 * of the kernels in shaders/contacts/nodes/. docs/contacts.md, "Nodes".
 */
import { DistanceStatus, SignedDistance, signedDistance } from '../field/signed-distance.ts';
import { ContactKind, ContactStatus } from '../list/contact-arrays.ts';
import type { ContactSink } from '../list/contact-sink.ts';
import { distanceOutside, isOutside } from './between-planes.ts';
import { distanceWithin, leastDistance } from './least-distance.ts';
import {
  type BallCounts,
  eachNearCluster,
  isWorthMeasuring,
  newContact,
  type PolyhedronPairsJob,
  type Side,
  setNormal,
  setPoint,
} from './polyhedron-pairs.ts';

/** How much was looked at. */
export interface NodeCounts {
  /** Nodes that were looked up in the partner's tables: those that culling left. */
  tested: number;
  /** Of these, nodes in cells that are inside, or that the partner's surface passes. */
  near: number;
}

const found = newContact(ContactKind.node);
const field = new SignedDistance();
/** A node in the partner's frame, then in that of its tables. */
const place = new Float64Array(3);
const local = new Float64Array(3);

/**
 * Adds a contact per node inside or on the surface. Each has the node's depth, the normal and the triangle at the
 * nearest point of the partner's whole surface, and the node's share of the area. They come in the order of pairs, A's
 * nodes before B's.
 */
export function nodesInFields(job: PolyhedronPairsJob): NodeCounts & BallCounts {
  const counts: NodeCounts = { tested: 0, near: 0 };
  const balls = eachNearCluster(job, 'nodes', found, (side, n, isInside) =>
    addNode(side, n, isInside, counts, job.sink),
  );
  return { ...counts, balls };
}

/**
 * Returns how far the node is from the partner at least, or 0 where nobody asks; of a node inside minus its depth.
 *
 * @param isInside whether it is known to be inside
 */
function addNode(side: Side, n: number, isInside: boolean, counts: NodeCounts, sink: ContactSink): number {
  const { inPartner: m, partner, shared: u, skin, hasPlanes } = side;
  const { scale, shift } = partner.field.frame;
  const { nodes, weights } = side.own.surface;
  const { min, max } = partner.box;
  const x = nodes[3 * n]!;
  const y = nodes[3 * n + 1]!;
  const z = nodes[3 * n + 2]!;
  // Of nodes that are to wait it is asked how far they are.
  let bound = 0;
  if (hasPlanes && skin > 0) {
    bound = distanceOutside(u, x, y, z);
    if (bound >= skin) return bound;
  } else if (hasPlanes && isOutside(u, x, y, z)) return 0;
  const px = m[0]! * x + m[1]! * y + m[2]! * z + m[9]!;
  const py = m[3]! * x + m[4]! * y + m[5]! * z + m[10]!;
  const pz = m[6]! * x + m[7]! * y + m[8]! * z + m[11]!;
  const isBeyond = px < min[0] || px > max[0] || py < min[1] || py > max[1] || pz < min[2] || pz > max[2];
  if (isBeyond && skin === 0) return 0;
  if (isBeyond || bound > 0) {
    local[0] = px * scale - shift[0];
    local[1] = py * scale - shift[1];
    local[2] = pz * scale - shift[2];
    return Math.max(bound, leastDistance(partner.field, local) / scale);
  }
  counts.tested++;
  place[0] = px;
  place[1] = py;
  place[2] = pz;
  signedDistance(partner, place, field, skin === 0, isInside);
  if (field.status === DistanceStatus.far) {
    // Cells beside those that the surface passes tell nothing.
    if (field.depth < 0 || !isWorthMeasuring(side)) return -field.depth;
    for (let k = 0; k < 3; k++) local[k] = place[k]! * scale - shift[k]!;
    return distanceWithin(partner, local, skin);
  }
  counts.near++;
  // Nodes on the surface count: bodies that touch have contacts.
  if (field.depth < 0) return -field.depth;
  found.status = field.status === DistanceStatus.deep ? ContactStatus.deep : ContactStatus.sure;
  found.feature = side.bit + n;
  found.triangle = field.triangle;
  found.distance = -field.depth;
  found.area = weights[n]!;
  setPoint(found, side, x, y, z);
  setNormal(found, side, field.nx, field.ny, field.nz);
  sink.push(found);
  // Depths beyond the tables' reach may be more than the distance.
  return field.status === DistanceStatus.deep ? 0 : -field.depth;
}

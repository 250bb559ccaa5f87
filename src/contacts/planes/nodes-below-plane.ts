/** Contacts of polyhedra with planes: their surface nodes that lie below. */
import { HEIGHT_ROUNDING } from '../constants.ts';
import { FEATURE_OF_B } from '../list/contact-arrays.ts';
import type { ContactSink, FoundContact } from '../list/contact-sink.ts';
import { CLUSTER, type SurfaceArrays } from '../surface/surface-arrays.ts';

/** The parts of a polyhedron that are read here. */
export interface PolyhedronNodes {
  readonly surface: Pick<SurfaceArrays, 'nodes' | 'weights' | 'nodeTree'>;
}

/**
 * Adds a contact for each node of a polyhedron that lies below a plane, in the order of nodes. Clusters whose ball is
 * above are passed over.
 *
 * @param frame the polyhedron's, and the plane's: as `placeCollider` says
 * @param found colliders and kind are set already
 * @param isB true where the polyhedron is B
 */
export function nodesBelowPlane(
  { surface }: PolyhedronNodes,
  frame: Float64Array,
  plane: Float64Array,
  found: FoundContact,
  isB: boolean,
  sink: ContactSink,
): void {
  const { nodes, weights, nodeTree: balls } = surface;
  const f = frame;
  const nx = plane[2]!;
  const ny = plane[5]!;
  const nz = plane[8]!;
  // Heights over the plane are h + (x, y, z) . node.
  const x = f[0]! * nx + f[3]! * ny + f[6]! * nz;
  const y = f[1]! * nx + f[4]! * ny + f[7]! * nz;
  const z = f[2]! * nx + f[5]! * ny + f[8]! * nz;
  const h = (f[9]! - plane[9]!) * nx + (f[10]! - plane[10]!) * ny + (f[11]! - plane[11]!) * nz;
  const sign = isB ? 1 : -1;
  found.nx = sign * nx;
  found.ny = sign * ny;
  found.nz = sign * nz;
  const count = weights.length;
  for (let first = 0, ball = 0; first < count; first += CLUSTER, ball += 4) {
    const middle = h + (x * balls[ball]! + y * balls[ball + 1]! + z * balls[ball + 2]!);
    // Rounding of the height may be more than a ball has to spare: such clusters are looked at.
    const radius = balls[ball + 3]!;
    if (middle > radius + HEIGHT_ROUNDING * (Math.abs(h) + radius)) continue;
    for (let i = first; i < Math.min(count, first + CLUSTER); i++) {
      const a = nodes[3 * i]!;
      const b = nodes[3 * i + 1]!;
      const c = nodes[3 * i + 2]!;
      const distance = h + (x * a + y * b + z * c);
      if (distance > 0) continue;
      const down = distance / 2;
      found.px = f[9]! + (f[0]! * a + f[1]! * b + f[2]! * c) - down * nx;
      found.py = f[10]! + (f[3]! * a + f[4]! * b + f[5]! * c) - down * ny;
      found.pz = f[11]! + (f[6]! * a + f[7]! * b + f[8]! * c) - down * nz;
      found.distance = distance;
      found.area = weights[i]!;
      found.feature = i + (isB ? FEATURE_OF_B : 0);
      sink.push(found);
    }
  }
}

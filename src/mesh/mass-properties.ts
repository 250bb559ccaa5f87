// Area and, by the divergence theorem, volume, centroid and inertia of the body that a triangle mesh encloses: the
// surface is joined to a reference point r, and the signed tetrahedra (r, a, b, c) are summed. With a, b, c relative
// to r, d = det(a, b, c) and s = a + b + c, a tetrahedron of unit density has
//   volume d / 6, first moment d s / 24, second moment d (a aT + b bT + c cT + s sT) / 120.
// All in float64. Differences of float32 coordinates are exact or nearly so, hence r near the mesh avoids the
// cancellation that a mesh far from the origin would otherwise suffer.
import type { Box, TriangleMesh } from './triangle-mesh.ts';

export type Vector3 = readonly [number, number, number];
export type Matrix3 = readonly [Vector3, Vector3, Vector3];

/** Integrals over a mesh and its enclosed body at unit density, in powers of the mesh's unit of length. */
export interface MassProperties {
  /** Sum of the triangles' areas. */
  readonly area: number;
  /** Enclosed volume, positive where triangles are counter-clockwise seen from outside. */
  readonly volume: number;
  /** Centroid, or undefined where the volume is zero within rounding. */
  readonly centroid: Vector3 | undefined;
  /**
   * Inertia tensor about the centroid, rows along x, y, z: moments on the diagonal and negated products off it. Its
   * sign follows the volume's. Undefined where the centroid is.
   */
  readonly inertia: Matrix3 | undefined;
}

export interface MassPropertiesOptions {
  /**
   * Point that the tetrahedra share, by default the centre of the mesh's box. The results do not depend on it (but
   * for rounding) where the mesh is closed and oriented; elsewhere all but the area do.
   */
  readonly reference?: Vector3;
}

/** Integrates over the surface. Never throws; a mesh without triangles has zero area and volume. */
export function massProperties(mesh: TriangleMesh, options: MassPropertiesOptions = {}): MassProperties {
  const { positions, indices } = mesh;
  const [rx, ry, rz] = options.reference ?? boxCentre(mesh.box);
  let area = 0;
  let volume = 0;
  let magnitude = 0;
  let [x, y, z] = [0, 0, 0];
  let [xx, yy, zz, xy, yz, zx] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i]!;
    const b = 3 * indices[i + 1]!;
    const c = 3 * indices[i + 2]!;
    const ax = positions[a]!;
    const ay = positions[a + 1]!;
    const az = positions[a + 2]!;
    const ux = positions[b]! - ax;
    const uy = positions[b + 1]! - ay;
    const uz = positions[b + 2]! - az;
    const vx = positions[c]! - ax;
    const vy = positions[c + 1]! - ay;
    const vz = positions[c + 2]! - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    area += Math.sqrt(nx * nx + ny * ny + nz * nz);

    const px = ax - rx;
    const py = ay - ry;
    const pz = az - rz;
    // det(a, b, c) = a . ((b - a) x (c - a)), all relative to r.
    const d = px * nx + py * ny + pz * nz;
    const qx = px + ux;
    const qy = py + uy;
    const qz = pz + uz;
    const tx = px + vx;
    const ty = py + vy;
    const tz = pz + vz;
    const sx = px + qx + tx;
    const sy = py + qy + ty;
    const sz = pz + qz + tz;
    volume += d;
    magnitude += Math.abs(px * nx) + Math.abs(py * ny) + Math.abs(pz * nz);
    x += d * sx;
    y += d * sy;
    z += d * sz;
    xx += d * (px * px + qx * qx + tx * tx + sx * sx);
    yy += d * (py * py + qy * qy + ty * ty + sy * sy);
    zz += d * (pz * pz + qz * qz + tz * tz + sz * sz);
    xy += d * (px * py + qx * qy + tx * ty + sx * sy);
    yz += d * (py * pz + qy * qz + ty * tz + sy * sz);
    zx += d * (pz * px + qz * qx + tz * tx + sz * sx);
  }
  area /= 2;
  volume /= 6;

  // Rounding of a sum of n terms is below n * EPSILON times the sum of their magnitudes: no volume below it is known.
  const rounding = (indices.length / 3) * Number.EPSILON * (magnitude / 6);
  if (Math.abs(volume) <= rounding) return { area, volume, centroid: undefined, inertia: undefined };

  const gx = x / 24 / volume;
  const gy = y / 24 / volume;
  const gz = z / 24 / volume;
  const cxx = xx / 120 - volume * gx * gx;
  const cyy = yy / 120 - volume * gy * gy;
  const czz = zz / 120 - volume * gz * gz;
  const ixy = volume * gx * gy - xy / 120;
  const iyz = volume * gy * gz - yz / 120;
  const izx = volume * gz * gx - zx / 120;
  return {
    area,
    volume,
    centroid: [rx + gx, ry + gy, rz + gz],
    inertia: [
      [cyy + czz, ixy, izx],
      [ixy, czz + cxx, iyz],
      [izx, iyz, cxx + cyy],
    ],
  };
}

function boxCentre({ min, max }: Box): Vector3 {
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
}

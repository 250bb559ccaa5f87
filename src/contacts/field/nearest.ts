/** The nearest point of a triangle, in float64. */

/** Features of a triangle, by which its pseudo-normals are found: its face, edges ab, bc, ca, corners a, b, c. */
export const FACE = 0;
const [EDGE_AB, EDGE_BC, EDGE_CA, CORNER_A, CORNER_B, CORNER_C] = [1, 2, 3, 4, 5, 6];

/** Numbers that `nearestOnTriangle` takes and leaves: a point, the nearest point, the square of the distance. */
export const NEAREST_FLOATS = 7;

/**
 * The nearest point of a triangle to the point `w[0..2]`: written to `w[3..5]`, its squared distance to `w[6]`. Numbers
 * go through an array: engines put float64 arguments on the heap.
 *
 * If the point's foot lies in the triangle, it is that. Otherwise it is on an edge that the point is beyond: such edges
 * are those that can be seen from the point, as looked at along the normal. This needs no ratio of areas, so slivers
 * lose little, and a face without area has all three edges looked at.
 *
 * @param at of the first of nine coordinates
 * @returns the feature that the nearest point lies on
 */
export function nearestOnTriangle(corners: Float32Array, at: number, w: Float64Array): number {
  const ax = corners[at]!;
  const ay = corners[at + 1]!;
  const az = corners[at + 2]!;
  const ux = corners[at + 3]! - ax;
  const uy = corners[at + 4]! - ay;
  const uz = corners[at + 5]! - az;
  const vx = corners[at + 6]! - ax;
  const vy = corners[at + 7]! - ay;
  const vz = corners[at + 8]! - az;
  const px = w[0]! - ax;
  const py = w[1]! - ay;
  const pz = w[2]! - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  // Twice the areas that the foot makes with the edges ab and ca, times the normal's length; bc has what is left.
  const ab = nx * (uy * pz - uz * py) + ny * (uz * px - ux * pz) + nz * (ux * py - uy * px);
  const ca = nx * (py * vz - pz * vy) + ny * (pz * vx - px * vz) + nz * (px * vy - py * vx);
  const bc = nn - ab - ca;
  if (ab > 0 && ca > 0 && bc > 0) {
    const height = nx * px + ny * py + nz * pz;
    const share = height / nn;
    w[3] = w[0]! - share * nx;
    w[4] = w[1]! - share * ny;
    w[5] = w[2]! - share * nz;
    w[6] = height * share;
    return FACE;
  }
  let best = Infinity;
  let feature = FACE;
  let qx = 0;
  let qy = 0;
  let qz = 0;
  if (ab <= 0) {
    const uu = ux * ux + uy * uy + uz * uz;
    const along = px * ux + py * uy + pz * uz;
    const t = along > 0 ? (along < uu ? along / uu : 1) : 0;
    const x = t * ux;
    const y = t * uy;
    const z = t * uz;
    best = (px - x) * (px - x) + (py - y) * (py - y) + (pz - z) * (pz - z);
    feature = t === 0 ? CORNER_A : t === 1 ? CORNER_B : EDGE_AB;
    qx = x;
    qy = y;
    qz = z;
  }
  if (ca <= 0) {
    const vv = vx * vx + vy * vy + vz * vz;
    const along = px * vx + py * vy + pz * vz;
    const t = along > 0 ? (along < vv ? along / vv : 1) : 0;
    const x = t * vx;
    const y = t * vy;
    const z = t * vz;
    const square = (px - x) * (px - x) + (py - y) * (py - y) + (pz - z) * (pz - z);
    if (square < best) {
      best = square;
      feature = t === 0 ? CORNER_A : t === 1 ? CORNER_C : EDGE_CA;
      qx = x;
      qy = y;
      qz = z;
    }
  }
  if (bc <= 0) {
    const ex = vx - ux;
    const ey = vy - uy;
    const ez = vz - uz;
    const ee = ex * ex + ey * ey + ez * ez;
    const along = (px - ux) * ex + (py - uy) * ey + (pz - uz) * ez;
    const t = along > 0 ? (along < ee ? along / ee : 1) : 0;
    const x = ux + t * ex;
    const y = uy + t * ey;
    const z = uz + t * ez;
    const square = (px - x) * (px - x) + (py - y) * (py - y) + (pz - z) * (pz - z);
    if (square < best) {
      best = square;
      feature = t === 0 ? CORNER_B : t === 1 ? CORNER_C : EDGE_BC;
      qx = x;
      qy = y;
      qz = z;
    }
  }
  w[3] = ax + qx;
  w[4] = ay + qy;
  w[5] = az + qz;
  w[6] = best;
  return feature;
}

/**
 * Float64 twins of ray crossing, without a GPU: the method of Muth et al., section 2.2 (figure 6), as the paper has
 * it, and the kernel's own arithmetic on its tables. Slow and plain: they are what the kernels are held to.
 */

import { InputError } from '../../src/errors.ts';
import { BOUNDARY, INSIDE, OUTSIDE } from '../../src/inside/classification.ts';
import type { Frame } from '../../src/inside/frame.ts';
import { RAY_SLOPE_Y, RAY_SLOPE_Z } from '../../src/inside/ray-crossing/constants.ts';
import { createRandom } from '../../src/mesh/random.ts';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';

/**
 * Slack of the float64 segment-box test, as a fraction of the segment (0 .. 1): four roundings of 2^-53, rounded up
 * generously, since a face that is tested in vain costs nothing but time.
 */
const SEGMENT_BOX_SLACK = 2 ** -40;

type Vec3 = readonly [number, number, number];

const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** What one ray says about a point; `degenerate` asks for another ray. */
type RayResult = 'odd' | 'even' | 'boundary' | 'degenerate';

/** Rays cast for one point before the mesh is given up: each is degenerate with a probability near 0. */
const MOST_RAYS = 1000;

/**
 * Flags of points by the paper's method in float64. Degeneracies are found by comparing with 0, as in the paper, so
 * the answer is as exact as float64 is; points nearer to a face than its rounding may be wrong.
 *
 * @param points `[x, y, z]` per point
 * @returns flags, and the number of rays cast for points inside the box
 */
export function classifyByRandomRays(
  mesh: TriangleMesh,
  points: Float32Array,
  options: { seed?: number } = {},
): { flags: Uint8Array; rays: number } {
  const random = createRandom(options.seed ?? 1);
  const { min, max } = mesh.box;
  const reach = 2 * Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const flags = new Uint8Array(points.length / 3);
  let rays = 0;
  for (let i = 0; i < flags.length; i++) {
    const p: Vec3 = [points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!];
    if (p.some((x, k) => x < min[k]! || x > max[k]!)) continue;
    let result: RayResult = 'degenerate';
    for (let tries = 0; result === 'degenerate'; tries++) {
      if (tries === MOST_RAYS)
        throw new InputError(`${mesh.name}: point ${i} met ${MOST_RAYS} degenerate rays`);
      rays++;
      result = castRay(mesh, p, randomEnd(p, reach, random));
    }
    flags[i] = result === 'boundary' ? BOUNDARY : result === 'odd' ? INSIDE : OUTSIDE;
  }
  return { flags, rays };
}

/** R, in a random direction and surely outside the box: twice its diagonal away from a point in it. */
function randomEnd(p: Vec3, reach: number, random: () => number): Vec3 {
  for (;;) {
    const d: Vec3 = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
    const length = Math.hypot(...d);
    // From the unit ball, so that all directions are equally likely.
    if (length > 0.1 && length <= 1) {
      const s = reach / length;
      return [p[0] + s * d[0], p[1] + s * d[1], p[2] + s * d[2]];
    }
  }
}

function castRay(mesh: TriangleMesh, p: Vec3, r: Vec3): RayResult {
  const { positions, indices } = mesh;
  const corner = (i: number): Vec3 => {
    const v = 3 * indices[i]!;
    return [positions[v]!, positions[v + 1]!, positions[v + 2]!];
  };
  const direction = subtract(r, p);
  let crossings = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const face = [corner(t), corner(t + 1), corner(t + 2)] as const;
    if (!segmentMeetsBox(p, direction, face)) continue;
    const n = cross(subtract(face[1], face[0]), subtract(face[2], face[0]));
    // A face without area has no normal to project along; in a closed mesh its neighbours cover it.
    if (n.every((x) => x === 0)) continue;
    const d1 = dot(subtract(face[0], p), n);
    const d2 = dot(direction, n);
    if (d1 === 0 && d2 === 0) return 'degenerate';
    if (d2 === 0) continue;
    if (d1 === 0) {
      if (areaSignsContain(face, n, p)) return 'boundary';
      continue;
    }
    const ratio = d1 / d2; // eq. (28)
    if (ratio <= 0 || ratio >= 1) continue;
    const volume = volumeSign(face, p, direction);
    if (volume === 0) return 'degenerate';
    if (volume > 0) crossings++;
  }
  return crossings % 2 === 1 ? 'odd' : 'even';
}

/** Whether the segment from p along d (0 <= t <= 1) meets the box around a face, boundary included. */
function segmentMeetsBox(p: Vec3, d: Vec3, face: readonly [Vec3, Vec3, Vec3]): boolean {
  let from = 0;
  let to = 1;
  for (let k = 0; k < 3; k++) {
    const low = Math.min(face[0][k]!, face[1][k]!, face[2][k]!) - p[k]!;
    const high = Math.max(face[0][k]!, face[1][k]!, face[2][k]!) - p[k]!;
    if (d[k] === 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    const [a, b] = [low / d[k]!, high / d[k]!];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return from <= to + SEGMENT_BOX_SLACK;
}

/** The paper's "area signs": whether p, which is in the plane of a face, is on it. Projected along the normal. */
function areaSignsContain(face: readonly [Vec3, Vec3, Vec3], n: Vec3, p: Vec3): boolean {
  const size = n.map(Math.abs);
  const k = size.indexOf(Math.max(...size));
  const [u, v] = [(k + 1) % 3, (k + 2) % 3];
  const facing = Math.sign(n[k]!);
  return face.every((a, i) => {
    const b = face[(i + 1) % 3]!;
    return facing * ((b[u]! - a[u]!) * (p[v]! - a[v]!) - (b[v]! - a[v]!) * (p[u]! - a[u]!)) >= 0;
  });
}

/** The paper's "volume signs" of the tetrahedra of segment and edges: least of the three, as seen along the ray. */
function volumeSign(face: readonly [Vec3, Vec3, Vec3], p: Vec3, direction: Vec3): number {
  const [a, b, c] = [subtract(face[0], p), subtract(face[1], p), subtract(face[2], p)];
  const volumes = [dot(direction, cross(a, b)), dot(direction, cross(b, c)), dot(direction, cross(c, a))];
  const signs = volumes.map(Math.sign);
  if (signs.includes(1) && signs.includes(-1)) return -1;
  return signs.includes(0) ? 0 : 1;
}

/** Frame coordinates of a vertex. */
function inFrame(mesh: TriangleMesh, frame: Frame, corner: number): Vec3 {
  const v = 3 * mesh.indices[corner]!;
  const [x, y, z] = frame.axes.map((k) => mesh.positions[v + k]! * frame.scale);
  return [x!, y!, z!];
}

/**
 * The kernel's four numbers for a point and a triangle in float64: b1, b2, b0 = 1 - b1 - b2 and t of
 * p + t d = a + b1 (b - a) + b2 (c - a), and the winding of a crossing. Undefined where the ray is parallel to the
 * triangle's plane.
 *
 * @param point in the frame
 */
export function crossingNumbers(
  mesh: TriangleMesh,
  frame: Frame,
  triangle: number,
  point: Vec3,
): { b1: number; b2: number; b0: number; t: number; winding: number } | undefined {
  const a = inFrame(mesh, frame, 3 * triangle);
  const u = subtract(inFrame(mesh, frame, 3 * triangle + 1), a);
  const v = subtract(inFrame(mesh, frame, 3 * triangle + 2), a);
  const d: Vec3 = [1, RAY_SLOPE_Y, RAY_SLOPE_Z];
  const n = cross(u, v);
  const dn = dot(d, n);
  if (dn === 0) return undefined;
  const p = subtract(point, a);
  const b1 = dot(cross(v, d), p) / dn;
  const b2 = dot(cross(d, u), p) / dn;
  return { b1, b2, b0: 1 - b1 - b2, t: -dot(n, p) / dn, winding: Math.sign(dn) };
}

/** Winding number of a mesh around a point by the kernel's ray and numbers, every triangle tested, in float64. */
export function windingByCommonRay(
  mesh: TriangleMesh,
  frame: Frame,
  x: number,
  y: number,
  z: number,
): number {
  const source = [x, y, z];
  const point = frame.axes.map((k) => source[k]! * frame.scale) as unknown as Vec3;
  let winding = 0;
  for (let t = 0; t < mesh.triangleCount; t++) {
    const numbers = crossingNumbers(mesh, frame, t, point);
    if (numbers && Math.min(numbers.b0, numbers.b1, numbers.b2, numbers.t) > 0) winding += numbers.winding;
  }
  return winding;
}

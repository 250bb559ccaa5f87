// Portals of a ball: MPR where A - B is known to hold a ball about the inner point c. Twin:
// shaders/convex/mpr/ball-portal.wgsl.
//
// K is the hull of the ball and of the support points found so far. It lies in A - B. The ray from c leaves K through a
// plane. That plane touches the ball and goes through up to two of the points; or it goes through three points, which
// are a portal (portal.ts). Each step asks for the support point along that plane's normal. So every support point, the
// first three included, may prove that the origin lies beyond a support plane; none is asked for only to have three.
//
// Of all planes that have K behind them, the ray meets this one first. The next one goes through the new point, which
// lies beyond the last plane, and through some of the points that held the last plane. So it is the best of few.
import { INBALL_ERROR, LEAST_INBALL, MOST_MPR_STEPS } from '../constants.ts';
import { NEWEST, type Pair, POINT } from '../pair/pair.ts';
import { Parameter } from '../shapes/records.ts';
import { findPortal, PortalEnd, type PortalPlane, type StopAt, swap } from './portal.ts';
import type { Ray } from './ray.ts';

const R4 = NEWEST;

/** The points that hold the plane, then the new one, seen from c. */
const held = new Float64Array(12);
/** Normal of the plane tried last. */
const tried = new Float64Array(3);
/** The best plane: its normal, where the ray meets it (EXIT), and its distance from c (HEIGHT). */
const best = new Float64Array(5);
const EXIT = 3;
const HEIGHT = 4;

/** Tries the plane that touches the ball and goes through point i where the ray meets it. */
function throughOne(i: number, radius: number, d: Float64Array): boolean {
  const x = held[3 * i]!;
  const y = held[3 * i + 1]!;
  const z = held[3 * i + 2]!;
  const squared = x * x + y * y + z * z;
  const along = d[0]! * x + d[1]! * y + d[2]! * z;
  // d without its part along the point.
  const f = along / squared;
  const ux = d[0]! - f * x;
  const uy = d[1]! - f * y;
  const uz = d[2]! - f * z;
  const across = ux * ux + uy * uy + uz * uz;
  if (!(squared > radius * radius && across > 0)) return false;
  const p = radius / squared;
  const q = Math.sqrt((1 - radius * p) / across);
  tried[0] = p * x + q * ux;
  tried[1] = p * y + q * uy;
  tried[2] = p * z + q * uz;
  return true;
}

/**
 * Tries the plane that touches the ball and goes through two points: of both such planes the one that faces the ray.
 */
function throughTwo(i: number, j: number, radius: number, d: Float64Array): boolean {
  const x = held[3 * i]!;
  const y = held[3 * i + 1]!;
  const z = held[3 * i + 2]!;
  const u = held[3 * j]!;
  const v = held[3 * j + 1]!;
  const w = held[3 * j + 2]!;
  const mx = y * w - z * v;
  const my = z * u - x * w;
  const mz = x * v - y * u;
  const squared = mx * mx + my * my + mz * mz;
  const ii = x * x + y * y + z * z;
  const ij = x * u + y * v + z * w;
  const jj = u * u + v * v + w * w;
  // In the plane of c and both points: the products of the points with the normal are the radius.
  const a = (radius * (jj - ij)) / squared;
  const b = (radius * (ii - ij)) / squared;
  const rest = 1 - radius * (a + b);
  if (!(rest > 0)) return false;
  const facing = d[0]! * mx + d[1]! * my + d[2]! * mz < 0 ? -1 : 1;
  const m = facing * Math.sqrt(rest / squared);
  tried[0] = a * x + b * u + m * mx;
  tried[1] = a * y + b * v + m * my;
  tried[2] = a * z + b * w + m * mz;
  return true;
}

/** d . (p_i x p_j), c being the origin of both. */
function sideOf(i: number, j: number, d: Float64Array): number {
  const x = held[3 * i]!;
  const y = held[3 * i + 1]!;
  const z = held[3 * i + 2]!;
  const u = held[3 * j]!;
  const v = held[3 * j + 1]!;
  const w = held[3 * j + 2]!;
  return d[0]! * (y * w - z * v) + d[1]! * (z * u - x * w) + d[2]! * (x * v - y * u);
}

/**
 * Whether the ray passes between the three points and their plane has the ball behind it. Turns them counter-clockwise.
 */
function passesPortal(points: Float64Array, radius: number, d: Float64Array): boolean {
  const s1 = sideOf(0, 1, d);
  const s2 = sideOf(1, 2, d);
  const s3 = sideOf(2, 0, d);
  if (!((s1 >= 0 && s2 >= 0 && s3 >= 0) || (s1 <= 0 && s2 <= 0 && s3 <= 0))) return false;
  const ux = held[3]! - held[0]!;
  const uy = held[4]! - held[1]!;
  const uz = held[5]! - held[2]!;
  const vx = held[6]! - held[0]!;
  const vy = held[7]! - held[1]!;
  const vz = held[8]! - held[2]!;
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const height = Math.abs(x * held[0]! + y * held[1]! + z * held[2]!);
  if (!(height * height > radius * radius * (x * x + y * y + z * z))) return false;
  if (s1 + s2 + s3 < 0) swap(points, POINT, 2 * POINT);
  return true;
}

/**
 * Moves the plane that is tried out until all of K is behind it. Takes it if the ray then meets it before the best one.
 */
function takeIfSooner(count: number, radius: number, d: Float64Array): boolean {
  const x = tried[0]!;
  const y = tried[1]!;
  const z = tried[2]!;
  let most = radius;
  for (let i = 0; i < 3 * count; i += 3) {
    const height = x * held[i]! + y * held[i + 1]! + z * held[i + 2]!;
    if (height > most) most = height;
  }
  const slope = x * d[0]! + y * d[1]! + z * d[2]!;
  if (!(slope > 0 && most < best[EXIT]! * slope)) return false;
  best[0] = x;
  best[1] = y;
  best[2] = z;
  best[EXIT] = most / slope;
  best[HEIGHT] = most;
  return true;
}

const ALONE = -1;
const NONE = -2;

/**
 * Finds the plane with K behind it that the ray meets first, once the new point is in K.
 *
 * @param count points that held the last plane, before the new one
 * @returns which of them holds this one beside the new point: one, ALONE or, where rounding leaves no plane, NONE
 */
function nextPlane(count: number, radius: number, d: Float64Array): number {
  let from = NONE;
  best[EXIT] = Infinity;
  if (throughOne(count, radius, d) && takeIfSooner(count, radius, d)) {
    from = ALONE;
    // The ray leaves the cone of ball and point there, and K is no larger on that side.
    if (best[HEIGHT]! <= radius) return from;
  }
  for (let i = 0; i < count; i++) {
    if (throughTwo(i, count, radius, d) && takeIfSooner(count, radius, d)) from = i;
  }
  return from;
}

/**
 * Whether K holds the origin for sure. The ray leaves K at the exit E, a mean of P and a point of the ball, where P is
 * a point of the edge that holds the plane. With weights in proportion, P and another point of the ball make up the
 * origin.
 *
 * @param far where on the ray the origin lies
 */
function holdsOrigin(count: number, radius: number, far: number, d: Float64Array, error: number): boolean {
  const nx = best[0]!;
  const ny = best[1]!;
  const nz = best[2]!;
  const slope = nx * d[0]! + ny * d[1]! + nz * d[2]!;
  let px = held[0]!;
  let py = held[1]!;
  let pz = held[2]!;
  if (count === 2) {
    // The point of the edge in the plane of ray and normal.
    const gx = d[1]! * nz - d[2]! * ny;
    const gy = d[2]! * nx - d[0]! * nz;
    const gz = d[0]! * ny - d[1]! * nx;
    const from = gx * px + gy * py + gz * pz;
    const to = gx * held[3]! + gy * held[4]! + gz * held[5]!;
    const t = from === to ? 0 : Math.min(1, Math.max(0, from / (from - to)));
    px += t * (held[3]! - px);
    py += t * (held[4]! - py);
    pz += t * (held[5]! - pz);
  }
  const height = px * d[0]! + py * d[1]! + pz * d[2]!;
  // Across the ray, the parts of P and of the ball's point cancel.
  const across = Math.sqrt(Math.max(0, px * px + py * py + pz * pz - height * height));
  const taken = radius * Math.sqrt(Math.max(0, 1 - slope * slope));
  const share = across > 0 ? taken / (across + taken) : 1;
  const at = share * height + (1 - share) * radius * slope;
  if (!(at > far)) return false;
  const weight = (share * far) / at;
  const rx = far * d[0]! - weight * px;
  const ry = far * d[1]! - weight * py;
  const rz = far * d[2]! - weight * pz;
  return Math.sqrt(rx * rx + ry * ry + rz * rz) + error <= (1 - weight) * radius;
}

/** The distance of the first point from the ray. */
function fromRay(d: Float64Array): number {
  const x = held[0]!;
  const y = held[1]!;
  const z = held[2]!;
  const along = d[0]! * x + d[1]! * y + d[2]! * z;
  return Math.sqrt((x - along * d[0]!) ** 2 + (y - along * d[1]!) ** 2 + (z - along * d[2]!) ** 2);
}

/** Keeps the point held in slot `from`, unless that is ALONE, and the new one after it. Returns how many that are. */
function keepHeld(points: Float64Array, from: number, count: number): number {
  if (from === ALONE) {
    move(points, count, 0);
    return 1;
  }
  move(points, from, 0);
  move(points, count, 1);
  return 2;
}

function move(points: Float64Array, from: number, to: number): void {
  if (from === to) return;
  held.copyWithin(3 * to, 3 * from, 3 * from + 3);
  points.copyWithin(POINT * (to + 1), POINT * (from + 1), POINT * (from + 2));
}

/**
 * Goes along the ray from the pair's inner point until the side of the origin is known, or until three support points
 * make a portal. It starts from the ball if there is one, else by the thesis' steps. Where the ball is to be left out,
 * a portal is found before anything is decided, whatever `stopAt` says.
 *
 * @param plane gets the last support plane
 */
export function portalAlong(pair: Pair, ray: Ray, stopAt: StopAt, plane: PortalPlane): PortalEnd {
  // Algorithms 6 and 7 ask for a whole portal before anything is decided.
  if (!pair.knowsInball) return findPortal(pair, ray, false, plane);
  const radius = inball(pair);
  if (radius > LEAST_INBALL * pair.size) {
    const end = portalFromBall(pair, ray, radius, stopAt, plane);
    if (end !== PortalEnd.failed) return end;
  }
  return findPortal(pair, ray, stopAt !== 'nothing', plane);
}

/**
 * Radius of a ball about the inner point that lies in A - B: the sum of both shapes' balls. Not above 0 if there is
 * none, or if it is left out.
 */
export function inball(pair: Pair): number {
  if (!pair.knowsInball) return 0;
  const p = pair.table.parameters;
  return p[pair.recordA + Parameter.inball]! + p[pair.recordB + Parameter.inball]! - INBALL_ERROR * pair.size;
}

/** The same from a ball of this radius. Fails if the ball reaches the boundary or rounding stops all progress. */
function portalFromBall(pair: Pair, ray: Ray, radius: number, stopAt: StopAt, plane: PortalPlane): PortalEnd {
  const { points, touching } = pair;
  const d = ray.direction;
  const c = ray.inner;
  const n = plane.normal;
  const far = -(d[0]! * c[0]! + d[1]! * c[1]! + d[2]! * c[2]!);
  n.set(d);
  let inner = radius;
  let count = 0;
  for (let step = 0; step < MOST_MPR_STEPS; step++) {
    pair.full(n[0]!, n[1]!, n[2]!, points, R4);
    plane.outer = n[0]! * points[R4]! + n[1]! * points[R4 + 1]! + n[2]! * points[R4 + 2]!;
    plane.inner = inner + n[0]! * c[0]! + n[1]! * c[1]! + n[2]! * c[2]!;
    if (stopAt !== 'nothing' && plane.outer < -touching) return PortalEnd.beyond;
    for (let k = 0; k < 3; k++) held[3 * count + k] = points[R4 + k]! - c[k]!;
    points.copyWithin(POINT * (count + 1), R4, R4 + POINT);
    if (step === 0 && fromRay(d) <= touching) return PortalEnd.onRay;
    if (plane.outer - plane.inner <= touching) return PortalEnd.failed;
    if (count === 2 && passesPortal(points, radius, d)) return PortalEnd.portal;
    const from = nextPlane(count, radius, d);
    if (from === NONE) return PortalEnd.failed;
    count = keepHeld(points, from, count);
    if (stopAt === 'both' && best[EXIT]! > far && holdsOrigin(count, radius, far, d, touching)) {
      return PortalEnd.inside;
    }
    n[0] = best[0]!;
    n[1] = best[1]!;
    n[2] = best[2]!;
    inner = best[HEIGHT]!;
  }
  return PortalEnd.failed;
}

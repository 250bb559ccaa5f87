// Polygons, lines and points over a contact's plane. Those of two shapes are cut with each other to make a manifold.
// Twin: shaders/convex/manifold/feature.wgsl.
import { MOST_FACE_CORNERS } from '../constants.ts';

/** A convex polygon, segment or point in coordinates of the contact's plane, with heights over it. */
export class Feature {
  /** u, v, height per vertex, counter-clockwise seen against the normal. */
  readonly vertices = new Float64Array(3 * MOST_FACE_CORNERS);
  count = 0;
  /** Height over the plane at u, v: slope[0] u + slope[1] v + slope[2]. */
  readonly slope = new Float64Array(3);
}

/** The face of a core, or a line of it, in the frame of the core's centroid. */
export class SupportingFace {
  /** Corners of a polygon in their order around; or the ends of a line; or nothing if only a point faces. */
  readonly points = new Float64Array(3 * MOST_FACE_CORNERS);
  /**
   * Which corner of the shape each is: of polytopes the vertex, counted from the shape's first; of boxes a bit for each
   * coordinate above 0; of others its number in the face.
   */
  readonly names = new Uint32Array(MOST_FACE_CORNERS);
  count = 0;
  /** Outward unit normal of a polygon. */
  readonly normal = new Float64Array(3);
  /** Radius of the surface's curvature across a line. */
  radius = 0;
}

/** Adds a vertex, unless it is where the last one is. */
export function addVertex(out: Feature, u: number, v: number, h: number, same: number): void {
  const { vertices, count } = out;
  const at = 3 * count;
  vertices[at] = u;
  vertices[at + 1] = v;
  vertices[at + 2] = h;
  if (count > 0 && sameVertex(vertices, count - 1, count, same)) return;
  out.count++;
}

/** Takes the last vertex away if it is where the first one is. */
export function closeFeature(out: Feature, same: number): void {
  if (out.count > 1 && sameVertex(out.vertices, 0, out.count - 1, same)) out.count--;
}

function sameVertex(vertices: Float64Array, i: number, j: number, same: number): boolean {
  const du = vertices[3 * i]! - vertices[3 * j]!;
  const dv = vertices[3 * i + 1]! - vertices[3 * j + 1]!;
  return Math.abs(du) <= same && Math.abs(dv) <= same;
}

/**
 * Makes a narrow polygon a line or a point: samples of a curved line or point are as wide as it. Also makes a polygon a
 * line if its area is less than that of a convex polygon of its length and width: samples of a bent edge run along it
 * and back, and enclose next to no area.
 */
export function simplify(out: Feature, least: number): void {
  const { vertices, count } = out;
  let from = 0;
  let to = 0;
  let longest = 0;
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < i; j++) {
      const du = vertices[3 * i]! - vertices[3 * j]!;
      const dv = vertices[3 * i + 1]! - vertices[3 * j + 1]!;
      const length = Math.sqrt(du * du + dv * dv);
      if (length <= longest) continue;
      from = j;
      to = i;
      longest = length;
    }
  }
  if (longest <= least) {
    const mean = [0, 0, 0];
    for (let i = 0; i < 3 * count; i++) mean[i % 3]! += vertices[i]! / count;
    vertices.set(mean);
    out.count = 1;
    return;
  }
  if (count < 3) return;
  const du = (vertices[3 * to]! - vertices[3 * from]!) / longest;
  const dv = (vertices[3 * to + 1]! - vertices[3 * from + 1]!) / longest;
  let low = 0;
  let high = 0;
  for (let i = 0; i < count; i++) {
    const across =
      du * (vertices[3 * i + 1]! - vertices[3 * from + 1]!) - dv * (vertices[3 * i]! - vertices[3 * from]!);
    low = Math.min(low, across);
    high = Math.max(high, across);
  }
  if (high - low > least && Math.abs(doubleArea(out)) >= longest * least) return;
  const first = vertices.slice(3 * from, 3 * from + 3);
  const last = vertices.slice(3 * to, 3 * to + 3);
  vertices.set(first, 0);
  vertices.set(last, 3);
  out.count = 2;
}

/** Twice the area, positive where counter-clockwise. */
export function doubleArea({ vertices, count }: Feature): number {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const a = 3 * i;
    const b = 3 * (i + 1 === count ? 0 : i + 1);
    sum += (vertices[a]! - vertices[0]!) * (vertices[b + 1]! - vertices[1]!);
    sum -= (vertices[a + 1]! - vertices[1]!) * (vertices[b]! - vertices[0]!);
  }
  return sum;
}

/** Sets the plane of heights: through the polygon by its area vector, along the segment, or level for a point. */
export function setSlope(out: Feature): void {
  const { vertices, count, slope } = out;
  slope.fill(0);
  if (count === 2) {
    const du = vertices[3]! - vertices[0]!;
    const dv = vertices[4]! - vertices[1]!;
    const s = (vertices[5]! - vertices[2]!) / (du * du + dv * dv);
    slope[0] = s * du;
    slope[1] = s * dv;
  } else if (count > 2) {
    let [x, y, z] = [0, 0, 0];
    for (let i = 2; i < count; i++) {
      const [a, b] = [3 * (i - 1), 3 * i];
      const [au, av, ah] = [
        vertices[a]! - vertices[0]!,
        vertices[a + 1]! - vertices[1]!,
        vertices[a + 2]! - vertices[2]!,
      ];
      const [bu, bv, bh] = [
        vertices[b]! - vertices[0]!,
        vertices[b + 1]! - vertices[1]!,
        vertices[b + 2]! - vertices[2]!,
      ];
      x += av * bh - ah * bv;
      y += ah * bu - au * bh;
      z += au * bv - av * bu;
    }
    slope[0] = -x / z;
    slope[1] = -y / z;
  }
  setHeight(out);
}

/** Sets the height of a plane, whose slope is known, so that it fits all heights on average. */
export function setHeight({ vertices, count, slope }: Feature): void {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    sum += vertices[3 * i + 2]! - slope[0]! * vertices[3 * i]! - slope[1]! * vertices[3 * i + 1]!;
  }
  slope[2] = sum / count;
}

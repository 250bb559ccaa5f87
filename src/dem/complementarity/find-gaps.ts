/** Features of two bodies that touch, or may within a step: near ones where bodies are, and those that meet later. */
import { edgeEdge } from '../../bounding/motion/edge-edge.ts';
import type { MovingPoints } from '../../bounding/motion/moving-points.ts';
import { measure, newMeasured } from '../../bounding/motion/plane-distance.ts';
import { isInPrism, type Touch, vertexFace } from '../../bounding/motion/vertex-face.ts';
import { BESIDE, CONE_SINE, CROSSING_SINE, LEAST_GAP, NEAR_GAP } from './constants.ts';
import type { Edge, Features } from './features.ts';
import { type Gap, GapKind, type Gaps } from './gaps.ts';

/** Lengths that gaps are held against. */
export interface Reach {
  /** Largest gap, and deepest overlap. */
  readonly most: number;
  /** Of the smaller body. */
  readonly size: number;
}

/** Gaps of two bodies where they are, of features that face each other. */
export function nearGaps(gaps: Gaps, a: number, b: number, reach: Reach): Gap[] {
  const found = [...cornersOnFaces(gaps, a, b, reach), ...cornersOnFaces(gaps, b, a, reach)];
  found.push(...crossedEdges(gaps, a, b, reach), ...balls(gaps, a, b, reach), ...balls(gaps, b, a, reach));
  return found;
}

/** Boxes of features, `[n * 6]`: least and largest coordinates, those of both ends of a way where two are given. */
function boxesOf(features: readonly (readonly number[])[], ways: readonly Float64Array[]): Float64Array {
  const boxes = new Float64Array(6 * features.length);
  for (const [f, points] of features.entries())
    for (let k = 0; k < 3; k++) {
      let [low, high] = [Infinity, -Infinity];
      for (const way of ways)
        for (const point of points) {
          low = Math.min(low, way[3 * point + k]!);
          high = Math.max(high, way[3 * point + k]!);
        }
      boxes[6 * f + k] = points.length > 0 ? low : -Infinity;
      boxes[6 * f + 3 + k] = points.length > 0 ? high : Infinity;
    }
  return boxes;
}

/** Calls back with all pairs of boxes that are within a distance of each other. */
function eachPair(p: Float64Array, q: Float64Array, far: number, act: (i: number, j: number) => void): void {
  const all = (boxes: Float64Array, k: number) => {
    let [low, high] = [Infinity, -Infinity];
    for (let at = 0; at < boxes.length; at += 6) {
      low = Math.min(low, boxes[at + k]!);
      high = Math.max(high, boxes[at + 3 + k]!);
    }
    return [low - far, high + far] as const;
  };
  const bounds = [0, 1, 2].map((k) => all(q, k));
  for (let i = 0; i < p.length; i += 6) {
    if (bounds.some(([low, high], k) => p[i + k]! > high || p[i + 3 + k]! < low)) continue;
    for (let j = 0; j < q.length; j += 6) {
      if (p[i]! > q[j + 3]! + far || q[j]! > p[i + 3]! + far) continue;
      if (p[i + 1]! > q[j + 4]! + far || q[j + 1]! > p[i + 4]! + far) continue;
      if (p[i + 2]! > q[j + 5]! + far || q[j + 2]! > p[i + 5]! + far) continue;
      act(i / 6, j / 6);
    }
  }
}

const facesOf = ({ faces }: Features) => faces.map(({ pieces }) => pieces);
const cornersOf = ({ corners }: Features) => corners.map((corner) => [corner]);
const edgesOf = ({ edges }: Features) => edges.map(({ from, to }) => [from, to]);

/** Corners, or the middle of a ball, over faces. Of faces that a corner is behind, that which it is behind least. */
function cornersOnFaces(gaps: Gaps, a: number, b: number, { most, size }: Reach): Gap[] {
  const [own, other] = [gaps.features[a]!, gaps.features[b]!];
  const found: Gap[] = [];
  const deep = new Map<number, { gap: Gap; distance: number }>();
  const [faces, points] = [
    boxesOf(facesOf(own), [gaps.points[a]!]),
    boxesOf(cornersOf(other), [gaps.points[b]!]),
  ];
  eachPair(faces, points, most + other.radius, (i, corner) => {
    const j = other.corners[corner]!;
    const gap: Gap = { kind: GapKind.face, a, b, i, j, sign: 1 };
    const distance = gaps.measure(gap);
    if (Math.abs(distance) > most || !isOverFace(gaps, gap, size) || !isTip(gaps, gap)) return;
    if (distance >= LEAST_GAP * size) found.push(gap);
    else if (distance > (deep.get(j)?.distance ?? -Infinity)) deep.set(j, { gap, distance });
  });
  return [...found, ...Array.from(deep.values(), ({ gap }) => gap)];
}

const triangle = new Float64Array(9);

function isOverFace(gaps: Gaps, { a, b, i, j }: Gap, size: number): boolean {
  const { pieces } = gaps.features[a]!.faces[i]!;
  const point = gaps.points[b]!.subarray(3 * j, 3 * j + 3);
  // A ball beside a face is over one of its edges.
  const error = gaps.features[b]!.radius > 0 ? 0 : BESIDE * size;
  for (let piece = 0; piece < pieces.length; piece += 3) {
    for (let k = 0; k < 9; k++)
      triangle[k] = gaps.points[a]![3 * pieces[piece + Math.floor(k / 3)]! + (k % 3)]!;
    if (isInPrism(point, triangle, { distance: 0, error, normal: gaps.normal })) return true;
  }
  return pieces.length === 0;
}

/** Whether a corner's edges lead away from the face below. */
function isTip(gaps: Gaps, { b, j }: Gap): boolean {
  const points = gaps.points[b]!;
  const [x, y, z] = gaps.normal as unknown as [number, number, number];
  return gaps.features[b]!.neighbours[j]!.every((other) => {
    const u = points[3 * other]! - points[3 * j]!;
    const v = points[3 * other + 1]! - points[3 * j + 1]!;
    const w = points[3 * other + 2]! - points[3 * j + 2]!;
    return x * u + y * v + z * w >= -CONE_SINE * Math.sqrt(u * u + v * v + w * w);
  });
}

function crossedEdges(gaps: Gaps, a: number, b: number, { most, size }: Reach): Gap[] {
  const [own, other] = [gaps.features[a]!, gaps.features[b]!];
  const found: Gap[] = [];
  const [p, q] = [boxesOf(edgesOf(own), [gaps.points[a]!]), boxesOf(edgesOf(other), [gaps.points[b]!])];
  eachPair(p, q, most, (i, j) => {
    const gap = { kind: GapKind.edges, a, b, i, j, sign: 1 } as const;
    if (Math.abs(gaps.measure(gap)) > most || gaps.sine < CROSSING_SINE) return;
    if (!isOnEdge(gaps, a, own.edges[i]!, gaps.alongA, size)) return;
    if (!isOnEdge(gaps, b, other.edges[j]!, gaps.alongB, size)) return;
    for (const sign of [1, -1])
      if (isBehind(gaps, a, own.edges[i]!, sign) && isBehind(gaps, b, other.edges[j]!, -sign))
        found.push({ ...gap, sign });
  });
  return found;
}

function isOnEdge(gaps: Gaps, body: number, { from, to }: Edge, share: number, size: number): boolean {
  const p = gaps.points[body]!;
  const length = Math.hypot(...[0, 1, 2].map((k) => p[3 * to + k]! - p[3 * from + k]!));
  const error = (BESIDE * size) / length;
  return share >= -error && share <= 1 + error;
}

/** Whether both triangles beside an edge lie behind the plane through it. @param sign of the normal, out of the body */
function isBehind(
  gaps: Gaps,
  body: number,
  { from, to, thirds }: Edge,
  sign: number,
  sine = CONE_SINE,
): boolean {
  const p = gaps.points[body]!;
  const side = [0, 1, 2].map((k) => p[3 * to + k]! - p[3 * from + k]!);
  const length = Math.hypot(...side);
  return thirds.every((third) => {
    const way = [0, 1, 2].map((k) => p[3 * third + k]! - p[3 * from + k]!);
    const along = way.reduce((sum, w, k) => sum + w * side[k]!, 0) / length;
    const across = Math.sqrt(Math.max(0, way.reduce((sum, w) => sum + w * w, 0) - along * along));
    return sign * way.reduce((sum, w, k) => sum + w * gaps.normal[k]!, 0) <= sine * across;
  });
}

/** A ball b at edges and corners of a, or at another ball. */
function balls(gaps: Gaps, a: number, b: number, { most }: Reach): Gap[] {
  const [own, other] = [gaps.features[a]!, gaps.features[b]!];
  if (other.radius === 0 || (own.radius > 0 && b < a)) return [];
  const found: Gap[] = [];
  const far = most + other.radius + own.radius;
  const middle = boxesOf([[0]], [gaps.points[b]!]);
  eachPair(boxesOf(edgesOf(own), [gaps.points[a]!]), middle, far, (i) => {
    const gap: Gap = { kind: GapKind.edge, a, b, i, j: 0, sign: 1 };
    if (Math.abs(gaps.measure(gap)) > most || gaps.alongA < 0 || gaps.alongA > 1) return;
    // Over a triangle beside it, the face has the ball.
    if (isBehind(gaps, a, own.edges[i]!, 1, 0)) found.push(gap);
  });
  eachPair(boxesOf(cornersOf(own), [gaps.points[a]!]), middle, far, (corner) => {
    const i = own.corners[corner]!;
    const gap: Gap = { kind: GapKind.corner, a, b, i, j: 0, sign: 1 };
    if (Math.abs(gaps.measure(gap)) > most) return;
    const p = gaps.points[a]!;
    const isBeside = own.neighbours[i]!.every(
      (to) => [0, 1, 2].reduce((sum, k) => sum + gaps.normal[k]! * (p[3 * to + k]! - p[3 * i + k]!), 0) <= 0,
    );
    if (isBeside) found.push(gap);
  });
  return found;
}

const measured = newMeasured();
const ends = new Float64Array(6);
const plane = new Float64Array(9);

/**
 * Whether a corner comes to a face at its rim, and slides on over the face beyond: of two flush floors, the side of the
 * second one. It is behind the one and not behind the other, so outside of the body.
 *
 * @param r the way of the face's body; `gaps` has the end
 */
function isPastRim(gaps: Gaps, gap: Gap, touch: Touch, r: MovingPoints, size: number): boolean {
  const { faces } = gaps.features[gap.a]!;
  const { radius } = gaps.features[gap.b]!;
  const error = BESIDE * size;
  return faces[gap.i]!.rims.some(({ from, to, face }) => {
    r.place(from, touch.time, ends, 0);
    r.place(to, touch.time, ends, 3);
    const along = [0, 1, 2].map((k) => ends[3 + k]! - ends[k]!);
    const square = along.reduce((sum, x) => sum + x * x, 0);
    const share = along.reduce((sum, x, k) => sum + x * (touch.point[k]! - ends[k]!), 0) / square;
    const most = NEAR_GAP * (size / Math.sqrt(square));
    if (share < -most || share > 1 + most) return false;
    for (const [k, point] of faces[face]!.plane.entries()) r.place(point, touch.time, plane, 3 * k);
    measure(touch.point, 0, plane, [0, 3, 6], r.reach, measured);
    if (Math.abs(measured.distance - radius) > error) return false;
    return gaps.measure({ ...gap, i: face }) >= -error;
  });
}

/**
 * Features of two bodies that meet on their way and overlap at its end, where `gaps` has them.
 *
 * @param p of a, and q of b: the way
 */
export function metGaps(
  gaps: Gaps,
  [a, b]: readonly [number, number],
  [p, q]: readonly [MovingPoints, MovingPoints],
  size: number,
): Gap[] {
  const found: Gap[] = [];
  const take = (gap: Gap) => {
    if (gaps.measure(gap) < LEAST_GAP * size) found.push(gap);
  };
  for (const [i, j, r, s] of [[a, b, p, q] as const, [b, a, q, p] as const]) {
    const [own, other] = [gaps.features[i]!, gaps.features[j]!];
    const [faces, points] = [
      boxesOf(facesOf(own), [r.start, r.end]),
      boxesOf(cornersOf(other), [s.start, s.end]),
    ];
    eachPair(faces, points, other.radius, (face, at) => {
      const { plane, pieces } = own.faces[face]!;
      const corner = other.corners[at]!;
      const touch = vertexFace(s, corner, r, plane, pieces, other.radius);
      const gap = { kind: GapKind.face, a: i, b: j, i: face, j: corner, sign: 1 };
      if (touch && !isPastRim(gaps, gap, touch, r, size)) take(gap);
    });
    // Balls are round: where they are in the end tells what they have met.
    for (const gap of balls(gaps, i, j, { most: other.radius, size })) take(gap);
  }
  const [own, other] = [gaps.features[a]!, gaps.features[b]!];
  eachPair(boxesOf(edgesOf(own), [p.start, p.end]), boxesOf(edgesOf(other), [q.start, q.end]), 0, (i, j) => {
    const [e, f] = [own.edges[i]!, other.edges[j]!];
    const touch =
      edgeEdge(q, [f.from, f.to, f.thirds[0]], p, [e.from, e.to, e.thirds[0]]) ??
      edgeEdge(q, [f.to, f.from, f.thirds[1]], p, [e.to, e.from, e.thirds[1]]);
    if (touch === undefined) return;
    const gap = { kind: GapKind.edges, a, b, i, j, sign: 1 };
    gaps.measure(gap);
    if (gaps.sine < CROSSING_SINE) return;
    const along = [0, 1, 2].reduce((sum, k) => sum + touch.normal[k]! * gaps.normal[k]!, 0);
    const sign = along < 0 ? -1 : 1;
    if (isBehind(gaps, a, e, sign) && isBehind(gaps, b, f, -sign)) take({ ...gap, sign });
  });
  return found;
}

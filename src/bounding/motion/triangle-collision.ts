/** When two triangles of moving bodies meet first: all their vertices and faces, and all their edges. */
import { edgeEdge } from './edge-edge.ts';
import type { MovingPoints } from './moving-points.ts';
import { type Touch, vertexFace } from './vertex-face.ts';

/** Two triangles that meet. */
export interface TriangleTouch extends Touch {
  /** `vertex-face`: a vertex of the first one and the second; `face-vertex`: the other way round. */
  readonly kind: 'vertex-face' | 'face-vertex' | 'edge-edge';
  /** Corners of the first and of the second triangle, 0 to 2: the vertex, or where the edge begins; of a face 0. */
  readonly features: readonly [number, number];
}

const EDGES = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
] as const;

/**
 * @param first where the corners of the triangle of p begin, counter-clockwise seen from outside
 * @param second the same of q
 */
export function triangleCollision(
  p: MovingPoints,
  first: number,
  q: MovingPoints,
  second: number,
): TriangleTouch | undefined {
  let best: TriangleTouch | undefined;
  const take = (touch: Touch | undefined, kind: TriangleTouch['kind'], i: number, j: number) => {
    if (touch && !(touch.time >= (best?.time ?? Infinity))) best = { ...touch, kind, features: [i, j] };
  };
  const [ofP, ofQ] = [first, second].map((at) => [at, at + 1, at + 2] as const) as [Corners, Corners];
  for (let i = 0; i < 3; i++) {
    take(vertexFace(p, ofP[i]!, q, ofQ), 'vertex-face', i, 0);
    const touch = vertexFace(q, ofQ[i]!, p, ofP);
    take(touch && { ...touch, normal: touch.normal.map((n) => -n) }, 'face-vertex', 0, i);
  }
  for (const [i, edge] of EDGES.entries())
    for (const [j, other] of EDGES.entries()) {
      const at = (corners: Corners, [a, b, c]: (typeof EDGES)[number]) =>
        [corners[a]!, corners[b]!, corners[c]!] as const;
      take(edgeEdge(p, at(ofP, edge), q, at(ofQ, other)), 'edge-edge', i, j);
    }
  return best;
}

type Corners = readonly [number, number, number];

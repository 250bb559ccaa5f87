/** Whether two meshes overlap, by exact predicates over all edges and triangles: nothing of the library takes part. */
import { orient3d } from 'robust-predicates';
import type { PolyhedronArrays } from '../../../src/contacts/field/field-arrays.ts';
import { type Body, isInside, pointIn } from '../nodes/brute-force.ts';
import type { Vector } from '../nodes/nearest.ts';

type Box = [Vector, Vector];

/** Whether an edge passes a triangle. Ties count as passing. */
function passes([p, q]: readonly Vector[], [a, b, c]: readonly Vector[]): boolean {
  const side = (u: Vector, v: Vector, w: Vector, x: Vector) => Math.sign(orient3d(...u, ...v, ...w, ...x));
  if (side(a!, b!, c!, p!) * side(a!, b!, c!, q!) > 0) return false;
  const turns = [side(p!, q!, a!, b!), side(p!, q!, b!, c!), side(p!, q!, c!, a!)];
  return turns.every((turn) => turn >= 0) || turns.every((turn) => turn <= 0);
}

function boxOf(points: readonly Vector[]): Box {
  const ends = (pick: (...x: number[]) => number) =>
    [0, 1, 2].map((k) => pick(...points.map((p) => p[k]!))) as Vector;
  return [ends(Math.min), ends(Math.max)];
}

const meet = ([a, b]: Box, [c, d]: Box) => [0, 1, 2].every((k) => a[k]! <= d[k]! && c[k]! <= b[k]!);

/** Triangles of a body in the frame of another, and its edges, each once. */
function partsOf({ solid, pose }: Body, to: Body) {
  const { positions, indices } = solid;
  const corners = Array.from({ length: positions.length / 3 }, (_, v) =>
    pointIn(pose, to.pose, positions.subarray(3 * v, 3 * v + 3)),
  );
  const triangles: Vector[][] = [];
  const edges: Vector[][] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [...indices.subarray(t, t + 3)] as [number, number, number];
    triangles.push([corners[a]!, corners[b]!, corners[c]!]);
    for (const [u, v] of [
      [a, b],
      [b, c],
      [c, a],
    ] as const)
      if (u < v) edges.push([corners[u]!, corners[v]!]);
  }
  return { corners, triangles, edges };
}

/** Whether two closed bodies have a point in common. */
export function overlap(a: Body, b: Body): boolean {
  const [own, other] = [partsOf(a, a), partsOf(b, a)];
  const crosses = (edges: Vector[][], triangles: Vector[][]) => {
    const boxes = triangles.map(boxOf);
    const all = boxOf(triangles.flat());
    return edges.some((edge) => {
      const box = boxOf(edge);
      return (
        meet(box, all) && triangles.some((triangle, t) => meet(box, boxes[t]!) && passes(edge, triangle))
      );
    });
  };
  if (crosses(own.edges, other.triangles) || crosses(other.edges, own.triangles)) return true;
  // One may be inside the other.
  const holds = (solid: PolyhedronArrays, point: Vector) => isInside(solid, point);
  return holds(a.solid, other.corners[0]!) || holds(b.solid, partsOf(a, b).corners[0]!);
}

/** Whether of two bodies whose surfaces do not meet one lies inside the other, or a part of it does. */
import { ExactTest } from '../../inside/exact.ts';
import { buildEdgeTable } from '../../mesh/edges.ts';
import { surfaceDefect } from '../../mesh/mesh-verdict.ts';
import { partsOf } from '../../mesh/topology.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { type Placement, place } from '../pose.ts';

/** What is known of a mesh, made when first asked for. */
interface Solid {
  /** Undefined for open meshes, which nothing is inside of. */
  readonly test: ExactTest | undefined;
  /** A triangle of each part that edges join. */
  readonly triangles: readonly number[];
}

const solids = new WeakMap<TriangleMesh, Solid>();

function solidOf(mesh: TriangleMesh): Solid {
  let solid = solids.get(mesh);
  if (solid === undefined) {
    const { parts, count } = partsOf(mesh.indices, buildEdgeTable(mesh.indices, mesh.vertexCount));
    const triangles = new Array<number>(count).fill(0);
    for (let t = parts.length - 1; t >= 0; t--) triangles[parts[t]!] = t;
    solid = { test: surfaceDefect(mesh, 'odd') === undefined ? new ExactTest(mesh) : undefined, triangles };
    solids.set(mesh, solid);
  }
  return solid;
}

/** Whether all corners of a mesh are in the box of another: only then all of it may be inside. */
export function isInBox(inner: TriangleMesh, outer: TriangleMesh, placement: Placement): boolean {
  const { min, max } = outer.box;
  const point = new Float64Array(3);
  // The first one is outside, nearly always.
  return inner.indices.every((corner) => {
    place(placement, inner.positions, 3 * corner, point);
    return min.every((least, k) => point[k]! > least && point[k]! < max[k]!);
  });
}

/**
 * A triangle of `inner` of which a corner is inside `outer`, by an odd number of crossings, and where that is in the
 * frame of `outer`; undefined where there is none. Parts of a surface that meets no other are inside or outside as a
 * whole, so a corner of each tells.
 *
 * @param placement `inner` in the frame of `outer`
 */
export function nestedCorner(
  inner: TriangleMesh,
  outer: TriangleMesh,
  placement: Placement,
): { triangle: number; point: Float64Array } | undefined {
  const { min, max } = outer.box;
  const box = inner.box;
  const corners = Float64Array.from({ length: 24 }, (_, i) =>
    ((i / 3) >> (i % 3)) & 1 ? box.max[i % 3]! : box.min[i % 3]!,
  );
  const placed = new Float64Array(24);
  place(placement, corners, 0, placed);
  // A box that does not meet the other one's has nothing inside it. That is nearly always so.
  for (let k = 0; k < 3; k++) {
    const along = placed.filter((_, i) => i % 3 === k);
    if (Math.min(...along) > max[k]! || Math.max(...along) < min[k]!) return undefined;
  }
  const { test } = solidOf(outer);
  if (test === undefined) return undefined;
  const point = new Float64Array(3);
  for (const triangle of solidOf(inner).triangles) {
    place(placement, inner.positions, 3 * inner.indices[3 * triangle]!, point);
    if (test.flag(point[0]!, point[1]!, point[2]!, 'odd') === 1) return { triangle, point };
  }
  return undefined;
}

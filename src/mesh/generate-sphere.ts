// The unit sphere of Muth, Of, Eberhard, Steinbach, "Collision Detection for Complicated Polyhedra Using the Fast
// Multipole Method or Ray Crossing", section 3.1: an octahedron whose triangles are split into four again and again,
// new vertices projected onto the sphere.
import { told } from '../arguments.ts';
import { InputError } from '../errors.ts';
import { buildEdgeTable, nextHalfEdge } from './edges.ts';
import { TriangleMesh } from './triangle-mesh.ts';

const LARGEST_REFINEMENTS = 8;

/**
 * Unit sphere about the origin with `8 * 4^refinements` triangles and `4^(refinements + 1) + 2` vertices, closed,
 * manifold and oriented outwards. Its vertices lie on the sphere, rounded to float32 once.
 *
 * @param refinements an integer from 0 (the octahedron) to 8 (524,288 triangles)
 * @throws InputError if `refinements` is anything else.
 */
export function unitSphere(refinements: number): TriangleMesh {
  if (!Number.isInteger(refinements) || refinements < 0 || refinements > LARGEST_REFINEMENTS) {
    throw new InputError(
      `unitSphere: refinements is ${told(refinements)}, expected an integer from 0 to ${LARGEST_REFINEMENTS}`,
    );
  }
  let positions = new Float64Array([1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1]);
  let indices = new Uint32Array([0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5]);
  for (let level = 0; level < refinements; level++) ({ positions, indices } = refine(positions, indices));
  return new TriangleMesh({ positions: new Float32Array(positions), indices, name: `sphere ${refinements}` });
}

/** Splits every triangle into four at its edges' midpoints, which are projected onto the unit sphere. */
function refine(positions: Float64Array, indices: Uint32Array) {
  const oldCount = positions.length / 3;
  const edges = buildEdgeTable(indices, oldCount);
  const refined = new Float64Array(positions.length + 3 * edges.count);
  refined.set(positions);
  const middle = new Uint32Array(indices.length); // by half-edge
  for (let e = 0; e < edges.count; e++) {
    const a = 3 * edges.vertices[2 * e]!;
    const b = 3 * edges.vertices[2 * e + 1]!;
    const x = positions[a]! + positions[b]!;
    const y = positions[a + 1]! + positions[b + 1]!;
    const z = positions[a + 2]! + positions[b + 2]!;
    const length = Math.sqrt(x * x + y * y + z * z);
    refined.set([x / length, y / length, z / length], 3 * (oldCount + e));
    for (let k = edges.offsets[e]!; k < edges.offsets[e + 1]!; k++)
      middle[edges.halfEdges[k]!] = oldCount + e;
  }

  const split = new Uint32Array(4 * indices.length);
  for (let t = 0; t < indices.length; t += 3) {
    for (let h = t; h < t + 3; h++) {
      // The small triangle at corner h lies between the middles of its two edges.
      const before = nextHalfEdge(nextHalfEdge(h));
      split.set([indices[h]!, middle[h]!, middle[before]!], 4 * t + 3 * (h - t));
    }
    split.set([middle[t]!, middle[t + 1]!, middle[t + 2]!], 4 * t + 9);
  }
  return { positions: refined, indices: split };
}

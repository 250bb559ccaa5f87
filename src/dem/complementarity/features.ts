/** Features that bodies touch with, for forces by complementarity: corners, edges that stick out, and flat faces. */
import type { ContactShape } from '../../contacts/bodies/contact-shape.ts';
import { InputError } from '../../errors.ts';
import { requireOutward } from '../../inside/outward.ts';
import { convexHull } from '../../mesh/convex-hull.ts';
import { buildEdgeTable } from '../../mesh/edges.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { FLAT_SINE } from './constants.ts';

/** Numbers are those of points. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  /** Third points of the two triangles beside it: from, to and the first are counter-clockwise from outside. */
  readonly thirds: readonly [number, number];
}

export interface Face {
  /** Counter-clockwise seen from outside. */
  readonly plane: readonly [number, number, number];
  /** Triangles that it is made of, three points each. None: it has no end. */
  readonly pieces: readonly number[];
  /** Edges at which it ends that stick out: their ends, and the face beyond. */
  readonly rims: readonly Rim[];
}

export interface Rim {
  readonly from: number;
  readonly to: number;
  readonly face: number;
}

/** Of one body. */
export interface Features {
  /** `[n * 3]`: about the centroid, along principal axes. */
  readonly points: Float64Array;
  /** Of a ball: the only point is its middle. Of others 0. */
  readonly radius: number;
  /** Points at which edges end. */
  readonly corners: readonly number[];
  /** `[n]`: the other ends of these edges. */
  readonly neighbours: readonly (readonly number[])[];
  readonly edges: readonly Edge[];
  readonly faces: readonly Face[];
}

/**
 * Features of a shape: of a mesh those of its triangles, of which neighbours in one plane are one face.
 *
 * @param toPrincipal writes points of the shape's frame about the centroid, along principal axes
 * @throws InputError for a shape that is none of those that these contacts know
 */
export function featuresOf(
  shape: ContactShape,
  name: string,
  toPrincipal: (points: Float64Array) => Float64Array,
): Features {
  const none = { corners: [], neighbours: [], edges: [], faces: [], radius: 0 };
  if (shape.kind === 'plane') {
    const points = toPrincipal(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0));
    return { ...none, points, faces: [{ plane: [0, 1, 2], pieces: [], rims: [] }] };
  }
  const margin = 'margin' in shape ? (shape.margin ?? 0) : 0;
  if (shape.kind === 'sphere')
    return {
      ...none,
      ...{ points: toPrincipal(new Float64Array(3)), radius: shape.radius + margin },
      ...{ corners: [0], neighbours: [[]] },
    };
  if ((shape.kind !== 'box' && shape.kind !== 'polytope' && shape.kind !== 'polyhedron') || margin > 0) {
    const found = margin > 0 ? `a ${shape.kind} with a margin` : `a ${shape.kind}`;
    throw new InputError(
      `${name} is ${found}, expected a plane, a sphere, a box, a polytope or a polyhedron for forces by ` +
        'complementarity',
    );
  }
  if (shape.kind === 'polyhedron') {
    const mesh = 'mesh' in shape.mesh ? (shape.mesh.mesh as TriangleMesh) : (shape.mesh as TriangleMesh);
    requireOutward(mesh, name);
    return featuresOfTriangles(toPrincipal(Float64Array.from(mesh.positions)), mesh.indices);
  }
  if (shape.kind === 'polytope') {
    const { positions, indices } = convexHull(Float32Array.from(shape.vertices));
    return featuresOfTriangles(toPrincipal(Float64Array.from(positions)), indices);
  }
  const signs = Array.from({ length: 8 }, (_, i) => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1]);
  const { indices, positions } = convexHull(Float32Array.from(signs.flat()));
  // Corners in float64: those of a mesh would be rounded.
  const corners = Float64Array.from(positions, (sign, i) => sign * shape.halfExtents[i % 3]!);
  return featuresOfTriangles(toPrincipal(corners), indices);
}

function featuresOfTriangles(points: Float64Array, indices: Uint32Array): Features {
  const count = points.length / 3;
  const triangles = indices.length / 3;
  const normals = Array.from({ length: triangles }, (_, t) => areaNormal(points, indices, t));
  const table = buildEdgeTable(indices, count);
  const parent = Array.from({ length: triangles }, (_, t) => t);
  const root = (t: number): number => {
    while (parent[t] !== t) t = parent[t] = parent[parent[t]!]!;
    return t;
  };
  const edges: Edge[] = [];
  const beside: [number, number][] = [];
  const neighbours: number[][] = Array.from({ length: count }, () => []);
  for (let e = 0; e < table.count; e++) {
    const [h, g] = table.halfEdges.subarray(table.offsets[e], table.offsets[e + 1]);
    if (h === undefined || g === undefined) continue;
    const [s, t] = [Math.floor(h / 3), Math.floor(g / 3)];
    const third = (half: number) => indices[3 * Math.floor(half / 3) + ((half + 2) % 3)]!;
    const [from, to] = [indices[h]!, indices[3 * s + ((h + 1) % 3)]!];
    const [n, m] = [normals[s]!, normals[t]!];
    if (Math.hypot(...cross(n, m)) <= FLAT_SINE * Math.hypot(...n) * Math.hypot(...m) && dot(n, m) > 0) {
      parent[root(s)] = root(t);
      continue;
    }
    neighbours[from]!.push(to);
    neighbours[to]!.push(from);
    const away = [0, 1, 2].map((k) => points[3 * third(g) + k]! - points[3 * from + k]!);
    if (dot(n, away) >= 0) continue;
    edges.push({ from, to, thirds: [third(h), third(g)] });
    beside.push([s, t]);
  }
  const groups = new Map<number, number[]>();
  for (let t = 0; t < triangles; t++) {
    const group = groups.get(root(t));
    if (group) group.push(t);
    else groups.set(root(t), [t]);
  }
  const cornersOf = (t: number) => [indices[3 * t]!, indices[3 * t + 1]!, indices[3 * t + 2]!] as const;
  const numbers = new Map(Array.from(groups.keys(), (of, face) => [of, face]));
  const rims: Rim[][] = Array.from(groups, () => []);
  for (const [e, pair] of beside.entries()) {
    const [s, t] = pair.map((triangle) => numbers.get(root(triangle))!) as [number, number];
    const { from, to } = edges[e]!;
    rims[s]!.push({ from, to, face: t });
    rims[t]!.push({ from, to, face: s });
  }
  const faces = Array.from(groups.values(), (group, face): Face => {
    const size = (t: number) => Math.hypot(...normals[t]!);
    // The plane of the largest triangle is off the least.
    const largest = group.reduce((best, t) => (size(t) > size(best) ? t : best));
    return { plane: cornersOf(largest), pieces: group.flatMap(cornersOf), rims: rims[face]! };
  });
  const corners = Array.from(neighbours.keys()).filter((point) => neighbours[point]!.length > 0);
  return { points, radius: 0, corners, neighbours, edges, faces };
}

type Vector = readonly number[];

function areaNormal(points: Float64Array, indices: Uint32Array, t: number): Vector {
  const [a, b, c] = [3 * indices[3 * t]!, 3 * indices[3 * t + 1]!, 3 * indices[3 * t + 2]!];
  const side = (to: number) => [0, 1, 2].map((k) => points[to + k]! - points[a + k]!);
  return cross(side(b), side(c));
}

function cross([a, b, c]: Vector, [x, y, z]: Vector): Vector {
  return [b! * z! - c! * y!, c! * x! - a! * z!, a! * y! - b! * x!];
}

function dot([a, b, c]: Vector, [x, y, z]: Vector): number {
  return a! * x! + b! * y! + c! * z!;
}

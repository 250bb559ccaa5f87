// Whole faces of polytopes: triangles in one plane, to rounding, make one polygon. Contact manifolds cut these.
import { MANIFOLD_RESOLUTION, MOST_FACE_CORNERS } from '../constants.ts';
import { setAcross } from './directions-across.ts';
import { FACE } from './facets.ts';
import {
  type FacePolygons,
  type Facets,
  INTEGERS,
  Integer,
  PARAMETERS,
  Parameter,
  ShapeKind,
} from './records.ts';

type Planes = Pick<Facets, 'faces' | 'faceCorners' | 'faceNeighbours'>;

/** What they are made of. */
export interface PolygonSource extends Planes {
  readonly integers: Uint32Array;
  readonly parameters: Float64Array;
  readonly vertices: Float64Array;
  readonly neighbourStarts: Uint32Array;
  readonly neighbours: Uint32Array;
}

/**
 * Polygons of all polytopes with volume. A polygon is the hull of connected triangles whose corners lie in the plane of
 * the largest of them, to `MANIFOLD_RESOLUTION` of the radius. If it has more than `mostCorners`, those that cost least
 * area are left out.
 */
export function facePolygons(source: PolygonSource, mostCorners = MOST_FACE_CORNERS): FacePolygons {
  const { integers, parameters, faceCorners, neighbourStarts, neighbours } = source;
  const normals: number[] = [];
  const starts: number[] = [0];
  const corners: number[] = [];
  const edgePolygons = new Uint32Array(neighbours.length);
  for (let record = 0; record < integers.length / INTEGERS; record++) {
    const first = integers[INTEGERS * record + Integer.firstFace]!;
    const count = integers[INTEGERS * record + Integer.faceCount]!;
    if (integers[INTEGERS * record + Integer.kind] !== ShapeKind.polytope || count === 0) continue;
    const near = MANIFOLD_RESOLUTION * parameters[PARAMETERS * record + Parameter.boundingRadius]!;
    const groups = groupFaces(source, first, count, near);
    for (const { seed, members } of groups) {
      for (const face of members) {
        for (let k = 0; k < 3; k++) {
          const from = faceCorners[3 * face + k]!;
          const to = faceCorners[3 * face + ((k + 1) % 3)]!;
          const edge = neighbours.indexOf(to, neighbourStarts[from]!);
          edgePolygons[edge] = starts.length - 1;
        }
      }
      normals.push(...source.faces.subarray(FACE * seed, FACE * seed + 3));
      corners.push(...polygonOf(source, seed, members, near, mostCorners));
      starts.push(corners.length);
    }
  }
  const polygons = {
    polygonNormals: Float64Array.from(normals),
    polygonStarts: Uint32Array.from(starts),
    polygonCorners: Uint32Array.from(corners),
    edgePolygons,
  };
  return { ...polygons, ...edgesThrough(source, polygons) };
}

/** Lists the edges of polygons that pass each vertex. It may be one that polygons leave out of a straight edge. */
function edgesThrough(
  { integers, parameters, vertices, neighbourStarts }: PolygonSource,
  { polygonStarts, polygonCorners, edgePolygons }: Omit<FacePolygons, 'edgeStarts' | 'edgeEnds'>,
): Pick<FacePolygons, 'edgeStarts' | 'edgeEnds'> {
  const edgeStarts = new Uint32Array(vertices.length / 3 + 1);
  const ends: number[] = [];
  for (let record = 0; record < integers.length / INTEGERS; record++) {
    const isPolytope = integers[INTEGERS * record + Integer.kind] === ShapeKind.polytope;
    if (!isPolytope || integers[INTEGERS * record + Integer.faceCount] === 0) continue;
    const near = MANIFOLD_RESOLUTION * parameters[PARAMETERS * record + Parameter.boundingRadius]!;
    const first = integers[INTEGERS * record + Integer.firstVertex]!;
    const end = first + integers[INTEGERS * record + Integer.vertexCount]!;
    for (let vertex = first; vertex < end; vertex++) {
      edgeStarts[vertex] = ends.length / 2;
      for (const polygon of edgePolygons.subarray(neighbourStarts[vertex]!, neighbourStarts[vertex + 1]!)) {
        const corners = polygonCorners.subarray(polygonStarts[polygon]!, polygonStarts[polygon + 1]!);
        corners.forEach((from, i) => {
          const to = corners[i + 1 === corners.length ? 0 : i + 1]!;
          if (!passes(vertices, from, to, vertex, near)) return;
          // Both faces beside an edge have it. Its ends come in one order: contacts are named by it.
          const edge = isBefore(vertices, from, to) ? [from, to] : [to, from];
          for (let e = edgeStarts[vertex]!; e < ends.length / 2; e++) {
            if (ends[2 * e] === edge[0] && ends[2 * e + 1] === edge[1]) ends.splice(2 * e, 2);
          }
          ends.push(...edge);
        });
      }
    }
    edgeStarts.fill(ends.length / 2, end);
  }
  return { edgeStarts, edgeEnds: Uint32Array.from(ends) };
}

/** Whether an edge passes a vertex. */
function passes(v: Float64Array, from: number, to: number, vertex: number, near: number): boolean {
  const d = [0, 1, 2].map((k) => v[3 * to + k]! - v[3 * from + k]!);
  const w = [0, 1, 2].map((k) => v[3 * vertex + k]! - v[3 * from + k]!);
  const along = d[0]! * w[0]! + d[1]! * w[1]! + d[2]! * w[2]!;
  const s = Math.min(1, Math.max(0, along / (d[0]! ** 2 + d[1]! ** 2 + d[2]! ** 2)));
  return Math.hypot(...w.map((x, k) => x - s * d[k]!)) <= near;
}

/** Whether a vertex comes before another in the order of x, then y, then z. */
function isBefore(v: Float64Array, a: number, b: number): boolean {
  const k = [0, 1, 2].find((k) => v[3 * a + k] !== v[3 * b + k]) ?? 0;
  return v[3 * a + k]! <= v[3 * b + k]!;
}

interface Group {
  /** The triangle whose plane the others lie in. */
  readonly seed: number;
  readonly members: readonly number[];
}

/** Groups triangles by plane. It starts with the largest one, whose plane is known best. */
function groupFaces(source: PolygonSource, first: number, count: number, near: number): Group[] {
  const { faceNeighbours } = source;
  const areas = Float64Array.from({ length: count }, (_, f) => areaOf(source, first + f));
  const order = Array.from(areas.keys()).sort((f, g) => areas[g]! - areas[f]! || f - g);
  const taken = new Uint8Array(count);
  const groups: Group[] = [];
  for (const f of order) {
    if (taken[f] === 1) continue;
    taken[f] = 1;
    const seed = first + f;
    const members = [seed];
    for (let i = 0; i < members.length; i++) {
      for (let k = 0; k < 3; k++) {
        const next = faceNeighbours[3 * members[i]! + k]!;
        if (taken[next - first] === 1 || !liesIn(source, seed, next, near)) continue;
        taken[next - first] = 1;
        members.push(next);
      }
    }
    groups.push({ seed, members });
  }
  return groups;
}

/**
 * Whether a triangle lies in the plane of another one and faces the same way. The other side of a thin plate does not.
 */
function liesIn(
  { faces, faceCorners, vertices: v }: PolygonSource,
  seed: number,
  face: number,
  near: number,
) {
  const [p, q] = [FACE * seed, FACE * face];
  const [x, y, z] = [faces[p]!, faces[p + 1]!, faces[p + 2]!];
  if (!(x * faces[q]! + y * faces[q + 1]! + z * faces[q + 2]! > 0)) return false;
  for (let k = 0; k < 3; k++) {
    const c = 3 * faceCorners[3 * face + k]!;
    if (!(Math.abs(x * v[c]! + y * v[c + 1]! + z * v[c + 2]! - faces[p + 3]!) <= near)) return false;
  }
  return true;
}

function areaOf({ faceCorners, vertices: v }: PolygonSource, face: number): number {
  const [a, b, c] = [
    3 * faceCorners[3 * face]!,
    3 * faceCorners[3 * face + 1]!,
    3 * faceCorners[3 * face + 2]!,
  ];
  const [ux, uy, uz] = [v[b]! - v[a]!, v[b + 1]! - v[a + 1]!, v[b + 2]! - v[a + 2]!];
  const [wx, wy, wz] = [v[c]! - v[a]!, v[c + 1]! - v[a + 1]!, v[c + 2]! - v[a + 2]!];
  return Math.hypot(uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx);
}

/** A corner of a polygon in its plane. */
interface Corner {
  readonly vertex: number;
  readonly u: number;
  readonly v: number;
}

const cross = (a: Corner, b: Corner, c: Corner) => (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);

/** Corners of the hull of a group, counter-clockwise seen from outside: two or more. */
function polygonOf(
  { faces, faceCorners, vertices }: PolygonSource,
  seed: number,
  members: readonly number[],
  near: number,
  mostCorners: number,
): number[] {
  const [p, q] = [new Float64Array(3), new Float64Array(3)];
  setAcross(faces[FACE * seed]!, faces[FACE * seed + 1]!, faces[FACE * seed + 2]!, p, q);
  const used = new Set(members.flatMap((face) => [...faceCorners.subarray(3 * face, 3 * face + 3)]));
  const along = (axis: Float64Array, i: number) =>
    axis[0]! * vertices[3 * i]! + axis[1]! * vertices[3 * i + 1]! + axis[2]! * vertices[3 * i + 2]!;
  const points = Array.from(used, (vertex): Corner => ({ vertex, u: along(p, vertex), v: along(q, vertex) }));
  points.sort((a, b) => a.u - b.u || a.v - b.v);
  const half = (list: readonly Corner[]) => {
    const chain: Corner[] = [];
    for (const c of list) {
      while (chain.length > 1 && cross(chain.at(-2)!, chain.at(-1)!, c) <= 0) chain.pop();
      chain.push(c);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(points), ...half(points.reverse())];
  while (hull.length > 2) {
    // Takes out the corner whose loss costs least, if it is one too many or nearly on the line between its neighbours.
    let [at, least, height] = [0, Infinity, 0];
    hull.forEach((c, i) => {
      const [a, b] = [hull.at(i - 1)!, hull[(i + 1) % hull.length]!];
      const area = cross(a, c, b);
      if (area >= least) return;
      [at, least, height] = [i, area, area / Math.hypot(b.u - a.u, b.v - a.v)];
    });
    if (hull.length <= mostCorners && height > near) break;
    hull.splice(at, 1);
  }
  return hull.map(({ vertex }) => vertex);
}

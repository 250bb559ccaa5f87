// Faces of polytopes, for algorithms that ask along their normals: planes, corners, and the face across each edge.
import { FACET_ROUNDING, LEAST_ROUNDNESS, MOST_LISTED_FACES, PLANE_ROUNDING } from '../constants.ts';
import { CELLS, middleOfCell } from './cells.ts';
import {
  type Facets,
  INTEGERS,
  Integer,
  PARAMETERS,
  Parameter,
  PolytopeParameter,
  ShapeKind,
} from './records.ts';
import type { Draft } from './shape-drafts.ts';

/** Numbers per face: outward unit normal, offset from the centre. */
export const FACE = 4;

/** Least cosine between a direction of a cell and a normal that is not in its list. */
export const LISTED = Math.SQRT1_2;
/**
 * The same for directions in the middle of a cell: 10.1 degrees more, since no cell's corner is farther from its
 * middle.
 */
const LISTED_BY_MIDDLE = Math.cos(((45 + 10.1) * Math.PI) / 180);

/**
 * Faces of packed polytopes. Writes into the record of each where its faces are (`Integer.firstFace`, `faceCount`) and
 * its `PolytopeParameter`s.
 */
export function facetsOf(
  drafts: readonly Draft[],
  vertices: Float64Array,
  integers: Uint32Array,
  parameters: Float64Array,
): Facets {
  const count = drafts.reduce((sum, { polytope }) => sum + (polytope?.triangles.length ?? 0) / 3, 0);
  const planes = {
    faces: new Float64Array(FACE * count),
    faceCorners: new Uint32Array(3 * count),
    faceNeighbours: new Uint32Array(3 * count),
  };
  let face = 0;
  drafts.forEach(({ kind, polytope }, i) => {
    if (kind !== ShapeKind.polytope || polytope === undefined) return;
    const first = integers[INTEGERS * i + Integer.firstVertex]!;
    const faces = polytope.triangles.length / 3;
    integers[INTEGERS * i + Integer.firstFace] = face;
    integers[INTEGERS * i + Integer.faceCount] = faces;
    const radius = parameters[PARAMETERS * i + Parameter.boundingRadius]!;
    let inner = Infinity;
    let blur = 0;
    const edges = new Map<string, number>();
    for (let f = 0; f < faces; f++) {
      for (let k = 0; k < 3; k++) {
        const from = polytope.triangles[3 * f + k]!;
        planes.faceCorners[3 * (face + f) + k] = first + from;
        edges.set(`${from} ${polytope.triangles[3 * f + ((k + 1) % 3)]!}`, face + f);
      }
      blur = Math.max(blur, setPlane(planes, face + f, vertices, radius));
      inner = Math.min(inner, planes.faces[FACE * (face + f) + 3]!);
    }
    let leastDot = 1;
    for (let f = 0; f < faces; f++) {
      for (let k = 0; k < 3; k++) {
        const back = `${polytope.triangles[3 * f + ((k + 1) % 3)]!} ${polytope.triangles[3 * f + k]!}`;
        const across = edges.get(back)!;
        planes.faceNeighbours[3 * (face + f) + k] = across;
        leastDot = Math.min(leastDot, dotOfNormals(planes.faces, face + f, across));
      }
    }
    // A plane may be off by as much as its normal, times the radius. That is taken off.
    parameters[PARAMETERS * i + PolytopeParameter.faceBall] =
      faces > 0 ? Math.max(0, inner - 2 * blur * radius) : 0;
    // Between nearly opposite normals, a point of the chord is short, so its direction is off by more.
    const cosine = Math.sqrt(Math.max(0, (1 + leastDot) / 2)) * (1 - 2 ** -40);
    parameters[PARAMETERS * i + PolytopeParameter.planeError] = (blur + PLANE_ROUNDING) / cosine;
    parameters[PARAMETERS * i + PolytopeParameter.leastCosine] = cosine;
    face += faces;
  });
  return { ...planes, ...listsOf(planes.faces, integers, parameters) };
}

function listsOf(faces: Float64Array, integers: Uint32Array, parameters: Float64Array) {
  const lists: number[] = [];
  const starts: number[] = [];
  const middle = new Float64Array(3);
  for (let record = 0; record < integers.length / INTEGERS; record++) {
    const count = integers[INTEGERS * record + Integer.faceCount]!;
    if (integers[INTEGERS * record + Integer.kind] !== ShapeKind.polytope || count === 0) continue;
    const at = PARAMETERS * record;
    const inner = parameters[at + PolytopeParameter.faceBall]!;
    const isRound = inner >= LEAST_ROUNDNESS * parameters[at + Parameter.boundingRadius]!;
    const isListed = isRound && count <= MOST_LISTED_FACES;
    parameters[at + PolytopeParameter.faceLists] = isListed ? starts.length : -1;
    if (!isListed) continue;
    const first = FACE * integers[INTEGERS * record + Integer.firstFace]!;
    for (let cell = 0; cell < CELLS; cell++) {
      starts.push(lists.length);
      middleOfCell(cell, middle);
      for (let i = 0; i < count; i++) {
        const at = first + FACE * i;
        const cosine = faces[at]! * middle[0]! + faces[at + 1]! * middle[1]! + faces[at + 2]! * middle[2]!;
        if (cosine >= LISTED_BY_MIDDLE) lists.push(i);
      }
    }
    starts.push(lists.length);
  }
  return { faceLists: Uint32Array.from(lists), faceListStarts: Uint32Array.from(starts) };
}

/**
 * Sets the plane of a face from its two shorter edges. Returns how far its normal may be off, in radians; Infinity
 * without area.
 */
function setPlane(
  { faces, faceCorners }: Pick<Facets, 'faces' | 'faceCorners'>,
  face: number,
  v: Float64Array,
  radius: number,
): number {
  const corner = (k: number) => 3 * faceCorners[3 * face + (k % 3)]!;
  const squared = [0, 1, 2].map((k) => {
    const [a, b] = [corner(k), corner(k + 1)];
    return (v[b]! - v[a]!) ** 2 + (v[b + 1]! - v[a + 1]!) ** 2 + (v[b + 2]! - v[a + 2]!) ** 2;
  });
  const longest = squared.indexOf(Math.max(...squared));
  // The corner across from the longest edge.
  const [p, q, r] = [corner(longest + 2), corner(longest), corner(longest + 1)];
  const [ux, uy, uz] = [v[q]! - v[p]!, v[q + 1]! - v[p + 1]!, v[q + 2]! - v[p + 2]!];
  const [wx, wy, wz] = [v[r]! - v[p]!, v[r + 1]! - v[p + 1]!, v[r + 2]! - v[p + 2]!];
  const x = uy * wz - uz * wy;
  const y = uz * wx - ux * wz;
  const z = ux * wy - uy * wx;
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 0)) return Infinity;
  faces[FACE * face] = x / length;
  faces[FACE * face + 1] = y / length;
  faces[FACE * face + 2] = z / length;
  faces[FACE * face + 3] = (x * v[p]! + y * v[p + 1]! + z * v[p + 2]!) / length;
  const height = length / Math.sqrt(squared[longest]!);
  return (FACET_ROUNDING * radius) / height;
}

function dotOfNormals(faces: Float64Array, f: number, g: number): number {
  const [a, b] = [FACE * f, FACE * g];
  return faces[a]! * faces[b]! + faces[a + 1]! * faces[b + 1]! + faces[a + 2]! * faces[b + 2]!;
}

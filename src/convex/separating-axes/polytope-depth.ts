// Depth of two polytopes by the faces of their difference.
//
// A - B is a polytope. The depth is the least h(n) over the normals n of its faces, where h(n) says how far A - B
// reaches along n. Its faces have normals of A's faces (face-normals.ts), of B's faces turned round (there, too), or
// they are spanned by an edge of each (edge-arcs.ts).
import type { Pair } from '../pair/pair.ts';
import { cellOf } from '../shapes/cells.ts';
import { LISTED } from '../shapes/facets.ts';
import { INTEGERS, Integer, PARAMETERS, PolytopeParameter } from '../shapes/records.ts';
import { DifferenceFaces } from './difference-faces.ts';
import { walkArcs } from './edge-arcs.ts';
import { FaceNormals } from './face-normals.ts';
import { answerFromNearestFace } from './polytope-points.ts';

const difference = new DifferenceFaces();
const normals = new FaceNormals(difference);

/** True if both cores are round polytopes whose faces' planes are good enough for the gap. */
export function hasFacets(pair: Pair): boolean {
  const { integers, parameters } = pair.table;
  if (!(pair.polytopeA && pair.polytopeB)) return false;
  if (integers[INTEGERS * pair.shapeA + Integer.faceCount] === 0) return false;
  if (integers[INTEGERS * pair.shapeB + Integer.faceCount] === 0) return false;
  const { faceLists, planeError } = PolytopeParameter;
  const { recordA, recordB } = pair;
  if (parameters[recordA + faceLists]! < 0 || parameters[recordB + faceLists]! < 0) return false;
  const error = Math.max(parameters[recordA + planeError]!, parameters[recordB + planeError]!);
  return 2 * error * pair.size + pair.touching <= pair.gap;
}

/** True if balls in both polytopes overlap. */
export function innerBallsOverlap(pair: Pair): boolean {
  const p = pair.table.parameters;
  const t = pair.placement;
  const { faceBall } = PolytopeParameter;
  const reach = p[pair.recordA + faceBall]! + p[pair.recordB + faceBall]! - pair.touching;
  return reach > 0 && t[9]! * t[9]! + t[10]! * t[10]! + t[11]! * t[11]! < reach * reach;
}

/**
 * Depth of the cores, which are polytopes with faces. Leaves the answer in the pair.
 *
 * @param known an upper bound of the depth, or Infinity
 * @returns false if it is not decided here: they touch, or no point is found that is on both
 */
export function polytopeDepth(pair: Pair, known: number): boolean {
  difference.place(pair, known);
  normals.begin();
  pair.calls++;
  const { m, table, shapeP, shapeQ, tie } = difference;
  const { parameters, faceLists: list, faceListStarts: starts } = table;
  const { innerP, innerQ } = normals;
  const { leastCosine, faceLists } = PolytopeParameter;
  const cosineP = parameters[PARAMETERS * shapeP + leastCosine]!;
  const tx = m[0]! * m[9]! + m[3]! * m[10]! + m[6]! * m[11]!;
  const ty = m[1]! * m[9]! + m[4]! * m[10]! + m[7]! * m[11]!;
  const tz = m[2]! * m[9]! + m[5]! * m[10]! + m[8]! * m[11]!;
  // First the faces that face the other's centre.
  const cellP = parameters[PARAMETERS * shapeP + faceLists]! + cellOf(m[9]!, m[10]!, m[11]!);
  const cellQ = parameters[PARAMETERS * shapeQ + faceLists]! + cellOf(-tx, -ty, -tz);
  const facingP = { list, from: starts[cellP]!, to: starts[cellP + 1]! };
  const facingQ = { list, from: starts[cellQ]!, to: starts[cellQ + 1]! };
  normals.askAll(facingP, facingQ);
  if (difference.least <= tie) return false;
  // For all other faces, P's part is at least `innerP - away`, Q's at least `innerQ - away`.
  const away = LISTED * Math.sqrt(tx * tx + ty * ty + tz * tz);
  const enough = difference.least + 2 * tie;
  const room = difference.least - innerQ;
  const some = room < 0 ? room * cosineP : room;
  if (innerP + innerQ - away > enough && innerP - away > some + 2 * tie) {
    walkArcs(difference, normals, facingP, cosineP);
  } else {
    normals.askAll(normals.everyFaceOfP, normals.everyFaceOfQ);
    walkArcs(difference, normals, normals.everyFaceOfP, cosineP);
  }
  return difference.least > tie && answerFromNearestFace(pair, difference);
}

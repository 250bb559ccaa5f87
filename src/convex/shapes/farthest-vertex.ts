// The farthest vertex of a polytope in a direction: by looking at all, or by climbing along edges from a seed
// (seeds.ts).
//
// On a convex polytope, a vertex without a farther neighbour is the farthest. With rounding this is not so. A vertex
// may be farther than its neighbour by less than a bit, and a third one across a long edge be farther by that times the
// quotient of both edges. So the climb also goes on from vertices that tie to rounding. All vertices whose exact value
// is at least that of some one vertex are connected by edges, and the farthest is among them. So the climb reaches all
// vertices whose computed value is at least that value less `slack`: twice what rounding does to a value
// (docs/convex.md, "Tolerances"). Of few vertices a look at all is faster than to go on.
import { CLIMB_SLACK, LEAST_VERTICES_BEYOND_TIES, LEAST_VERTICES_TO_CLIMB } from '../constants.ts';
import { INTEGERS, Integer, PARAMETERS, Parameter, type ShapeRecords } from './records.ts';
import { seedOf } from './seeds.ts';

const along = new Float64Array(3);

/** Index in `vertices` of the vertex of a polytope that is farthest in a direction of any length. */
export function farthestVertex(table: ShapeRecords, shape: number, x: number, y: number, z: number): number {
  along[0] = x;
  along[1] = y;
  along[2] = z;
  return farthestAlong(table, shape, along, 0);
}

/** The same for the direction from place `d` of an array on. Engines make objects of numbers that calls pass. */
export function farthestAlong(
  table: ShapeRecords,
  shape: number,
  direction: Float64Array,
  d: number,
): number {
  const v = table.vertices;
  const { integers } = table;
  const at = INTEGERS * shape;
  const x = direction[d]!;
  const y = direction[d + 1]!;
  const z = direction[d + 2]!;
  const count = integers[at + Integer.vertexCount]!;
  if (integers[at + Integer.hasEdges] !== 0 && count >= LEAST_VERTICES_TO_CLIMB) {
    const { neighbourStarts, neighbours } = table;
    const length = Math.abs(x) + Math.abs(y) + Math.abs(z);
    const slack = CLIMB_SLACK * table.parameters[PARAMETERS * shape + Parameter.boundingRadius]! * length;
    let best = table.seeds[integers[at + Integer.firstSeed]! + seedOf(x, y, z)]!;
    let most = v[3 * best]! * x + v[3 * best + 1]! * y + v[3 * best + 2]! * z;
    let ties = 0;
    for (let from = -1; from !== best; ) {
      from = best;
      ties = 0;
      const end = neighbourStarts[from + 1]!;
      for (let e = neighbourStarts[from]!; e < end; e++) {
        const i = neighbours[e]!;
        const value = v[3 * i]! * x + v[3 * i + 1]! * y + v[3 * i + 2]! * z;
        if (value > most) {
          most = value;
          best = i;
        } else if (value >= most - slack) {
          ties++;
        }
      }
    }
    if (ties === 0) return best;
    if (count >= LEAST_VERTICES_BEYOND_TIES) return farthestBeyondTies(table, best, most, slack, x, y, z);
  }
  // By looking at all: the first of those that are farthest.
  let best = 3 * integers[at + Integer.firstVertex]!;
  let most = -Infinity;
  const end = best + 3 * count;
  for (let p = best; p < end; p += 3) {
    const value = v[p]! * x + v[p + 1]! * y + v[p + 2]! * z;
    if (value > most) {
      most = value;
      best = p;
    }
  }
  return best / 3;
}

/** The last search that saw each vertex. */
let seen = new Float64Array(0);
let search = 0;
const waiting: number[] = [];

/** Climbs on from every vertex that is less than `slack` short of the best one so far. */
function farthestBeyondTies(
  table: ShapeRecords,
  from: number,
  value: number,
  slack: number,
  x: number,
  y: number,
  z: number,
): number {
  const { vertices: v, neighbourStarts, neighbours } = table;
  if (seen.length < v.length / 3) seen = new Float64Array(v.length / 3);
  search++;
  let best = from;
  let most = value;
  seen[from] = search;
  waiting.length = 0;
  for (let at: number | undefined = from; at !== undefined; at = waiting.pop()) {
    const end = neighbourStarts[at + 1]!;
    for (let e = neighbourStarts[at]!; e < end; e++) {
      const i = neighbours[e]!;
      if (seen[i] === search) continue;
      seen[i] = search;
      const there = v[3 * i]! * x + v[3 * i + 1]! * y + v[3 * i + 2]! * z;
      if (there < most - slack) continue;
      waiting.push(i);
      if (there <= most) continue;
      most = there;
      best = i;
    }
  }
  return best;
}

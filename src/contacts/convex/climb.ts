/** The farthest vertex of a polytope by climbing from one that was the farthest a step ago. */
import { CLIMB_SLACK } from '../../convex/constants.ts';
import { farthestVertex } from '../../convex/shapes/farthest-vertex.ts';
import { INTEGERS, Integer, PARAMETERS, Parameter, type ShapeRecords } from '../../convex/shapes/records.ts';

/**
 * The vertex of a shape that is farthest along a unit vector. A vertex without a farther neighbour is the farthest; of
 * ties, `farthestVertex` tells.
 *
 * @param start a vertex of the shape
 */
export function climb(table: ShapeRecords, shape: number, start: number, direction: Float64Array): number {
  const { vertices: v, neighbourStarts, neighbours, integers } = table;
  const x = direction[0]!;
  const y = direction[1]!;
  const z = direction[2]!;
  if (integers[INTEGERS * shape + Integer.hasEdges] === 0) return farthestVertex(table, shape, x, y, z);
  // A unit vector's coordinates add up to less than 2.
  const slack = 2 * CLIMB_SLACK * table.parameters[PARAMETERS * shape + Parameter.boundingRadius]!;
  let best = start;
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
  return ties === 0 ? best : farthestVertex(table, shape, x, y, z);
}

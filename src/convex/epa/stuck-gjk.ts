// The surer way if GJK is stuck. The bounds are the same, but it keeps all support points, not four. The nearest point
// of their hull is the last one, or it lies on a feature with the newest point. So each step looks at all triangles
// with the newest point. Progress then does not depend on which points a simplex was reduced to.
import { MOST_GJK_STEPS, SHORT_DISTANCE } from '../constants.ts';
import { axisOfFeature } from '../gjk/gjk-loop.ts';
import { nearestByVoronoi } from '../gjk/gjk-voronoi.ts';
import { NEWEST, type Pair, POINT } from '../pair/pair.ts';
import { epa } from './epa.ts';

const kept = new Float64Array(POINT * (MOST_GJK_STEPS + 4));
const axis = new Float64Array(3);
const best = new Float64Array(3 * POINT);

/**
 * Goes on from GJK's simplex.
 *
 * @returns true if the cores are apart: `nearest`, the simplex and the bounds are the answer. False if they overlap or
 * touch: EPA has to measure the depth, from the simplex that is there then, or from none.
 */
export function decideStuckGjk(pair: Pair): boolean {
  const { points, nearest, normal } = pair;
  const short = pair.upper <= SHORT_DISTANCE * pair.size;
  if (short || !(pair.lower > pair.touching)) {
    // The cores are not known to be apart: EPA finds the sign from a polytope with exact faces. If they nearly touch,
    // the nearest point is a small difference of large numbers and has no direction; a face's normal is good.
    const { lower, upper, count } = pair;
    const before = points.slice();
    const best = normal.slice();
    pair.count = 0;
    epa(pair, !short);
    const margins = pair.marginA + pair.marginB;
    const separation = pair.distance + margins;
    // Beside a sharp edge, no face's plane lies between the cores. If they are neither proven apart nor proven to come
    // so near, the search goes on below.
    const reached = !(lower > pair.touching) && !(separation > pair.touching);
    if (reached && pair.upper + margins <= pair.touching) {
      pair.count = 0;
      return false;
    }
    pair.lower = Math.max(lower, separation);
    if (pair.lower === lower) normal.set(best);
    pair.upper = upper;
    pair.count = count;
    points.set(before);
  }
  let keptCount = pair.count;
  for (let i = 0; i < keptCount * POINT; i++) kept[i] = points[i]!;
  let bestCount = 0;
  let least = Infinity;
  const keep = () => {
    const squared = nearest[0]! ** 2 + nearest[1]! ** 2 + nearest[2]! ** 2;
    if (squared >= least) return;
    least = squared;
    bestCount = pair.count;
    for (let i = 0; i < bestCount * POINT; i++) best[i] = points[i]!;
  };
  const load = (slot: number, from: number) => {
    for (let k = 0; k < POINT; k++) points[POINT * slot + k] = kept[POINT * from + k]!;
  };
  nearestByVoronoi(pair);
  keep();
  while (keptCount < MOST_GJK_STEPS) {
    const length = Math.sqrt(least);
    for (let i = 0; i < bestCount * POINT; i++) points[i] = best[i]!;
    pair.count = bestCount;
    nearestByVoronoi(pair);
    pair.upper = length;
    // They touch or overlap after all: EPA measures, from this simplex.
    if (length <= pair.touching) return false;
    axisOfFeature(pair, axis);
    const [x, y, z] = [axis[0]!, axis[1]!, axis[2]!];
    pair.core(x, y, z, points, NEWEST);
    const low = -(x * points[NEWEST]! + y * points[NEWEST + 1]! + z * points[NEWEST + 2]!);
    if (low > pair.lower) {
      pair.lower = low;
      normal[0] = x;
      normal[1] = y;
      normal[2] = z;
    }
    if (pair.upper - pair.lower <= pair.touching) break;
    for (let k = 0; k < POINT; k++) kept[POINT * keptCount + k] = points[NEWEST + k]!;
    const before = least;
    for (let i = 0; i < keptCount; i++) {
      for (let j = 0; j <= i; j++) {
        load(0, keptCount);
        load(1, i);
        load(2, j);
        pair.count = i === j ? 2 : 3;
        nearestByVoronoi(pair);
        keep();
      }
    }
    keptCount++;
    if (!(least < before)) break;
  }
  for (let i = 0; i < bestCount * POINT; i++) points[i] = best[i]!;
  pair.count = bestCount;
  nearestByVoronoi(pair);
  return true;
}

/** Pairs of bodies that are brought to their first touch, all of them in one simulation. */
import type { Simulation } from '../index.ts';

/** Way between two looks: the next touch may be missed where bodies touch over less than this. */
const WAY = 0.05;
/** They end within 2^-20 of that. */
const HALVINGS = 20;

export interface Approach {
  readonly pairs: number;
  /** Poses of all bodies, where `place` puts a pair at a distance. */
  readonly poses: Float64Array;
  readonly place: (pair: number, distance: number) => void;
  /** The pair of a contact. */
  readonly pairOf: (bodyA: number, bodyB: number) => number;
  /** Distances at which none touches yet, and at which those that have not touched go by each other. */
  readonly from: number;
  readonly to: number;
}

/** 1 for each pair that touches. */
export async function touchingPairs(
  simulation: Simulation,
  pairs: number,
  pairOf: Approach['pairOf'],
): Promise<Uint8Array> {
  const found = new Uint8Array(pairs);
  const { bodies, count } = await simulation.contacts();
  for (let c = 0; c < count; c++) found[pairOf(bodies[2 * c]!, bodies[2 * c + 1]!)] = 1;
  return found;
}

/**
 * @returns for each pair the distance just before it touches on its way in, and whether it touches at all. Poses are
 *   those of the last look.
 */
export async function firstTouches(
  simulation: Simulation,
  { pairs, poses, place, pairOf, from, to }: Approach,
): Promise<{ readonly distances: Float64Array; readonly touches: Uint8Array }> {
  const near = new Float64Array(pairs);
  const far = new Float64Array(pairs).fill(from);
  const touches = new Uint8Array(pairs);
  const look = async (distances: Float64Array) => {
    for (let i = 0; i < pairs; i++) place(i, distances[i]!);
    await simulation.write('poses', poses);
    await simulation.evaluate();
    return touchingPairs(simulation, pairs, pairOf);
  };
  for (let d = from - WAY; d > to && touches.includes(0); d -= WAY) {
    const found = await look(far.map((x, i) => (touches[i] ? x : d)));
    for (let i = 0; i < pairs; i++) {
      if (touches[i]) continue;
      if (found[i]) [near[i], touches[i]] = [d, 1];
      else far[i] = d;
    }
  }
  for (let n = 0; n < HALVINGS; n++) {
    const middle = far.map((x, i) => (touches[i] ? (x + near[i]!) / 2 : x));
    const found = await look(middle);
    for (let i = 0; i < pairs; i++) (found[i] ? near : far)[i] = middle[i]!;
  }
  return { distances: far, touches };
}

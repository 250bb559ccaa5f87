/** Lengths of a scene: how far bodies reach, the cells of positions, the margin of lists of pairs. */
import { CELL_RANGE } from '../../broadphase/constants.ts';
import { type EntryPlaces, numbersTo, reachesOf } from '../../broadphase/entries.ts';
import { firstOutOfRange } from '../../broadphase/entry-boxes.ts';
import type { ShapeArrays } from '../../convex/shapes/records.ts';
import { InputError } from '../../errors.ts';
import { MARGIN_SHARE, MARGIN_SHARE_OF_BALLS, MARGIN_SHARE_OF_LONG_STEPS } from '../constants.ts';
import { isBall } from './ball.ts';
import type { ResolvedBodies } from './check-bodies.ts';
import { ColliderKind, type Colliders } from './colliders.ts';

export interface SceneScale {
  /** Edge of a cell of positions: a power of two, at least twice as long as any moving body reaches. */
  readonly cell: number;
  /** The margin where none is asked for. */
  readonly margin: number;
}

/**
 * @param places of the colliders' entries
 * @param convex the shapes of convex colliders, where there are some
 * @param areStepsLong bodies move by a good part of their radius in a step, as by impulses
 */
export function sceneScale(
  colliders: Colliders,
  { count, isStatic }: ResolvedBodies,
  places: EntryPlaces,
  convex: ShapeArrays | undefined,
  areStepsLong = false,
): SceneScale {
  const reaches = reachesOf(places, count);
  const moving = reaches.filter((_, body) => isStatic[body] === 0);
  const most = (lengths: Float64Array) => lengths.reduce((longest, length) => Math.max(longest, length), 0);
  const largest = most(moving) || most(reaches) || 1;
  // Of colliders' own balls: a mesh far from its own origin reaches far, however small it is.
  const own = numbersTo(colliders.count).filter((c) => isStatic[colliders.bodies[c]!] === 0);
  const radii = new Float64Array(own.length).map((_, i) => colliders.radii[own[i]!]!).sort();
  const areBalls = own.every(
    (c) => colliders.kinds[c] === ColliderKind.convex && isBall(convex!, colliders.shapes[c]!),
  );
  const share = areStepsLong ? MARGIN_SHARE_OF_LONG_STEPS : areBalls ? MARGIN_SHARE_OF_BALLS : MARGIN_SHARE;
  return {
    cell: 2 ** Math.ceil(Math.log2(2 * largest)),
    margin: share * (radii[radii.length >> 1] ?? 0),
  };
}

/** @throws InputError for the first body that is too far from the origin; the message names it. */
export function requireInRange(poses: Float64Array, cell: number, names: readonly string[]): void {
  const body = firstOutOfRange(poses, cell);
  if (body < 0) return;
  const position = [...poses.subarray(7 * body, 7 * body + 3)];
  throw new InputError(
    `poses: ${names[body]}: its position is [${position}], expected coordinates from ${-CELL_RANGE * cell} to below ` +
      `${CELL_RANGE * cell}: ${CELL_RANGE} cells as large as the largest moving body`,
  );
}

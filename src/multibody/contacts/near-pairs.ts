/** The broad phase of a mechanism: pairs of colliders that may meet within a step. */
import { reachesOf } from '../../broadphase/entries.ts';
import { writeEntryBoxes } from '../../broadphase/entry-boxes.ts';
import { largestMove } from '../../broadphase/moved.ts';
import { PairList, sortPairs } from '../../broadphase/pair-list.ts';
import { sortIntoRows } from '../../broadphase/rows.ts';
import { RowSearch } from '../../broadphase/search-rows.ts';
import { type ContactEntries, makeEntries } from '../../contacts/bodies/entries.ts';
import { pairsNearPlanes, possiblePlanePairs } from '../../contacts/bodies/plane-pairs.ts';
import { requireInRange, type SceneScale, sceneScale } from '../../contacts/bodies/scene-scale.ts';
import type { CollisionModel } from './collision-model.ts';

export class NearPairs {
  readonly #model: CollisionModel;
  readonly #scale: SceneScale;
  readonly #entries: ContactEntries;
  readonly #planePairs: Uint32Array;
  /** `[bodies]`: how far points of each body reach from its origin. */
  readonly reaches: Float64Array;
  readonly #reference: Float64Array;
  #margin = -1;
  /** `[k * 2]`: colliders a < b, sorted. */
  pairs: Uint32Array = new Uint32Array(0);

  constructor(model: CollisionModel) {
    this.#model = model;
    const { colliders, resolved } = model;
    this.#entries = makeEntries(colliders);
    const { places } = this.#entries;
    this.#scale = sceneScale(colliders, resolved, places, model.shapes);
    this.reaches = reachesOf(places, resolved.count);
    this.#reference = new Float64Array(7 * resolved.count);
    const all = possiblePlanePairs(colliders, resolved);
    this.#planePairs = all.filter((_, i) => this.#mayMeet(all[i - (i % 2)]!, all[i - (i % 2) + 1]!));
  }

  #mayMeet(a: number, b: number): boolean {
    const { bodies } = this.#model.colliders;
    return this.#model.mayMeet(bodies[a]!, bodies[b]!);
  }

  /**
   * Makes sure that all pairs are known that can meet before any point has moved by `way`.
   *
   * @param poses `[bodies * 7]` of the model's bodies
   * @returns whether the list is a new one
   */
  update(poses: Float64Array, way: number): boolean {
    const moved = this.#margin < 0 ? Infinity : largestMove(poses, this.#reference, this.reaches);
    if (moved + way <= this.#margin / 2) return false;
    const { colliders, resolved } = this.#model;
    const { cell, margin: usual } = this.#scale;
    requireInRange(poses, cell, resolved.names);
    this.#margin = Math.max(usual, 4 * way);
    this.#reference.set(poses);
    const { colliders: own, places } = this.#entries;
    const { count } = places;
    const bodies = own.map((collider) => colliders.bodies[collider]!);
    const isStatic = Uint8Array.from(bodies, (body) => resolved.isStatic[body]!);
    const boxes = new Int32Array(6 * count);
    writeEntryBoxes({ entries: places, poses, cell, margin: this.#margin }, boxes);
    const list = new PairList(false);
    new RowSearch(sortIntoRows(boxes, { count, bodies, isStatic }, false), list).run(0, count);
    const found = Array.from(sortPairs([list], count), (entry) => own[entry]!);
    const near = pairsNearPlanes({ colliders, poses }, this.#planePairs, this.#margin);
    const pairs: (readonly [number, number])[] = [];
    for (let i = 0; i < found.length; i += 2)
      if (this.#mayMeet(found[i]!, found[i + 1]!)) pairs.push([found[i]!, found[i + 1]!]);
    for (let i = 0; i < near.length; i += 2) pairs.push([near[i]!, near[i + 1]!]);
    pairs.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
    this.pairs = Uint32Array.from(pairs.flat());
    return true;
  }
}

/** Contacts of convex bodies by an algorithm that is asked for, in place of those of the engine. */
import { quatd, vec3d } from 'wgpu-matrix';
import type { FacedColliders } from '../../contacts/faces/face-table.ts';
import {
  ContactKind,
  ContactStatus,
  NO_TRIANGLE,
  newContactArrays,
} from '../../contacts/list/contact-arrays.ts';
import { queryPairs } from '../../convex/cpu/pair-run.ts';
import type { ManifoldRule } from '../../convex/manifold/manifold-rules.ts';
import { CONTACTS_PER_PAIR, NORMALS_PER_PAIR } from '../../convex/query/pair-arrays.ts';
import { POSE_SIZE } from '../../convex/shapes/pose.ts';
import type { ShiftedContacts } from '../forces/body-laws.ts';
import { groupContacts, RANGE_WORDS } from '../forces/groups.ts';

export interface NarrowPhaseOptions {
  readonly algorithm: 'sweep-gjk' | 'gjk' | 'mpr';
  readonly manifold: ManifoldRule;
}

/** Numbers of a contact in the answers of queries: place and distance. */
const CONTACT = 4;

export class NarrowPhase {
  readonly #table: FacedColliders;
  readonly #copies: number;
  readonly #options: NarrowPhaseOptions;
  /** The first collider of each body. */
  readonly #first: Uint32Array;

  /** @param copies of each body that colliders are of, where space repeats */
  constructor(table: FacedColliders, copies: number, options: NarrowPhaseOptions) {
    this.#table = table;
    this.#copies = copies;
    this.#options = options;
    const { bodies, count } = table.colliders;
    this.#first = new Uint32Array(1 + bodies.reduce((most, body) => Math.max(most, body), 0));
    for (let c = count - 1; c >= 0; c--) this.#first[bodies[c]!] = c;
  }

  /**
   * The same contacts, but for those of two convex bodies: of the same pairs, by the algorithm.
   *
   * @param poses `[n * 7]`: of bodies
   */
  find<T extends ShiftedContacts>(contacts: T, poses: Float64Array): T {
    const { convex, colliders } = this.#table;
    const { kinds, bodies, parts, shifts } = contacts;
    if (convex === undefined) return contacts;
    const { ranges, count: groups } = groupContacts(contacts, new Uint32Array(RANGE_WORDS * contacts.count));
    const firsts: number[] = [];
    for (let group = 0; group < groups; group++) {
      const first = ranges[RANGE_WORDS * group]!;
      if (kinds[first] === ContactKind.convex && ranges[RANGE_WORDS * group + 1]! > first) firsts.push(first);
    }
    const places = new Float64Array(2 * POSE_SIZE * firsts.length);
    const shapes = new Uint32Array(2 * firsts.length);
    firsts.forEach((first, pair) => {
      const origin = poses.subarray(POSE_SIZE * bodies[2 * first]!, POSE_SIZE * bodies[2 * first]! + 3);
      for (const k of [0, 1]) {
        const body = bodies[2 * first + k]!;
        const collider = this.#first[this.#copies * body]! + parts[2 * first + k]!;
        shapes[2 * pair + k] = colliders.shapes[collider]!;
        const place = colliders.places.subarray(POSE_SIZE * collider, POSE_SIZE * (collider + 1));
        const pose = poses.subarray(POSE_SIZE * body, POSE_SIZE * (body + 1));
        const to = POSE_SIZE * (2 * pair + k);
        const turn = pose.subarray(3);
        const arm = vec3d.transformQuat(place.subarray(0, 3), turn);
        for (let j = 0; j < 3; j++)
          places[to + j] = pose[j]! - origin[j]! + arm[j]! + (k === 1 ? (shifts?.[3 * first + j] ?? 0) : 0);
        places.set(quatd.multiply(turn, place.subarray(3)), to + 3);
      }
    });
    const found = queryPairs(convex, {
      ...{ poses: places, pairs: Uint32Array.from({ length: 2 * firsts.length }, (_, i) => i), shapes },
      ...{ kind: 'manifold', ...this.#options },
    });
    const counts = found.contactCounts;
    const others = kinds.reduce((sum, kind) => sum + (kind === ContactKind.convex ? 0 : 1), 0);
    const made = newContacts(others + counts.reduce((sum, one) => sum + one, 0), shifts !== undefined);
    let to = 0;
    const copy = (from: number) => {
      for (const [name, size] of SIZES) {
        const array = contacts[name];
        if (array) made[name]!.set(array.subarray(size * from, size * (from + 1)), size * to);
      }
      return to++;
    };
    for (let i = 0; i < contacts.count && kinds[i]! < ContactKind.convex; i++) copy(i);
    firsts.forEach((first, pair) => {
      const origin = poses.subarray(POSE_SIZE * bodies[2 * first]!, POSE_SIZE * bodies[2 * first]! + 3);
      for (let c = 0; c < counts[pair]!; c++) {
        const i = copy(first);
        const at = CONTACTS_PER_PAIR * pair + CONTACT * c;
        for (let k = 0; k < 3; k++) {
          made.points[3 * i + k] = origin[k]! + found.contacts[at + k]!;
          made.normals[3 * i + k] = found.contactNormals[NORMALS_PER_PAIR * pair + 3 * c + k]!;
        }
        made.distances[i] = found.contacts[at + 3]!;
        made.features[i] = c;
        made.statuses[i] = ContactStatus.sure;
        made.triangles[i] = NO_TRIANGLE;
        made.areas[i] = 0;
      }
    });
    for (let i = 0; i < contacts.count; i++) if (kinds[i]! > ContactKind.convex) copy(i);
    return { ...contacts, ...made, count: to };
  }
}

/** Arrays of contacts, and numbers in each per contact. */
const SIZES = [
  ...([
    ['bodies', 2],
    ['parts', 2],
    ['kinds', 1],
    ['statuses', 1],
    ['features', 1],
    ['triangles', 1],
  ] as const),
  ...([
    ['normals', 3],
    ['points', 3],
    ['distances', 1],
    ['areas', 1],
    ['shifts', 3],
  ] as const),
] as const;

const newContacts = (count: number, isShifted: boolean) => ({
  ...newContactArrays(count),
  shifts: isShifted ? new Float64Array(3 * count) : undefined,
});

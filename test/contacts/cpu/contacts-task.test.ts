import { afterEach, expect, it, vi } from 'vitest';
import { type ContactsTask, runContacts } from '../../../src/contacts/cpu/contacts-task.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import { newParts } from '../../../src/workers/parts.ts';
import { bodyOf, centresOf, facesOf, posedConvex } from '../posed.ts';

afterEach(() => vi.restoreAllMocks());

/** The same two balls many times, a pair to a part. */
function ballsOf(pairs: number): ContactsTask {
  const convex = new ShapeTable([{ kind: 'sphere', radius: 1 }]);
  const posed = posedConvex([bodyOf(0, [0, 0, 0]), bodyOf(0, [1.5, 0, 0])]);
  return {
    ...{ kind: 'contacts', stage: 'convex', first: 0, ...newParts(pairs, 1) },
    scene: { convex, faces: facesOf(convex), polyhedra: [], posed, centres: centresOf(convex, posed) },
    pairs: { pairs: Uint32Array.from({ length: 2 * pairs }, (_, k) => k % 2) },
  };
}

it('threads take parts of a slice one by one, however quick these are', () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const task = ballsOf(64);
  expect(runContacts(task)).toMatchObject({ done: 64, rows: { count: 64 } });
  // The last one found none.
  expect(task.taken[0]).toBe(65);
});

it('many quick parts are taken at once, up to a bound, and one at a time when they become slow', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const quick = ballsOf(64);
  expect(runContacts(quick, Infinity, undefined, 8).done).toBe(64);
  // 1, 2, 4, and 8 from then on, the last time none.
  expect(quick.taken[0]).toBe(7 + 8 * 9);
  // Takes of 1, 2, 4 and 8 parts in no time, then one of 16, and one after it, in a millisecond each.
  for (const time of [0, 0, 0, 0, 0, 1, 2]) clock.mockReturnValueOnce(time);
  clock.mockReturnValue(3);
  expect(runContacts(ballsOf(64), 2, undefined, 16).done).toBe(1 + 2 + 4 + 8 + 16 + 1);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quatd, vec3d } from 'wgpu-matrix';
import { boxReachesOf, placeEntries, reachesOf } from '../../src/broadphase/entries.ts';
import { firstOutOfRange, writeEntryBoxes } from '../../src/broadphase/entry-boxes.ts';
import { largestMove } from '../../src/broadphase/moved.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { hold } from '../support/hold.ts';
import { randomQuaternion, randomScene } from './scenes.ts';

const CELL = 0.25;
const QUANTUM = CELL / 2 ** 14;

/** A point of a body's frame in the world. */
function inWorld(poses: Float64Array, body: number, point: number[]): number[] {
  const turned = vec3d.transformQuat(point, poses.subarray(7 * body + 3, 7 * body + 7));
  return [...vec3d.add(turned, poses.subarray(7 * body, 7 * body + 3))];
}

/** A corner of an entry's box, in its body's frame. */
function cornerOf(
  { places, boxes }: { places: Float64Array; boxes: Float64Array },
  entry: number,
  which: number,
) {
  const box = boxes.subarray(6 * entry, 6 * entry + 6);
  const corner = [0, 1, 2].map((axis) => box[axis]! + ((which >> axis) & 1 ? 1 : -1) * box[3 + axis]!);
  return inWorld(places, entry, corner);
}

describe('boxes of entries', () => {
  it.each([0, 20_000])('hold all corners, grown by half the margin, at %d', (centre) => {
    const { entryInput, poses } = randomScene(200, 5, centre);
    const entries = placeEntries(entryInput);
    const margin = 0.01;
    const boxes = new Int32Array(6 * entries.count);
    writeEntryBoxes({ entries, poses, cell: CELL, margin }, boxes);
    for (let entry = 0; entry < entries.count; entry++) {
      const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((which) =>
        inWorld(poses, entries.bodies[entry]!, cornerOf(entryInput, entry, which)),
      );
      for (let axis = 0; axis < 3; axis++) {
        const least = (Math.min(...corners.map((corner) => corner[axis]!)) - margin / 2) / QUANTUM;
        const greatest = (Math.max(...corners.map((corner) => corner[axis]!)) + margin / 2) / QUANTUM;
        const found = [boxes[6 * entry + axis]!, boxes[6 * entry + 3 + axis]!];
        // Sides are off by their rounding outwards at most.
        hold(found[0]! <= least && found[0]! > least - 2, () => `entry ${entry}: ${found[0]} for ${least}`);
        hold(
          found[1]! >= greatest && found[1]! < greatest + 2,
          () => `entry ${entry}: ${found[1]} for ${greatest}`,
        );
      }
    }
  });

  it('of a ball are as wide as the ball, however it is turned', () => {
    const random = createRandom(3);
    const entries = placeEntries({
      bodies: Uint32Array.of(0),
      places: Float64Array.of(0, 0, 0, 0, 0, 0, 1),
      colliders: Uint32Array.of(0),
      boxes: Float64Array.of(0, 0, 0, 0.125, 0.125, 0.125),
      radii: Float64Array.of(0.125),
    });
    const poses = Float64Array.of(0, 0, 0, ...randomQuaternion(random));
    const boxes = new Int32Array(6);
    writeEntryBoxes({ entries, poses, cell: CELL, margin: 0 }, boxes);
    for (let axis = 0; axis < 3; axis++) {
      expect(Math.abs(boxes[axis]! + 2 ** 13)).toBeLessThanOrEqual(1);
      expect(Math.abs(boxes[3 + axis]! - 2 ** 13)).toBeLessThanOrEqual(1);
    }
  });

  it('end at the ends of an int32', () => {
    const entries = placeEntries({
      bodies: Uint32Array.of(0),
      places: Float64Array.of(0, 0, 0, 0, 0, 0, 1),
      colliders: Uint32Array.of(0),
      boxes: Float64Array.of(0, 0, 0, 1e9, 1, 1e9),
    });
    const boxes = new Int32Array(6);
    writeEntryBoxes({ entries, poses: Float64Array.of(0, 0, 0, 0, 0, 0, 1), cell: 1, margin: 0 }, boxes);
    const [least, greatest] = [-(2 ** 31), 2 ** 31 - 1];
    expect([...boxes]).toEqual([least, -(2 ** 14) - 1, least, greatest, 2 ** 14 + 1, greatest]);
  });

  it('the first body beyond the range of cells is named', () => {
    const poses = new Float64Array(21);
    expect(firstOutOfRange(poses, CELL)).toBe(-1);
    poses[9] = -CELL * 2 ** 17;
    expect(firstOutOfRange(poses, CELL)).toBe(-1);
    poses[14] = CELL * 2 ** 17;
    expect(firstOutOfRange(poses, CELL)).toBe(2);
    poses[7] = Number.NaN;
    expect(firstOutOfRange(poses, CELL)).toBe(1);
  });
});

describe('the largest move', () => {
  it('of half the margin leaves all corners in the boxes that a list was made of', () => {
    const margin = 0.02;
    for (let seed = 1; seed <= 20; seed++) {
      const { entryInput, poses: reference, random } = randomScene(20, seed, 50);
      const entries = placeEntries(entryInput);
      const reaches = reachesOf(entries, 20);
      const boxes = new Int32Array(6 * entries.count);
      writeEntryBoxes({ entries, poses: reference, cell: CELL, margin }, boxes);
      const change = reference.map(() => random() - 0.5);
      const movedBy = (part: number) => reference.map((one, i) => one + part * change[i]!);
      // The farthest move along the way that is within half the margin.
      let [part, beyond] = [0, 1];
      while (beyond - part > 1e-9) {
        const middle = (part + beyond) / 2;
        if (largestMove(movedBy(middle), reference, reaches) <= margin / 2) part = middle;
        else beyond = middle;
      }
      const poses = movedBy(part);
      for (let body = 0; body < 20; body++) {
        const turn = poses.subarray(7 * body + 3, 7 * body + 7);
        quatd.normalize(turn, turn);
      }
      expect(largestMove(poses, reference, reaches)).toBeGreaterThan(0.49 * margin);
      for (let entry = 0; entry < entries.count; entry++) {
        for (let which = 0; which < 8; which++) {
          const corner = inWorld(poses, entries.bodies[entry]!, cornerOf(entryInput, entry, which));
          for (let axis = 0; axis < 3; axis++) {
            const at = corner[axis]! / QUANTUM;
            hold(
              boxes[6 * entry + axis]! <= at && at <= boxes[6 * entry + 3 + axis]!,
              () => `seed ${seed}, entry ${entry}, axis ${axis}: ${at}`,
            );
          }
        }
      }
    }
  });

  it('of half the margin leaves balls that turn in the boxes that a list was made of', () => {
    const margin = 0.02;
    const { entryInput, poses: reference, random } = randomScene(20, 5, 50);
    const radii = Float64Array.from({ length: 2 * 20 }, () => 0.1 + random());
    const boxes = entryInput.boxes.map((half, i) => (i % 6 < 3 ? half : radii[Math.floor(i / 6)]!));
    const entries = placeEntries({ ...entryInput, boxes, radii });
    const reaches = boxReachesOf(entries, 20);
    expect(reaches).toEqual(reachesOf({ ...entries, radii: new Float64Array(40) }, 20));
    // Of boxes that are narrower than their balls corners count.
    expect(boxReachesOf(placeEntries(entryInput), 20)).toEqual(reachesOf(placeEntries(entryInput), 20));
    const listed = new Int32Array(6 * entries.count);
    writeEntryBoxes({ entries, poses: reference, cell: CELL, margin }, listed);
    const poses = reference.slice();
    for (let body = 0; body < 20; body++) {
      // All of the way is left to turns, as far as middles go.
      const angle = Math.min(Math.PI, margin / 2 / reaches[body]!) * 0.99;
      const turn = poses.subarray(7 * body + 3, 7 * body + 7);
      const axis = vec3d.normalize([random() - 0.5, random() - 0.5, random() - 0.5]);
      quatd.normalize(quatd.multiply(quatd.fromAxisAngle(axis, angle), quatd.normalize(turn)), turn);
    }
    expect(largestMove(poses, reference, reaches)).toBeLessThanOrEqual(margin / 2);
    const now = new Int32Array(6 * entries.count);
    writeEntryBoxes({ entries, poses, cell: CELL, margin: 0 }, now);
    for (let entry = 0; entry < entries.count; entry++) {
      for (let axis = 0; axis < 3; axis++) {
        // Boxes are rounded outwards by a quantum at most.
        expect(now[6 * entry + axis]! + 1).toBeGreaterThanOrEqual(listed[6 * entry + axis]!);
        expect(now[6 * entry + 3 + axis]! - 1).toBeLessThanOrEqual(listed[6 * entry + 3 + axis]!);
      }
    }
  });

  it('is not below that of any corner, nor above it by much', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 30), fc.double({ min: -6, max: 0, noNaN: true }), (seed, magnitude) => {
        const { entryInput, poses: reference, random } = randomScene(3, seed);
        const reaches = reachesOf(placeEntries(entryInput), 3);
        const poses = reference.map((one) => one + 10 ** magnitude * (random() - 0.5));
        for (let body = 0; body < 3; body++) {
          const turn = poses.subarray(7 * body + 3, 7 * body + 7);
          quatd.normalize(turn, turn);
          if (random() < 0.5) quatd.scale(turn, -1, turn);
        }
        const move = largestMove(poses, reference, reaches);
        let ofCorners = 0;
        for (let entry = 0; entry < 6; entry++) {
          for (let which = 0; which < 8; which++) {
            const corner = cornerOf(entryInput, entry, which);
            const from = inWorld(reference, entry >> 1, corner);
            ofCorners = Math.max(ofCorners, vec3d.distance(from, inWorld(poses, entry >> 1, corner)));
          }
        }
        expect(move).toBeGreaterThanOrEqual(ofCorners * (1 - 1e-12));
        // A turn of the farthest point and a shift of all, both at once.
        expect(move).toBeLessThan(8 * ofCorners);
      }),
    );
  });

  it('of poses that stay is 0, with quaternions of any length and sign', () => {
    const poses = Float64Array.of(1, 2, 3, 0.6, 0, 0.8, 0);
    expect(largestMove(poses, poses, Float64Array.of(5))).toBe(0);
    const same = Float64Array.of(1, 2, 3, -0.3, 0, -0.4, 0);
    expect(largestMove(same, poses, Float64Array.of(5))).toBeLessThan(1e-15);
  });
});

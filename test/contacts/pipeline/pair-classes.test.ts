/** Which kernels a scene needs: those of the classes of its pairs. */
import { describe, expect, it } from 'vitest';
import { resolveBodies } from '../../../src/contacts/bodies/check-bodies.ts';
import { namesOf } from '../../../src/contacts/bodies/check-shapes.ts';
import { makeColliders } from '../../../src/contacts/bodies/collider-table.ts';
import type { ContactBodies } from '../../../src/contacts/bodies/contact-shape.ts';
import { classesOf } from '../../../src/contacts/gpu/pair-lists.ts';
import { CONVEX_SHAPES, ROCKS } from './scenes.ts';

const [PLANE, BALL, BOX, ROCK, PARTS] = [0, 1, 2, 3, 4];
const SHAPES = [...CONVEX_SHAPES.slice(0, 3), ROCKS[2]!, CONVEX_SHAPES[5]!];

function classesIn(
  shapes: readonly number[],
  rest: Partial<Record<keyof ContactBodies, readonly number[]>> = {},
) {
  const { isStatic, groups, masks } = rest;
  const given = {
    shapes: Uint32Array.from(shapes),
    ...(isStatic && { isStatic: Uint8Array.from(isStatic) }),
    ...(groups && { groups: Uint32Array.from(groups) }),
    ...(masks && { masks: Uint32Array.from(masks) }),
  };
  const bodies = resolveBodies(given, SHAPES, (count) => namesOf('body', undefined, count));
  const { colliders } = makeColliders(SHAPES, namesOf('shape', undefined, SHAPES.length), bodies);
  return classesOf(colliders, bodies);
}

describe('classes of pairs', () => {
  it('are those of bodies that may touch', () => {
    expect(classesIn([PLANE!, ROCK!])).toEqual([]);
    expect(classesIn([PLANE!, ROCK!, ROCK!])).toEqual(['polyhedra']);
    expect(classesIn([BALL!, BALL!])).toEqual(['convex']);
    expect(classesIn([ROCK!, BALL!])).toEqual(['patches']);
    expect(classesIn([ROCK!, BOX!])).toEqual(['polyhedra']);
    // Parts of one body do not touch, but both meet the rock.
    expect(classesIn([PARTS!])).toEqual([]);
    expect(classesIn([PARTS!, ROCK!])).toEqual(['polyhedra', 'patches']);
    expect(classesIn([ROCK!, ROCK!, BOX!, BALL!])).toEqual(['convex', 'polyhedra', 'patches']);
  });

  it('are none of static bodies alone, nor of groups that do not agree', () => {
    const walls = [BOX!, BOX!, ROCK!];
    expect(classesIn(walls, { isStatic: [1, 1, 0] })).toEqual(['polyhedra']);
    expect(classesIn([...walls, BALL!], { isStatic: [1, 1, 1, 0] })).toEqual(['convex', 'patches']);
    expect(classesIn([BALL!, BALL!, ROCK!], { groups: [1, 1, 2], masks: [2, 2, 3] })).toEqual(['patches']);
  });

  it('are all that may be where bodies differ too much to be compared', () => {
    const bodies = Array.from({ length: 5000 }, (_, i) => i);
    const apart = { groups: bodies.map((i) => i + 1), masks: bodies.map(() => 0) };
    expect(
      classesIn(
        bodies.map(() => BALL!),
        apart,
      ),
    ).toEqual(['convex']);
    expect(
      classesIn(
        bodies.map((i) => (i === 0 ? ROCK! : BALL!)),
        apart,
      ),
    ).toEqual(['convex', 'polyhedra', 'patches']);
  });
});

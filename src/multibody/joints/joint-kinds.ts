/** What joints leave free in a tree, and what they hold where they close a loop. */
import type { Vector3 } from '../../mesh/mass-properties.ts';
import type { JointKind } from '../scene/multibody-scene.ts';
import { cross } from '../vectors.ts';

/** One way to move: about or along an axis, about a point, or along all axes. */
export type Freedom =
  | { readonly kind: 'rotate' | 'slide'; readonly axis: Vector3 }
  | { readonly kind: 'ball' | 'shift' };

/** Numbers of rates of each freedom; a ball has one coordinate more, as it has a quaternion. */
export const RATES = { rotate: 1, slide: 1, ball: 3, shift: 3 } as const;

/** A row that a closed loop holds at 0. Vectors are in frames that are parallel to the world at first. */
export type ClosureRow =
  /** The part of the points' distance along a direction that is fixed in a. */
  | { readonly kind: 'place'; readonly along: Vector3 }
  /** The product of a direction that is fixed in a and one that is fixed in b, less what it is at first. */
  | { readonly kind: 'turn'; readonly ofA: Vector3; readonly ofB: Vector3 };

interface JointAxes {
  readonly axis: Vector3;
  readonly second: Vector3;
}

/**
 * Freedoms of b against a, in the order in which they follow each other from a to b.
 *
 * @param axes in the world, unit vectors, as they are at first
 * @param isReversed the tree goes from b to a: the same coordinates, the other way round
 */
export function freedomsOf(kind: JointKind, { axis, second }: JointAxes, isReversed: boolean): Freedom[] {
  const rotate = { kind: 'rotate', axis } as const;
  const slide = { kind: 'slide', axis } as const;
  const freedoms: Freedom[] =
    kind === 'revolute'
      ? [rotate]
      : kind === 'prismatic'
        ? [slide]
        : kind === 'cylindrical'
          ? [rotate, slide]
          : kind === 'universal'
            ? [rotate, { kind: 'rotate', axis: second }]
            : kind === 'spherical'
              ? [{ kind: 'ball' }]
              : [];
  if (!isReversed) return freedoms;
  return freedoms
    .reverse()
    .map((one) => ('axis' in one ? { ...one, axis: one.axis.map((x) => -x) as unknown as Vector3 } : one));
}

/** Rows that hold b against a where a joint closes a loop. */
export function closureRowsOf(kind: JointKind, { axis, second }: JointAxes): ClosureRow[] {
  const [u, v] = across(axis);
  const place = (along: Vector3) => ({ kind: 'place', along }) as const;
  const turn = (ofA: Vector3, ofB: Vector3) => ({ kind: 'turn', ofA, ofB }) as const;
  const everywhere = [place([1, 0, 0]), place([0, 1, 0]), place([0, 0, 1])];
  switch (kind) {
    case 'spherical':
      return everywhere;
    case 'revolute':
      return [...everywhere, turn(u, axis), turn(v, axis)];
    case 'universal':
      return [...everywhere, turn(axis, second)];
    case 'cylindrical':
      return [place(u), place(v), turn(u, axis), turn(v, axis)];
    case 'prismatic':
      return [place(u), place(v), turn(u, axis), turn(v, axis), turn(u, v)];
    case 'fixed':
      return [];
  }
}

/** Two unit vectors across a unit vector, and each other. */
export function across(axis: Vector3): readonly [Vector3, Vector3] {
  const least = [0, 1, 2].reduce((a, b) => (Math.abs(axis[b]!) < Math.abs(axis[a]!) ? b : a));
  const other = [0, 1, 2].map((k) => (k === least ? 1 : 0)) as unknown as Vector3;
  const u = unit(cross(axis, other));
  return [u, cross(axis, u)];
}

export function unit(a: Vector3): Vector3 {
  const length = Math.hypot(...a);
  return [a[0] / length, a[1] / length, a[2] / length];
}

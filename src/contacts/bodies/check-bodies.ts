/** Checks of the bodies of a contact pipeline, and of their poses. */
import { requireArray, requireKnown, requireObject, type TypedArray } from '../../arguments.ts';
import { POSE_SIZE, requirePoses } from '../../convex/shapes/pose.ts';
import { InputError } from '../../errors.ts';
import type { ContactBodies, ContactShape } from './contact-shape.ts';

/** Bodies with all that is left open, in arrays that no caller changes. */
export interface ResolvedBodies {
  readonly count: number;
  /** For messages. */
  readonly names: readonly string[];
  readonly shapes: Uint32Array;
  readonly isStatic: Uint8Array;
  readonly groups: Uint32Array;
  readonly masks: Uint32Array;
  readonly apart: Uint8Array;
}

const ALL_GROUPS = 2 ** 32 - 1;

/**
 * @param shapes have been checked
 * @param names of the bodies, one each or fewer
 * @throws InputError that names the array or body, what was found and what was expected.
 */
export function resolveBodies(
  bodies: ContactBodies,
  shapes: readonly ContactShape[],
  names: (count: number) => readonly string[],
): ResolvedBodies {
  requireObject('bodies', bodies, 'an object with shapes');
  requireKnown('bodies', 'field', bodies, ['shapes', 'isStatic', 'groups', 'masks', 'apart']);
  requireArray('bodies.shapes', bodies.shapes, [Uint32Array], 'a shape per body');
  const count = bodies.shapes.length;
  const bodyNames = names(count);
  const filled = <A extends TypedArray>(
    field: 'isStatic' | 'groups' | 'masks' | 'apart',
    type: TypeOf<A>,
    value: number,
  ) => {
    const array = bodies[field] as A | undefined;
    if (array === undefined) return new type(count).fill(value) as A;
    requireArray(`bodies.${field}`, array, [type as never], 'one number per body');
    if (array.length !== count) {
      throw new InputError(`bodies.${field}: ${array.length} numbers found, expected one per body, ${count}`);
    }
    return array.slice() as A;
  };
  const resolved = {
    ...{ count, names: bodyNames, shapes: bodies.shapes.slice() },
    isStatic: filled<Uint8Array>('isStatic', Uint8Array, 0),
    groups: filled<Uint32Array>('groups', Uint32Array, 1),
    masks: filled<Uint32Array>('masks', Uint32Array, ALL_GROUPS),
    apart: filled<Uint8Array>('apart', Uint8Array, 0),
  };
  for (let i = 0; i < count; i++) {
    const shape = resolved.shapes[i]!;
    if (shape >= shapes.length) {
      throw new InputError(
        `bodies.shapes: ${bodyNames[i]} has the shape ${shape}, expected a number below ${shapes.length}`,
      );
    }
    if (resolved.isStatic[i]! > 1) {
      throw new InputError(`bodies.isStatic: ${bodyNames[i]} has ${resolved.isStatic[i]}, expected 0 or 1`);
    }
    if (shapes[shape]!.kind === 'plane') resolved.isStatic[i] = 1;
  }
  return resolved;
}

interface TypeOf<A> {
  new (length: number): { fill(value: number): unknown } & A;
}

/** Whether two bodies may have contacts with each other. */
export function mayTouch({ isStatic, groups, masks, apart }: ResolvedBodies, a: number, b: number): boolean {
  if ((isStatic[a] === 1 && isStatic[b] === 1) || (apart[a]! & apart[b]!) !== 0) return false;
  return (groups[a]! & masks[b]!) !== 0 && (groups[b]! & masks[a]!) !== 0;
}

/** A copy of poses, in float64. @throws InputError for the first that cannot be used; the message names the body. */
export function checkedPoses(
  poses: Float32Array | Float64Array,
  { count, names }: ResolvedBodies,
): Float64Array {
  requireArray('poses', poses, [Float32Array, Float64Array], 'seven numbers per body');
  if (poses.length !== POSE_SIZE * count) {
    throw new InputError(
      `poses: ${poses.length} numbers found, expected ${POSE_SIZE * count}: ${POSE_SIZE} for each of ${count} bodies`,
    );
  }
  const copy = new Float64Array(poses);
  requirePoses(copy, (body) => names[body]!);
  return copy;
}

/** A copy; undefined where all bodies are there. @throws InputError for anything but a 0 or 1 per body */
export function checkedAbsent(
  absent: Uint8Array | undefined,
  { count, names }: ResolvedBodies,
): Uint8Array | undefined {
  if (absent === undefined) return undefined;
  requireArray('absent', absent, [Uint8Array], 'one number per body');
  if (absent.length !== count) {
    throw new InputError(`absent: ${absent.length} numbers found, expected one per body, ${count}`);
  }
  const body = absent.findIndex((one) => one > 1);
  if (body >= 0) throw new InputError(`absent: ${names[body]} has ${absent[body]}, expected 0 or 1`);
  return absent.includes(1) ? absent.slice() : undefined;
}

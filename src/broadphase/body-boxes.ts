/** `bodyBoxes`: axis-aligned boxes around bodies, where they are or all along their way. */
import { mat3d, quatd, vec3d } from 'wgpu-matrix';
import { requireArray, told } from '../arguments.ts';
import { UNIT_ERROR } from '../constants.ts';
import { InputError } from '../errors.ts';
import type { Box } from '../mesh/triangle-mesh.ts';
import { SIDE_ERROR } from './constants.ts';

type Poses = Float32Array | Float64Array;
const POSE = 7;

/**
 * Boxes for `cullBoxes`. Over a step, positions move along a line and a body turns by the shorter way about one axis,
 * however fast. A corner at r from the origin of its body is then at most r (1 - cos(angle / 2)) off the chord between
 * its turned places, so the box of both ends is grown by that.
 *
 * @param locals the box of each body in its own frame, such as `mesh.box`
 * @param from `[n * 7]`: position and unit quaternion x, y, z, w of each body
 * @param to the same at the end of the step; undefined: boxes at an instant
 * @returns `[n * 6]`: least x, y, z, then greatest, rounded outwards
 * @throws InputError where lengths differ, for an empty box, or for a pose that is none.
 */
export function bodyBoxes(locals: readonly Box[], from: Poses, to?: Poses): Float64Array {
  const isBox = (box: Box | undefined) =>
    [box?.min, box?.max].every((corner) => corner?.length === 3 && corner.every(Number.isFinite));
  const isList: boolean = Array.isArray(locals);
  if (!isList || !locals.every(isBox)) {
    throw new InputError('bodyBoxes: locals: expected boxes with finite min and max, x, y, z each');
  }
  for (const [name, poses] of [['from', from], ...(to === undefined ? [] : [['to', to] as const])] as const) {
    requireArray(
      `bodyBoxes: ${name}`,
      poses,
      [Float32Array, Float64Array],
      'position and quaternion of each body',
    );
    if (poses.length !== POSE * locals.length) {
      throw new InputError(
        `bodyBoxes: ${name}: found ${poses.length} numbers, expected ${POSE} for each of ${locals.length}`,
      );
    }
  }
  const boxes = new Float64Array(6 * locals.length);
  locals.forEach((local, body) => {
    if (!local.min.every((least, k) => least <= local.max[k]!)) {
      throw new InputError(`bodyBoxes: body ${body}: found an empty box, expected least <= greatest`);
    }
    const [start, end] = [from, to ?? from].map((poses) => placed(poses, body, local)) as [Placed, Placed];
    const cosine = Math.min(1, Math.abs(quatd.dot(start.turn, end.turn)));
    // The cosine of half the angle is the product of the quaternions.
    const far = Math.hypot(...local.min.map((least, k) => Math.max(-least, local.max[k]!)));
    const sagitta = to === undefined ? 0 : far * (1 - cosine);
    for (let k = 0; k < 3; k++) {
      const [p, q] = [from[POSE * body + k]!, (to ?? from)[POSE * body + k]!];
      const error = 2 * SIDE_ERROR * (Math.abs(p) + Math.abs(q) + far);
      const least =
        Math.min(p, q) + Math.min(start.middle[k]! - start.half[k]!, end.middle[k]! - end.half[k]!);
      const most =
        Math.max(p, q) + Math.max(start.middle[k]! + start.half[k]!, end.middle[k]! + end.half[k]!);
      boxes[6 * body + k] = least - sagitta - error;
      boxes[6 * body + 3 + k] = most + sagitta + error;
    }
  });
  return boxes;
}

interface Placed {
  readonly turn: Float64Array;
  /** Of the turned box, about the body's origin. */
  readonly middle: Float64Array;
  readonly half: readonly number[];
}

function placed(poses: Poses, body: number, { min, max }: Box): Placed {
  const pose = Float64Array.from(poses.subarray(POSE * body, POSE * (body + 1)));
  const length = Math.hypot(...pose.subarray(3));
  // A comparison with NaN is false.
  if (!(Math.abs(length - 1) <= UNIT_ERROR) || !pose.every(Number.isFinite)) {
    throw new InputError(
      `bodyBoxes: body ${body}: found the pose ${told([...pose].join(','))}, ` +
        'expected a finite position and a quaternion of length 1',
    );
  }
  const turn = quatd.normalize(pose.subarray(3)) as Float64Array;
  const rotation = mat3d.fromQuat(turn);
  const middle = vec3d.create(...(min.map((least, k) => (least + max[k]!) / 2) as [number, number, number]));
  // wgpu-matrix keeps a column in four numbers.
  const half = [0, 1, 2].map((k) =>
    [0, 1, 2].reduce((sum, j) => sum + Math.abs(rotation[4 * j + k]!) * ((max[j]! - min[j]!) / 2), 0),
  );
  return { turn, middle: vec3d.transformMat3(middle, rotation) as Float64Array, half };
}

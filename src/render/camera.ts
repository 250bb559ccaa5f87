/** Where a picture is taken from, and where light comes from. */
import { mat4d, vec3d } from 'wgpu-matrix';
import {
  DEFAULT_AZIMUTH,
  DEFAULT_ELEVATION,
  FIELD_OF_VIEW,
  FILL,
  KEY_ELEVATION,
  KEY_TURN,
} from './constants.ts';
import type { Frame } from './framing.ts';

export interface Camera {
  /** Radians about the vertical. 0: the eye is on the side of +x, pi / 2: of +y. Default -pi / 3. */
  readonly azimuth?: number;
  /** Radians above the horizon, -1.5534 to 1.5534 (89 degrees). Default 0.384 (22 degrees). */
  readonly elevation?: number;
  /** From the middle of the scene to the eye, a length. Default: as near as the whole scene is seen. */
  readonly distance?: number;
}

/** Axes of the world as a picture has them: up, and two level ones. */
export interface Axes {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly up: Float64Array;
}

/** The world's axes, turned by the least angle that has `up` point upwards. */
export function axesOf(up: ArrayLike<number>): Axes {
  const unit = vec3d.normalize(Float64Array.from({ length: 3 }, (_, k) => up[k]!));
  const level = Math.abs(unit[0]!) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const y = vec3d.normalize(vec3d.cross(unit, Float64Array.from(level)));
  return { x: vec3d.cross(y, unit), y, up: unit };
}

/** Unit vector towards the eye; of a level one, towards where it stands. */
export function backOf(axes: Axes, camera: Camera, { isLevel = false } = {}): Float64Array {
  const { azimuth = DEFAULT_AZIMUTH, elevation = DEFAULT_ELEVATION } = camera;
  return directionOf(axes, azimuth, isLevel ? 0 : elevation);
}

/** Unit vector of a direction. @param a azimuth, radians @param e elevation, radians */
function directionOf({ x, y, up }: Axes, a: number, e: number): Float64Array {
  const level = vec3d.add(vec3d.scale(x, Math.cos(a)), vec3d.scale(y, Math.sin(a)));
  return vec3d.add(vec3d.scale(level, Math.cos(e)), vec3d.scale(up, Math.sin(e)));
}

export interface Lens {
  /** World less the scene's middle, to clip space. */
  readonly matrix: Float64Array;
  /** Where the camera is, less the scene's middle. */
  readonly eye: Float64Array;
}

/** The camera's lens for a picture of an aspect, width over height. */
export function lensOf(frame: Frame, axes: Axes, camera: Camera, aspect: number): Lens {
  const { distance } = camera;
  const back = backOf(axes, camera);
  const right = vec3d.normalize(vec3d.cross(axes.up, back));
  const above = vec3d.cross(back, right);
  // The shorter side of the picture has the field of view.
  const half = Math.tan(FIELD_OF_VIEW / 2);
  const [tanX, tanY] = aspect >= 1 ? [half * aspect, half] : [half, half / aspect];
  const eye =
    distance === undefined
      ? fitted(frame, [right, above, back], [FILL * tanX, FILL * tanY])
      : vec3d.scale(back, distance);
  const depth = vec3d.dot(eye, back);
  const reach = 8 * frame.radius;
  const near = Math.max(depth - 2 * frame.radius, 0.01 * Math.max(depth, frame.radius));
  const view = mat4d.lookAt(eye, vec3d.subtract(eye, back), axes.up);
  const matrix = mat4d.multiply(
    mat4d.perspective(2 * Math.atan(tanY), tanX / tanY, near, depth + reach),
    view,
  );
  return { matrix, eye };
}

/** The nearest place from which all balls are seen. */
function fitted(
  { balls }: Frame,
  axes: readonly Float64Array[],
  tangents: readonly [number, number],
): Float64Array {
  const [right, above, back] = axes as [Float64Array, Float64Array, Float64Array];
  // Most of a ball's place along an axis, plus or minus the tangent times that towards the eye.
  const most = [0, 1].map(() => [-Infinity, -Infinity]);
  for (let at = 0; at < balls.length; at += 4) {
    const ball = balls.subarray(at, at + 3);
    const towards = vec3d.dot(ball, back);
    [right, above].forEach((axis, k) => {
      const t = tangents[k]!;
      const across = vec3d.dot(ball, axis);
      const extent = t * towards + balls[at + 3]! * Math.hypot(1, t);
      most[k]![0] = Math.max(most[k]![0]!, extent + across);
      most[k]![1] = Math.max(most[k]![1]!, extent - across);
    });
  }
  const depth = Math.max(...most.map(([a, b], k) => (a! + b!) / (2 * tangents[k]!)));
  const eye = vec3d.scale(back, depth);
  [right, above].forEach((axis, k) => {
    vec3d.addScaled(eye, axis, (most[k]![0]! - most[k]![1]!) / 2, eye);
  });
  return eye;
}

/** A light far away, seen from which the scene's ball fills the map. Depth grows along its way. */
export function lightMatrix(towards: Float64Array, axes: Axes, radius: number): Float64Array {
  const side = Math.abs(vec3d.dot(towards, axes.up)) < 0.99 ? axes.up : axes.x;
  const view = mat4d.lookAt(vec3d.scale(towards, 2 * radius), vec3d.create(), side);
  return mat4d.multiply(mat4d.ortho(-radius, radius, -radius, radius, 0.5 * radius, 4 * radius), view);
}

/** Towards the key light: it stands still where the camera turns about the scene. */
export function keyDirection(axes: Axes, { azimuth = DEFAULT_AZIMUTH }: Camera): Float64Array {
  return directionOf(axes, azimuth + KEY_TURN, KEY_ELEVATION);
}

/** Directions spread evenly over the half sphere above. */
export function skyDirections(axes: Axes, count: number): Float64Array[] {
  const golden = Math.PI * (3 - Math.sqrt(5));
  return Array.from({ length: count }, (_, i) => {
    const height = (i + 0.5) / count;
    return directionOf(axes, golden * i, Math.asin(height));
  });
}

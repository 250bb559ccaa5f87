/** Where a camera has to stand to see a box. */
import { type PerspectiveCamera, Vector3 } from 'three/webgpu';

/** How much of the picture's width or height a framed box takes. */
const FILLED = 0.9;

export interface View {
  /** What the camera looks at. */
  readonly target: Vector3;
  /** How far from there it stands. */
  readonly distance: number;
}

/**
 * The view from a direction, of length 1, in which a camera sees all corners of a box as large as they can be. z is up.
 */
export function viewOfBox(low: Vector3, high: Vector3, from: Vector3, camera: PerspectiveCamera): View {
  const target = low.clone().add(high).multiplyScalar(0.5);
  const right = new Vector3(0, 0, 1).cross(from).normalize();
  const up = from.clone().cross(right);
  const corners = Array.from({ length: 8 }, (_, k) =>
    new Vector3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z).sub(target),
  );
  const tallness = Math.tan((camera.fov * Math.PI) / 360) * FILLED;
  let distance = 0;
  for (const [side, slope] of [
    [right, tallness * camera.aspect],
    [up, tallness],
  ] as const) {
    // A corner is seen where it is no further aside than `slope` times its distance, to either side.
    const [one, other] = [1, -1].map((sign) =>
      Math.max(...corners.map((corner) => corner.dot(from) + (sign * corner.dot(side)) / slope)),
    ) as [number, number];
    target.addScaledVector(side, ((one - other) / 2) * slope);
    distance = Math.max(distance, (one + other) / 2);
  }
  return { target, distance: distance || 1 };
}

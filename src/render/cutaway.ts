/** Which walls a picture shows cut open, and where: those that hide what they hold. */
import { quatd, vec3d } from 'wgpu-matrix';
import { HIDDEN_SHARE, MOST_LOOKED_AT } from './constants.ts';
import { ballOf, type FramedBodies, placed } from './framing.ts';
import { type DrawnShape, VERTEX } from './meshes.ts';

export interface Cutaway {
  /** `[n]`: 1 for static bodies that are cut open. */
  readonly bodies: Uint8Array;
  /** Their middle, in the world: the cut goes through it. Undefined where there are none. */
  readonly middle: Float64Array | undefined;
}

/**
 * Static bodies whose boxes hold moving ones, and behind which a good part of those cannot be seen: a hopper, a drum,
 * but not stairs.
 *
 * @param vertices as `drawnShapes` gives them
 * @param placings poses, now and earlier: a hopper that has run empty stays open
 * @param back unit vector towards the eye
 */
export function cutawayOf(
  framed: FramedBodies,
  vertices: Float32Array,
  placings: readonly ArrayLike<number>[],
  back: Float64Array,
): Cutaway {
  const { shapes, isStatic, drawn } = framed;
  const bodies = new Uint8Array(shapes.length);
  const middles: Float64Array[] = [];
  for (const poses of placings) {
    const moving: Float64Array[] = [];
    shapes.forEach((shape, body) => {
      if (isStatic[body] === 0 && drawn[shape] !== undefined) moving.push(ballOf(drawn[shape]!, poses, body));
    });
    shapes.forEach((shape, body) => {
      const wall = drawn[shape];
      if (isStatic[body] === 0 || wall === undefined || bodies[body] === 1) return;
      if (!hides(wall, vertices, poses, body, moving, back)) return;
      bodies[body] = 1;
      middles.push(placed(wall.center, poses, body));
    });
  }
  const sum = middles.reduce((all, one) => vec3d.add(all, one), vec3d.create());
  return { bodies, middle: middles.length > 0 ? vec3d.scale(sum, 1 / middles.length) : undefined };
}

function hides(
  wall: DrawnShape,
  vertices: Float32Array,
  poses: ArrayLike<number>,
  body: number,
  moving: readonly Float64Array[],
  back: Float64Array,
): boolean {
  const pose = Float64Array.from({ length: 7 }, (_, k) => poses[7 * body + k]!);
  const turn = quatd.conjugate(quatd.normalize(pose.subarray(3)));
  const held = moving
    .map((ball) => ({ own: vec3d.transformQuat(vec3d.subtract(ball, pose), turn), radius: ball[3]! }))
    .filter(({ own, radius }) =>
      wall.half.every((half, k) => Math.abs(own[k]! - wall.center[k]!) + radius <= half),
    );
  const every = Math.ceil(held.length / MOST_LOOKED_AT);
  const some = held.filter((_, i) => i % every === 0);
  const direction = vec3d.transformQuat(back, turn);
  const { firstVertex, vertexCount } = wall;
  const own = vertices.subarray(VERTEX * firstVertex, VERTEX * (firstVertex + vertexCount));
  const hidden = some.filter(({ own: from }) => meets(own, from, direction)).length;
  return some.length > 0 && hidden >= HIDDEN_SHARE * some.length;
}

/** Whether a ray meets a triangle. */
function meets(vertices: Float32Array, from: Float64Array, direction: Float64Array): boolean {
  for (let at = 0; at < vertices.length; at += 3 * VERTEX) {
    const [a, b, c] = [0, 1, 2].map((k) =>
      vec3d.subtract(vertices.subarray(at + k * VERTEX, at + k * VERTEX + 3), from),
    ) as [Float64Array, Float64Array, Float64Array];
    // Of the three tetrahedra with the ray, all volumes have the sign that the triangle's has with its start.
    const across = [
      [a, b],
      [b, c],
      [c, a],
    ].map(([p, q]) => vec3d.dot(direction, vec3d.cross(p!, q!)));
    const start = vec3d.dot(a, vec3d.cross(b, c));
    if (start !== 0 && across.every((one) => one * start >= 0) && across.some((one) => one !== 0))
      return true;
  }
  return false;
}

/** Which body a ray meets first. */
import { Quaternion, Ray, Sphere, Vector3 } from 'three/webgpu';
import { type DrawnShape, VERTEX } from '../../src/render/meshes.ts';

export interface Pickable {
  /** Three per triangle: position and normal. */
  readonly vertices: Float32Array;
  readonly drawn: readonly (DrawnShape | undefined)[];
  /** `[n]`: shapes of bodies. */
  readonly shapes: Uint32Array;
}

/**
 * The body that a ray in the world meets first.
 *
 * @param poses `[n * 7]`
 * @param isSeen whether a body counts
 */
export function bodyOnRay(
  { vertices, drawn, shapes }: Pickable,
  ray: Ray,
  poses: Float64Array,
  isSeen: (body: number) => boolean,
): number | undefined {
  let nearest = Infinity;
  let found: number | undefined;
  const [own, ball, turn] = [new Ray(), new Sphere(), new Quaternion()];
  const [a, b, c, hit] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  shapes.forEach((shape, body) => {
    const mesh = drawn[shape];
    if (mesh === undefined || !isSeen(body)) return;
    const at = 7 * body;
    turn.set(poses[at + 3]!, poses[at + 4]!, poses[at + 5]!, poses[at + 6]!).conjugate();
    // The ray in the body's frame: lengths along it stay the same.
    own.origin.set(poses[at]!, poses[at + 1]!, poses[at + 2]!).subVectors(ray.origin, own.origin);
    own.origin.applyQuaternion(turn);
    own.direction.copy(ray.direction).applyQuaternion(turn);
    ball.set(hit.set(...mesh.center), mesh.radius);
    if (!own.intersectsSphere(ball)) return;
    const end = mesh.firstVertex + mesh.vertexCount;
    for (let vertex = mesh.firstVertex; vertex < end; vertex += 3) {
      a.fromArray(vertices, VERTEX * vertex);
      b.fromArray(vertices, VERTEX * (vertex + 1));
      c.fromArray(vertices, VERTEX * (vertex + 2));
      if (own.intersectTriangle(a, b, c, false, hit) === null) continue;
      const distance = own.origin.distanceTo(hit);
      if (distance >= nearest) continue;
      nearest = distance;
      found = body;
    }
  });
  return found;
}

/** Pieces of the cases' scenes. */
import {
  type Material,
  type PrescribedMotion,
  type SimulationBodies,
  TriangleMesh,
  type Vector3,
} from '../index.ts';

/** A body as an object: more pleasant than arrays where there are few. */
export interface BodyOfCase {
  /** Numbers of the scene's shapes and materials. Default 0. */
  readonly shape?: number;
  readonly material?: number;
  readonly position?: Vector3;
  /** Unit quaternion x, y, z, w. */
  readonly rotation?: ArrayLike<number>;
  readonly velocity?: Vector3;
  readonly angularVelocity?: Vector3;
  readonly isStatic?: boolean;
  readonly motion?: PrescribedMotion;
}

const NONE: Vector3 = [0, 0, 0];

export function bodiesOf(bodies: readonly BodyOfCase[]): SimulationBodies {
  const motions = new Map<number, PrescribedMotion>();
  for (const [i, { motion }] of bodies.entries()) if (motion) motions.set(i, motion);
  return {
    shapes: Uint32Array.from(bodies, ({ shape = 0 }) => shape),
    materials: Uint32Array.from(bodies, ({ material = 0 }) => material),
    poses: Float64Array.from(
      bodies.flatMap(({ position = NONE, rotation = [0, 0, 0, 1] }) => [
        ...position,
        ...Array.from(rotation),
      ]),
    ),
    velocities: Float64Array.from(bodies.flatMap(({ velocity = NONE }) => velocity)),
    angularVelocities: Float64Array.from(bodies.flatMap(({ angularVelocity = NONE }) => angularVelocity)),
    isStatic: Uint8Array.from(bodies, ({ isStatic }) => (isStatic ? 1 : 0)),
    motions,
  };
}

/** A box of two triangles per face. */
export function boxMesh(x: number, y: number, z: number): TriangleMesh {
  const positions = Float32Array.from({ length: 24 }, (_, i) => {
    const corner = Math.floor(i / 3);
    return (corner & (1 << (i % 3)) ? 1 : -1) * [x, y, z][i % 3]!;
  });
  // biome-ignore format: a face per line
  const faces = [
    0, 2, 1, 1, 2, 3,
    4, 5, 6, 5, 7, 6,
    0, 1, 4, 1, 5, 4,
    2, 6, 3, 3, 6, 7,
    0, 4, 2, 2, 4, 6,
    1, 3, 5, 3, 7, 5,
  ];
  return new TriangleMesh({ positions, indices: Uint32Array.from(faces), name: 'box' });
}

/** So stiff that the other body alone gives way. */
export const RIGID: Material = {
  density: 1,
  youngsModulus: 1e20,
  poissonRatio: 0,
  restitution: 1,
  friction: 1,
};

export const G = 9.81;

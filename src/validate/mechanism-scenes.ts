/** Mechanisms with known motions. */
import {
  type Joint,
  type MassOfBody,
  type MechanismElement,
  type MultibodyScene,
  NO_SHAPE,
  type Vector3,
} from '../index.ts';

/** A body as an object. */
export interface BodyOfMechanism {
  readonly position?: Vector3;
  readonly rotation?: ArrayLike<number>;
  readonly velocity?: Vector3;
  readonly angularVelocity?: Vector3;
  readonly parent?: number;
  readonly mass?: MassOfBody;
}

const ZERO: Vector3 = [0, 0, 0];

/** A scene of frames with masses. */
export function sceneOf(
  bodies: readonly BodyOfMechanism[],
  joints: readonly Joint[],
  more: { readonly elements?: readonly MechanismElement[]; readonly gravity?: Vector3 } = {},
): MultibodyScene {
  const numbers = (pick: (body: BodyOfMechanism) => ArrayLike<number>) =>
    Float64Array.from(bodies.flatMap((body) => Array.from(pick(body))));
  return {
    ...{ shapes: [], materials: [], joints, ...more },
    bodies: {
      shapes: new Uint32Array(bodies.length).fill(NO_SHAPE),
      poses: numbers(({ position = ZERO, rotation = [0, 0, 0, 1] }) => [
        ...position,
        ...Array.from(rotation),
      ]),
      velocities: numbers(({ velocity = ZERO }) => velocity),
      angularVelocities: numbers(({ angularVelocity = ZERO }) => angularVelocity),
      parents: Int32Array.from(bodies, ({ parent = -1 }) => parent),
      masses: new Map(bodies.flatMap(({ mass }, i) => (mass ? [[i, mass] as const] : []))),
    },
  };
}

/** Uniform rods of mass 1 and length 1 in a row along x, on axes along y: a chain. */
export function chainOf(count: number): MultibodyScene {
  const inertia: Vector3 = [1e-3, 1 / 12, 1 / 12];
  const bodies = Array.from({ length: count }, (_, i) => ({
    position: [i + 0.5, 0, 0] as Vector3,
    mass: { mass: 1, inertia },
  }));
  const joints = bodies.map(
    (_, i): Joint => ({
      ...{ kind: 'revolute', a: i === 0 ? 'world' : i - 1, b: i, point: [-0.5, 0, 0], axis: [0, 1, 0] },
    }),
  );
  return sceneOf(bodies, joints);
}

/** Bricard's mechanism of the multibody benchmark library, A04: five rods along edges of a cube. */
export function bricard(): MultibodyScene {
  const corners: Vector3[] = [
    [0, 0, 0],
    [1, 0, 0],
    [1, -1, 0],
    [1, -1, 1],
    [0, -1, 1],
    [0, 0, 1],
  ];
  const axes: Vector3[] = [
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 0],
  ];
  const [along, across] = [0.01 / 6, (1 + 0.01) / 12];
  const middle = (i: number) =>
    corners[i]!.map((x, k) => (x + corners[i + 1]![k]!) / 2) as unknown as Vector3;
  const bodies = [0, 1, 2, 3, 4].map((i) => ({
    position: middle(i),
    mass: {
      mass: 1,
      inertia: corners[i]!.map((x, k) => (x === corners[i + 1]![k] ? across : along)) as unknown as Vector3,
    },
  }));
  const joints = [0, 1, 2, 3, 4, 5].map((i): Joint => {
    const b = Math.min(i, 4);
    const point = corners[i]!.map((x, k) => x - middle(b)[k]!) as unknown as Vector3;
    return { kind: 'revolute', a: i === 0 ? 'world' : i === 5 ? 'world' : i - 1, b, point, axis: axes[i]! };
  });
  return sceneOf(bodies, joints, { gravity: [0, -9.81, 0] });
}

/** Angles of Andrews' squeezer at first: beta, theta, gamma, phi, delta, omega, epsilon. */
const [BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON] = [
  ...[-0.0617138900142764, 0, 0.45527981916307, 0.222668390165886, 0.487364979543843],
  ...[-0.222668390165886, 1.23054744454982],
] as unknown as readonly [number, number, number, number, number, number, number];
/** The same at 0.03 s, in the order of the scene's joints: beta, delta, epsilon, gamma, theta, phi, omega. */
export const SQUEEZER_END = [
  ...[15.81077119629904, 0.5244099658805303, 1.048080741042263, 0.04082224013073101],
  ...[-15.75637105984298, -0.5347301163226948, 0.5347301163226948],
];
export const SQUEEZER_START = [BETA, DELTA, EPSILON, GAMMA, THETA, PHI, OMEGA];

/** Andrews' squeezer: seven bodies, three loops, in the plane of x and y. */
export function squeezer(): MultibodyScene {
  const at = (x: number, y: number): Vector3 => [x, y, 0];
  const from = ([x, y]: Vector3, length: number, angle: number) =>
    at(x + length * Math.cos(angle), y + length * Math.sin(angle));
  const [A, B, C] = [at(-0.06934, -0.00227), at(-0.03635, 0.03273), at(0.014, 0.072)];
  const F = from(ZERO, 0.007, BETA);
  const E = from(F, -0.028, BETA + THETA);
  const P5 = from(A, 0.04, DELTA);
  const P7 = from(A, 0.04, EPSILON - Math.PI / 2);
  const D = at(
    B[0] + 0.02 * Math.cos(GAMMA) + 0.018 * Math.sin(GAMMA),
    B[1] + 0.02 * Math.sin(GAMMA) - 0.018 * Math.cos(GAMMA),
  );
  const toward = (a: Vector3, b: Vector3, length: number) => {
    const whole = Math.hypot(b[0] - a[0], b[1] - a[1]);
    return at(a[0] + ((b[0] - a[0]) * length) / whole, a[1] + ((b[1] - a[1]) * length) / whole);
  };
  // Bodies 1 to 7, at their centres.
  const centres = [
    ...[toward(ZERO, F, 0.00092), toward(F, E, 0.0115), toward(B, E, Math.hypot(0.01874, 0.01043))],
    ...[toward(P5, E, 0.00579), toward(A, P5, Math.hypot(0.02308, 0.00916))],
    ...[toward(P7, E, 0.00579), toward(A, P7, Math.hypot(0.01228, 0.00449))],
  ];
  const masses = [0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498];
  const inertias = [2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5];
  const bodies = centres.map((position, i) => ({
    position,
    mass: { mass: masses[i]!, inertia: [inertias[i]! / 2, inertias[i]! / 2, inertias[i]!] as Vector3 },
  }));
  const joint = (a: number | 'world', b: number, place: Vector3, drive?: number): Joint => ({
    ...{ kind: 'revolute', a, b, axis: [0, 0, 1] },
    point: place.map((x, k) => x - centres[b]![k]!) as unknown as Vector3,
    // Each closes where its own bodies are: the start's digits leave gaps of rounding.
    ...(drive === undefined ? {} : { drive }),
  });
  const joints = [
    ...[joint('world', 0, ZERO, 0.033), joint('world', 4, A), joint('world', 6, A), joint('world', 2, B)],
    ...[joint(0, 1, F), joint(4, 3, P5), joint(6, 5, P7), joint(1, 2, E), joint(3, 2, E), joint(5, 2, E)],
  ];
  const elements: MechanismElement[] = [
    {
      ...{ kind: 'spring', a: 'world', b: 2, pointA: C, stiffness: 4530, length: 0.07785 },
      pointB: D.map((x, k) => x - centres[2]![k]!) as unknown as Vector3,
    },
  ];
  return sceneOf(bodies, joints, { elements, gravity: [0, 0, 0] });
}

/**
 * IDA's slider-crank as bodies: crank 0, rod 1 and slider 2, in the plane of x and z. Angles count about -y, so that z
 * is up. IDA's rod has an inertia and no mass: here half of the slider's mass is the rod's, at the slider's pin.
 */
export function sliderCrankBodies(): MultibodyScene {
  const [q, p] = [Math.PI / 2, Math.asin(-0.5)];
  const x = Math.cos(p);
  const turn = (angle: number) => [0, -Math.sin(angle / 2), 0, Math.cos(angle / 2)];
  const pin: Vector3 = [0.5 * Math.cos(q), 0, 0.5 * Math.sin(q)];
  const bodies: BodyOfMechanism[] = [
    {
      position: [pin[0] / 2, 0, pin[2] / 2],
      rotation: turn(q),
      mass: { mass: 1, inertia: [0.9375, 0.9375, 0.9375] },
    },
    {
      position: [(pin[0] + x) / 2, 0, pin[2] / 2],
      rotation: turn(p),
      mass: { mass: 0.5, centroid: [0.5, 0, 0], inertia: [2, 2, 2] },
    },
    { position: [x, 0, 0], mass: { mass: 0.5 } },
  ];
  const axis: Vector3 = [0, -1, 0];
  const joints: Joint[] = [
    { kind: 'revolute', a: 'world', b: 0, point: [-0.25, 0, 0], axis },
    { kind: 'revolute', a: 0, b: 1, point: [-0.5, 0, 0], axis },
    { kind: 'prismatic', a: 'world', b: 2, axis: [1, 0, 0] },
    { kind: 'revolute', a: 1, b: 2, axis },
  ];
  const elements: MechanismElement[] = [
    { kind: 'spring', a: 0, b: 1, stiffness: 1, damping: 1, length: 1 },
    { kind: 'force', body: 2, force: [1, 0, 0] },
    // IDA's force on the rod's angle: -sin p, which is the height of the crank's pin.
    { kind: 'force', body: 1, point: [-0.5, 0, 0], torque: (_, { position }) => [0, -position[2]!, 0] },
  ];
  return sceneOf(bodies, joints, { elements, gravity: [0, 0, 0] });
}

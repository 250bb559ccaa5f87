/** Bodies that others hold: forks that hang in each other, edges that cross, a cube between spikes. */
import { type ContactShape, extrusion, type SimulationScene, TriangleMesh } from '../../index.ts';
import { creepSince, LETTER_U, restlessness, SOFT } from '../lying-bodies.ts';
import { boxMesh } from '../scenes.ts';
import { below, type Row, type ValidationCase } from '../validation-case.ts';

const half = Math.SQRT1_2;

/** All bodies but the last one stand still. */
function heldBodies(
  shapes: readonly ContactShape[],
  bodies: readonly (readonly [shape: number, position: readonly number[], rotation: readonly number[]])[],
  youngsModulus = SOFT.youngsModulus,
): SimulationScene {
  return {
    shapes,
    materials: [{ ...SOFT, youngsModulus }],
    bodies: {
      shapes: Uint32Array.from(bodies, ([shape]) => shape),
      poses: Float64Array.from(bodies.flatMap(([, position, rotation]) => [...position, ...rotation])),
      isStatic: Uint8Array.from(bodies, (_, i) => (i + 1 < bodies.length ? 1 : 0)),
    },
    margin: 0.05,
  };
}

/** A letter U that hangs upside down, and across, in another one. */
function forks(): SimulationScene {
  const fork = { kind: 'polyhedron', mesh: extrusion({ outline: LETTER_U, height: 0.3 }) } as const;
  return heldBodies(
    [fork],
    [
      [0, [0, 0, 0], [half, 0, 0, half]],
      [0, [0.02, 0.01, -0.395], [-0.5, -0.5, 0.5, 0.5]],
    ],
    4e6,
  );
}

/** Two teeth that lie across the ridges of two roofs: only edges touch. */
function crossedEdges(): SimulationScene {
  const roof = extrusion({
    outline: [
      [-0.3, -0.3],
      [0.3, -0.3],
      [0, 0.3],
    ],
    height: 3,
  });
  const teeth = extrusion({
    outline: [
      [-1, 0.3],
      [-0.6, -0.3],
      [-0.2, 0.2],
      [0.2, 0.2],
      [0.6, -0.3],
      [1, 0.3],
    ],
    height: 2.4,
  });
  return heldBodies(
    [roof, teeth].map((mesh) => ({ kind: 'polyhedron', mesh })),
    [
      [0, [0, -0.8, 0], [0.5, 0.5, 0.5, 0.5]],
      [0, [0, 0.8, 0], [0.5, 0.5, 0.5, 0.5]],
      [1, [0, 0, 0.599], [half, 0, 0, half]],
    ],
  );
}

/** A cube with the tip of a spike at each face. Spikes and cube are meshes, or a box and cones. */
function cubeOnSpikes(isMesh: boolean): SimulationScene {
  const tip = [0, 0, 0];
  const base = [0.2, 0.2, -0.6, -0.2, 0.2, -0.6, -0.2, -0.2, -0.6, 0.2, -0.2, -0.6];
  const pyramid = new TriangleMesh({
    positions: Float32Array.from([...tip, ...base]),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1, 1, 3, 2, 1, 4, 3),
    name: 'spike',
  });
  const shapes: readonly ContactShape[] = isMesh
    ? [
        { kind: 'polyhedron', mesh: pyramid },
        { kind: 'polyhedron', mesh: boxMesh(0.5, 0.5, 0.5) },
      ]
    : [
        { kind: 'cone', radius: 0.2, height: 0.6 },
        { kind: 'box', halfExtents: [0.5, 0.5, 0.5] },
      ];
  // A cone's origin is three quarters of its height below its tip.
  const reach = 0.499 + (isMesh ? 0 : 0.45);
  const ways = [
    [
      [0, 0, -1],
      [0, 0, 0, 1],
    ],
    [
      [0, 0, 1],
      [1, 0, 0, 0],
    ],
    [
      [-1, 0, 0],
      [0, half, 0, half],
    ],
    [
      [1, 0, 0],
      [0, -half, 0, half],
    ],
    [
      [0, -1, 0],
      [-half, 0, 0, half],
    ],
    [
      [0, 1, 0],
      [half, 0, 0, half],
    ],
  ] as const;
  return heldBodies(shapes, [
    ...ways.map(([way, rotation]) => [0, way.map((x) => reach * x), rotation] as const),
    [1, [0, 0, 0], [0, 0, 0, 1]],
  ]);
}

// How long each is given, and how far it sinks in, of its size: points and edges are much softer than faces.
const HELD = [
  ['forks that hang in each other', forks(), 1.2, 0.05],
  ['edges that cross', crossedEdges(), 1.2, 0.15],
  ['a cube on six spikes, of meshes', cubeOnSpikes(true), 1.2, 0.2],
  ['a box on six cones', cubeOnSpikes(false), 2, 0.2],
] as const;

export const held: ValidationCase = {
  name: 'held',
  shows: 'Forks hang in each other, edges that cross carry, and a cube rests on the tips of six spikes.',
  source: 'what holds does not fall through. Speeds are of the fastest point, in sqrt(g size)',
  async run(context) {
    const rows: Row[] = [];
    for (const [i, [name, scene, time, most]] of HELD.entries()) {
      const simulation = await context.simulate(scene);
      const before = await simulation.read('centroids');
      await simulation.step(Math.ceil(time / simulation.timeStep));
      const [moved, speed] = [await creepSince(simulation, before), await restlessness(simulation)];
      rows.push(
        below(`${name}: sunk in, of the size`, moved, {
          ...{ within: most, because: 'points and edges are much softer than faces, each as its shape is' },
        }),
        below(`${name}: speed`, speed, { within: 1e-3, because: 'nobody would see it' }),
      );
      context.progress(i + 1, HELD.length);
    }
    return { rows };
  },
};

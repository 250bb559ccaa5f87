/** Bodies that others hold: forks that hang in each other, edges that cross, a cube between spikes. */
import type { ContactShape } from '../../../src/contacts/bodies/contact-shape.ts';
import type { SimulationScene } from '../../../src/dem/scene/simulation-scene.ts';
import { extrusion } from '../../../src/mesh/generate-solids.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { boxMesh } from '../box-mesh.ts';
import { LETTER_U, SOFT } from './resting.ts';

const half = Math.SQRT1_2;

/** All bodies but the last one stand still. */
function held(
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
export function forks(): SimulationScene {
  const fork = { kind: 'polyhedron', mesh: extrusion({ outline: LETTER_U, height: 0.3 }) } as const;
  return held(
    [fork],
    [
      [0, [0, 0, 0], [half, 0, 0, half]],
      [0, [0.02, 0.01, -0.395], [-0.5, -0.5, 0.5, 0.5]],
    ],
    4e6,
  );
}

/** Two teeth that lie across the ridges of two roofs: only edges touch. */
export function crossedEdges(): SimulationScene {
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
  return held(
    [roof, teeth].map((mesh) => ({ kind: 'polyhedron', mesh })),
    [
      [0, [0, -0.8, 0], [0.5, 0.5, 0.5, 0.5]],
      [0, [0, 0.8, 0], [0.5, 0.5, 0.5, 0.5]],
      [1, [0, 0, 0.599], [half, 0, 0, half]],
    ],
  );
}

/** A cube with the tip of a spike at each face. Spikes and cube are meshes, or a box and cones. */
export function cubeOnSpikes(isMesh: boolean): SimulationScene {
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
  return held(shapes, [
    ...ways.map(([way, rotation]) => [0, way.map((x) => reach * x), rotation] as const),
    [1, [0, 0, 0], [0, 0, 0, 1]],
  ]);
}

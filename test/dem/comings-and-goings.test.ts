import { describe, expect, it } from 'vitest';
import { requireScene } from '../../src/dem/scene/check-scene.ts';
import type { SimulationBodies, SimulationScene } from '../../src/dem/scene/simulation-scene.ts';

const POSE = [0, 0, 0, 0, 0, 0, 1];

function sceneOf(fields: Partial<SimulationScene>, bodies: Partial<SimulationBodies> = {}): SimulationScene {
  return {
    shapes: [{ kind: 'sphere', radius: 0.01 }],
    materials: [{ density: 1000, youngsModulus: 1e6 }],
    bodies: { shapes: Uint32Array.of(0, 0), poses: Float64Array.of(...POSE, 1, 0, 0, 0, 0, 0, 1), ...bodies },
    ...fields,
  };
}

describe('bodies that come, go and repeat', () => {
  it('names what cannot be used', () => {
    const box = { low: [0, 0, 0], high: [1, 1, 1], periodic: [true, false, true] } as const;
    const plane = { point: [0, 0, 0], normal: [0, 0, -1] } as const;
    for (const [scene, message] of [
      [
        sceneOf({}, { appearsAt: Float64Array.of(0, -1) }),
        'bodies.appearsAt: body 1 has -1, expected a time of 0 or more',
      ],
      [
        sceneOf({}, { appearsAt: Float64Array.of(0) }),
        'bodies.appearsAt: 1 numbers found, expected 2: 1 for each of 2 bodies',
      ],
      [
        sceneOf({ removal: [plane, { ...plane, normal: [0, 0, 0] }] }),
        'removal[1].normal is an array of length 3, expected a vector longer than 0',
      ],
      [
        sceneOf({ removal: [{ point: [0, 0, 0] } as never] }),
        'removal[0].normal is undefined, expected three',
      ],
      [
        sceneOf({ removal: [{ ...plane, up: 1 } as never] }),
        'removal[0]: unknown field "up", expected point',
      ],
      [sceneOf({ box: { ...box, high: [0, 1, 1] } }), 'box: high[0] is 0, expected a number above low[0], 0'],
      [
        sceneOf({ box: { ...box, periodic: [true] as never } }),
        'box.periodic is an array of length 1, expected',
      ],
    ] as const) {
      expect(() => requireScene(scene)).toThrow(message);
    }
  });
});

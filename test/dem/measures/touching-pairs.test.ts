import { describe, expect, it } from 'vitest';
import { monitorColumns, monitorValues } from '../../../src/dem/measures/scene-monitors.ts';
import { coordinationNumbers, touchingPairs } from '../../../src/dem/measures/touching-pairs.ts';
import { type Quantity, Simulation } from '../../../src/dem/simulation/simulation.ts';

const materials = [{ density: 1000, youngsModulus: 1e6, friction: 0.5 }];
const sphere = { kind: 'sphere', radius: 0.5 } as const;

/** A ball on the ground and under a plate, pressed and pushed sideways; another one beside it, and one that is far. */
async function pressed(box?: { low: [number, number, number]; high: [number, number, number] }) {
  const simulation = await Simulation.create(undefined, {
    shapes: [{ kind: 'plane' }, sphere, { kind: 'box', halfExtents: [2, 2, 0.1] }],
    materials,
    bodies: {
      shapes: Uint32Array.of(0, 1, 1, 1, 2),
      poses: Float64Array.from(
        [
          [0, 0, 0],
          [0, 0, 0.49],
          [0.97, 0, 0.495],
          [0, 5, 0.7],
          [0, 0, 1.07],
        ].flatMap((position) => [...position, 0, 0, 0, 1]),
      ),
      velocities: Float64Array.from([0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
      isStatic: Uint8Array.of(1, 0, 0, 0, 1),
    },
    ...(box && { box: { ...box, periodic: [true, false, false] as [boolean, boolean, boolean] } }),
  });
  await simulation.step(3);
  const read = (quantity: Quantity) => simulation.read(quantity);
  const pairs = touchingPairs(await simulation.contacts(), await simulation.contactForces());
  const state = {
    centroids: await read('centroids'),
    masses: await read('masses'),
    statuses: await read('statuses'),
  };
  const forces = await read('forces');
  simulation.destroy();
  return { pairs, state, forces };
}

describe('pairs that touch', () => {
  it('have forces that sum up to those of the bodies, in parts along and across their normals', async () => {
    const { pairs, state, forces } = await pressed();
    expect([...pairs.bodies].join()).toBe('0,1,0,2,1,2,1,4,2,4');
    expect([...coordinationNumbers(pairs, 5)]).toEqual([2, 3, 3, 0, 2]);
    const sums = new Float64Array(15);
    for (let i = 0; i < pairs.count; i++) {
      const [a, b] = pairs.bodies.subarray(2 * i, 2 * i + 2) as unknown as [number, number];
      let across = 0;
      for (let k = 0; k < 3; k++) {
        const f = pairs.forces[3 * i + k]!;
        sums[3 * b + k]! += f;
        sums[3 * a + k]! -= f;
        const along = pairs.normals[3 * i + k]! * pairs.normalForces[i]!;
        expect(along + pairs.tangentialForces[3 * i + k]!).toBeCloseTo(f, 9);
        across += pairs.tangentialForces[3 * i + k]! * pairs.normals[3 * i + k]!;
      }
      expect(Math.abs(across)).toBeLessThan(1e-9 * Math.abs(pairs.normalForces[i]!));
      // All of them are pressed, and what slides is held back by friction.
      expect(pairs.normalForces[i]!).toBeGreaterThan(0);
    }
    const slid = pairs.tangentialForces.subarray(0, 3);
    expect(slid[0]!).toBeLessThan(0);
    for (const body of [1, 2, 3]) {
      expect(sums[3 * body]!).toBeCloseTo(forces[3 * body]!, 9);
      // Its weight is not of contacts.
      const weight = state.masses[body]! * 9.81;
      expect(sums[3 * body + 2]! - weight).toBeCloseTo(forces[3 * body + 2]!, 6);
    }
    expect(state.masses[1]).toBeCloseTo((1000 * Math.PI) / 6, 3);
    expect(state.masses[0]).toBe(0);
    expect(state.masses[4]).toBe(0);
    // The point between ground and ball lies below the ball, in the overlap.
    expect(pairs.points[0]).toBeCloseTo(state.centroids[3]!, 12);
    expect(pairs.points[1]).toBe(0);
    expect(Math.abs(pairs.points[2]!)).toBeLessThan(0.02);
  });

  it('give loads, mass beyond planes, coordination and stress', async () => {
    const { pairs, state } = await pressed();
    const region = { low: [-0.5, -0.5, 0], high: [0.5, 0.5, 1] } as const;
    const monitors = {
      ground: { kind: 'load', bodies: [0] },
      both: { kind: 'load', bodies: [0, 1] },
      beyond: { kind: 'mass', point: [0, 4, 0], normal: [0, 2, 0] },
      touching: { kind: 'coordination', region: undefined },
      here: { kind: 'coordination', region },
      stress: { kind: 'stress', region },
    } as const;
    expect(monitorColumns(monitors).join()).toBe(
      'ground.x,ground.y,ground.z,both.x,both.y,both.z,beyond,touching,here,' +
        'stress.xx,stress.yy,stress.zz,stress.xy,stress.xz,stress.yz',
    );
    const values = monitorValues(monitors, pairs, state, undefined);
    const onGround = [0, 1, 2].map((k) => 0 - pairs.forces[k]! - pairs.forces[3 + k]!);
    expect(values.slice(0, 3)).toEqual(onGround);
    expect(onGround[2]).toBeLessThan(0);
    // What the ground and ball 1 do to each other cancels.
    for (const k of [0, 1, 2]) {
      const others = -pairs.forces[3 + k]! - pairs.forces[6 + k]! - pairs.forces[9 + k]!;
      expect(values[3 + k]).toBeCloseTo(others, 9);
    }
    expect(values[6]).toBe(state.masses[3]);
    expect(values[7]).toBe(2);
    expect(values[8]).toBe(3);
    // Of one body in a volume of 1: forces times the ways to them.
    const way = (i: number, k: number) => pairs.points[3 * i + k]! - state.centroids[3 + k]!;
    const zz = pairs.forces[2]! * way(0, 2) - pairs.forces[8]! * way(2, 2) - pairs.forces[11]! * way(3, 2);
    expect(values[11]).toBeCloseTo(-zz, 9);
    expect(values[11]!).toBeGreaterThan(0);
    const none = monitorValues(
      { none: { kind: 'coordination', region: { low: [8, 8, 8], high: [9, 9, 9] } } },
      pairs,
      state,
      undefined,
    );
    expect(none).toEqual([0]);
  });

  it('across the border of a space that repeats have the stress of their places side by side', async () => {
    // The border goes through between the two balls.
    const there = await pressed({ low: [0.5, -9, 0], high: [10.5, 9, 9] });
    const here = await pressed();
    const region = { low: [-20, -20, -20], high: [20, 20, 20] } as const;
    const stressOf = ({ pairs, state }: typeof here, box?: object) =>
      monitorValues({ all: { kind: 'stress', region } }, pairs, state, box as never);
    const box = { low: [0.5, -9, 0], high: [10.5, 9, 9], periodic: [true, false, false] };
    const [a, b] = [stressOf(here), stressOf(there, box)];
    for (const k of a.keys()) expect(b[k]).toBeCloseTo(a[k]!, 6);
  });
});

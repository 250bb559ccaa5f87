/** Forces by complementarity beside closed forms: C. Lennerz, E. Schömer, T. Warken, section 3. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ContactComplementarity } from '../../../src/dem/complementarity/contact-complementarity.ts';
import { type ForceStep, fischer, type SolvedForces } from '../../../src/dem/complementarity/solve-forces.ts';
import type { SimulationBodies, SimulationScene } from '../../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../../src/dem/simulation/simulation.ts';
import type { SimulationOptions } from '../../../src/dem/simulation/simulation-parts.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import {
  ballInGroove,
  boxAtRest,
  boxOnWedge,
  tableOnALeg,
} from '../../../src/validate/cases/complementarity.ts';
import { hold } from '../../support/hold.ts';
import { boxMesh } from '../../support/shapes.ts';

/** All that was solved in a test: `solveForces` itself, watched. */
const solutions = vi.hoisted((): { step: ForceStep; solved: SolvedForces }[] => []);
vi.mock(import('../../../src/dem/complementarity/solve-forces.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    solveForces(gaps, contacts, guess, step) {
      const solved = real.solveForces(gaps, contacts, guess, step);
      if (solved) solutions.push({ step, solved });
      return solved;
    },
  };
});

afterEach(() => {
  for (const { step, solved } of solutions.splice(0)) {
    if (step.isBilateral) continue;
    const { forces, distances } = solved;
    const most = 1e-11 * step.size * (1 + forces.reduce((sum, force) => Math.max(sum, force), 0));
    for (const [k, force] of forces.entries()) {
      hold(force >= 0, () => `a force of ${force} N pulls`);
      hold(distances[k]! >= -1e-10 * step.size, () => `a gap is ${distances[k]} m, of ${step.size}`);
      hold(force * distances[k]! <= most, () => `${force} N act at a gap of ${distances[k]} m`);
    }
  }
});

const G = 9.81;
const MATERIAL = { density: 1000, youngsModulus: 1e7, friction: 0 };
const OPTIONS: SimulationOptions = { response: 'complementarity', timeStep: 1 / 60 };
const STILL = [0, 0, 0, 1];

type Shapes = SimulationScene['shapes'];

function sceneOf(shapes: Shapes, poses: number[][], others: Partial<SimulationBodies> = {}): SimulationScene {
  const bodies = {
    shapes: Uint32Array.from(shapes.keys()),
    poses: Float64Array.from(poses.flat()),
    ...others,
  };
  return { shapes, materials: [MATERIAL], bodies };
}

/** A turn about y. */
const aboutY = (angle: number) => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];
const PLANE = { kind: 'plane' } as const;
const box = (...halfExtents: [number, number, number]) => ({ kind: 'box', halfExtents }) as const;
const norm = (vector: ArrayLike<number>) => Math.hypot(...Array.from(vector));

async function make(scene: SimulationScene, options = OPTIONS) {
  const spy = vi.spyOn(ContactComplementarity.prototype, 'move');
  const simulation = await Simulation.create(undefined, scene, options);
  const dispose = () => {
    spy.mockRestore();
    simulation.destroy();
  };
  const newton = () => (spy.mock.contexts[0] as ContactComplementarity).newton;
  return { simulation, newton, [Symbol.dispose]: dispose };
}

describe('closed forms, to 1e-9', () => {
  it('a box at rest carries its weight, does not drift in 1,000 steps, and needs few steps of Newton', async () => {
    using made = await make(boxAtRest());
    const { simulation } = made;
    const weight = 1000 * 0.125 * G;
    await simulation.step(1);
    expect((await simulation.contactForces()).forces[2]! / weight - 1).toBeCloseTo(0, 9);
    await simulation.step(999);
    const pose = await simulation.read('poses');
    expect(Math.abs(pose[9]! - 0.125)).toBeLessThan(1e-12);
    expect(norm(pose.subarray(7, 9))).toBeLessThan(1e-9);
    expect(norm(pose.subarray(10, 13))).toBeLessThan(1e-9);
    expect((await simulation.contactForces()).forces[2]! / weight - 1).toBeCloseTo(0, 9);
    const { steps, solved } = made.newton();
    expect(steps / solved).toBeLessThan(6);
  });

  it('a ball in a groove presses on each wall with m g / (2 sin a)', async () => {
    const a = Math.PI / 6;
    const radius = 0.1;
    using made = await make(ballInGroove(a, radius));
    await made.simulation.step(100);
    const { forces, count } = await made.simulation.contactForces();
    const weight = 1000 * (4 / 3) * Math.PI * radius ** 3 * G;
    expect(count).toBe(2);
    for (const wall of [0, 3])
      expect((norm(forces.subarray(wall, wall + 3)) * 2 * Math.sin(a)) / weight - 1).toBeCloseTo(0, 9);
  });

  it('a box slides down a wedge with g sin a', async () => {
    const a = 0.3;
    using made = await make(boxOnWedge(a));
    await made.simulation.step(60);
    const v = (await made.simulation.read('velocities')).subarray(3, 6);
    expect(norm(v) / (G * Math.sin(a)) - 1).toBeCloseTo(0, 9);
    expect(v[2]! / norm(v)).toBeCloseTo(-Math.sin(a), 9);
  });

  it('a table falls on one of its four legs, comes to rest on all, and never sinks in', async () => {
    using made = await make(tableOnALeg());
    const { simulation } = made;
    const mass = (await simulation.read('masses'))[1]!;
    for (let step = 0; step < 60; step++) {
      await simulation.step(1);
      expect(simulation.monitors.deepestOverlap).toBeLessThan(1e-10);
      const { count, forces } = await simulation.contactForces();
      if (count > 0) expect(forces[2]).toBeGreaterThanOrEqual(0);
    }
    const pose = (await simulation.read('poses')).subarray(7);
    expect(Math.abs(pose[2]!)).toBeLessThan(1e-9);
    expect(Math.hypot(pose[3]!, pose[4]!)).toBeLessThan(1e-9);
    expect((await simulation.contactForces()).forces[2]! / (mass * G) - 1).toBeCloseTo(0, 9);
    expect(Math.abs(simulation.monitors.balance)).toBeLessThan(1e-9 * mass * G);
    expect(made.newton().steps / made.newton().solved).toBeLessThan(6);
  });
});

describe('what pushes and what sticks', () => {
  it('contacts that hold keep a box down for a step that is lifted; those that push do not', async () => {
    const lifted = async (response: 'bilateral' | 'complementarity') => {
      using made = await make(
        sceneOf(
          [PLANE, box(0.5, 0.5, 0.5)],
          [
            [0, 0, 0, ...STILL],
            [0, 0, 0.5, ...STILL],
          ],
        ),
        { ...OPTIONS, response },
      );
      const { simulation } = made;
      await simulation.step(1);
      const speeds: number[] = [];
      for (let step = 0; step < 2; step++) {
        if (step === 0) await simulation.write('velocities', Float64Array.of(0, 0, 0, 0, 0, 0.3));
        await simulation.step(1);
        speeds.push((await simulation.read('velocities'))[5]!);
      }
      return speeds;
    };
    const [held, released] = await lifted('bilateral');
    expect(held).toBeCloseTo(0, 12);
    // The contact has let go by then, and the fall meets it anew.
    expect(released).toBeCloseTo(0, 12);
    const [free] = await lifted('complementarity');
    expect(free).toBeCloseTo(0.3 - G / 60, 12);
  });

  it('the hand moves a box at a wall: the wall deflects it along itself', async () => {
    const wall = [0.5, 0, 0, ...aboutY(-Math.PI / 2 + 0.4)];
    const poses = [wall, [0, 0, 0, ...STILL]];
    using made = await make({
      ...sceneOf([PLANE, { kind: 'sphere', radius: 0.1 }], poses),
      gravity: [0, 0, 0],
    });
    for (let step = 0; step < 80; step++) {
      await made.simulation.write('velocities', Float64Array.of(0, 0, 0, 0.6, 0, 0));
      await made.simulation.step(1);
    }
    const v = (await made.simulation.read('velocities')).subarray(3, 6);
    // The wall's normal is (-cos 0.4, 0, sin 0.4).
    expect(v[0]).toBeCloseTo(0.6 * Math.sin(0.4) ** 2, 9);
    expect(v[2]).toBeCloseTo(0.6 * Math.sin(0.4) * Math.cos(0.4), 9);
  });

  it('edges that cross carry a bar on a bar, and a ball lies on an edge and on a ball', async () => {
    const s = Math.SQRT1_2;
    const roof = [s * 0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)];
    const upper = [Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8)];
    const shapes: Shapes = [box(0.1, 1, 0.1), box(1, 0.1, 0.1)];
    const height = 0.2 * Math.SQRT2;
    const scene = sceneOf(
      shapes,
      [
        [0, 0, 0, ...roof],
        [0, 0, height + 1e-3, ...upper],
      ],
      { isStatic: Uint8Array.of(1, 0) },
    );
    using made = await make(scene);
    await made.simulation.step(20);
    const pose = (await made.simulation.read('poses')).subarray(7);
    expect(Math.abs(pose[2]! - height)).toBeLessThan(1e-10);
    const on = sceneOf(
      [box(0.1, 1, 0.1), { kind: 'sphere', radius: 0.2 }, { kind: 'sphere', radius: 0.1 }],
      [
        [0, 0, 0, ...roof],
        [0, 0, 0.1 * Math.SQRT2 + 0.2, ...STILL],
        [0, 0, 0.1 * Math.SQRT2 + 0.5, ...STILL],
      ],
      { isStatic: Uint8Array.of(1, 0, 0) },
    );
    using balls = await make(on);
    await balls.simulation.step(10);
    const { forces, count } = await balls.simulation.contactForces();
    expect(count).toBe(2);
    const weight = (radius: number) => 1000 * (4 / 3) * Math.PI * radius ** 3 * G;
    expect(forces[2]! / (weight(0.2) + weight(0.1)) - 1).toBeCloseTo(0, 9);
    expect(forces[5]! / weight(0.1) - 1).toBeCloseTo(0, 9);
  });

  it('a thin plate is not passed through in one step, and a lift carries what stands on it', async () => {
    const fast = sceneOf(
      [box(1, 1, 0.01), box(0.2, 0.2, 0.2)],
      [
        [0, 0, 0, ...STILL],
        [0, 0, 0.25, ...STILL],
      ],
      {
        isStatic: Uint8Array.of(1, 0),
        velocities: Float64Array.of(0, 0, 0, 0, 0, -5),
      },
    );
    using made = await make(fast);
    await made.simulation.step(2);
    expect((await made.simulation.read('poses'))[9]).toBeCloseTo(0.21, 10);
    const motions = new Map([[0, { velocity: [0, 0, 0.5] as const }]]);
    using lift = await make(
      sceneOf(
        [box(1, 1, 0.1), box(0.2, 0.2, 0.2)],
        [
          [0, 0, 0, ...STILL],
          [0, 0, 0.3, ...STILL],
        ],
        { motions },
      ),
    );
    await lift.simulation.step(30);
    expect((await lift.simulation.read('poses'))[9]).toBeCloseTo(0.3 + 0.25, 10);
    const { driven, gravity, kinetic, balance } = lift.simulation.monitors;
    expect(driven).toBeGreaterThan(gravity + kinetic);
    expect(Math.abs(balance)).toBeLessThan(1e-9 * driven);
  });

  it("Fischer's function keeps its digits, and is 0 where either is and neither is below 0", () => {
    expect(fischer(1, 1e-20)).toBeCloseTo(-1e-20, 30);
    expect(fischer(0, 3)).toBe(-0);
    expect(fischer(-1, 2)).toBeCloseTo(Math.sqrt(5) - 1, 15);
  });
});

describe('what is kept and what is refused', () => {
  const scene = sceneOf(
    [box(2, 2, 0.1), box(0.2, 0.3, 0.1), { kind: 'sphere', radius: 0.15 }],
    [
      [0, 0, 0, ...STILL],
      [0, 0, 0.4, 0.1, 0.2, 0, Math.sqrt(0.95)],
      [0.1, 0, 0.9, ...STILL],
    ],
    { isStatic: Uint8Array.of(1, 0, 0) },
  );

  it('a simulation goes on from a checkpoint with equal bytes', async () => {
    for (const response of ['complementarity', 'bilateral'] as const) {
      using made = await make(scene, { ...OPTIONS, response });
      await made.simulation.step(25);
      const saved = await made.simulation.checkpoint();
      const resumed = await Simulation.resume(undefined, scene, saved);
      expect(resumed.response).toBe(response);
      expect([...(await resumed.contactForces()).forces]).toEqual([
        ...(await made.simulation.contactForces()).forces,
      ]);
      await made.simulation.step(25);
      await resumed.step(25);
      expect(Buffer.compare(await resumed.checkpoint(), await made.simulation.checkpoint())).toBe(0);
      resumed.destroy();
    }
  });

  it('bad input is told in a line', async () => {
    const refused = (changed: Partial<SimulationScene>, options = OPTIONS) =>
      Simulation.create(undefined, { ...scene, ...changed }, options);
    await expect(
      refused({ materials: [{ density: 1000, youngsModulus: 1e7, friction: 0.2 }] }),
    ).rejects.toThrow(
      'materials: friction of material 0 and material 0 is 0.2, expected 0 for the response complementarity',
    );
    await expect(refused({}, { ...OPTIONS, backend: 'gpu' })).rejects.toThrow(
      /^backend "gpu" needs a device: create the simulation with one from openDevice\(\)$/,
    );
    const round = { kind: 'capsule', radius: 0.1, halfLength: 0.2 } as const;
    await expect(refused({ shapes: [scene.shapes[0]!, round, scene.shapes[2]!] })).rejects.toThrow(
      /^shape 1 is a capsule, expected a plane, a sphere, a box, a polytope or a polyhedron for forces by comple/,
    );
    const poses = scene.bodies.poses.slice();
    poses[9] = 0.15;
    await expect(refused({ bodies: { ...scene.bodies, poses } })).rejects.toThrow(
      /^bodies: body 0 and body 1 overlap by 0\.\d+ at first, expected at most/,
    );
    await expect(Simulation.create({} as never, scene, OPTIONS)).rejects.toThrow(
      /^Simulation\.create: device: found an object, expected one of openDevice\(\), or undefined for the CPU alone$/,
    );
  });

  it('an open mesh has no mass, and is told in a line', async () => {
    const cube = boxMesh([-0.2, -0.2, -0.2], [0.2, 0.2, 0.2]);
    const { positions } = cube;
    const mesh = new TriangleMesh({ positions, indices: cube.indices.slice(3), name: 'open.stl' });
    const shapes: Shapes = [scene.shapes[0]!, { kind: 'polyhedron', mesh }, scene.shapes[2]!];
    for (const response of ['complementarity', 'bilateral'] as const)
      await expect(
        Simulation.create(undefined, { ...scene, shapes }, { ...OPTIONS, response }),
      ).rejects.toThrow(
        /^shape 1: open\.stl: the surface is open: 3 edges with an odd number of faces found, expected a closed mesh/,
      );
  });

  it('a mesh whose faces look inwards, all or some, is told in a line', async () => {
    const cube = boxMesh([-2, -2, -0.1], [2, 2, 0.1]);
    const turned = (count: number) =>
      new TriangleMesh({
        positions: cube.positions,
        indices: cube.indices.map((corner, i) => {
          const turn = [0, 1, -1][i % 3]!;
          return i < 3 * count ? cube.indices[i + turn]! : corner;
        }),
        name: 'cube.stl',
      });
    for (const [count, words] of [
      [12, 'found a volume of -3.20, expected faces that are counter-clockwise seen from outside'],
      [1, 'the surface is not consistently oriented: 3 edges found whose faces look to different sides'],
    ] as const) {
      const shapes: Shapes = [{ kind: 'polyhedron', mesh: turned(count) }, ...scene.shapes.slice(1)];
      await expect(Simulation.create(undefined, { ...scene, shapes }, OPTIONS)).rejects.toThrow(
        `shape 0: cube.stl: ${words}`,
      );
    }
  });

  it('a body inside another is told with how deep it is', async () => {
    const poses = scene.bodies.poses.slice();
    const shapes: Shapes = [box(2, 2, 2), ...scene.shapes.slice(1)];
    poses.set([0, 0, 0], 7);
    await expect(
      Simulation.create(undefined, { ...scene, shapes, bodies: { ...scene.bodies, poses } }, OPTIONS),
    ).rejects.toThrow(/^bodies: body 0 and body 1 overlap by 2\.\d+ at first, expected at most/);
  });

  it('a hull of points rests as a box does', async () => {
    const { positions } = boxMesh([-0.25, -0.5, -0.125], [0.25, 0.5, 0.125]);
    const shapes: Shapes = [PLANE, { kind: 'polytope', vertices: positions }];
    using made = await make({ ...boxAtRest(), shapes });
    await made.simulation.step(10);
    const { forces } = await made.simulation.contactForces();
    expect(forces[2]! / (1000 * 0.125 * G) - 1).toBeCloseTo(0, 9);
  });

  it('a box slides over a rim as fast as before', async () => {
    const places = [
      [0, 0, 0.6],
      [0, 0, 0],
    ];
    const slid = sceneOf(
      [box(0.1, 0.1, 0.1), box(0.5, 0.5, 0.5)],
      places.map((place) => [...place, ...STILL]),
      { isStatic: Uint8Array.of(0, 1), velocities: Float64Array.of(1, 0, 0, 0, 0, 0) },
    );
    for (const timeStep of [1 / 60, 1 / 240]) {
      using made = await make(slid, { ...OPTIONS, timeStep });
      // Its corners are over the rim, its centre is not.
      await made.simulation.step(Math.round(0.45 / timeStep));
      const velocities = await made.simulation.read('velocities');
      expect(norm([velocities[0]! - 1, velocities[1]!, velocities[2]!])).toBeLessThan(1e-9);
      expect(norm(await made.simulation.read('angularVelocities'))).toBeLessThan(1e-9);
    }
  });

  it('a box slides over the seam of two flush floors as if there were none', async () => {
    const turn = [0, 0, Math.sin(0.15), Math.cos(0.15)];
    const floors = [
      [-1, 0, -0.1, ...STILL],
      [1, 0, -0.1, ...STILL],
      [-0.3, 0.03, 0.1, ...turn],
    ];
    const slid = sceneOf([box(1, 1, 0.1), box(1, 1, 0.1), box(0.1, 0.1, 0.1)], floors, {
      isStatic: Uint8Array.of(1, 1, 0),
      velocities: Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0.1, 0),
    });
    using made = await make(slid);
    for (let step = 0; step < 36; step++) {
      await made.simulation.step(1);
      const velocities = await made.simulation.read('velocities');
      expect(norm([velocities[6]! - 1, velocities[7]! - 0.1, velocities[8]!]), `${step}`).toBeLessThan(1e-9);
      expect(norm(await made.simulation.read('angularVelocities'))).toBeLessThan(1e-9);
    }
  });

  it('a wedge that is driven into a gap which is too narrow stops with its contacts named', async () => {
    const motions = new Map([
      [0, { velocity: [0, 0, 0] as const }],
      [1, { velocity: [0, 0, -1] as const }],
    ]);
    const squeezed = sceneOf(
      [box(1, 1, 0.1), box(1, 1, 0.1), box(0.2, 0.2, 0.2)],
      [
        [0, 0, 0, ...STILL],
        [0, 0, 0.65, ...STILL],
        [0, 0, 0.31, ...STILL],
      ],
      { motions },
    );
    using made = await make(squeezed);
    await expect(made.simulation.step(10)).rejects.toThrow(
      /^step \d+: no forces were found for \d+ contacts of body 0 and body 2, body 1 and body 2/,
    );
  });
});

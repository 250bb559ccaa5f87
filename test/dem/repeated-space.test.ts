import { describe, expect, it } from 'vitest';
import type { PeriodicBox, SimulationScene } from '../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import { boxMesh } from '../../src/validate/scenes.ts';
import { apart, CUBE, EDGE, packing } from './packing.ts';

const create = (scene: SimulationScene, options = {}) =>
  Simulation.create(undefined, scene, { threads: 1, ...options });

describe('space that repeats', () => {
  it('has no place of its own: bodies shifted by half the box move as before', async () => {
    const [here, there] = await Promise.all(
      [0, EDGE / 2].map((shift) => create(packing(shift), { timeStep: 7e-4 })),
    );
    const momentum = here!.monitors.momentum.slice();
    const crossed = new Set<number>();
    let before = await here!.read('centroids');
    for (let round = 0; round < 4; round++) {
      await Promise.all([here!.step(25), there!.step(25)]);
      const now = await here!.read('centroids');
      for (const [i, x] of now.entries()) if (Math.abs(x - before[i]!) > EDGE / 2) crossed.add(i);
      before = now;
    }
    // Bodies go through borders, and touch across them.
    expect(crossed.size).toBeGreaterThan(3);
    expect(here!.monitors.contacts).toBeGreaterThan(100);
    const [a, b] = [await here!.read('poses'), await there!.read('poses')];
    for (let i = 0; i < a.length; i++) {
      const off = i % 7 < 3 ? apart(a[i]! + EDGE / 2, b[i]!) : Math.abs(a[i]! - b[i]!);
      expect(off).toBeLessThan(1e-9);
    }
    for (const field of ['kinetic', 'elastic', 'friction', 'dashpots', 'rolling'] as const) {
      expect(Math.abs(here!.monitors[field] - there!.monitors[field])).toBeLessThan(
        1e-8 * here!.monitors.dashpots,
      );
    }
    // Momentum is kept to rounding.
    const total = 27 * 1000 * 4 * 5;
    for (const [k, p] of here!.monitors.momentum.entries())
      expect(Math.abs(p - momentum[k]!)).toBeLessThan(1e-12 * total);
    here!.destroy();
    there!.destroy();
  });

  it('has the forces of a tiling', async () => {
    const one = packing(0, { ...CUBE, periodic: [true, true, false] });
    const count = one.bodies.shapes.length;
    const tiles = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const));
    // Copies of a body follow each other, so that of two bodies the same one is A in both scenes.
    const poses = new Float64Array(7 * count * tiles.length);
    const velocities = new Float64Array(3 * count * tiles.length);
    const shapes = new Uint32Array(count * tiles.length);
    for (let i = 0; i < shapes.length; i++) {
      const body = Math.floor(i / tiles.length);
      const [x, y] = tiles[i % tiles.length]!;
      shapes[i] = one.bodies.shapes[body]!;
      poses.set(one.bodies.poses.subarray(7 * body, 7 * body + 7), 7 * i);
      poses[7 * i]! += EDGE * x;
      poses[7 * i + 1]! += EDGE * y;
      velocities.set(one.bodies.velocities!.subarray(3 * body, 3 * body + 3), 3 * i);
    }
    const ofMiddle = (i: number) => 3 * (tiles.length * Math.floor(i / 3) + 4) + (i % 3);
    const simulations = [
      await create(one),
      await create({ ...one, box: undefined, bodies: { shapes, poses, velocities } }),
    ] as const;
    for (const quantity of ['forces', 'torques'] as const) {
      const [own, tiled] = await Promise.all(simulations.map((simulation) => simulation.read(quantity)));
      const largest = own!.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      expect(largest).toBeGreaterThan(1e3);
      for (const [i, x] of own!.entries())
        expect(Math.abs(x - tiled![ofMiddle(i)]!)).toBeLessThan(1e-9 * largest);
    }
    for (const simulation of simulations) simulation.destroy();
  });

  it('holds a row of balls that touch around it in balance', async () => {
    const count = 7;
    const [radius, pitch] = [0.1, 0.199];
    const poses = Float64Array.from({ length: 7 * count }, (_, i) => {
      return [-3 + pitch * Math.floor(i / 7), 0, 0, 0, 0, 0, 1][i % 7]!;
    });
    const box = {
      low: [0.05, 0, 0],
      high: [0.05 + pitch * count, 1, 1],
      periodic: [true, false, false],
    } as const;
    const scene: SimulationScene = {
      shapes: [{ kind: 'sphere', radius }],
      materials: [{ density: 1000, youngsModulus: 1e6 }],
      bodies: { shapes: new Uint32Array(count), poses },
      gravity: [0, 0, 0],
      box,
    };
    const simulation = await create(scene);
    const { count: contacts, normals } = await simulation.contacts();
    expect(contacts).toBe(count);
    // Each pushes with 4/3 E* R^0.5 d^1.5.
    const push = (4 / 3) * (1e6 / (1 - 0.25 ** 2) / 2) * Math.sqrt(radius / 2) * 0.001 ** 1.5;
    await simulation.step(200);
    expect(simulation.monitors.largestFrequency).toBeGreaterThan(0);
    for (const force of await simulation.read('forces')) expect(Math.abs(force)).toBeLessThan(1e-9 * push);
    for (const x of await simulation.read('velocities')) expect(Math.abs(x)).toBeLessThan(1e-9);
    // The last one and the first one touch across the border: there the normal leads back.
    expect(
      Array.from(normals)
        .filter((x) => Math.abs(x) > 0.5)
        .map(Math.sign)
        .sort(),
    ).toEqual([-1, 1, 1, 1, 1, 1, 1]);
    const { high, low } = box;
    for (const [i, x] of (await simulation.read('centroids')).entries())
      if (i % 3 === 0) expect(x >= low[0] - simulation.timeStep && x <= high[0]).toBe(true);
    simulation.destroy();
  });

  it('does not notice where a body rolls through the border, on a plane and on a belt of the same length', async () => {
    const scene = (box?: PeriodicBox, slab = 4): SimulationScene => ({
      shapes: [
        { kind: 'sphere', radius: 0.1 },
        { kind: 'plane' },
        { kind: 'polyhedron', mesh: boxMesh(slab / 2, 0.5, 0.1) },
      ],
      materials: [{ density: 1000, youngsModulus: 1e6, friction: 0.4, rollingFriction: 0.05 }],
      bodies: {
        shapes: Uint32Array.of(0, 0, 1, 2),
        poses: Float64Array.of(
          ...[0.95, 0, 0.0999, 0, 0, 0, 1, 0.94, 3, 0.0999, 0, 0, 0, 1],
          ...[0, 0, 0, 0, 0, 0, 1, 0, 3, -0.1, 0, 0, 0, 1],
        ),
        velocities: Float64Array.of(1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        isStatic: Uint8Array.of(0, 0, 0, 1),
        // The plane carries the first ball alone.
        groups: Uint32Array.of(1, 2, 1, 2),
        masks: Uint32Array.of(1, 2, 1, 2),
      },
      box,
    });
    const timeStep = 2e-4;
    const box = { low: [-1, 0, 0], high: [1, 1, 1], periodic: [true, false, false] } as const;
    const [open, closed] = [await create(scene(), { timeStep }), await create(scene(box), { timeStep })];
    await Promise.all([open.step(700), closed.step(700)]);
    const [a, b] = [await open.read('poses'), await closed.read('poses')];
    for (const [i, x] of a.slice(0, 14).entries()) {
      const isAlong = i % 7 === 0;
      if (isAlong) expect(x).toBeGreaterThan(1);
      expect(Math.abs(x - (isAlong ? 2 : 0) - b[i]!)).toBeLessThan(1e-10);
    }
    expect(Math.abs(open.monitors.friction - closed.monitors.friction)).toBeLessThan(1e-10);
    expect(open.monitors.contacts).toBe(closed.monitors.contacts);
    open.destroy();
    closed.destroy();
    await expect(create(scene(box, 1.5))).rejects.toThrow(
      /^box: body 3 takes 1.50 along x, expected at most half of the box, 1.00, or as a wall all of it, 2.00$/,
    );
  });

  it('goes on from a checkpoint, bit for bit', async () => {
    const [whole, other] = [await create(packing()), await create(packing())];
    for (const one of [whole, other]) await one.step(12);
    const resumed = await Simulation.resume(undefined, packing(), await other.checkpoint(), { threads: 2 });
    for (const one of [whole, resumed]) await one.step(12);
    const [a, b] = await Promise.all([whole, resumed].map((one) => one.checkpoint()));
    expect(Buffer.from(a!).equals(Buffer.from(b!))).toBe(true);
    const larger = packing(0, { ...CUBE, high: [EDGE, EDGE, EDGE + 1] });
    await expect(Simulation.resume(undefined, larger, a!, { threads: 1, name: 'a' })).rejects.toThrow(
      'a: of another scene',
    );
    for (const one of [whole, other, resumed]) one.destroy();
  });

  it('refuses bodies that are too large for it, and planes that cross it', async () => {
    const small = { low: [0, 0, 0], high: [9, 3.5, 9], periodic: [false, true, false] } as const;
    await expect(create(packing(0, small))).rejects.toThrow(
      /^box: body 0 takes \d\.\d\d along y, expected at most half of the box, 1.75$/,
    );
    const tilted: SimulationScene = {
      ...packing(),
      shapes: [{ kind: 'plane' }],
      bodies: { shapes: Uint32Array.of(0), poses: Float64Array.of(0, 0, 0, 0.6, 0, 0, 0.8) },
      box: { ...CUBE, periodic: [true, true, false] },
    };
    await expect(create(tilted)).rejects.toThrow(
      'box: body 0 is a plane that crosses y, along which space repeats: expected one along it',
    );
  });
});

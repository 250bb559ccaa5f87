/** Contacts as collisions, one after another, and stacks that stand by them. */
import { expect, it } from 'vitest';
import { ContactKind } from '../../../src/contacts/list/contact-arrays.ts';
import { COLLISION_DAMPING } from '../../../src/dem/constants.ts';
import { groupContacts, RANGE_WORDS } from '../../../src/dem/forces/groups.ts';
import { levelsOf } from '../../../src/dem/impulses/contact-graph.ts';
import type { SimulationScene } from '../../../src/dem/scene/simulation-scene.ts';
import { Simulation } from '../../../src/dem/simulation/simulation.ts';
import type { SimulationOptions } from '../../../src/dem/simulation/simulation-parts.ts';

const BY_OLVANG = { response: 'olvang', threads: 1 } as const;
const MATERIAL = { density: 1000, youngsModulus: 1e7, restitution: 1e-6, friction: 0.5 };

/** Cubes on a floor, each turned about the axis of the stack and placed a little off it. */
function stack(count: number): SimulationScene {
  const poses = new Float64Array(7 * (count + 1));
  poses.set([0, 0, -0.5, 0, 0, 0, 1]);
  for (let i = 0; i < count; i++) {
    const half = 0.05 * i;
    const place = [0.02 * Math.sin(3 * i), 0.02 * Math.cos(5 * i), i + 0.5];
    poses.set([...place, 0, 0, Math.sin(half), Math.cos(half)], 7 * (i + 1));
  }
  return {
    shapes: [
      { kind: 'box', halfExtents: [10, 10, 0.5] },
      { kind: 'box', halfExtents: [0.5, 0.5, 0.5] },
    ],
    materials: [MATERIAL],
    bodies: {
      shapes: Uint32Array.from({ length: count + 1 }, (_, i) => (i === 0 ? 0 : 1)),
      isStatic: Uint8Array.from({ length: count + 1 }, (_, i) => (i === 0 ? 1 : 0)),
      poses,
    },
  };
}

/** Largest tilt in degrees, and how far the topmost box has sunk. */
async function leaning(simulation: Simulation, count: number) {
  const poses = await simulation.read('poses');
  const tilts = Array.from({ length: count }, (_, i) => {
    const [x, y] = poses.subarray(7 * (i + 1) + 3, 7 * (i + 1) + 5) as unknown as [number, number];
    return Math.acos(1 - 2 * (x * x + y * y)) * (180 / Math.PI);
  });
  return { tilt: Math.max(...tilts), sunk: count - 0.5 - poses[7 * count + 2]! };
}

it('eight boxes under 30 passes stand for 5 s on clipped faces, and get too deep on sampled ones', async () => {
  const after = async (narrowPhase: SimulationOptions['narrowPhase'], shocks = false) => {
    const options = { ...BY_OLVANG, iterations: 30, timeStep: 1 / 60, narrowPhase, shocks };
    const simulation = await Simulation.create(undefined, stack(8), options);
    try {
      await simulation.step(300);
      // What falls, bounces, slides, is damped and projected is all there is.
      const { balance, dashpots, friction, pushed } = simulation.monitors;
      expect(Math.min(dashpots, friction, pushed)).toBeGreaterThan(100);
      expect(Math.abs(balance)).toBeLessThan(1e-9 * (dashpots + friction + pushed));
      return await leaning(simulation, 8);
    } finally {
      simulation.destroy();
    }
  };
  for (const standing of [
    await after({ algorithm: 'gjk', manifold: 'clipped' }, true),
    await after(undefined, true),
  ]) {
    expect(standing.tilt).toBeLessThan(1);
    expect(standing.sunk).toBeLessThan(0.08);
    // A box that leans on an edge stands higher, by half its edge times sin + cos - 1 of its tilt.
    const tilt = standing.tilt * (Math.PI / 180);
    expect(standing.sunk).toBeGreaterThan(-8 * 0.5 * (Math.sin(tilt) + Math.cos(tilt) - 1));
  }
  // Without shocks it sways, and still stands.
  expect((await after({ algorithm: 'mpr', manifold: 'clipped' })).sunk).toBeLessThan(0.08);
  await expect(after({ algorithm: 'mpr', manifold: 'sampled' })).rejects.toMatchObject({
    reason: 'too-deep',
  });
});

it('a floor that rises under shocks does the work that its stack gains', async () => {
  const scene = stack(4);
  const motions = new Map([[0, { velocity: [0.1, 0, 1] as const }]]);
  const bodies = { ...scene.bodies, isStatic: undefined, motions };
  const options = { ...BY_OLVANG, iterations: 1, shocks: true, timeStep: 1 / 200 };
  const simulation = await Simulation.create(undefined, { ...scene, bodies }, options);
  await simulation.step(20);
  const { balance, driven, kinetic } = simulation.monitors;
  expect(kinetic).toBeGreaterThan(1000);
  expect(driven).toBeGreaterThan(kinetic);
  expect(Math.abs(balance)).toBeLessThan(1e-9 * driven);
  simulation.destroy();
});

it('one collision has the impulse of its formula, and momentum stays', async () => {
  // A ball hits a box off its centre: J = (1 + e) u / (1 / m_a + 1 / m_b + (r x n) . I^-1 (r x n)).
  const [e, u, time] = [0.6, 0.4, 0.004];
  const scene: SimulationScene = {
    shapes: [
      { kind: 'sphere', radius: 0.5 },
      { kind: 'box', halfExtents: [1, 0.4, 0.5] },
    ],
    materials: [{ density: 3, youngsModulus: 1e6, restitution: e, friction: 0 }],
    bodies: {
      shapes: Uint32Array.of(0, 1),
      poses: Float64Array.of(-0.7, -0.899, 0.1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1),
      velocities: Float64Array.of(0, u, 0, 0, 0, 0),
    },
    gravity: [0, 0, 0],
  };
  const simulation = await Simulation.create(undefined, scene, { ...BY_OLVANG, timeStep: time });
  const { momentum: before, kinetic: first } = simulation.monitors;
  await simulation.step();
  const [massA, massB] = [(3 * 4 * Math.PI * 0.125) / 3, 3 * 8 * 0.2];
  const [ixx, izz] = [(massB / 3) * (0.4 ** 2 + 0.5 ** 2), (massB / 3) * (1 + 0.4 ** 2)];
  const impulse = ((1 + e) * u) / (1 / massA + 1 / massB + 0.7 ** 2 / izz + 0.1 ** 2 / ixx);
  const velocities = await simulation.read('velocities');
  const kept = Math.exp(-COLLISION_DAMPING * time);
  // Sizes are float32.
  expect(velocities[4]! * massB).toBeCloseTo(kept * impulse, 7);
  expect(u * kept - velocities[1]!).toBeCloseTo((kept * impulse) / massA, 7);
  const { momentum, kinetic, dashpots, pushed } = simulation.monitors;
  for (let k = 0; k < 3; k++) expect(momentum[k]).toBeCloseTo(kept * before[k]!, 12);
  expect(kinetic + dashpots).toBeCloseTo(first, 12);
  expect(pushed).toBeCloseTo(0, 12);
  simulation.destroy();
});

it('levels go up from what is fixed, and bodies that rest on each other in a circle have one', () => {
  // 0 is fixed; 1 on 0, 2 on 1; 3, 4 and 5 on each other in a circle on 2; 6 on 4; 7 and 8 side by side on 0.
  const [below, above, beside] = [
    [0, 0, 1],
    [0, 0, -1],
    [1, 0, 0],
  ] as const;
  const normals = [below, below, below, below, above, below, below, below, below, beside];
  const count = normals.length;
  const contacts = {
    ...{ count, parts: new Uint32Array(2 * count), kinds: new Uint8Array(count).fill(ContactKind.convex) },
    bodies: Uint32Array.of(0, 1, 1, 2, 2, 3, 3, 4, 3, 5, 4, 5, 4, 6, 0, 7, 0, 8, 7, 8),
    normals: Float64Array.from(normals.flat()),
  };
  const groups = groupContacts(contacts, new Uint32Array(RANGE_WORDS * count));
  const isMoving = Uint8Array.from({ length: 9 }, (_, body) => (body === 0 ? 0 : 1));
  expect([...levelsOf(contacts, groups, isMoving, [0, 0, -9.81])]).toEqual([0, 1, 2, 3, 3, 3, 4, 1, 1]);
  // Upside down the circle carries all, and what hung from the ground carries nothing.
  expect([...levelsOf(contacts, groups, isMoving, [0, 0, 9.81])]).toEqual([0, 4, 3, 2, 2, 2, 1, 1, 1]);
});

it('bodies that all touch without gravity have one level, however many they are', () => {
  const count = 70_000;
  // A row: each rests on both of its neighbours. Body 0 is fixed.
  const contacts = {
    ...{ count, parts: new Uint32Array(2 * count), kinds: new Uint8Array(count).fill(ContactKind.convex) },
    bodies: Uint32Array.from({ length: 2 * count }, (_, k) => (k + 1) >> 1),
    normals: Float64Array.from({ length: 3 * count }, (_, k) => (k % 3 === 0 ? 1 : 0)),
  };
  const groups = groupContacts(contacts, new Uint32Array(RANGE_WORDS * count));
  const isMoving = new Uint8Array(count + 1).fill(1, 1);
  const levels = levelsOf(contacts, groups, isMoving, [0, 0, 0]);
  expect(levels[0]).toBe(0);
  expect(levels.subarray(1).every((level) => level === 1)).toBe(true);
});

/** Bodies of several shapes, and of several parts, that fall on a plane. */
function mixed(): SimulationScene {
  const count = 12;
  const poses = new Float64Array(7 * (count + 1));
  for (let i = 0; i < count; i++)
    poses.set([2.2 * (i % 2), 1.7 * ((i >> 1) % 2), 1.1 + 1.9 * (i >> 2), 0, 0, 0, 1], 7 * i);
  poses[7 * count + 6] = 1;
  const ball = { kind: 'sphere', radius: 0.5 } as const;
  return {
    shapes: [
      { kind: 'round-box', halfExtents: [0.5, 0.4, 0.3], radius: 0.3 },
      {
        kind: 'parts',
        parts: [
          { shape: ball, position: [-0.4, 0, 0] },
          {
            shape: { kind: 'box', halfExtents: [0.3, 0.5, 0.5] },
            position: [0.5, 0, 0],
            rotation: [0, 0, 0.6, 0.8],
          },
        ],
      },
      ball,
      { kind: 'plane' },
    ],
    materials: [{ ...MATERIAL, restitution: 0.3 }],
    bodies: { shapes: Uint32Array.from({ length: count + 1 }, (_, i) => (i === count ? 3 : i % 3)), poses },
  };
}

it('another narrow phase finds the same pairs as deep, and a resumed run has the same bytes', async () => {
  const narrowPhase = { algorithm: 'gjk', manifold: 'clipped' } as const;
  const own = { ...BY_OLVANG, narrowPhase, shocks: true, iterations: 12 };
  const whole = await Simulation.create(undefined, mixed(), own);
  await whole.step(60);
  const saved = await whole.checkpoint();
  const resumed = await Simulation.resume(undefined, mixed(), saved, { threads: 2 });
  expect(resumed.response).toBe('olvang');
  expect(await resumed.contactForces()).toEqual(await whole.contactForces());
  await whole.step(30);
  await resumed.step(30);
  expect(Buffer.from(await resumed.checkpoint()).equals(Buffer.from(await whole.checkpoint()))).toBe(true);

  const found = await whole.contacts();
  const usual = await Simulation.create(
    undefined,
    { ...mixed(), bodies: { ...mixed().bodies, poses: await whole.read('poses') } },
    BY_OLVANG,
  );
  const expected = await usual.contacts();
  const depths = ({ count, bodies, parts, distances }: typeof found) => {
    const of: Record<string, number> = {};
    for (let i = 0; i < count; i++) {
      const key = [...bodies.subarray(2 * i, 2 * i + 2), ...parts.subarray(2 * i, 2 * i + 2)].join();
      of[key] = Math.min(of[key] ?? 0, distances[i]!);
    }
    return of;
  };
  const [some, others] = [depths(found), depths(expected)];
  expect(Object.keys(some)).toEqual(Object.keys(others));
  expect(Object.keys(some).length).toBeGreaterThan(12);
  for (const [pair, depth] of Object.entries(some)) expect(depth).toBeCloseTo(others[pair]!, 9);

  const refused = (options: SimulationOptions) =>
    expect(Simulation.resume(undefined, mixed(), saved, options)).rejects;
  await refused({ response: 'impulses' }).toThrow(
    'checkpoint: of a simulation by olvang, found "impulses", expected the same',
  );
  await refused({ iterations: 20 }).toThrow('checkpoint: of a simulation with 12 iterations, found 20');
  await refused({ shocks: false }).toThrow('checkpoint: of a simulation with shocks, found false');
  await refused({ narrowPhase: { algorithm: 'mpr', manifold: 'clipped' } }).toThrow(
    'checkpoint: of a simulation with narrowPhase gjk, clipped, found mpr, clipped',
  );
  for (const one of [whole, resumed, usual]) one.destroy();
});

it('in float32 bodies have what it can hold, and a resumed run has the same bytes', async () => {
  const narrowPhase = { algorithm: 'gjk', manifold: 'clipped' } as const;
  const own = { ...BY_OLVANG, narrowPhase, float32: true, iterations: 12, timeStep: 1 / 60 };
  const whole = await Simulation.create(undefined, stack(4), own);
  const double = await Simulation.create(undefined, stack(4), { ...own, float32: false });
  for (const one of [whole, double]) await one.step(5);
  for (const field of ['centroids', 'velocities'] as const) {
    const [single, exact] = [await whole.read(field), await double.read(field)];
    expect(single).toEqual(single.map(Math.fround));
    expect(exact).not.toEqual(exact.map(Math.fround));
    // Which corners touch depends on the last digits, and so do speeds of what lies still.
    if (field === 'velocities') continue;
    for (const [i, x] of single.entries()) expect(x).toBeCloseTo(exact[i]!, 3);
  }
  expect(Math.abs(whole.monitors.balance)).toBeGreaterThan(Math.abs(double.monitors.balance));

  const saved = await whole.checkpoint();
  const resumed = await Simulation.resume(undefined, stack(4), saved, { threads: 1 });
  for (const one of [whole, resumed]) await one.step(30);
  expect(Buffer.from(await resumed.checkpoint()).equals(Buffer.from(await whole.checkpoint()))).toBe(true);
  await expect(Simulation.resume(undefined, stack(4), saved, { float32: false })).rejects.toThrow(
    'checkpoint: of a simulation with float32, found false',
  );
  for (const one of [whole, double, resumed]) one.destroy();
});

it('what olvang cannot use is refused in one line', async () => {
  const refused = (options: object, scene = mixed()) =>
    expect(Simulation.create(undefined, scene, { threads: 1, ...options } as SimulationOptions)).rejects;
  await refused({ response: 'impulses', narrowPhase: { algorithm: 'gjk', manifold: 'clipped' } }).toThrow(
    'narrowPhase is an object, expected none without the response olvang',
  );
  await refused({ shocks: true }).toThrow('shocks is true, expected none without the response olvang');
  await refused({ float32: true }).toThrow('float32 is true, expected none without the response olvang');
  await refused({ response: 'olvang', substeps: 2 }).toThrow(
    'substeps is 2, expected none without the response impulses',
  );
  await refused({ response: 'olvang', iterations: 0 }).toThrow(
    'iterations is 0, expected a whole number from 1 to 1000',
  );
  await refused({ response: 'olvang', narrowPhase: { algorithm: 'epa', manifold: 'clipped' } }).toThrow(
    'narrowPhase.algorithm is "epa", expected sweep-gjk, gjk or mpr',
  );
  await refused({ response: 'olvang', backend: 'gpu' }).toThrow(/^backend/);
  const mesh = { positions: new Float32Array(0), indices: new Uint32Array(0) } as never;
  await refused(
    { response: 'olvang' },
    { ...mixed(), shapes: [...mixed().shapes, { kind: 'polyhedron', mesh }] },
  ).toThrow('shape 4 is a polyhedron, expected a convex one for the response olvang');
});

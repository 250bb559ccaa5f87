import { describe, expect, it } from 'vitest';
import { ContactPipeline } from '../../../src/contacts/pipeline/contact-pipeline.ts';
import { requireMemory } from '../../../src/dem/scene/memory.ts';
import { InputError } from '../../../src/errors.ts';
import { parseScene } from '../../../src/io/scene/scene.ts';
import { simulationScene } from '../../../src/io/scene/simulation-scene.ts';

const parse = (scene: object) => parseScene(JSON.stringify(scene));
const ball = { kind: 'sphere', radius: 0.1 };
const rock = { kind: 'polyhedron', generate: { kind: 'rock', triangles: 32, seed: 4 }, scale: 0.1 };
/** Off its frame's origin. */
const box = {
  kind: 'sum',
  a: { kind: 'point' },
  b: { kind: 'box', halfExtents: [0.1, 0.05, 0.05] },
  place: { position: [1, 0, 0] },
};
const tube = {
  kind: 'polyhedron',
  generate: {
    kind: 'revolution',
    profile: [
      [0.4, 0],
      [0.5, 0],
      [0.5, 1],
      [0.4, 1],
    ],
  },
};
const low = [-1, -1, 0];
const high = [1, 1, 1];

describe('bodies at random', () => {
  const bodies = (seed: number) => [
    { shape: 'ground', position: [0, 0, 0.2] },
    { shape: 'tube', static: true },
    { shape: 'ball', position: [0, 0, 0.5], grid: { counts: [2, 2, 1], spacing: 0.3 } },
    {
      name: 'body',
      shape: ['ball', 'rock', 'box'],
      rotation: 'random',
      random: { count: 90, region: { low, high }, seed },
    },
  ];
  const shapes = { ball, rock, box, tube, ground: { kind: 'plane' } };

  it('touch neither each other nor what is there, and lie in their region, the same for the same seed', async () => {
    const scene = await parse({ shapes, bodies: bodies(3) });
    expect(scene.names.bodies.at(-1)).toBe('body 89');
    const pipeline = await ContactPipeline.create(undefined, scene.shapes, {
      bodies: scene.bodies,
      threads: 1,
    });
    const { count } = await pipeline.detect({ poses: scene.poses });
    pipeline.destroy();
    expect(count).toBe(0);
    // Some are in the tube, some around it.
    let within = 0;
    for (let i = 6; i < 96; i += 3) {
      const [x, y, z] = scene.poses.subarray(7 * i, 7 * i + 3) as never as [number, number, number];
      expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(0.9);
      expect(z).toBeGreaterThanOrEqual(0.3);
      expect(z).toBeLessThanOrEqual(0.9);
      if (Math.hypot(x, y) < 0.4) within++;
    }
    expect(within).toBeGreaterThan(0);
    expect((await parse({ shapes, bodies: bodies(3) })).poses).toEqual(scene.poses);
    expect((await parse({ shapes, bodies: bodies(4) })).poses).not.toEqual(scene.poses);
  });

  it('lie in a cone', async () => {
    const region = { base: [1, 2, 3], radius: 0.2, topRadius: 0.6, height: 1 };
    const { poses } = await parse({
      shapes: { ball },
      bodies: [{ shape: 'ball', random: { count: 20, region } }],
    });
    for (let i = 0; i < 20; i++) {
      const [x, y, z] = [poses[7 * i]! - 1, poses[7 * i + 1]! - 2, poses[7 * i + 2]! - 3];
      expect(Math.min(z, 1 - z)).toBeGreaterThanOrEqual(0.1 - 1e-12);
      expect((0.2 + 0.4 * z - Math.hypot(x, y)) / Math.hypot(1, 0.4)).toBeGreaterThanOrEqual(0.1 - 1e-12);
    }
  });

  it.each([
    [
      { count: 400, region: { low, high } },
      /random\.region has room for \d+ of 400 bodies: the balls around them have 42 % of its volume, and random/,
    ],
    [{ count: 1, region: { low, high: [1, 1, 0.1] } }, /region has room for 0 of 1 bodies/],
    // None is put down first.
    [
      { count: 1e5, region: { low, high } },
      /has room for 0 of 100000 bodies: the balls .* have 1\.0e\+4 % of/,
    ],
    // Farther out the cells of places are no whole numbers that differ by 1, and no search ends.
    [
      { count: 5, region: { low: [-2.2e19, 0, 0], high: [2.2e19, 1, 1] } },
      'random.region reaches 22000000000000000000 from the origin, expected 109951162777.6 at most: 1099511627776',
    ],
    [{ count: 5, region: { base: low, radius: 1e300, height: 1 } }, /region reaches 1e\+300 from the origin/],
    [{ count: 0, region: { low, high } }, 'random.count is 0, expected a whole number from 1 to 10000000'],
    [{ count: 1, region: { low, high: low } }, 'random.region.high[0] is -1, expected more than low, -1'],
    [{ count: 1, region: { base: low, radius: 1 } }, 'random.region.height is missing, expected a number'],
    [{ count: 1, region: {}, gap: 1 }, 'random: unknown field "gap", expected count, region, seed'],
  ])('%j is refused', async (random, message) => {
    await expect(parse({ shapes, bodies: [{ shape: 'ball', random }] })).rejects.toThrow(message);
  });

  it('are made until a signal says stop, also where they stand in a grid', async () => {
    const signal = AbortSignal.timeout(1);
    const bodies = [{ shape: 'ball', grid: { counts: [100, 100, 200], spacing: 1 } }];
    const reading = parseScene(JSON.stringify({ shapes, bodies }), { signal });
    await expect(reading).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('are sought until a signal says stop', async () => {
    const signal = AbortSignal.timeout(1);
    const bodies = [{ shape: 'ball', random: { count: 1e5, region: { low, high: [100, 100, 500] } } }];
    const text = JSON.stringify({ shapes, bodies });
    await expect(parseScene(text, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it.each([
    [{ position: [0, 0, 1] }, 'bodies[0] has position and random, expected a region in random alone'],
    [{ static: true }, 'bodies[0] has ball, which stands, expected bodies that move'],
    [{ grid: {} }, 'bodies[0] has grid and random, expected one of them'],
  ])('a body with %j and random is refused', async (more, message) => {
    const random = { count: 1, region: { low, high } };
    await expect(parse({ shapes, bodies: [{ shape: 'ball', random, ...more }] })).rejects.toThrow(message);
  });
});

describe('a source', () => {
  const source = {
    count: 25,
    batch: 10,
    every: 0.5,
    from: 1,
    region: { low: [-0.5, -0.5, 3], high: [0.5, 0.5, 4] },
  };
  const scene = { shapes: { ball }, materials: { one: { density: 1, youngsModulus: 1 } } };

  it('gives its bodies in batches, with their velocity', async () => {
    const bodies = [{ shape: 'ball' }, { name: 'drop', shape: 'ball', velocity: [0, 0, -1], source }];
    const { bodies: own } = simulationScene(await parse({ ...scene, bodies }));
    const times = Array.from({ length: 26 }, (_, i) => (i === 0 ? 0 : 1 + 0.5 * Math.floor((i - 1) / 10)));
    expect([...own.appearsAt!]).toEqual(times);
    expect([...own.velocities!.subarray(0, 6)]).toEqual([0, 0, 0, 0, 0, -1]);
    // Bodies of one batch do not touch.
    for (let i = 1; i < 26; i++) {
      for (let j = 1; j < i; j++) {
        if (times[i] !== times[j]) continue;
        const apart = [0, 1, 2].map((k) => own.poses[7 * i + k]! - own.poses[7 * j + k]!);
        expect(Math.hypot(...apart)).toBeGreaterThan(0.2);
      }
    }
    const plain = simulationScene(await parse({ ...scene, bodies: bodies.slice(0, 1) }));
    expect(plain.bodies.appearsAt).toBeUndefined();
  });

  it('whose bodies have not left when the next ones come is refused', async () => {
    const body = { shape: 'ball', source: { ...source, every: 0.4 } };
    await expect(parse({ ...scene, bodies: [body] })).rejects.toThrow(
      /^scene: bodies\[0\]\.source\.every is 0\.4: .* move by \[0,0,0\.78.*they leave a region of \[1,1,1\]/,
    );
  });
});

describe('sizes', () => {
  const radii = async (sizes: object, count = 100) => {
    const grid = { counts: [count, 1, 1], spacing: 1 };
    const { shapes, bodies, names } = await parse({
      shapes: { ball },
      bodies: [{ shape: 'ball', sizes, grid }],
    });
    expect(names.shapes).toHaveLength(shapes.length);
    return Array.from(bodies.shapes, (shape) => (shapes[shape] as { radius: number }).radius / 0.1).sort(
      (a, b) => a - b,
    );
  };
  const mean = (all: number[]) => all.reduce((sum, x) => sum + x, 0) / all.length;

  it('follow distributions, as many bodies of each size', async () => {
    const uniform = await radii({ kind: 'uniform', from: 1, to: 2, count: 4 });
    expect([0, 25, 50, 75].map((i) => uniform[i])).toEqual(
      [1.125, 1.375, 1.625, 1.875].map((x) => expect.closeTo(x, 9)),
    );
    const normal = await radii({ kind: 'normal', mean: 2, deviation: 0.5, from: 0.5, to: 3.5, count: 50 });
    expect(mean(normal)).toBeCloseTo(2, 6);
    // The normal distribution has 15.87 % below its mean less the deviation.
    expect(normal.filter((x) => x < 1.5)).toHaveLength(16);
    const lognormal = await radii(
      { kind: 'lognormal', median: 2, deviation: 0.3, from: 0.2, to: 20, count: 99 },
      99,
    );
    expect(lognormal[49]).toBeCloseTo(2, 3);
    expect(mean(lognormal.map(Math.log))).toBeCloseTo(Math.log(2), 3);
  });

  it('follow sieves, whose shares are of the mass', async () => {
    const sieved = await radii({ kind: 'sieves', sizes: [1, 2], shares: [1, 1] }, 90);
    expect(sieved.filter((x) => x === 1)).toHaveLength(80);
    expect(sieved.filter((x) => x === 2)).toHaveLength(10);
  });

  it('scale every kind of shape', async () => {
    const bodies = ['rock', 'box', 'dumbbell'].map((shape) => ({
      shape,
      sizes: { kind: 'sieves', sizes: [2], shares: [1] },
      grid: { counts: [1, 1, 1], spacing: 1 },
    }));
    const place = { position: [1, 0, 0], rotation: [0, 0, 1, 0] };
    const dumbbell = { kind: 'parts', parts: [{ shape: ball }, { shape: ball, ...place }] };
    const shapes = { rock: { ...rock, reach: 0.03 }, box, dumbbell };
    const scene = await parse({ shapes, bodies });
    expect([...scene.bodies.shapes]).toEqual([3, 4, 5]);
    expect(scene.names.shapes[3]).toBe('scene: shapes.rock of size 2');
    const [small, , , large, sum, parts] = scene.shapes as never as [
      { mesh: { positions: Float32Array } },
      unknown,
      unknown,
      { mesh: { positions: Float32Array }; reach: number },
      unknown,
      unknown,
    ];
    expect(large.mesh.positions).toEqual(small.mesh.positions.map((x) => 2 * x));
    expect(large.reach).toBe(0.06);
    expect(sum).toMatchObject({
      b: { kind: 'box', halfExtents: [0.2, 0.1, 0.1] },
      place: { position: [2, 0, 0] },
    });
    expect(parts).toMatchObject({
      parts: [
        { shape: { radius: 0.2 } },
        { shape: { radius: 0.2 }, position: [2, 0, 0], rotation: [0, 0, 1, 0] },
      ],
    });
  });

  it.each([
    [{ kind: 'gauss' }, 'sizes.kind is "gauss", expected uniform, normal, lognormal, sieves'],
    [{ kind: 'uniform', from: 2, to: 1 }, 'sizes.to is 1, expected at least 2, where it begins'],
    [{ kind: 'normal', mean: 1, from: 1, to: 2 }, 'sizes.deviation is missing, expected a number'],
    [
      { kind: 'normal', mean: 1, deviation: 1e-3, from: 2, to: 3 },
      'sizes has no sizes from 2 to 3, expected a range',
    ],
    [
      { kind: 'sieves', sizes: [1, 2], shares: [1] },
      'sizes.shares has 1 shares, expected 2, one for each size',
    ],
    [
      { kind: 'uniform', from: 1, to: 2, count: 0 },
      'sizes.count is 0, expected a whole number from 1 to 100',
    ],
  ])('%j is refused', async (sizes, message) => {
    await expect(radii(sizes)).rejects.toThrow(message);
  });

  it('of one body are refused', async () => {
    const sizes = { kind: 'uniform', from: 1, to: 2 };
    await expect(parse({ shapes: { ball }, bodies: [{ shape: 'ball', sizes }] })).rejects.toThrow(
      'scene: bodies[0] has sizes, expected grid, random, source with them',
    );
  });
});

describe('space', () => {
  const shapes = { ball };
  it('may repeat, and end at planes', async () => {
    const scene = {
      shapes,
      materials: { one: { density: 1, youngsModulus: 1 } },
      bodies: [{ shape: 'ball' }],
      box: { low, high, periodic: [true, false, false] },
      removal: [{ point: [0, 0, -1], normal: [0, 0, -1] }],
    };
    const { box: space, removal } = simulationScene(await parse(scene));
    expect(space).toEqual(scene.box);
    expect(removal).toEqual(scene.removal);
  });

  it.each([
    [
      { bounds: { low, high: [1, 1, low[2]] } },
      `bounds.high[2] is ${low[2]}, expected more than low, ${low[2]}`,
    ],
    [{ box: { low, high } }, 'box.periodic is missing, expected true or false for each of x, y and z'],
    [
      { box: { low, high, periodic: [true] } },
      'box.periodic is [true], expected true or false for each of x, y and z',
    ],
    [
      { box: { low, high: low, periodic: [true, true, true] } },
      'box.high[0] is -1, expected more than low, -1',
    ],
    [
      { removal: [{ point: low, normal: [0, 0, 0] }] },
      'removal[0].normal is [0,0,0], expected a vector longer than 0',
    ],
    [{ removal: [{ normal: low }] }, 'removal[0].point is missing, expected 3 numbers'],
  ])('%j is refused', async (more, message) => {
    await expect(parse({ shapes, bodies: [], ...more })).rejects.toThrow(`scene: ${message}`);
  });
});

it('bodies are counted over the whole scene before any is made', async () => {
  const grid = { counts: [1000, 1000, 10], spacing: 1 };
  const bodies = [{ shape: 'ball', grid }, { shape: 'ball' }];
  await expect(parse({ shapes: { ball }, bodies })).rejects.toThrow(
    'bodies[1] is beyond 10000000 bodies, expected so many at most in all',
  );
});

it('bodies are told, and their memory is asked for, before any is made', async () => {
  const counts: number[] = [];
  const bodies = [{ shape: 'ball', grid: { counts: [1000, 1000, 5], spacing: 1 } }, { shape: 'ball' }];
  const text = JSON.stringify({ shapes: { ball }, bodies });
  const reading = parseScene(text, {
    onBodies(count) {
      counts.push(count);
      throw new InputError('this is more than anybody has');
    },
  });
  await expect(reading).rejects.toThrow('scene: this is more than anybody has');
  expect(counts).toEqual([5_000_001]);
  expect(requireMemory(1000, 1500, 2 ** 30)).toBe(1.5e6);
  expect(() => requireMemory(5e6, 1500, 2 ** 32)).toThrow(
    '5,000,000 bodies need 7.0 GiB of memory at least, found 4.0 GiB, expected fewer bodies',
  );
});

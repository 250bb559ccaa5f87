import { describe, expect, it } from 'vitest';
import { countTasks, sceneOfTask, tasksOf } from '../../src/sweep/design.ts';
import { parseSweep } from '../../src/sweep/parse-sweep.ts';

const scene = {
  shapes: { ball: { kind: 'sphere', radius: 1 } },
  materials: { 'a/b~c': { density: 1, youngsModulus: 1 }, soft: { density: 1, youngsModulus: 1 } },
  bodies: [
    { shape: 'ball' },
    { shape: 'ball', source: { count: 2 } },
    { shape: 'ball', random: { seed: 4 } },
  ],
};
const density = '/materials/soft/density';
const stiffness = '/materials/soft/youngsModulus';
const tasks = (fields: object) => tasksOf(parseSweep({ scene, ...fields }, 'sweep.json'));
const values = (parameter: object, fields: object = {}) =>
  tasks({ parameters: { p: { path: density, ...parameter } }, ...fields }).map(
    ({ parameters }) => parameters.p,
  );

describe('tasks of a sweep', () => {
  it('are a grid: the last parameter is faster, repetitions are fastest', () => {
    const all = tasks({
      parameters: {
        b: { path: density, values: [1, 2] },
        a: { path: stiffness, from: 10, to: 30, count: 3 },
      },
      repetitions: 2,
    });
    expect(all.map(({ task }) => task)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    expect(all.map(({ parameters: { a, b }, repetition }) => `${b} ${a} ${repetition}`)).toEqual([
      ...['1 10 1', '1 10 2', '1 20 1', '1 20 2', '1 30 1', '1 30 2'],
      ...['2 10 1', '2 10 2', '2 20 1', '2 20 2', '2 30 1', '2 30 2'],
    ]);
  });

  it('have ranges in even steps and even ratios, to their ends', () => {
    expect(values({ from: 0.1, to: 0.5, count: 5 })).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(values({ from: 1e6, to: 1e8, scale: 'log', count: 3 })).toEqual([1e6, 1e7, 1e8]);
    expect(values({ from: 1000, to: 0.1, scale: 'log', count: 5 })).toEqual([1000, 100, 10, 1, 0.1]);
    const thirds = values({ from: 2, to: 3, scale: 'log', count: 4 }) as number[];
    thirds.forEach((x, i) => {
      expect(x).toBeCloseTo(2 * 1.5 ** (i / 3), 10);
    });
    expect(values({ seeds: 4 })).toEqual([1, 2, 3, 4]);
  });

  it.each(['linear', 'log'] as const)('sample a Latin hypercube: one value in each stratum (%s)', (scale) => {
    const samples = 50;
    const range = { from: 2, to: 32, scale };
    const all = tasks({
      parameters: { x: { path: density, ...range }, y: { path: stiffness, ...range } },
      samples,
      seed: 3,
    });
    const share = (x: number) => (scale === 'log' ? Math.log2(x / 2) / 4 : (x - 2) / 30);
    for (const name of ['x', 'y']) {
      const strata = all.map(({ parameters }) => Math.floor(share(parameters[name] as number) * samples));
      expect([...strata].sort((a, b) => a - b)).toEqual(Array.from({ length: samples }, (_, i) => i));
      expect(strata).not.toEqual([...strata].sort((a, b) => a - b));
    }
    // Columns are shuffled by themselves.
    expect(all.filter(({ parameters: { x, y } }) => share(x as number) === share(y as number))).toEqual([]);
  });

  it('have all samples for each combination of the other parameters', () => {
    const all = tasks({
      parameters: {
        x: { path: density, from: 0, to: 1 },
        kind: { path: stiffness, values: [1, 2] },
      },
      samples: 3,
      repetitions: { count: 2, path: '/bodies/2/random/seed' },
    });
    expect(all.map(({ parameters: { kind } }) => kind)).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
    const xs = all.map(({ parameters: { x } }) => x);
    expect(xs.slice(6)).toEqual(xs.slice(0, 6));
    expect(xs[0]).toBe(xs[1]);
    expect(new Set(xs).size).toBe(3);
  });

  it('have seeds of their own, never one twice, in the range of the scene', () => {
    const all = tasks({
      parameters: { p: { path: density, seeds: 100 } },
      repetitions: { count: 50, path: ['/bodies/1/source/seed', '/bodies/2/random/seed'] },
    });
    const seeds = all.flatMap((task) => task.seeds);
    expect(seeds).toHaveLength(10_000);
    expect(new Set(seeds).size).toBe(10_000);
    expect(seeds.filter((seed) => !Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32)).toEqual([]);
  });

  it('are the same on every machine, and others for another seed', () => {
    const sweep = {
      parameters: {
        x: { path: density, from: 1, to: 100, scale: 'log' },
        y: { path: stiffness, from: 0, to: 1 },
      },
      samples: 3,
      repetitions: { count: 1, path: '/bodies/2/random/seed' },
    };
    const told = (seed: number) =>
      tasks({ ...sweep, seed }).map(({ parameters: { x, y }, seeds }) => [x, y, seeds[0]]);
    expect(told(7)).toEqual([
      [1.48026230799, 0.202983604976907, 1387256912],
      [16.4270309163, 0.826037740024428, 851056904],
      [31.6506233366, 0.636053323047236, 3981226141],
    ]);
    expect(told(8)).not.toEqual(told(7));
  });

  it('have no combinations twice over: without parameters they are repetitions alone', () => {
    expect(tasks({ repetitions: 3 }).map(({ repetition }) => repetition)).toEqual([1, 2, 3]);
    expect(countTasks(parseSweep({ scene }, 'sweep.json'))).toBe(1);
  });
});

describe('the scene of a task', () => {
  it('has the values at all paths, and fields that it had not; the sweep keeps its own', () => {
    const sweep = parseSweep(
      {
        scene,
        parameters: {
          friction: { path: ['/materials/a~1b~0c/friction', '/materials/soft/friction'], values: [0.5] },
          bodies: { path: '/bodies/0', values: [{ shape: 'ball', static: true }] },
        },
        repetitions: 2,
      },
      'sweep.json',
    );
    const [task] = tasksOf(sweep);
    const made = sceneOfTask(sweep, task!) as unknown as Record<string, never>;
    expect(made).toEqual({
      shapes: scene.shapes,
      materials: {
        'a/b~c': { density: 1, youngsModulus: 1, friction: 0.5 },
        soft: { density: 1, youngsModulus: 1, friction: 0.5 },
      },
      bodies: [
        { shape: 'ball', static: true },
        // A number of repetitions means seeds of all bodies that come at random.
        { shape: 'ball', source: { count: 2, seed: task!.seeds[0] } },
        { shape: 'ball', random: { seed: task!.seeds[1] } },
      ],
    });
    expect(scene.bodies[0]).toEqual({ shape: 'ball' });
    expect(sweep.scene).toEqual(scene);
  });
});

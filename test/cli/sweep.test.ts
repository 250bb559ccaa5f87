import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scree } from './scree.ts';
import { at, folder, friction, json, scene, start, sweep, task, write } from './sweep-runs.ts';

describe('scree sweep', () => {
  it('lists what would run, without a folder', async () => {
    const { code, stdout } = await sweep('small.json', '--list');
    expect(code).toBe(0);
    const rows = stdout.split('\n').slice(2, 7);
    expect(rows[0]).toMatch(/^task +state +friction +repetition +seed$/);
    expect(rows[4]).toMatch(/^4 +new +0\.5 +2 +\d+$/);
    expect(stdout).toMatch(/\n4 tasks\n$/);
    const { count, tasks } = JSON.parse((await sweep('small.json', '--list', '--json')).stdout);
    expect(count).toBe(4);
    expect(tasks[2]).toMatchObject({ task: 3, parameters: { friction: 0.5 }, repetition: 1, state: 'new' });
    expect(readdirSync(folder)).not.toContain('tasks');
  });

  it('runs one task in a folder of its own, once', async () => {
    const first = ['sweep', 'small.json', '--out', 'one', '--task', '3', '--quiet'];
    const { code, stdout, stderr } = await scree(first, { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^task 3 of 4: friction 0\.5, repetition 1, seed \d+\n\nwrote one.tasks.0003\n$/);
    expect(readdirSync(at('one')).sort()).toEqual(['sweep.json', 'tasks']);
    expect(readdirSync(at('one', 'tasks', '0003')).sort()).toEqual([
      'checkpoint.sim',
      'monitors.csv',
      'monitors.svg',
      'scene.json',
      'task.json',
    ]);
    const record = task('one', 3);
    expect(record).toMatchObject({ task: 3, parameters: { friction: 0.5 }, repetition: 1, state: 'done' });
    expect(record).toMatchObject({ backend: 'cpu', stateHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const own = json('one', 'tasks', '0003', 'scene.json');
    expect(own.materials.soft.friction).toBe(0.5);
    expect(own.bodies[1].source.seed).toBe(record.seed);
    const again = await sweep('small.json', '--out', 'one', '--task', '3');
    expect(again).toEqual({ code: 0, stdout: 'task 3 is done: not run again\n', stderr: '' });
    expect(task('one', 3)).toEqual(record);
    // The same run by hand ends in the same state.
    const run = ['simulate', 'one/tasks/0003/scene.json', '--out', 'hand', '--no-series', '--no-picture'];
    const hand = await scree([...run, '--json', '--quiet'], { cwd: folder });
    expect(JSON.parse(hand.stdout).stateHash).toBe(record.stateHash);
  });

  it('runs all tasks, several at once, and leaves out those that are done', async () => {
    const { code, stdout } = await sweep('small.json', '--out', 'one', '--jobs', '2', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      ...{ tasks: 4, done: 3, before: 1, stopped: 0, elsewhere: 0, left: 0, failed: [], out: 'one' },
    });
    const records = [1, 2, 3, 4].map((number) => task('one', number));
    expect(records.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
    expect(new Set(records.map(({ stateHash }) => stateHash)).size).toBe(4);
    const listed = await sweep('small.json', '--out', 'one', '--list');
    expect(listed.stdout.match(/ done /g)).toHaveLength(4);
  });

  it('makes its folder once, where many tasks begin at the same time', async () => {
    const all = [1, 2, 3, 4].map(
      (number) => start('small.json', '--out', 'many', '--task', `${number}`, '--quiet').ended,
    );
    for (const one of await Promise.all(all)) expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(json('many', 'sweep.json')).toEqual(json('one', 'sweep.json'));
    expect(readdirSync(at('many')).sort()).toEqual(['sweep.json', 'tasks']);
  });

  it('leaves a folder to the sweep that it is of', async () => {
    const other = { scene, parameters: { friction: { ...friction, values: [0.1, 0.6] } }, repetitions: 2 };
    const { code, stderr } = await sweep(write('other.json', other), '--out', 'one');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'scree: one/sweep.json: of another sweep: parameters.friction.values.1 0.5 found, expected 0.6: choose ' +
        'another folder\n',
    });
    const changed = { ...scene, gravity: [0, 0, -1] };
    const low = write('low.json', { scene: changed, parameters: { friction }, repetitions: 2 });
    expect((await sweep(low, '--out', 'one')).stderr).toMatch(
      /of another sweep: scene\.gravity none found, expected \[0,0,-1\]: choose/,
    );
    // The same one, with its scene in it.
    const same = write('same.json', { scene, parameters: { friction }, repetitions: 2 });
    expect((await sweep(same, '--out', 'one', '--task', '1')).code).toBe(0);
  });

  it('finds files beside the scene, and knows when they change', async () => {
    mkdirSync(at('study'));
    mkdirSync(at('meshes'));
    for (const [name, triangles] of [
      ['a.ply', '80'],
      ['b.ply', '200'],
    ] as const) {
      const made = await scree(['generate', 'rock', '--triangles', triangles, '--out', at('meshes', name)]);
      expect(made.code).toBe(0);
    }
    const rock = { kind: 'polyhedron', file: 'a.ply' };
    const shapes = { ...scene.shapes, rock };
    const bodies = [{ shape: 'ground' }, { shape: 'rock', position: [0, 0, 3] }];
    write(join('meshes', 'rocks.json'), { ...scene, shapes, bodies, duration: 0.002 });
    write(join('study', 'rocks.json'), {
      scene: '../meshes/rocks.json',
      parameters: { rock: { path: '/shapes/rock/file', values: ['a.ply', 'b.ply'] } },
    });
    const args = ['study/rocks.json', '--out', 'study/rocks'] as const;
    expect(await sweep(...args)).toMatchObject({ code: 0, stderr: '' });
    expect(Object.keys(json('study', 'rocks', 'sweep.json').files).sort()).toEqual(['a.ply', 'b.ply']);
    expect(json('study', 'rocks', 'tasks', '0002', 'scene.json').shapes.rock.file).toBe(
      join('..', '..', '..', '..', 'meshes', 'b.ply'),
    );
    writeFileSync(at('meshes', 'b.ply'), readFileSync(at('meshes', 'a.ply')));
    const { code, stderr } = await sweep(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /rocks.sweep\.json: of another sweep: files\.b\.ply "[0-9a-f]+\.\.\. found, expected "/,
    );
    rmSync(at('meshes', 'b.ply'));
    expect(await sweep(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/b\.ply: no such file\n$/),
    });
  });

  const soft = '/materials/soft';
  it.each<[unknown, string | RegExp]>([
    ['{', /^bad\.json: is no JSON \(/],
    [{ scene: 'none.json' }, /^bad\.json: scene: .*none\.json: no such file$/],
    [
      { scene: 'scene.json', parameters: { p: { path: '/materials/hard/friction', values: [1] } } },
      'bad.json: parameters.p.path is "/materials/hard/friction": no hard in /materials, expected soft',
    ],
    [
      { scene: { ...scene, duration: undefined } },
      'bad.json: scene of task 1: duration is missing, expected a time there or in simulate of the sweep',
    ],
    [
      { scene, parameters: { friction: { ...friction, values: [0.1, -1] } } },
      'bad.json: scene of task 2: materials.soft.friction is -1, expected a number of 0 or more',
    ],
    [
      { scene, parameters: { friction: { path: friction.path, from: -1e-5, to: 1 } }, samples: 3 },
      'bad.json: scene of friction -0.00001: materials.soft.friction is -0.00001, expected a number of 0 or more',
    ],
    // The reader of scenes knows which fields there are.
    [
      { scene, parameters: { p: { path: `${soft}/frictoin`, values: [1] } } },
      /^bad\.json: scene of task 1: materials\.soft: unknown field "frictoin", expected density, /,
    ],
    [
      { scene, parameters: { p: { path: `${soft}/density`, values: [-1] } } },
      'bad.json: scene of task 1: materials.soft.density is -1, expected a number above 0',
    ],
  ])('refuses %j with one line, and makes nothing', async (value, message) => {
    writeFileSync(at('bad.json'), typeof value === 'string' ? value : JSON.stringify(value));
    const { code, stderr } = await sweep('bad.json', '--out', 'bad');
    expect(code).toBe(2);
    expect(stderr.split('\n')).toHaveLength(2);
    const line = stderr.trim().replace('scree: ', '');
    if (typeof message === 'string') expect(line).toBe(message);
    else expect(line).toMatch(message);
    expect(existsSync(at('bad'))).toBe(false);
    expect(await sweep('bad.json', '--list')).toEqual({ code: 2, stdout: '', stderr });
  });

  it('takes the folder of a sweep that was begun in place of its file', async () => {
    const own = write(join('study', 'own.json'), { scene: '../meshes/rocks.json', repetitions: 1 });
    expect(await sweep(own, '--out', 'begun', '--task', '1')).toMatchObject({ code: 0, stderr: '' });
    expect(await sweep('begun', '--task', '1')).toMatchObject({
      stdout: 'task 1 is done: not run again\n',
    });
    expect((await sweep('begun', '--list', '--task', '1')).stdout).toMatch(/\n1 +done +1\n\n1 task\n$/);
    expect(await sweep('begun')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/done before +1\n/),
    });
    expect(await sweep('begun', '--out', 'other')).toMatchObject({
      ...{ code: 2, stderr: 'scree: begun and --out other: expected one folder\n' },
    });
  });

  it('lists a task whose process is gone as stopped, and one whose file is damaged as that', async () => {
    const file = (number: number) => at('one', 'tasks', `000${number}`, 'task.json');
    const whole = [1, 2].map((number) => readFileSync(file(number), 'utf8'));
    try {
      writeFileSync(file(1), JSON.stringify({ ...JSON.parse(whole[0]!), state: 'running' }));
      writeFileSync(file(2), '{}');
      const { tasks } = JSON.parse((await sweep('one', '--list', '--json')).stdout);
      expect(tasks.map(({ state }: { state: string }) => state)).toEqual([
        'stopped',
        'damaged',
        'done',
        'done',
      ]);
      const { stdout } = await sweep('one', '--collect', 'kinetic last', '--json');
      expect(JSON.parse(stdout).leftOut).toMatchObject([
        { task: 1, state: 'stopped' },
        { task: 2, state: 'unusable', line: expect.stringContaining('task.json: damaged: task undefined') },
      ]);
    } finally {
      for (const [i, text] of whole.entries()) writeFileSync(file(i + 1), text);
    }
  });

  it.each([
    [['small.json'], "required option '--out <folder>' not specified"],
    [['small.json', '--out', 'x', '--task', '5'], 'small.json: task 5 asked for, expected 1 to 4'],
    [['small.json', '--out', 'x', '--task', '1', '--jobs', '2'], '--task and --jobs: expected one of them'],
    [['-', '--out', 'x'], '-: expected the name of a file: tasks read it again'],
    [['none.json', '--out', 'x'], 'none.json: no such file'],
    [['small.json', '--out', 'small.json'], 'small.json: cannot be written: there is a file of that name'],
  ])('refuses %j', async (args, message) => {
    expect(await sweep(...args)).toEqual({ code: 2, stdout: '', stderr: `scree: ${message}\n` });
  });
});

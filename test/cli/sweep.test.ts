import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Ended, scree, startScree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const sweep = (...args: string[]) => scree(['sweep', ...args, '--quiet'], { cwd: folder });
const start = (...args: string[]) => startScree(['sweep', ...args], { cwd: folder });
const at = (...path: string[]) => join(folder, ...path);
const json = (...path: string[]) => JSON.parse(readFileSync(at(...path), 'utf8'));
const task = (out: string, number: number) => json(out, 'tasks', `${number}`.padStart(4, '0'), 'task.json');
function write(name: string, value: unknown): string {
  writeFileSync(at(name), JSON.stringify(value));
  return name;
}

/** Balls that fall, two at a time. */
const scene = {
  shapes: { ground: { kind: 'plane' }, ball: { kind: 'sphere', radius: 0.5 } },
  materials: { soft: { density: 1000, youngsModulus: 1e6 } },
  bodies: [
    { shape: 'ground' },
    {
      name: 'ball',
      shape: 'ball',
      velocity: [0, 0, -1],
      source: { count: 4, batch: 2, every: 0.6, region: { base: [0, 0, 1], radius: 1.5, height: 1.3 } },
    },
  ],
  duration: 1,
};
const friction = { path: '/materials/soft/friction', values: [0.1, 0.5] };
write('scene.json', scene);
write('small.json', { scene: 'scene.json', parameters: { friction }, repetitions: 2 });
/** Steps of a run that is still on its way when a test looks. */
const LONG = 30_000;
const timeStep = 0.0001;
const long = (count: number, steps: number) => ({
  scene: { ...scene, duration: undefined },
  parameters: { friction: { ...friction, values: friction.values.slice(0, count) } },
  simulate: { duration: steps * timeStep, timeStep, frames: 5 },
});
write('long.json', long(1, LONG));
write('two.json', long(2, LONG));
// No test waits for its end.
write('endless.json', long(2, 1000 * LONG));

/** Waits until tasks are on their way, and gives the processes that have them. */
async function begun(out: string, ...tasks: number[]): Promise<number[]> {
  const pidOf = (number: number) => {
    const own = at(out, 'tasks', `000${number}`);
    if (!existsSync(join(own, 'task.json')) || task(out, number).state !== 'running') return undefined;
    const lock = join(own, 'running.json');
    return existsSync(lock) ? (JSON.parse(readFileSync(lock, 'utf8')).pid as number) : undefined;
  };
  for (;;) {
    await sleep(50);
    const pids = tasks.map(pidOf);
    if (pids.includes(undefined)) continue;
    // Steps are made.
    await sleep(500);
    return pids as number[];
  }
}

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
    const { code, stdout, stderr } = await sweep('small.json', '--out', 'one', '--task', '3');
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
    const run = [
      'simulate',
      'one/tasks/0003/scene.json',
      '--out',
      'hand',
      '--no-series',
      '--no-picture',
      '--json',
    ];
    const hand = await scree([...run, '--quiet'], { cwd: folder });
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
    const all = [1, 2, 3, 4].map((number) => sweep('small.json', '--out', 'many', '--task', `${number}`));
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
    // The reader of scenes knows which fields there are.
    [
      { scene, parameters: { p: { path: `${soft}/frictoin`, values: [1] } } },
      /^bad\.json: scene of task 1: materials\.soft\.frictoin is no field of it, expected density, /,
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

/** A run that nothing breaks, to hold others against. */
let unbroken: string;
const args = ['long.json', '--out'] as const;
beforeAll(async () => {
  expect((await sweep(...args, 'unbroken', '--task', '1')).code).toBe(0);
  const { steps, stateHash } = task('unbroken', 1);
  expect(steps).toBe(LONG);
  unbroken = stateHash;
});

describe('a task that stops goes on, to the same state', () => {
  async function endsAlike(out: string): Promise<void> {
    expect(await sweep(...args, out, '--task', '1')).toMatchObject({ code: 0, stderr: '' });
    expect(task(out, 1)).toMatchObject({ state: 'done', stateHash: unbroken, steps: LONG });
    expect(readFileSync(at(out, 'tasks', '0001', 'monitors.csv'))).toEqual(
      readFileSync(at('unbroken', 'tasks', '0001', 'monitors.csv')),
    );
    expect(existsSync(at(out, 'tasks', '0001', 'running.json'))).toBe(false);
  }

  it('after SIGTERM', async () => {
    const running = start(...args, 'term', '--task', '1');
    await begun('term', 1);
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({
      code: 143,
      stderr: expect.stringMatching(/scree: interrupted\n$/),
    });
    expect(task('term', 1)).toMatchObject({ state: 'stopped', line: 'interrupted', code: 143 });
    expect(existsSync(at('term', 'tasks', '0001', 'checkpoint.sim'))).toBe(true);
    await endsAlike('term');
  });

  it('after --stop-after and kill -9', async () => {
    const stopped = await sweep(...args, 'killed', '--task', '1', '--stop-after', '1.2');
    expect(stopped).toMatchObject({ code: 75, stderr: 'scree: stopped after 1.2 s, not done yet\n' });
    expect(task('killed', 1)).toMatchObject({ state: 'stopped', code: 75 });
    const running = start(...args, 'killed', '--task', '1');
    await begun('killed', 1);
    running.child.kill('SIGKILL');
    expect((await running.ended).code).toBe(137);
    expect(task('killed', 1).state).toBe('running');
    // Left over: its process is gone.
    expect(existsSync(at('killed', 'tasks', '0001', 'running.json'))).toBe(true);
    // Two find it at the same time; one of them takes it over.
    const again = () => sweep(...args, 'killed', '--task', '1');
    const both = await Promise.all([again(), again()]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    await endsAlike('killed');
  });
});

describe('one process at a time', () => {
  const lock = (out: string) => at(out, 'tasks', '0001', 'running.json');

  it('has a task; a second one says who, and --jobs leaves it alone', async () => {
    const twice = ['endless.json', '--out', 'twice'] as const;
    const first = start(...twice, '--task', '1');
    await begun('twice', 1);
    const second = await sweep(...twice, '--task', '1');
    expect(second.code).toBe(1);
    expect(second.stderr).toBe(
      `scree: ${join('twice', 'tasks', '0001', 'running.json')}: the task is run by process ${first.child.pid} on ` +
        `${hostname()} since ${JSON.parse(readFileSync(lock('twice'), 'utf8')).start}\n`,
    );
    const jobs = await sweep(...twice, '--stop-after', '2', '--json');
    expect(jobs.code).toBe(75);
    expect(JSON.parse(jobs.stdout)).toMatchObject({ elsewhere: 1, stopped: 1, failed: [] });
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(143);
    expect(task('twice', 1).state).toBe('stopped');
  });

  /** The lock of a process on a machine that nothing can be asked. */
  function elsewhere(out: string): void {
    mkdirSync(at(out, 'tasks', '0001'), { recursive: true });
    const own = { host: 'node-7', pid: 1, start: '2026-01-01T00:00:00.000Z', process: '1-1-0123abcd' };
    writeFileSync(lock(out), JSON.stringify(own));
  }

  it('is known by its renewal on another machine', async () => {
    elsewhere('far');
    const waiting = start('small.json', '--out', 'far', '--task', '1');
    await waiting.sees('another machine has had task 1');
    await sleep(500);
    utimesSync(lock('far'), new Date(), new Date());
    expect(await waiting.ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /: the task is run by process 1 on node-7 since 2026-01-01T00:00:00\.000Z\n$/,
      ),
    });
  });

  it('takes over what another machine does not renew', { timeout: 90_000 }, async () => {
    elsewhere('gone');
    expect(await sweep('small.json', '--out', 'gone', '--task', '1')).toMatchObject({ code: 0, stderr: '' });
    expect(task('gone', 1).state).toBe('done');
  });

  it('stops where another process has taken its task over', { timeout: 60_000 }, async () => {
    const running = start('endless.json', '--out', 'lost', '--task', '1');
    await begun('lost', 1);
    const record = task('lost', 1);
    elsewhere('lost');
    expect(await running.ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/process 1 on node-7/),
    });
    // What the other one says of it counts, and its lock stays.
    expect(task('lost', 1)).toEqual(record);
    expect(JSON.parse(readFileSync(lock('lost'), 'utf8')).host).toBe('node-7');
  });
});

describe('--jobs', () => {
  it('goes on where a task fails, and tries it again when it is asked to', async () => {
    const values = [0.1, -1, 0.3];
    const some = write('some.json', { scene, parameters: { friction: { ...friction, values } } });
    const run = (...more: string[]) => sweep(some, '--out', 'some', '--jobs', '2', ...more);
    const line = 'some/tasks/0002/scene.json: materials.soft.friction is -1, expected a number of 0 or more';
    const first = await run();
    expect(first.code).toBe(1);
    expect(first.stderr).toBe(`scree: task 2: ${line}\n`);
    expect(first.stdout).toMatch(/\ndone +2 of 3 tasks\nfailed +1\n\ntask 2 failed: /);
    expect(task('some', 2)).toMatchObject({ state: 'failed', line, code: 2 });
    expect(await sweep(some, '--out', 'some', '--task', '2')).toMatchObject({
      code: 1,
      stderr: `scree: task 2 has failed: ${line} (--retry tries it again)\n`,
    });
    const before = task('some', 2);
    const second = JSON.parse((await run('--json')).stdout);
    expect(second).toMatchObject({ done: 0, before: 2, failed: [{ task: 2 }] });
    expect(task('some', 2)).toEqual(before);
    const third = await run('--retry', '--json');
    expect(third.code).toBe(1);
    expect(task('some', 2).seconds).toBeGreaterThan(before.seconds);
  });

  /** Starts two tasks at once. */
  async function startTwo(file: string, out: string) {
    const running = start(file, '--out', out, '--jobs', '2', '--json');
    return { running, pids: await begun(out, 1, 2) };
  }

  it('goes on where a process is killed, and so does its task afterwards', async () => {
    const { running, pids } = await startTwo('two.json', 'kill');
    process.kill(pids[0]!, 'SIGKILL');
    const { code, stdout, stderr } = await running.ended;
    const line = 'its process was ended by SIGKILL; it goes on when it is started again';
    expect(code).toBe(1);
    expect(stderr).toContain(`scree: task 1: ${line}\n`);
    expect(JSON.parse(stdout)).toMatchObject({ done: 1, failed: [{ task: 1, line }] });
    expect(task('kill', 1)).toMatchObject({ state: 'stopped', line });
    expect(task('kill', 2).state).toBe('done');
    expect((await sweep('two.json', '--out', 'kill', '--json')).code).toBe(0);
    expect(task('kill', 1)).toMatchObject({ state: 'done', stateHash: unbroken });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('passes %s on; all save', async (signal, exitCode) => {
    const { running, pids } = await startTwo('endless.json', signal);
    running.child.kill(signal);
    const { code, stdout } = await running.ended;
    expect(code).toBe(exitCode);
    expect(JSON.parse(stdout)).toMatchObject({ stopped: 2, failed: [] });
    for (const number of [1, 2]) {
      expect(task(signal, number)).toMatchObject({ state: 'stopped', line: 'interrupted', code: exitCode });
      expect(existsSync(at(signal, 'tasks', `000${number}`, 'checkpoint.sim'))).toBe(true);
    }
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('saves where a scheduler ends all processes of a job at once', async () => {
    const { running, pids } = await startTwo('endless.json', 'all');
    for (const pid of [...pids, running.child.pid!]) process.kill(pid, 'SIGTERM');
    const { code, stdout } = await running.ended;
    expect(code).toBe(143);
    expect(JSON.parse(stdout)).toMatchObject({ stopped: 2, failed: [] });
    for (const number of [1, 2]) {
      expect(task('all', number).state).toBe('stopped');
      expect(existsSync(at('all', 'tasks', `000${number}`, 'checkpoint.sim'))).toBe(true);
    }
  });

  it('leaves no processes behind when it is killed: they save', async () => {
    const { running, pids } = await startTwo('endless.json', 'orphans');
    running.child.kill('SIGKILL');
    const ended: Ended = await running.ended;
    expect(ended.code).toBe(137);
    const isThere = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    while (pids.some(isThere)) await sleep(50);
    for (const number of [1, 2])
      expect(task('orphans', number)).toMatchObject({ state: 'stopped', code: 143 });
  });

  it('stops after a time: 75, and what was not begun stays for the next call', async () => {
    const { code, stdout, stderr } = await sweep(
      ...['endless.json', '--out', 'after', '--jobs', '1', '--stop-after', '1.5', '--json'],
    );
    expect({ code, stderr }).toEqual({ code: 75, stderr: 'scree: stopped after 1.5 s, not done yet\n' });
    expect(JSON.parse(stdout)).toMatchObject({ done: 0, stopped: 1, left: 1, failed: [] });
    expect(existsSync(at('after', 'tasks', '0002'))).toBe(false);
  });
});

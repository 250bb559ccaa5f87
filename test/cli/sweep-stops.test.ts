/** Tasks of `scree sweep` that stop, fail or are killed, and processes that want the same one. */
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Ended, scree, startScree } from './scree.ts';
import {
  at,
  begun,
  folder,
  friction,
  LONG,
  scene,
  start,
  stoppedOnItsWay,
  sweep,
  task,
  write,
} from './sweep-runs.ts';

const lock = (out: string) => at(out, 'tasks', '0001', 'running.json');

/** The lock of a process on a machine that nothing can be asked. */
function elsewhere(out: string): void {
  mkdirSync(at(out, 'tasks', '0001'), { recursive: true });
  const own = { host: 'node-7', pid: 1, start: '2026-01-01T00:00:00.000Z', process: '1-1-0123abcd' };
  writeFileSync(lock(out), JSON.stringify(own));
}

/** Stops after so many seconds, or where a slow machine has not begun the first task by then, after twice as many. */
async function stopsAfter(seconds: number, own: string[], out: string) {
  const ended = await sweep(...own, '--stop-after', `${seconds}`);
  if (!existsSync(at(out, 'tasks', '0001', 'task.json'))) return stopsAfter(2 * seconds, own, out);
  return { ended, seconds };
}

/** Starts a run and ends it by a signal, on its way. */
async function endedBy(signal: NodeJS.Signals, out: string, ...own: string[]): Promise<Ended> {
  const running = start(...own);
  try {
    await begun(out, 1);
  } finally {
    running.child.kill(signal);
    await running.ended;
  }
  return running.ended;
}

/** A run that nothing breaks, to hold others against. */
let unbroken: string;
const args = ['long.json', '--out'] as const;
/** Waits until a lock that nobody renews has lapsed: begun first, in a process of its own, as it does no work. */
let taker: Promise<Ended>;
beforeAll(async () => {
  elsewhere('gone');
  taker = start('small.json', '--out', 'gone', '--task', '1', '--quiet').ended;
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
    const ended = await stoppedOnItsWay('term', () =>
      endedBy('SIGTERM', 'term', ...args, 'term', '--task', '1'),
    );
    expect(ended).toMatchObject({
      code: 143,
      stderr: expect.stringMatching(/scree: interrupted\n$/),
    });
    expect(task('term', 1)).toMatchObject({ state: 'stopped', line: 'interrupted', code: 143 });
    await endsAlike('term');
  });

  it('after --stop-after and kill -9', async () => {
    const own = [...args, 'killed', '--task', '1'];
    // Shorter where the task was done by then.
    let first = 1.2;
    const { ended, seconds } = await stoppedOnItsWay('killed', () => stopsAfter((first /= 2), own, 'killed'));
    expect(ended).toMatchObject({ code: 75, stderr: `scree: stopped after ${seconds} s, not done yet\n` });
    expect(task('killed', 1)).toMatchObject({ state: 'stopped', code: 75 });
    const killed = await stoppedOnItsWay('killed', () => endedBy('SIGKILL', 'killed', ...own));
    expect(killed.code).toBe(137);
    expect(task('killed', 1).state).toBe('running');
    // Left over: its process is gone.
    expect(existsSync(at('killed', 'tasks', '0001', 'running.json'))).toBe(true);
    // Two find it at the same time; one of them takes it over.
    const again = () => start(...own, '--quiet').ended;
    const both = await Promise.all([again(), again()]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 75]);
    await endsAlike('killed');
  });

  it.runIf(process.platform !== 'win32')('after a full disk', async () => {
    const own = ['sweep', 'small.json', '--out', 'full', '--quiet', '--task'];
    expect((await sweep('small.json', '--out', 'full', '--task', '1')).code).toBe(0);
    const full = await scree([...own, '2'], { cwd: folder, fileBlocks: 4 });
    const line = expect.stringMatching(
      /monitors\.(csv|svg): cannot be written: the file would be larger than the system/,
    );
    expect(full).toMatchObject({ code: 1, stderr: line });
    expect(task('full', 2)).toMatchObject({ state: 'stopped', code: 1, line });
    expect((await sweep('small.json', '--out', 'full', '--task', '2')).code).toBe(0);
    expect(task('full', 2).state).toBe('done');
  });

  it.runIf(process.platform === 'linux')('after kill -9, where nobody has asked how it ended', async () => {
    const own = ['sweep', ...args, 'zombie', '--task', '1'];
    const { shell, pid } = await stoppedOnItsWay('zombie', async () => {
      const shell = startScree(own, { cwd: folder, shell: '"$@" & exec sleep 300' });
      try {
        const [pid] = await begun('zombie', 1);
        process.kill(pid!, 'SIGKILL');
        return { shell, pid };
      } catch (error) {
        shell.child.kill('SIGKILL');
        throw error;
      }
    });
    while (!readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ')) await sleep(20);
    await endsAlike('zombie');
    shell.child.kill('SIGKILL');
    await shell.ended;
  });
});

it('saves where SIGTERM comes twice, from a scheduler and from its script', async () => {
  const running = start('endless.json', '--out', 'again', '--task', '1');
  await begun('again', 1);
  running.child.kill('SIGTERM');
  await sleep(5);
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(143);
  expect(task('again', 1)).toMatchObject({ state: 'stopped', code: 143 });
});

describe('one process at a time', () => {
  it('has a task; a second one says who, and --jobs leaves it alone', async () => {
    const twice = ['endless.json', '--out', 'twice'] as const;
    const first = start(...twice, '--task', '1');
    await begun('twice', 1);
    const second = await sweep(...twice, '--task', '1');
    expect(second.code).toBe(75);
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

  it('is known by its renewal on another machine', async () => {
    elsewhere('far');
    const waiting = start('small.json', '--out', 'far', '--task', '1');
    await waiting.sees('another machine has had task 1');
    await sleep(500);
    utimesSync(lock('far'), new Date(), new Date());
    expect(await waiting.ended).toMatchObject({
      code: 75,
      stderr: expect.stringMatching(
        /: the task is run by process 1 on node-7 since 2026-01-01T00:00:00\.000Z\n$/,
      ),
    });
  });

  it('takes over what another machine does not renew', { timeout: 90_000 }, async () => {
    expect(await taker).toMatchObject({ code: 0, stderr: '' });
    expect(task('gone', 1).state).toBe('done');
  });

  it('stops where another process has taken its task over', { timeout: 60_000 }, async () => {
    const running = start('endless.json', '--out', 'lost', '--task', '1');
    await begun('lost', 1);
    const record = task('lost', 1);
    elsewhere('lost');
    expect(await running.ended).toMatchObject({
      code: 75,
      stderr: expect.stringMatching(/process 1 on node-7/),
    });
    // What the other one says of it counts, and its lock stays.
    expect(task('lost', 1)).toEqual(record);
    expect(JSON.parse(readFileSync(lock('lost'), 'utf8')).host).toBe('node-7');
  });
});

describe('--jobs', () => {
  it('goes on where a task fails, and tries it again when it is asked to', async () => {
    // Its reader takes any step; a simulation does not.
    const step = { path: '/timeStep', values: [1e-3, 1, 2e-3] };
    const some = write('some.json', { scene, parameters: { step } });
    const run = (...more: string[]) => sweep(some, '--out', 'some', '--jobs', '2', ...more);
    const line = expect.stringMatching(
      /^some\/tasks\/0002\/scene\.json: timeStep is 1, expected at most 0\.\d+: /,
    );
    const first = await run();
    expect(first.code).toBe(1);
    expect(first.stderr).toMatch(/^scree: task 2: some\/tasks\/0002\/scene\.json: timeStep is 1, [^\n]*\n$/);
    expect(first.stdout).toMatch(/\ndone +2 of 3 tasks\nfailed +1\n\ntask 2 failed: /);
    expect(task('some', 2)).toMatchObject({ state: 'failed', line, code: 2 });
    expect(await sweep(some, '--out', 'some', '--task', '2')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^scree: task 2 has failed: some.* \(--retry tries it again\)\n$/),
    });
    const before = task('some', 2);
    const second = JSON.parse((await run('--json')).stdout);
    expect(second).toMatchObject({ done: 0, before: 2, failed: [{ task: 2 }] });
    expect(task('some', 2)).toEqual(before);
    const third = await run('--retry', '--json');
    expect(third.code).toBe(1);
    expect(task('some', 2).seconds).toBeGreaterThan(before.seconds);
  });

  it.runIf(process.platform !== 'win32')('stops once where files cannot be written', async () => {
    const values = [0.1, 0.2, 0.3, 0.4];
    const simulate = { duration: 0.01 };
    const parameters = { friction: { ...friction, values } };
    const many = write('many.json', { scene: { ...scene, duration: undefined }, parameters, simulate });
    const own = ['sweep', many, '--out', 'no-room', '--quiet'];
    const { code, stdout, stderr } = await scree([...own, '--json'], { cwd: folder, fileBlocks: 4 });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^scree: task 1: [^\n]* the file would be larger than the system [^\n]*\n$/);
    expect(JSON.parse(stdout)).toMatchObject({ done: 0, left: 3, failed: [{ task: 1 }] });
    // With room again, all of them are done: short ones by one process.
    const pids = new Set<number>();
    const running = startScree([...own, '--json'], { cwd: folder });
    const look = setInterval(() => {
      for (const number of [1, 2, 3, 4]) {
        const lock = at('no-room', 'tasks', `000${number}`, 'running.json');
        const text = existsSync(lock) ? readFileSync(lock, 'utf8') : '';
        if (text !== '') pids.add(JSON.parse(text).pid);
      }
    }, 5);
    expect(JSON.parse((await running.ended).stdout)).toMatchObject({ done: 4, failed: [] });
    clearInterval(look);
    expect(pids.size).toBe(1);
  });

  /** What the parent says when both children make steps, of which there are many. */
  const MOVING = '1: 0 %, 2: 0 %';

  /** Starts two tasks at once. */
  async function startTwo(file: string, out: string) {
    const running = start(file, '--out', out, '--jobs', '2', '--json');
    try {
      return { running, pids: await begun(out, 1, 2) };
    } catch (error) {
      await running.ended;
      throw error;
    }
  }

  it('goes on where a process is killed, and so does its task afterwards', async () => {
    const { code, stdout, stderr } = await stoppedOnItsWay('kill', async () => {
      const { running, pids } = await startTwo('two.json', 'kill');
      process.kill(pids[0]!, 'SIGKILL');
      return running.ended;
    });
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
    await running.sees(MOVING);
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
    await running.sees(MOVING);
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
    const own = ['endless.json', '--out', 'after', '--jobs', '1', '--json'];
    const { ended, seconds } = await stopsAfter(1.5, own, 'after');
    const { code, stdout, stderr } = ended;
    expect({ code, stderr }).toEqual({
      code: 75,
      stderr: `scree: stopped after ${seconds} s, not done yet\n`,
    });
    expect(JSON.parse(stdout)).toMatchObject({ done: 0, stopped: 1, left: 1, failed: [] });
    expect(existsSync(at('after', 'tasks', '0002'))).toBe(false);
  });
});

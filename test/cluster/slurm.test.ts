/**
 * Shards and sweeps on a real Slurm, as `scripts/slurm-here.sh up` starts one: a node of four cores, a partition
 * `work`, and a partition `urgent` that preempts it. Slurm's shortest time limit is a minute.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createRandom, encodeMesh, encodeNpy, randomRock } from '../../src/index.ts';
import { scree, temporaryFolder } from '../cli/scree.ts';

const answers = spawnSync('sinfo', ['--noheader', '--format=%P'], { encoding: 'utf8' });
const isHere = answers.status === 0 && answers.stdout.includes('urgent');
const reason = isHere ? '' : ' (skipped: no Slurm of scripts/slurm-here.sh answers)';

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder, ...names);
const hashOf = (...names: string[]) =>
  createHash('sha256')
    .update(readFileSync(at(...names)))
    .digest('hex');

/** Output of one of Slurm's commands. */
function slurm(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd: folder });
  expect(`${status} ${stderr}`).toBe('0 ');
  return stdout.trim();
}

/** States of the elements of jobs that are in the queue. */
const states = (...jobs: string[]) => {
  // Jobs that ended a while ago are unknown, which squeue says by its exit code.
  const { stdout } = spawnSync('squeue', ['--noheader', '--array', '--format=%A %T', `--jobs=${jobs}`], {
    encoding: 'utf8',
  });
  return stdout.trim().split('\n').filter(Boolean);
};

async function until(what: string, isSo: () => boolean, milliseconds = 1000): Promise<void> {
  const end = Date.now() + 240_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}\n${slurm('squeue')}`);
    await pause(milliseconds);
  }
}

const ended = (...jobs: string[]) => until('the end of jobs', () => states(...jobs).length === 0);

/** Submits, and gives the numbers of both jobs. */
async function submit(...args: string[]): Promise<[string, string]> {
  const { code, stdout, stderr } = await scree(['slurm', ...args, '--submit'], { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^watch: squeue --jobs=\d+,\d+$/m);
  return jobsOf(stdout);
}

const jobsOf = (said: string) =>
  [...said.matchAll(/^\w+: job (\d+)$/gm)].map(([, job]) => job!) as [string, string];

/** The process that works on a task, once there is one. */
async function processOf(argument: string): Promise<number> {
  let found: number | undefined;
  const look = () => {
    for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
      try {
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
        if (
          words[0]!.includes('node') &&
          words.includes(argument) &&
          words.some((word) => word.startsWith(folder))
        )
          found = Number(name);
      } catch {
        // It has ended.
      }
    }
    return found !== undefined;
  };
  await until(`a process with ${argument}`, look, 10);
  return found!;
}

const POINTS = 10_000_000;
const shards = (out: string, ...args: string[]) =>
  submit(
    'classify',
    at('rock.ply'),
    '--points',
    at('points.npy'),
    '--out',
    at(out),
    '--shards',
    '16',
    ...args,
  );
const merge = (out: string) => scree(['merge', at(out), '--quiet'], { cwd: folder });

describe.skipIf(!isHere)(`on Slurm${reason}`, () => {
  it('10^7 points in 16 shards equal one run, byte for byte', async () => {
    const random = createRandom(5);
    const points = Float32Array.from({ length: 3 * POINTS }, () => 2.4 * random() - 1.2);
    writeFileSync(at('points.npy'), encodeNpy(points, [POINTS, 3]));
    writeFileSync(at('rock.ply'), encodeMesh(randomRock({ seed: 4, convex: false, triangles: 5000 }), 'ply'));
    const one = ['classify', 'rock.ply', '--points', 'points.npy', '--out', 'one.npy', '--quiet'];
    expect(await scree(one, { cwd: folder })).toMatchObject({ code: 0, stderr: '' });
    await ended(...(await shards('many.npy')));
    expect(hashOf('many.npy')).toBe(hashOf('one.npy'));
    expect(readFileSync(at('many.npy.slurm', 'merge.log'), 'utf8')).toMatch(
      /flags of 10,000,000 points.* 16 shards/,
    );
  });

  it('a task that is killed is missing, merge refuses, and only that one is done again', async () => {
    const jobs = await shards('killed.npy', '--array-limit', '2');
    process.kill(await processOf('5/16'), 'SIGKILL');
    await ended(...jobs);
    // The merge behind it was never run.
    expect(readdirSync(folder)).not.toContain('killed.npy');
    expect(await merge('killed.npy')).toMatchObject({
      code: 2,
      stderr: `scree: ${at('killed.npy')}: of 16 shards 1 missing: 5\n`,
    });
    const script = at('killed.npy.sbatch');
    await ended(...jobsOf(slurm('bash', script)));
    expect(hashOf('killed.npy')).toBe(hashOf('one.npy'));
    const log = (shard: number) => readFileSync(at('killed.npy.slurm', `${shard}.log`), 'utf8');
    expect(log(4)).toMatch(/is there and whole: not made again\n$/);
    expect(log(5)).not.toMatch(/not made again/);
  });

  it('a node that is drained and resumed loses nothing and does nothing twice', async () => {
    const jobs = await shards('drained.npy', '--array-limit', '1');
    await processOf('2/16');
    slurm('scontrol', 'update', 'nodename=here', 'state=drain', 'reason=test');
    await until('a node without jobs', () => !states(...jobs).some((line) => line.endsWith('RUNNING')));
    const before = readdirSync(folder).filter((name) => name.startsWith('drained.npy.shard-'));
    expect(before.length).toBeGreaterThanOrEqual(2);
    expect(before.length).toBeLessThan(16);
    slurm('scontrol', 'update', 'nodename=here', 'state=resume');
    await ended(...jobs);
    expect(hashOf('drained.npy')).toBe(hashOf('one.npy'));
    for (const log of readdirSync(at('drained.npy.slurm')))
      expect(readFileSync(at('drained.npy.slurm', log), 'utf8')).not.toMatch(/not made again/);
  });

  describe('a sweep', () => {
    const sweepFile = at('sweep.json');
    const record = (out: string, task: number) =>
      JSON.parse(readFileSync(at(out, 'tasks', `000${task}`, 'task.json'), 'utf8'));

    it('that meets its time limit saves, is queued again, and comes to the same state', async () => {
      writeFileSync(sweepFile, JSON.stringify(SWEEP));
      const alone = ['sweep', sweepFile, '--out', at('alone'), '--jobs', '2', '--quiet'];
      expect(await scree(alone, { cwd: folder })).toMatchObject({ code: 0 });
      const jobs = await submit(
        'sweep',
        sweepFile,
        '--out',
        at('limited'),
        '--time',
        '1',
        '--signal-ahead',
        '50',
      );
      await ended(...jobs);
      const log = readFileSync(at('limited.slurm', '1.log'), 'utf8');
      expect(log).toMatch(/scree: .*interrupted/);
      for (const task of [1, 2]) {
        expect(record('limited', task)).toMatchObject({
          state: 'done',
          stateHash: record('alone', task).stateHash,
        });
      }
    });

    it('that makes room for urgent work goes on afterwards, to the same state', async () => {
      const jobs = await submit('sweep', sweepFile, '--out', at('preempted'), '--cpus', '2');
      await processOf('--task');
      await until('its first steps', () => existsSync(at('preempted', 'tasks', '0001', 'task.json')));
      await pause(3000);
      const urgent = slurm(
        'sbatch',
        '--parsable',
        '--partition=urgent',
        '-c4',
        '--output=/dev/null',
        '--wrap=sleep 2',
      );
      await until('room for urgent work', () => states(urgent).length === 0);
      await ended(...jobs);
      for (const task of [1, 2]) {
        expect(record('preempted', task)).toMatchObject({
          ...{ state: 'done', stateHash: record('alone', task).stateHash },
        });
      }
      expect(readFileSync(at('preempted.slurm', '1.log'), 'utf8')).toMatch(/scree: .*interrupted|PREEMPT/);
    });
  });
});

/** Two runs of about twenty seconds. */
const SWEEP = {
  scene: {
    shapes: {
      ground: { kind: 'plane' },
      rock: {
        kind: 'polyhedron',
        generate: { kind: 'rock', triangles: 80, seed: 3 },
        scale: 0.1,
        nodeSpacing: 0.05,
      },
    },
    materials: { rock: { density: 2500, youngsModulus: 5e6, friction: 0.5 } },
    bodies: [
      { name: 'ground', shape: 'ground' },
      {
        name: 'rock',
        shape: 'rock',
        rotation: 'random',
        grid: { counts: [4, 4, 3], spacing: 0.25 },
        position: [0, 0, 0.45],
      },
    ],
    duration: 2.5,
  },
  parameters: { friction: { path: '/materials/rock/friction', values: [0.2, 0.6] } },
  simulate: { frames: 10 },
};

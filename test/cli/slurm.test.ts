import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Batch, batchScript, elementsOf, quoted } from '../../src/cli/cluster/batch-script.ts';
import { encodeMesh, encodeNpy, randomRock } from '../../src/index.ts';
import { scree, temporaryFolder } from './scree.ts';

const BATCH: Batch = {
  ...{
    title: 'shards',
    name: 'scree-classify',
    program: ['/usr/bin/node', '/a b/cli.js'],
    tasks: 2500,
    saves: false,
  },
  task: ['classify', "it's $HOME/`ls`.stl", '--out', 'x.npy'],
  taskOption: ['--shard', '$task/2500'],
  last: {
    name: 'merge',
    after: 'afterok',
    commands: [
      ['merge', 'x.npy'],
      ['merge', 'y.npy'],
    ],
  },
  logs: '/logs of 100 %',
  options: { signalAhead: 60, partition: 'gpu', arrayLimit: 20, time: '1:00:00', cpus: 4 },
};
const bash = spawnSync('bash', ['--version']).status === 0;

describe('a batch script', () => {
  it('keeps indices of an array below what Slurm takes', () => {
    expect(elementsOf(BATCH)).toEqual({ elements: 834, perJob: 3 });
    expect(elementsOf({ ...BATCH, tasks: 1000 })).toEqual({ elements: 1000, perJob: 1 });
    expect(elementsOf({ ...BATCH, options: { signalAhead: 1, perJob: 100 } })).toEqual({
      ...{ elements: 25, perJob: 100 },
    });
  });

  it('says to Slurm what the user said', () => {
    const directives = batchScript(BATCH).match(/(?<=^#SBATCH ).*$/gm);
    expect(directives).toEqual([
      ...['--job-name=scree-classify', '--array=1-834%20', '--partition=gpu', '--time=1:00:00'],
      ...['--cpus-per-task=4', '--requeue', '--open-mode=append', '--signal=B:USR1@60'],
    ]);
  });

  it('has no word that a shell would read as another', () => {
    const words = ['plain-1.0', "it's", '$HOME', '`ls`', 'a  b', 'line\nline', '"', '\\', '!', '*'];
    for (const word of words) {
      const { stdout } = spawnSync('sh', ['-c', `printf %s ${quoted(word)}`], { encoding: 'utf8' });
      expect(stdout).toBe(word);
    }
  });

  it.skipIf(!bash)(
    `is one for bash, which runs each task of an element${bash ? '' : ' (no bash here)'}`,
    () => {
      const script = batchScript({ ...BATCH, program: ['printf', '%s|'], tasks: 8 });
      expect(spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({
        stderr: '',
        status: 0,
      });
      const element = batchScript({
        ...{ ...BATCH, program: ['printf', '%s|'], tasks: 8, options: { signalAhead: 1, perJob: 3 } },
      });
      const { stdout, status } = spawnSync('bash', ['-s'], {
        ...{ input: element, encoding: 'utf8', env: { ...process.env, SLURM_ARRAY_TASK_ID: '3' } },
      });
      const said = (task: number) => `classify|it's $HOME/\`ls\`.stl|--out|x.npy|--shard|${task}/2500|`;
      expect({ stdout, status }).toEqual({ stdout: said(7) + said(8), status: 0 });
    },
  );
});

describe('scree slurm', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'ball.ply'), encodeMesh(randomRock({ seed: 1, convex: true }), 'ply'));
  writeFileSync(join(folder, 'p.npy'), encodeNpy(new Float32Array(30), [10, 3]));
  const slurm = (...args: string[]) => scree(['slurm', ...args], { cwd: folder, env: { PATH: '/nowhere' } });
  const shards = ['classify', 'ball.ply', '--points', 'p.npy', '--out', 'f.npy', '--shards', '4'];

  it('writes the script also where there is no Slurm, and says so in one line', async () => {
    const { code, stderr } = await slurm(...shards, '--rule', 'nonzero', '--no-cull', '--submit');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "scree: no sbatch found on the PATH, expected Slurm's commands: f.npy.sbatch is written\n",
    });
    const script = readFileSync(join(folder, 'f.npy.sbatch'), 'utf8');
    const paths = ['ball.ply', 'p.npy', 'f.npy'].map((name) => quoted(join(folder, name)));
    expect(script).toContain(
      `task_arguments=(classify ${paths[0]} --points ${paths[1]} --rule nonzero --no-cull --out ${paths[2]} --quiet)`,
    );
    expect(script).toContain('#SBATCH --array=1-4\n');
  });

  it('merges both results of winding', async () => {
    const results = ['--out', 'w.npy', '--bounds', 'b.npy'];
    const { code } = await slurm('winding', 'ball.ply', '--points', 'p.npy', ...results, '--shards', '2');
    expect(code).toBe(0);
    const script = readFileSync(join(folder, 'w.npy.sbatch'), 'utf8');
    for (const name of ['w.npy', 'b.npy']) expect(script).toContain(`merge ${join(folder, name)} --expect 2`);
  });

  it.each([
    [['classify', 'none.ply', ...shards.slice(2)], /^scree: none\.ply: no such file\n$/],
    [shards.slice(0, -2), /required option '--shards <n>'/],
    [[...shards, '--partition', 'a b'], /'--partition <name>'.*without blanks/],
    [
      [...shards, '--time', '0-0:1', '--signal-ahead', '60'],
      /'?--time 0-0:1 found, expected more than the 60 s/,
    ],
    [[...shards, '--grid', '4'], /unknown option '--grid'/],
    [['classify', 'ball.ply', '--shards', '2', '--out', 'f.npy'], /'--points <file>' not specified/],
    [[...shards.slice(0, -3), 'f.csv', '--shards', '2'], /f\.csv/],
    [['sweep', 'none.json', '--out', 's'], /none\.json: no such file/],
  ])('refuses in one line: %j', async (args, line) => {
    const { code, stderr } = await slurm(...args, '--script', 'refused.sbatch');
    expect(stderr).toMatch(line);
    expect(stderr.trim()).not.toContain('\n');
    expect({ code, isWritten: existsSync(join(folder, 'refused.sbatch')) }).toEqual({
      code: 2,
      isWritten: false,
    });
  });
});

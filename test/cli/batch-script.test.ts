/** What a batch script does in a shell. test/cluster has Slurm; here its commands say what they are asked for. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Batch, batchScript } from '../../src/cli/cluster/batch-script.ts';
import { temporaryFolder } from './scree.ts';

const bash = spawnSync('bash', ['--version']).status === 0;
const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const linesOf = (text: string) => text.split('\n').slice(0, -1);

const batch = (parts: Partial<Batch>): string =>
  batchScript({
    ...{ title: 'three', name: 'scree-test', program: ['echo'], task: ['task'], tasks: 3, saves: true },
    taskOption: ['--shard', '$task/3'],
    last: { name: 'merge', after: 'afterok', commands: [['merge', 'f.npy']] },
    ...{ logs: at('logs'), options: { signalAhead: 60, perJob: 3 } },
    ...parts,
  });
/** A program that a line of shell stands for: $3 is the share. */
const shell = (line: string) => ['sh', '-c', line, 'sh'];

/** Starts a script by hand or, with these variables, as Slurm does. */
function start(text: string, env: Readonly<Record<string, string>> = {}) {
  const bin = at('bin');
  mkdirSync(bin, { recursive: true });
  for (const [name, line] of [
    ['sbatch', 'echo "12;here"'],
    ['scontrol', ':'],
  ]) {
    const path = join(bin, name!);
    writeFileSync(
      path,
      `#!/bin/sh\nfor word in "$@"; do printf '%s\\n' "$word" >>'${at('asked')}'; done\n${line}\n`,
    );
    chmodSync(path, 0o755);
  }
  writeFileSync(at('asked'), '');
  writeFileSync(at('a script'), text);
  const path = `${bin}${delimiter}${process.env.PATH}`;
  const child = spawn('bash', [at('a script')], { cwd: folder, env: { ...process.env, PATH: path, ...env } });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
    });
  const ended = new Promise<object>((done) => {
    child.on('close', (code) =>
      done({ code, said: linesOf(said), asked: linesOf(readFileSync(at('asked'), 'utf8')) }),
    );
  });
  return { child, ended };
}
const ELEMENT = { SLURM_ARRAY_TASK_ID: '1', SLURM_JOB_ID: '34' };
const REQUEUE = ['requeue', '34'];

describe.skipIf(!bash)(`a batch script${bash ? '' : ' (no bash here)'}`, () => {
  it('submits itself and the last job, whatever files are called', async () => {
    const odd = `it's "one" $HOME \`x\` %j; a\\b & #`;
    const program = [process.execPath, '-p', 'JSON.stringify(process.argv.slice(1))'];
    const last = { name: 'merge', after: 'afterok', commands: [['merge', odd], ['again']] } as const;
    const { SLURM_ARRAY_TASK_ID: _, ...none } = ELEMENT;
    const { asked, ...rest } = (await start(batch({ program, last, logs: at(odd) }), none).ended) as {
      readonly asked: string[];
    };
    expect(rest).toEqual({
      code: 0,
      said: ['tasks: job 12', 'merge: job 12', 'watch: squeue --jobs=12,12', `what they print: ${at(odd)}`],
    });
    expect(existsSync(at(odd))).toBe(true);
    const output = at(odd).replace('%', '%%');
    const wrap = asked.pop()!;
    expect(asked).toEqual([
      ...['--parsable', `--output=${output}/%a.log`, at('a script'), '--parsable', '--dependency=afterok:12'],
      ...['--kill-on-invalid-dep=yes', '--job-name=scree-test-merge', `--output=${output}/merge.log`],
    ]);
    const { stdout } = spawnSync('sh', ['-c', wrap.slice('--wrap='.length)], { encoding: 'utf8' });
    expect(linesOf(stdout).map((line) => JSON.parse(line))).toEqual([['merge', odd], ['again']]);
  });

  it('goes on after a task that fails, and fails itself', async () => {
    const program = shell('echo $3; [ $3 != 2/3 ] || exit 9');
    expect(await start(batch({ program }), ELEMENT).ended).toEqual({
      ...{ code: 9, said: ['1/3', '2/3', '3/3'], asked: [] },
    });
  });

  it('goes back into the queue where a task is to be tried again', async () => {
    const program = shell('echo $3; [ $3 != 2/3 ] || exit 75');
    expect(await start(batch({ program }), ELEMENT).ended).toEqual({
      ...{ code: 75, said: ['1/3', '2/3'], asked: REQUEUE },
    });
  });

  it.each([
    ['the time limit is near', 'SIGUSR1', { code: 75, asked: REQUEUE }],
    ['it is cancelled or preempted', 'SIGTERM', { code: 143, asked: [] }],
  ] as const)(
    'waits until a task has saved, and begins no other one, when %s',
    async (_, signal, expected) => {
      const program = shell(
        'trap "sleep 0.2; echo saved; exit 143" TERM; echo ready; while :; do sleep 0.05; done',
      );
      const { child, ended } = start(batch({ program }), ELEMENT);
      await new Promise((ready) => child.stdout.once('data', ready));
      child.kill(signal);
      expect(await ended).toEqual({ ...expected, said: ['ready', 'saved'] });
    },
  );

  it('with tasks that save nothing goes back as often as it has tasks, and then fails', async () => {
    const text = batch({ program: shell('exit 75'), saves: false });
    const times = (n: string) => start(text, { ...ELEMENT, SLURM_RESTART_COUNT: n }).ended;
    expect(await times('2')).toEqual({ code: 75, said: [], asked: REQUEUE });
    expect(await times('3')).toEqual({
      ...{ code: 1, said: [expect.stringMatching(/^a task does not end within the time limit/)], asked: [] },
    });
  });
});

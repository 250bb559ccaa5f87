import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { scree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const sweep = (...args: string[]) =>
  scree(['sweep', ...args, '--quiet', '--backend', 'cpu', '--threads', '1'], { cwd: folder });
const collect = (...args: string[]) => sweep(...args.slice(0, 1), '--collect', ...args.slice(1));
const at = (...path: string[]) => join(folder, ...path);
const taskFile = (number: number) => at('study', 'tasks', `000${number}`, 'task.json');
const read = (path: string) => readFileSync(path, 'utf8');

/** Ten balls that fall on each other, at random places. */
const scene = {
  shapes: { ground: { kind: 'plane' }, ball: { kind: 'sphere', radius: 0.5 } },
  materials: { soft: { density: 1000, youngsModulus: 4e6, restitution: 0.1 } },
  bodies: [
    { shape: 'ground' },
    { shape: 'ball', random: { count: 10, region: { low: [-1.5, -1.5, 0.6], high: [1.5, 1.5, 3.6] } } },
  ],
  duration: 1.6,
};
const parameters = { friction: { path: '/materials/soft/friction', values: [0.1, 0.5] } };
const write = (name: string, fields: object) =>
  writeFileSync(at(name), JSON.stringify({ scene, parameters, repetitions: 2, ...fields }));

beforeAll(async () => {
  write('sweep.json', { simulate: { frames: 4 }, collect: ['angleOfRepose', 'kinetic max from 0.2'] });
  expect(await sweep('sweep.json', '--out', 'study', '--jobs', '2')).toMatchObject({ code: 0, stderr: '' });
}, 120_000);

it('makes a table of what tasks measured and watched, and plots', async () => {
  const { code, stdout, stderr } = await collect('study');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^study\n\n4 of 4 tasks\n\nfriction {2}runs {2}angleOfRepose +kinetic max from 0\.2\n0\.1 /,
  );
  expect(stdout).toContain('wrote study/table.csv\nwrote study/plots.svg\n');
  const [head, ...rows] = read(at('study', 'table.csv')).trimEnd().split('\n');
  expect(head).toBe('task,state,friction,repetition,seed,angleOfRepose,kinetic max from 0.2');
  expect(rows).toHaveLength(4);
  for (const [i, row] of rows.entries()) {
    const { seed, measures } = JSON.parse(read(taskFile(i + 1)));
    const table = read(at('study', 'tasks', `000${i + 1}`, 'monitors.csv'))
      .trimEnd()
      .split('\n');
    const column = table[0]!.split(',').indexOf('kinetic');
    const late = table
      .slice(1)
      .map((line) => line.split(',').map(Number))
      .filter(([time]) => time! >= 0.2);
    const most = Math.max(...late.map((cells) => cells[column]!));
    const start = [i + 1, 'done', i < 2 ? 0.1 : 0.5, (i % 2) + 1, seed];
    expect(row).toBe([...start, measures.angleOfRepose, most].join(','));
    expect(measures.angleOfRepose).toBeGreaterThanOrEqual(0);
    expect(measures.angleOfRepose).toBeLessThan(90);
  }
  const svg = read(at('study', 'plots.svg'));
  expect(svg).toContain('>angleOfRepose (degrees)<');
  expect(svg).toContain('>kinetic max from 0.2 over friction<');
  expect(svg).toContain('>4 of 4 runs<');
});

it('makes columns that are asked for, and says all as JSON', async () => {
  const { code, stdout } = await collect('study', 'contacts mean', 'time last', '--json');
  expect(code).toBe(0);
  const told = JSON.parse(stdout);
  expect(told).toMatchObject({ tasks: 4, done: 4, leftOut: [], columns: ['contacts mean', 'time last'] });
  expect(told.combinations).toMatchObject([
    { parameters: { friction: 0.1 }, runs: 2 },
    { parameters: { friction: 0.5 }, runs: 2 },
  ]);
  for (const { means, spreads } of told.combinations) {
    expect(means[1]).toBeCloseTo(1.6, 2);
    expect(spreads[1]).toBe(0);
  }
});

it('leaves out tasks that failed, run, are missing or damaged, and names them', async () => {
  const whole = [1, 2, 3, 4].map((number) => read(taskFile(number)));
  const failed = { ...JSON.parse(whole[1]!), state: 'failed', line: 'it broke' };
  try {
    writeFileSync(taskFile(2), JSON.stringify(failed));
    writeFileSync(taskFile(3), whole[2]!.slice(0, 20));
    rmSync(taskFile(4));
    const { code, stdout } = await collect('study');
    expect(code).toBe(0);
    expect(stdout).toContain('1 of 4 tasks\n');
    expect(stdout).toMatch(
      /\ntask 2 failed: it broke\ntask 3 unusable: \S+task\.json: is no JSON .*\nmissing: 4\n/,
    );
    expect(read(at('study', 'table.csv'))).toMatch(
      /\n2,failed,0.1,2,\d+,,\n3,unusable,0.5,1,\d+,,\n4,missing,/,
    );
    // One value of friction is left: there is nothing to draw.
    expect(stdout).toContain('no plots: ');
    expect(existsSync(at('study', 'plots.svg'))).toBe(false);
    writeFileSync(taskFile(1), JSON.stringify({ ...failed, task: 1 }));
    expect(await collect('study')).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: 'scree: study: none of 4 tasks is done (2 failed, 1 unusable, 1 missing); it broke\n',
    });
  } finally {
    for (const [i, text] of whole.entries()) writeFileSync(taskFile(i + 1), text);
  }
});

it('says in a line what it cannot collect', async () => {
  const lineOf = async (...args: string[]) => {
    const { code, stdout, stderr } = await sweep(...args);
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([2, '', 1]);
    return stderr;
  };
  expect(await lineOf('nowhere', '--collect')).toContain('nowhere/sweep.json: no such file');
  expect(await lineOf('study', '--collect', 'kinetic')).toContain(
    '--collect is "kinetic", expected angleOfRepose, or',
  );
  write('plain.json', { collect: ['kinetic last'] });
  expect((await sweep('plain.json', '--out', 'plain', '--task', '1')).code).toBe(0);
  expect(await lineOf('plain', '--collect', 'angleOfRepose')).toContain(
    '--collect: found angleOfRepose, expected a monitor: tasks measure what collect in plain/sweep.json names',
  );
  expect(await lineOf('study', '--collect', '--jobs', '2')).toContain(
    '--collect and --jobs: expected one of them',
  );
  write('wrong.json', { collect: ['kinetic median'] });
  expect(await lineOf('wrong.json', '--out', 'wrong')).toContain(
    'wrong.json: collect[0] is "kinetic median", expected',
  );
  expect(existsSync(at('wrong'))).toBe(false);
});

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ShardsReport } from '../../src/cli/bench/bench-shards.ts';
import { scree, startScree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
mkdirSync(join(folder, 'in'));
const bench = ['bench', 'shards', '--folder', 'in'];

it('scree bench shards measures shards, merge and memory, judges no quick run, and removes its files', async () => {
  const args = [...bench, '--quick', '--json', 'shards.json', '--quiet'];
  const { code, stdout, stderr } = await scree(args, { cwd: folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const report = JSON.parse(readFileSync(join(folder, 'shards.json'), 'utf8')) as ShardsReport;
  expect(report).toMatchObject({ format: 'scree-bench-shards', quick: true });
  const wanted = report.figures.filter((one) => one.wanted !== undefined);
  expect(wanted.map(({ part, what }) => `${part}: ${what}`)).toEqual([
    'classify: 4 shards one by one: points/s beside one run',
    'classify: 4 shards two at once: points/s beside one run',
    'classify: 4 shards one by one: the same without set-up',
    'merge: merge beside cat',
    'memory: 16 times the points: peak beside',
  ]);
  for (const { what, value } of report.figures) expect(value.min, what).toBeGreaterThan(0);
  expect(stdout.split('\n').at(-2)).toBe('A quick run, not judged.');
  expect(stdout).not.toMatch(/(yes|no)$/m);
  expect(readdirSync(join(folder, 'in'))).toEqual([]);
});

it.runIf(process.platform !== 'win32')('an interrupted one removes its files', async () => {
  const running = startScree([...bench], { cwd: folder });
  await running.sees('making 536,870,912 points');
  running.child.kill('SIGINT');
  expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
  expect(readdirSync(join(folder, 'in'))).toEqual([]);
});

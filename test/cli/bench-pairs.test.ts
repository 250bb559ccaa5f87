import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BenchReport } from '../../src/bench/report.ts';
import { parseReport } from '../../src/bench/report.ts';
import { installPackage } from '../support/package.ts';
import { type Ended, scree, startScree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const run = (...args: string[]) => scree(['bench', ...args], { cwd: folder });

describe('a quick run of suite pairs', () => {
  let ended: Ended;
  let report: BenchReport;
  beforeAll(async () => {
    ended = await run('--suite', 'pairs', '--quick', '--adapter', 'software', '--out', 'out');
    report = parseReport(readFileSync(join(folder, 'out/report.json'), 'utf8'), 'report.json');
  });

  it('writes a report that reads back, and a page', () => {
    expect(ended.code).toBe(0);
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(['report.html', 'report.json']);
    expect(report).toMatchObject({
      quick: true,
      suites: [],
      commands: ['scree bench --suite pairs --quick --adapter software --out out'],
      environment: { versions: { '@dimforge/rapier3d-compat': expect.stringMatching(/^\d/) } },
    });
    expect(report.copyBytesPerSecond.min).toBeGreaterThan(0);
    expect(readFileSync(join(folder, 'out/report.html'), 'utf8')).toContain('as fast as Rapier');
  });

  it('compares all shapes with Rapier that it has, and prints a summary', () => {
    const { shapes, ways } = report.pairs!;
    expect(ways.filter(({ kind }) => kind === 'peer').map(({ key }) => key)).toEqual(['rapier']);
    for (const { name, settings } of shapes) {
      for (const { runs } of settings) {
        const ratio = runs.find(({ way, question }) => way === 'auto-cpu' && question === 'penetration')!;
        expect(ratio.ratioToPeer > 0, name).toBe(!name.includes('ellipsoid'));
      }
    }
    // A quick run has a summary, and no verdicts.
    expect(report.pairs!.findings).toEqual([]);
    expect(ended.stdout).toContain('A quick run, not judged');
    expect(ended.stdout).not.toMatch(/Rapier for depths|statements/);
    expect(ended.stdout).toMatch(/^[\d,]+ +answers of scree held against exact ones, none wrong/m);
    expect(ended.stdout.split('\n').length).toBeLessThan(20);
  });

  it('runs every kernel once, and says that it does', () => {
    const { shapes, ways } = report.pairs!;
    const asked = new Map(
      shapes.map(({ name, settings }) => [
        name,
        settings.flatMap(({ runs }) => runs.map(({ way, question }) => `${way} ${question}`)),
      ]),
    );
    const onGpu = [...asked.values()].flat().filter((run) => run.includes('-gpu'));
    expect(onGpu).toEqual([...new Set(onGpu)]);
    for (const { key } of ways.filter(({ kind, precision }) => kind === 'scree' && precision === 'float32')) {
      expect(
        onGpu.some((run) => run.startsWith(`${key} `)),
        key,
      ).toBe(true);
    }
    expect(asked.get('cone')).toContain('mpr-olvang-gpu penetration');
    expect(asked.get('cone')).toContain('mpr-gpu signed-distance');
    expect(asked.get('cone')).not.toContain('gjk-gpu penetration');
    expect(report.remarks).toEqual([expect.stringMatching(/^Pairs: each kernel ran on one combination/)]);
  });

  it('says before each step where it is', () => {
    expect(ended.stderr).toMatch(/^\[\d+\/14\] pairs: (boxes|ellipsoids|cones|polyhedra)/m);
  });

  it('is compared with itself', async () => {
    const { code, stdout } = await run('--compare', 'out/report.json', 'out/report.json');
    expect(code).toBe(0);
    expect(stdout).toContain('nothing became slower beyond the noise');
  });

  it('is not what a run of another suite is compared with', async () => {
    const { code, stderr } = await run('--compare', 'out/report.json', '--suite', 'inside', '--quick');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^scree: out\/report\.json: suite pairs found, expected inside\n$/);
  });
});

it('without Rapier begins all the same', async () => {
  const installed = join(folder, 'installed');
  const entry = await installPackage(installed, ['@dimforge/rapier3d-compat']);
  const running = startScree(['bench', '--suite', 'pairs', '--quick', '--out', 'alone'], {
    cwd: folder,
    entry,
  });
  // By then Rapier was asked for. Which part is named is a matter of time: lines come two seconds apart.
  await running.sees('] pairs: ');
  running.child.kill('SIGKILL');
  await running.ended;
  rmSync(installed, { recursive: true });
});

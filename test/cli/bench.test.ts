import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BenchReport } from '../../src/bench/report.ts';
import { parseReport, reportJson } from '../../src/bench/report.ts';
import { bodiesBy, sampleReport } from '../bench/sample-report.ts';
import { installPackage } from '../support/package.ts';
import { type Ended, scree, startScree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const run = (...args: string[]) => scree(['bench', ...args], { cwd: folder });
const file = (name: string) => join(folder, name);

/** A report whose calls take `factor` times as long. */
const sample = (factor: number) =>
  sampleReport(bodiesBy({ a: (n, m) => ({ setUp: n, call: m * factor }) }, 'sphere', [512, 2048]));

beforeAll(() => {
  writeFileSync(file('old.json'), reportJson(sample(1)));
  writeFileSync(file('new.json'), reportJson(sample(2)));
});

describe('a quick run of suite inside, with an older report to compare with', () => {
  let ended: Ended;
  let report: BenchReport;
  beforeAll(async () => {
    ended = await run('--suite', 'inside', '--quick', '--adapter', 'software', '--out', 'deep/results');
    report = parseReport(readFileSync(file('deep/results/report.json'), 'utf8'), 'report.json');
  });

  it('writes a report that reads back, and a page; nothing else is left', () => {
    expect(ended.code).toBe(0);
    expect(readdirSync(file('deep/results')).sort()).toEqual(['report.html', 'report.json']);
    expect(readFileSync(file('deep/results/report.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    expect(ended.stdout).toMatch(/wrote deep\/results\/report\.json\nwrote deep\/results\/report\.html\n$/);
  });

  it('says on what and by which command it was made', () => {
    expect(report).toMatchObject({
      quick: true,
      commands: ['scree bench --suite inside --quick --adapter software --out deep/results'],
      environment: {
        host: 'node',
        runtime: `Node ${process.versions.node}`,
        adapter: { software: true },
        versions: { scree: expect.stringMatching(/^\d/), 'three-mesh-bvh': expect.stringMatching(/^\d/) },
      },
      remarks: [],
    });
    expect(report.environment.memoryBytes).toBeGreaterThan(2 ** 28);
    expect(Math.abs(Date.now() - Date.parse(report.date))).toBeLessThan(30 * 60_000);
    expect(report.copyBytesPerSecond.min).toBeGreaterThan(0);
  });

  it('has every way on every body and set, with flags checked and none wrong', () => {
    const [suite] = report.suites;
    expect(report.suites.map(({ name }) => name)).toEqual(['inside']);
    const keys = suite!.ways.map(({ key }) => key);
    expect(keys).toEqual([
      ...['cell-grid-cpu', 'cell-grid-cpu-1', 'cell-grid-gpu', 'ray-crossing-gpu'],
      ...['three-mesh-bvh', 'copy'],
    ]);
    expect(suite!.bodies.map(({ series, triangles }) => [series, triangles])).toEqual([
      ['sphere', 2048],
      ['foam', expect.any(Number)],
    ]);
    for (const body of suite!.bodies) {
      expect(body.runs.map(({ way, set }) => `${set} ${way}`)).toEqual(
        ['grid', 'random', 'near'].flatMap((set) => keys.map((key) => `${set} ${key}`)),
      );
      expect(body.setUps.map(({ way }) => way)).toEqual(keys.filter((key) => key !== 'copy'));
      for (const one of body.runs) {
        expect(one.points).toBe(8000);
        expect(one.measuredPoints === one.points).toBe(one.status === 'measured');
        expect(one.reason === '').toBe(one.status === 'measured');
        expect(one.seconds.total).toMatchObject({ runs: 2 });
        expect(one.ratioToPeer).toBeGreaterThan(0);
        expect(one.ratioToCopy).toBeGreaterThan(0);
        if (one.way !== 'copy') expect(one.checked).toBeGreaterThan(0);
        if (one.way !== 'three-mesh-bvh') expect(one.wrong).toBe(0);
        const { total, upload, kernel, readback, exact } = one.seconds;
        const parts = upload.min + kernel.min + readback.min + exact.min;
        expect(parts).toBeLessThanOrEqual(total.max);
        // Where the adapter has a clock, every way on it is timed by that too.
        const isGpu = report.environment.timestamps && /-gpu$/.test(one.way);
        expect('gpu' in one.seconds, one.way).toBe(isGpu);
      }
      expect(body.setUps.find(({ way }) => way === 'cell-grid-gpu')!.gpuBytes).toBeGreaterThan(1000);
    }
  });

  it('says before each step where it is, and draws nothing', () => {
    expect(ended.stderr).toMatch(/^\[\d+\/9\] inside: (sphere|foam) /m);
    expect(ended.stderr).not.toContain('\u001b');
  });
});

describe('compare', () => {
  it('of two files says what became slower, without running anything', async () => {
    const { code, stdout, stderr } = await run('--compare', 'old.json', 'new.json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^slower: 8\n/);
    expect(stdout).toMatch(/paper +sphere 512 +a +grid +1,000 points .* 2$/m);
    expect(stdout).toContain('nothing became faster beyond the noise');
    expect(stdout).toMatch(/16 compared, 8 within noise\nall together: 1\.5 times the time/);
    expect(existsSync(file('scree-out'))).toBe(false);
    const json = JSON.parse((await run('--compare', 'new.json', 'old.json', '--json')).stdout);
    expect(json.changes.filter(({ verdict }: { verdict: string }) => verdict === 'faster')).toHaveLength(8);
  });

  it.each([
    [['--compare', 'none.json'], 'none.json: no such file'],
    [['--compare', '.'], '.: is a folder, expected a file'],
    [['--compare', 'old.json', 'text.txt'], 'text.txt: no JSON ('],
    [['--compare', 'old.json', 'future.json'], 'future.json: version 2 of the report found, expected 1'],
    [['--compare', 'old.json', 'old.json', 'old.json'], '3 files found, expected one or two'],
    [['--compare', 'old.json', '--quick'], 'old.json: a full run found, expected a quick one'],
    [['--compare', 'old.json', '--suite', 'inside'], 'old.json: suite paper found, expected inside'],
  ])('%j is refused in one line, before anything runs', async (args, message) => {
    writeFileSync(file('text.txt'), 'text\n');
    writeFileSync(file('future.json'), JSON.stringify({ ...sample(1), version: 2 }));
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^scree: [^\n]*\n$/);
    expect(stderr).toContain(message);
  });
});

describe('bench', () => {
  it.each([
    [['--suite', 'outside'], 'Allowed choices are all, inside, paper, pairs, '],
    [
      ['--quiet', '--suite', 'stacks', '--ways', 'gjk,jgk'],
      'way "jgk": expected some of sweep-gjk, gjk, mpr, ',
    ],
    [['--quiet', '--ways', 'gjk'], 'ways: found with suite "paper", expected with dem or stacks'],
    [['--node', '--browser'], "'--node' cannot be used with option '--browser'"],
    [['--out', 'old.json'], 'old.json: cannot be made: there is a file of that name'],
    [['--out', 'old.json/deeper'], 'old.json/deeper: cannot be made: a part of the path is a file'],
  ])('%j is refused in one line', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^scree: [^\n]*\n$/);
    expect(stderr).toContain(message);
  });

  it.runIf(process.platform === 'linux')('refuses a folder in which none can be made', async () => {
    const { code, stderr } = await run('--out', '/proc/scree/bench');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'scree: /proc/scree/bench: cannot be made: no such folder\n',
    });
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const running = startScree(['bench', '--suite', 'paper', '--quick', '--out', 'stopped'], { cwd: folder });
    await running.sees('paper: ');
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toMatch(/scree: interrupted\n$/);
    expect(readdirSync(file('stopped'))).toEqual([]);
  });

  it('without peers measures the rest, and says so in the report', async () => {
    const installed = file('installed');
    const peers = ['three', 'three-mesh-bvh', '@dimforge/rapier3d-compat', '@dimforge/rapier3d-simd-compat'];
    const entry = await installPackage(installed, peers);
    const args = ['bench', '--suite', 'inside', '--quick', '--json', '--out', 'alone'];
    const { code, stdout } = await scree(args, { cwd: folder, entry });
    rmSync(installed, { recursive: true });
    expect(code).toBe(0);
    const report = parseReport(stdout, 'standard output');
    expect(report.remarks).toEqual([expect.stringContaining('three-mesh-bvh was not compared')]);
    expect(report.suites[0]!.ways.map(({ kind }) => kind)).not.toContain('peer');
    expect(report.suites[0]!.bodies[0]!.runs[0]!.ratioToPeer).toBe(0);
    for (const peer of peers) expect(Object.keys(report.environment.versions)).not.toContain(peer);
  });
});

import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseReport } from '../../src/bench/report.ts';
import type { BenchProgress } from '../../src/bench/runner.ts';
import { runInBrowser } from '../../src/cli/bench/bench-browser.ts';
import { scree, temporaryFolder } from '../cli/scree.ts';
import { installPackage } from '../support/package.ts';
import { type ListedProcess, processesOfGroup, processesWith } from '../support/processes.ts';

const folder = temporaryFolder();
/** Where Chromes of this file have their profiles, and nobody else's. */
const profiles = join(folder, 'profiles');
const before = process.env.TMPDIR;

beforeAll(() => {
  mkdirSync(profiles);
  process.env.TMPDIR = profiles;
});

afterAll(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
});

const commands = ['scree bench --suite inside --browser --quick'];
const request = { suites: ['inside'], quick: true, adapter: 'software', commands } as const;

function expectNothingLeft(): void {
  expect(readdirSync(profiles)).toEqual([]);
  expect(processesWith(profiles)).toEqual([]);
}

describe('suites in Chrome', () => {
  it('give a report of this machine, with progress between measurements', async () => {
    const lines: BenchProgress[] = [];
    // Two Chromes where there is no hardware: the first one is asked for some.
    const report = await runInBrowser({
      ...request,
      adapter: 'auto',
      onProgress: (line) => void lines.push(line),
    });
    expect(report).toMatchObject({ format: 'scree-bench', quick: true, commands });
    expect(report.suites.map(({ name }) => name)).toEqual(['inside']);
    const { environment } = report;
    expect(environment).toMatchObject({
      host: 'browser',
      platform: `${process.platform} ${process.arch}`,
      adapter: { vendor: expect.stringMatching(/./), software: expect.any(Boolean) },
    });
    expect(environment.runtime).toMatch(/Chrom\w* \d+\.\d+/);
    expect(environment.memoryBytes).toBeGreaterThan(2 ** 28);
    expect(environment.versions).toMatchObject({
      scree: expect.stringMatching(/^\d+\.\d+/),
      'three-mesh-bvh': expect.stringMatching(/^\d+\.\d+/),
      puppeteer: expect.stringMatching(/^\d+\.\d+/),
    });
    // Shared memory, and so worker threads, were there.
    expect(report.remarks.filter((remark) => /isolated|hidden/.test(remark))).toEqual([]);
    const runs = report.suites[0]!.bodies.flatMap((body) => body.runs);
    expect(runs.length).toBeGreaterThan(0);
    expect(runs.some(({ checked }) => checked > 0)).toBe(true);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.every(({ stage, done, total }) => stage !== '' && done >= 0 && done <= total)).toBe(true);
    expectNothingLeft();
  });

  it('end with one line where there is no adapter of the kind that was asked for', async () => {
    const found = await runInBrowser({ ...request, adapter: 'hardware' }).then(
      ({ environment }) => environment.adapter,
      (error: unknown) => error,
    );
    if (found instanceof Error) {
      expect(found).toMatchObject({ name: 'DeviceError', reason: 'no-adapter', exitCode: 1 });
      expect(found.message).toMatch(
        /^\S*Chrome\/[\d.]+ \(.+\) offers no hardware WebGPU adapter; install [^\n]+$/,
      );
    } else {
      expect(found).toMatchObject({ software: false });
    }
    expectNothingLeft();
  });
});

it('the installed package goes on without peers that are not installed, and the report names them', async () => {
  const installation = join(folder, 'installation');
  const entry = await installPackage(installation, ['three', 'three-mesh-bvh', '@dimforge/rapier3d-compat']);
  const args = ['bench', '--browser', '--suite', 'inside', '--quick', '--adapter', 'software', '--json'];
  const { code, stdout, stderr } = await scree(args, { cwd: installation, entry });
  expect(code, stderr).toBe(0);
  const { remarks, suites, environment } = parseReport(stdout, 'standard output');
  expect(remarks).toEqual([
    'three-mesh-bvh was not compared: install the packages three and three-mesh-bvh beside scree.',
  ]);
  expect(suites[0]!.ways.map(({ kind }) => kind)).not.toContain('peer');
  expect(Object.keys(environment.versions)).not.toContain('three-mesh-bvh');
});

/** Runs suites and does something to Chrome's processes as soon as the first measurement is announced. */
async function runAnd(disturb: (processes: readonly ListedProcess[]) => void, signal?: AbortSignal) {
  let group = 0;
  const run = runInBrowser({
    ...request,
    ...(signal && { signal }),
    onProgress: () => {
      if (group !== 0) return;
      group = processesWith(profiles)[0]!.group;
      disturb(processesOfGroup(group));
    },
  });
  const error = await run.then(
    () => new Error('it went through'),
    (thrown: Error) => thrown,
  );
  expectNothingLeft();
  expect(processesOfGroup(group)).toEqual([]);
  return error;
}

const kill = (type: string) => (processes: readonly ListedProcess[]) => {
  const chosen = processes.filter(({ command }) => command.includes(type));
  expect(chosen.length).toBeGreaterThan(0);
  for (const { pid } of chosen) process.kill(pid, 'SIGKILL');
};

describe('a run that is cut off leaves nothing behind and says what happened', () => {
  it('Chrome is killed', async () => {
    expect(await runAnd(kill(profiles))).toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(
        /^Chrome ended in the middle of the work: it was ended by SIGKILL[^\n]*$/,
      ),
    });
  });

  it('the page crashes', async () => {
    expect(await runAnd(kill('--type=renderer'))).toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^the benchmark's page in \S+ crashed[^\n]*$/),
    });
  });

  it('the GPU process crashes', async () => {
    expect(await runAnd(kill('--type=gpu-process'))).toMatchObject({
      name: 'DeviceError',
      reason: 'lost',
      exitCode: 1,
    });
  });

  it('the signal is given', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    expect(await runAnd(() => controller.abort(reason), controller.signal)).toBe(reason);
  });
});

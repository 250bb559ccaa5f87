import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scree, startScree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const run = (...args: string[]) => scree(['validate', '--quiet', '--threads', '1', ...args], { cwd: folder });

it('scree validate prints a table and writes the report with its charts', async () => {
  const { code, stdout, stderr } = await run('--case', 'billiards', 'oblique', '--out', 'report.md');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ {2}ok {2}45 degrees: spin after it +502\.3 rad\/s +50/m);
  expect(stdout).toMatch(/\nwrote report\.md\n\n\d+ passed, 0 failed\n$/);
  const report = readFileSync(join(folder, 'report.md'), 'utf8');
  expect(report).toContain('--case billiards oblique');
  const charts = [...report.matchAll(/!\[.*\]\((.*\.svg)\)/g)].map(([, file]) => file!);
  expect(charts).toEqual(['report/oblique.svg', 'report/oblique-2.svg']);
  for (const file of charts) expect(readFileSync(join(folder, file), 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s);
});

it('scree validate names the cases that there are', async () => {
  const { code, stderr } = await run('--case', 'hertzz');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^scree: option '--case <names...>': found hertzz, expected some of hertz, .*\n$/);
});

it.runIf(process.platform !== 'win32')('scree validate hears signals within a case', async () => {
  // On a software adapter its first part takes minutes.
  const of = ['--case', 'hertz', '--backend', 'gpu', '--adapter', 'software'];
  const { child, ended, sees } = startScree(['validate', ...of], { cwd: folder });
  await sees('[1/1] hertz: 0 %');
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toMatch(/\nscree: interrupted\n$/);
});

it('scree validate says which cases it leaves out on the GPU, and why', async () => {
  const { code, stdout, stderr } = await run('--backend', 'gpu', '--case', 'potential', '--out', 'gpu.md');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^left out on the GPU: potential: energies .*\nwrote gpu\.md\n\n0 passed, 0 failed\n$/,
  );
  expect(readFileSync(join(folder, 'gpu.md'), 'utf8')).toMatch(
    /\nLeft out on the GPU:\n\n- potential: energies /,
  );
});

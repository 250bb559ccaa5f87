/** Suite `contacts` in the built program, quickly. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compareReports, requireComparable } from '../../src/bench/compare.ts';
import { packedKinds } from '../../src/bench/contacts/packings.ts';
import { type BenchReport, type ContactsReport, parseReport, reportJson } from '../../src/bench/report.ts';
import { reportHtml } from '../../src/bench/report-page/page.ts';
import { summaryOf } from '../../src/bench/summary.ts';
import { around } from '../bench/sample-report.ts';
import { type Ended, scree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();

describe('a quick run', () => {
  let ended: Ended;
  let report: BenchReport;
  let contacts: ContactsReport;
  beforeAll(async () => {
    const args = ['--suite', 'contacts', '--quick', '--adapter', 'software', '--out', 'out'];
    ended = await scree(['bench', ...args], { cwd: folder });
    report = parseReport(readFileSync(join(folder, 'out/report.json'), 'utf8'), 'report.json');
    contacts = report.contacts!;
  });

  it('says what it held, beside whom, and writes a page', () => {
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/^[\d,]+ +answers of scree held against exact ones, none wrong/m);
    expect(Object.keys(report.environment.versions)).toContain('@dimforge/rapier3d-simd-compat');
    expect(readFileSync(join(folder, 'out/report.html'), 'utf8')).toContain('<h2 id="contacts">');
  });

  it('asks every way about every packing, and holds what it finds', () => {
    const kinds = [...new Set(contacts.packings.map(({ kind }) => kind))];
    expect(kinds).toEqual(packedKinds().map(({ name }) => name));
    for (const { kind, bodies, partners, meanDepth, runs } of contacts.packings) {
      expect(partners, kind).toBeGreaterThan(1);
      expect(meanDepth, kind).toBeGreaterThan(0);
      const isConvex = kind === 'sphere' || kind === 'hull';
      const ways = ['contacts-cpu', 'contacts-cpu-1', 'contacts-gpu', ...(isConvex ? ['rapier'] : [])];
      expect(runs.map(({ way }) => way)).toEqual(ways);
      for (const run of runs) {
        // Numbers of a report have six digits.
        expect(run.checked, run.way).toBe(Math.round((partners * bodies) / 2));
        expect(run.wrong).toBe(0);
        expect(run.seconds.median).toBeGreaterThan(0);
        expect(run.nodesTested > 0, `${kind} ${run.way}`).toBe(!isConvex);
        expect(run.ratioToPeer > 0).toBe(isConvex && run.way !== 'rapier');
        if (run.way !== 'rapier') expect(run.pairs).toBeGreaterThanOrEqual(run.checked);
      }
    }
    // The class of meshes that the command line hands over is the one that their tables are made of.
    expect(contacts.nodes.map(({ label }) => label)).toEqual([
      'rocks of 72 triangles',
      'rocks of 2,048 triangles',
    ]);
    for (const one of contacts.nodes) expect(one.ratioToPeer * one.overClassify).toBeGreaterThan(0);
  });

  it('reads back, is on the page, and is compared run by run', () => {
    expect(parseReport(reportJson(report), 'report.json').contacts!.packings).toHaveLength(
      contacts.packings.length,
    );
    const html = reportHtml(report, '');
    expect(html).toContain('<h2 id="contacts">');
    expect(html).not.toMatch(/NaN|undefined|Infinity|\[object/);
    for (const { label } of contacts.ways) expect(html).toContain(label);
    const full = { ...report, quick: false };
    const slower = (times: number): BenchReport => ({
      ...full,
      contacts: {
        ...contacts,
        packings: contacts.packings.map((packing) => ({
          ...packing,
          runs: packing.runs.map((run) => ({ ...run, seconds: around(times) })),
        })),
      },
    });
    expect(compareReports(slower(1), slower(3)).medianRatio).toBeCloseTo(3, 9);
    expect(() => requireComparable(full, 'old', { quick: false, suites: ['pairs'] })).toThrow(
      'suite contacts found',
    );
    expect(summaryOf(full).some(([, meaning]) => meaning.includes('the rate of Rapier for contacts'))).toBe(
      true,
    );
  });
});

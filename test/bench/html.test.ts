import { describe, expect, it } from 'vitest';
import { reportHtml } from '../../src/bench/html.ts';
import { looksOf, THEMES } from '../../src/bench/html-style.ts';
import { countText, numberText } from '../../src/bench/html-text.ts';
import { figureOf, readable, suiteHtml, tableRows, withRuns } from '../support/bench-page.ts';
import { syntheticReport } from '../support/bench-report.ts';

const PAPER_FIGURES = [7, 8, 9, 10, 12, 13, 14, 15].map((number) => `figure-${number}`);
const INSIDE_FIGURES = [
  'inside-rates',
  'inside-growth',
  'inside-set-up',
  'inside-set-up-growth',
  'inside-shares',
];

const full = syntheticReport({ timestamps: true });
const html = reportHtml(full);

describe('the page', () => {
  it('asks for nothing from elsewhere', () => {
    const addresses = [...html.matchAll(/\b(?:src|href|srcset|action|data)="([^"]*)"/g)].map(
      ([, address]) => address!,
    );
    expect(addresses.length).toBeGreaterThan(0);
    expect(addresses.filter((address) => !address.startsWith('#'))).toEqual([]);
    expect(html).not.toMatch(/@import|url\((?!#)|<link|<img|<iframe|fetch\(|import\(/);
    expect(html).toContain(`http-equiv="Content-Security-Policy" content="default-src 'none'`);
  });

  it('says on what, when and how it was made', () => {
    const text = readable(html);
    for (const said of [
      'synthetic formula',
      'software',
      'Synthetic CPU',
      'Node 20.0.0',
      '2026-01-02 03:04 UTC',
      'scree bench --suite all --browser',
      'The hammer was left out',
      '2.20 GB/s',
    ])
      expect(text).toContain(said);
    expect(html.indexOf('The hammer')).toBeLessThan(html.indexOf('<h2 id="summary"'));
  });

  it('needs no script to be read', () => {
    const body = html.replace(/<script>.*?<\/script>/s, '');
    expect(body).toContain('id="theme" hidden');
    expect(body).not.toMatch(/\son[a-z]+="/);
  });
});

describe('charts', () => {
  it.each([...PAPER_FIGURES, 'table-2', ...INSIDE_FIGURES])('%s is drawn, named and captioned', (id) => {
    const figure = figureOf(html, id);
    const charts = figure.match(/<svg class="chart"[^>]*>/g)!;
    expect(charts.length).toBeGreaterThan(0);
    for (const chart of charts) {
      expect(chart).toMatch(/role="img" aria-label="[^"]{10,}"/);
      expect(chart).toMatch(/viewBox="0 0 440 \d+"/);
    }
    expect(figure).toMatch(/<figcaption>[^<]{20,}/);
  });

  it.each([...PAPER_FIGURES, 'table-2', ...INSIDE_FIGURES])('%s takes all colours from the theme', (id) => {
    expect(figureOf(html, id)).not.toMatch(/(?:fill|stroke)="(?!var\(--|none|transparent|url\(#)[^"]*"/);
  });

  it('stay inside their view boxes', () => {
    for (const [, height, content] of html.matchAll(
      /<svg class="chart" viewBox="0 0 440 (\d+)"[^>]*>(.*?)<\/svg>/gs,
    )) {
      for (const [, x, y] of content!.matchAll(/<text x="([-\d.]+)" y="([-\d.]+)"/g)) {
        expect(Number(x)).toBeGreaterThanOrEqual(0);
        expect(Number(x)).toBeLessThanOrEqual(440);
        expect(Number(y)).toBeLessThanOrEqual(Number(height));
      }
      for (const [, x, y] of content!.matchAll(/<circle cx="([-\d.]+)" cy="([-\d.]+)"/g)) {
        expect(Number(x)).toBeLessThanOrEqual(440);
        expect(Number(y)).toBeGreaterThanOrEqual(0);
        expect(Number(y)).toBeLessThanOrEqual(Number(height));
      }
    }
  });

  it('have a marker for every time of ray crossing on spheres, hollow where extrapolated', () => {
    const runs = full.suites[0]!.bodies.filter(({ series }) => series === 'sphere').flatMap(({ runs: own }) =>
      own.filter(({ way }) => way === 'ray-crossing-gpu'),
    );
    const first = /<svg class="chart".*?<\/svg>/s.exec(figureOf(html, 'figure-9'))![0];
    const of = (status: string) => runs.filter((run) => run.status === status).length;
    expect(of('extrapolated')).toBeGreaterThan(0);
    expect(first.match(/<g class="tip">/g)).toHaveLength(of('measured') + of('extrapolated'));
    expect(first.match(/<g class="tip">.*?fill="var\(--background\)" stroke="var/g)).toHaveLength(
      of('extrapolated'),
    );
    expect(first).toContain('stroke-dasharray="7 4"');
  });

  it('compare the smallest and the largest number of points', () => {
    expect(figureOf(html, 'figure-10')).toMatch(/M = 10³ points.*M = 80³ points/s);
  });

  it('give way to words where nothing was measured', () => {
    const page = reportHtml(withRuns(full, () => undefined));
    for (const id of [...PAPER_FIGURES, 'table-2', 'inside-rates', 'inside-growth', 'inside-shares']) {
      expect(figureOf(page, id)).toMatch(/<p class="nothing">[^<]{20,}/);
      expect(figureOf(page, id)).not.toContain('<svg');
    }
    // Set-ups are no runs.
    expect(figureOf(page, 'inside-set-up')).toContain('<svg class="chart"');
  });

  it('name a line of linear growth', () => {
    for (const id of PAPER_FIGURES) expect(figureOf(html, id)).toContain('>linear in N</text>');
    expect(figureOf(html, 'figure-9')).toContain('>linear in M</text>');
  });
});

describe('statements of the paper', () => {
  it('stand beside their figures with what was measured, the verdict and why', () => {
    for (const { source, statement, measured, agrees, why } of full.suites[0]!.findings) {
      const title = source.startsWith('Table') ? 'Table 2:' : `${source}:`;
      const block = html.slice(html.indexOf(`<h4>${title}`)).split('<h4>')[1]!;
      const text = readable(block);
      for (const said of [statement, measured, why]) expect(text).toContain(said);
      expect(text).toContain(
        `${source}: ${{ yes: 'agrees', no: 'differs', 'not measured': 'not measured' }[agrees]}`,
      );
    }
  });

  it('are repeated in the summary where ours differs', () => {
    const summary = readable(suiteHtml(html, 'summary'));
    expect(summary).toContain('Every refinement took longer');
    expect(summary).not.toContain('They cross at about');
  });

  it('are shown once each where they belong to no figure, twice where to two', () => {
    const [paper, inside] = full.suites;
    const odd = { source: 'Section 3.1', statement: 'ODD', measured: '', agrees: 'yes', why: '' } as const;
    const two = { ...odd, source: 'Figures 10 and 15, Table 3', statement: 'TWO' };
    const page = reportHtml({ ...full, suites: [{ ...paper!, findings: [odd, two] }, inside!] });
    expect(page.match(/ODD/g)).toHaveLength(1);
    expect(page.match(/TWO/g)).toHaveLength(2);
  });

  it('of table 2 have the paper’s seconds beside ours', () => {
    const rows = tableRows(figureBlock(html, 'Table 2'));
    const row = rows.find(({ cells }) => cells[0] === '80³ points')!;
    const way = 'multipole-pre-chosen-gpu';
    const run = full.suites[0]!.bodies.find(({ triangles }) => triangles === 32_768)!.runs.find(
      (one) => one.way === way && one.points === 512_000,
    )!;
    const mark = run.status === 'extrapolated' ? '≈' : '';
    expect(row.cells.slice(3, 5)).toEqual([`${mark}${numberText(1000 * run.seconds.total.median)}`, '329']);
  });
});

function figureBlock(page: string, title: string): string {
  return page.slice(page.indexOf(`<h4>${title}`)).split('<h4>')[1]!;
}

describe('tables', () => {
  it.each(full.suites.map((suite) => [suite.name, suite] as const))(
    'hold every run of suite %s',
    (name, suite) => {
      const rows = tableRows(suiteHtml(html, name));
      for (const { name: bodyName, runs } of suite.bodies) {
        const own = rows.filter(({ body }) => body.startsWith(`${bodyName}: `));
        for (const run of runs) {
          const label = suite.ways.find(({ key }) => key === run.way)!.label;
          const found = own.filter(
            ({ cells }) => cells[0] === label && cells[1] === run.set && cells[2] === countText(run.points),
          );
          // Rates, parts, checks.
          expect(found).toHaveLength(3);
          const rates = found[0]!.cells;
          const mark = run.status === 'extrapolated' ? '≈' : '';
          const { median, min, max } = run.seconds.total;
          if (run.status === 'left-out') expect(rates[3]).toBe('left out');
          else
            expect(rates.slice(4, 7)).toEqual(
              [median, min, max].map((s) => `${mark}${numberText(1000 * s)}`),
            );
          if (run.status === 'measured') expect(rates[3]).toBe('measured');
          if (run.status === 'extrapolated')
            expect(rates[3]).toBe(`≈ extrapolated from ${countText(run.measuredPoints)}`);
          if (run.status !== 'measured') expect(found[2]!.cells).toContain(run.reason);
        }
      }
    },
  );

  it('hold every set-up with its parts', () => {
    const suite = full.suites[0]!;
    const rows = tableRows(suiteHtml(html, 'paper')).filter(
      ({ cells }) => cells.length === 10 && /check/.test(cells[8]!),
    );
    expect(rows).toHaveLength(suite.bodies.flatMap(({ setUps }) => setUps).length);
  });

  it('give the spread of GPU timestamps only where there are some', () => {
    expect(html).toContain('kernels by GPU timestamps, ms');
    const without = reportHtml(syntheticReport());
    expect(without).not.toContain('kernels by GPU timestamps, ms');
    expect(readable(without)).toContain('No GPU timestamps in this suite');
  });
});

describe('colours', () => {
  const luminance = (colour: string) => {
    const [r, g, b] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const contrast = (a: string, b: string) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high! + 0.05) / (low! + 0.05);
  };
  const surfaces = ['background', 'card'];
  const texts = ['ink', 'faint-ink', 'link', 'good', 'bad', 'open'];
  const decoration = ['grid-line', 'line'];

  // WCAG 2.1, 1.4.3 and 1.4.11.
  it.each(Object.entries(THEMES))('of the %s theme stand out enough', (_, theme) => {
    for (const surface of surfaces)
      for (const text of texts)
        expect(contrast(theme[text]!, theme[surface]!), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5);
    for (const [name, colour] of Object.entries(theme)) {
      if ([...surfaces, ...texts, ...decoration].includes(name)) continue;
      expect(contrast(colour, theme.background!), name).toBeGreaterThanOrEqual(3);
    }
  });

  it('and markers are of one way each, also of ways that nobody knows', () => {
    const keys = [...full.suites.flatMap(({ ways }) => ways.map(({ key }) => key)), 'one', 'two'];
    const looks = [...looksOf([...new Set(keys)]).values()].map((look) => JSON.stringify(look));
    expect(new Set(looks).size).toBe(looks.length);
  });
});

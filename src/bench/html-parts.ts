/** Pieces of the page: sections, tables that scroll within themselves, figures with legends, statements of the paper. */
import { type Look, type Marker, marker, stroke } from './chart.ts';
import { PAGE_PAINT } from './html-style.ts';
import { escapeHtml, NOTHING } from './html-text.ts';
import type { Finding } from './report.ts';

/** A cell's text; `faint` for what is no measured number, `extrapolated` for what was scaled up. */
export type Cell =
  | string
  | { readonly text: string; readonly look: 'faint' | 'extrapolated' | 'alert'; readonly title?: string };

export interface Column {
  readonly head: string;
  /** Below the head, fainter. */
  readonly unit?: string;
  /** Columns beside each other with one such name get a common head. */
  readonly over?: string;
  /** Text is aligned at its left; numbers, the default, at their decimal points. */
  readonly text?: boolean;
}

export interface TableOptions {
  readonly caption: string;
  readonly columns: readonly Column[];
  /** Rows under a name that spans the table, or without one. The first cell of a row is its head. */
  readonly groups: readonly { readonly name?: string; readonly rows: readonly (readonly Cell[])[] }[];
}

const textOf = (cell: Cell) => (typeof cell === 'string' ? cell : cell.text);

/** Digits behind the decimal point; -1 without one. */
function decimals(content: string): number {
  const match = /^≈?[\d,]+(?:\.(\d+))?$/.exec(content);
  return match === null ? -1 : (match[1]?.length ?? 0);
}

/** Blanks as wide as the digits and the point that a number has not, so that points stand below each other. */
function padding(content: string, most: number): string {
  const own = decimals(content);
  if (own < 0 || most <= own) return '';
  return `${own === 0 ? '\u2008' : ''}${'\u2007'.repeat(most - own)}`;
}

/** A table in a box of its own that scrolls; empty where there are no rows. */
export function table({ caption, columns, groups }: TableOptions): string {
  const rows = groups.flatMap((group) => group.rows);
  if (rows.length === 0) return '';
  const most = columns.map((column, c) =>
    column.text ? 0 : Math.max(0, ...rows.map((row) => decimals(textOf(row[c] ?? '')))),
  );
  const body = groups
    .filter((group) => group.rows.length > 0)
    .map(({ name, rows: own }) => {
      const head =
        name === undefined
          ? ''
          : `<tr class="group"><th scope="rowgroup" colspan="${columns.length}"><span>${escapeHtml(name)}</span></th></tr>`;
      return `<tbody>${head}${own.map((row) => tableRow(row, columns, most)).join('\n')}</tbody>`;
    });
  return [
    paragraph(caption, 'caption'),
    `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(caption)}">`,
    '<table>',
    tableHead(columns),
    ...body,
    '</table></div>',
  ].join('\n');
}

function tableRow(row: readonly Cell[], columns: readonly Column[], most: readonly number[]): string {
  const cells = columns.map((column, c) => {
    const cell = row[c] ?? NOTHING;
    const content = textOf(cell);
    const more = typeof cell === 'string' ? undefined : cell;
    const classes = [column.text ? 'text' : '', more?.look ?? ''].filter((name) => name !== '').join(' ');
    const title = more?.title === undefined ? '' : ` title="${escapeHtml(more.title)}"`;
    const tag = c === 0 ? 'th scope="row"' : 'td';
    const attributes = `${classes === '' ? '' : ` class="${classes}"`}${title}`;
    return `<${tag}${attributes}>${escapeHtml(content)}${padding(content, most[c]!)}</${tag.slice(0, 2)}>`;
  });
  return `<tr>${cells.join('')}</tr>`;
}

function tableHead(columns: readonly Column[]): string {
  const cell = ({ head, unit, text }: Column, rows: number) =>
    `<th scope="col"${rows > 1 ? ` rowspan="${rows}"` : ''}${text ? ' class="text"' : ''}>${escapeHtml(head)}${unit === undefined ? '' : ` <small>${escapeHtml(unit)}</small>`}</th>`;
  if (columns.every(({ over }) => over === undefined)) {
    return `<thead><tr>${columns.map((column) => cell(column, 1)).join('')}</tr></thead>`;
  }
  const upper: string[] = [];
  for (let c = 0; c < columns.length; ) {
    const column = columns[c]!;
    if (column.over === undefined) {
      upper.push(cell(column, 2));
      c++;
      continue;
    }
    const first = c;
    while (columns[c]?.over === column.over) c++;
    upper.push(`<th scope="colgroup" colspan="${c - first}" class="over">${escapeHtml(column.over)}</th>`);
  }
  const lower = columns.filter(({ over }) => over !== undefined).map((column) => cell(column, 1));
  return `<thead><tr>${upper.join('')}</tr><tr>${lower.join('')}</tr></thead>`;
}

/** Content that opens on a click; empty where there is none. */
export function details(summary: string, content: string): string {
  return content === '' ? '' : `<details><summary>${escapeHtml(summary)}</summary>\n${content}\n</details>`;
}

export type Swatch =
  | { readonly name: string; readonly kind: 'series'; readonly look: Look }
  | { readonly name: string; readonly kind: 'extrapolated' | 'reference' | 'timestamps' }
  | { readonly name: string; readonly kind: 'fill'; readonly fill: string; readonly pattern: string };

export function legendList(swatches: readonly Swatch[]): string {
  if (swatches.length === 0) return '';
  const items = swatches.map((swatch) => `<li>${swatchSvg(swatch)}${escapeHtml(swatch.name)}</li>`);
  return `<ul class="legend">${items.join('')}</ul>`;
}

function swatchSvg(swatch: Swatch): string {
  const open = `<svg viewBox="0 0 30 14" width="30" height="14" aria-hidden="true">`;
  return `${open}${swatchDrawing(swatch)}</svg>`;
}

/** In a box of 30 x 14. */
export function swatchDrawing(swatch: Swatch): string {
  const mark = (kind: Marker, color: string, hollow: boolean) =>
    marker(kind, 15, 7, color, { hollow, paint: PAGE_PAINT });
  switch (swatch.kind) {
    case 'series':
      return `<path d="M1 7h28" ${stroke(swatch.look)}/>${mark(swatch.look.marker, swatch.look.color, false)}`;
    case 'extrapolated':
      return `<path d="M1 7h28" ${stroke({ color: PAGE_PAINT.ink, marker: 'none', dashed: true })}/>${mark('circle', PAGE_PAINT.ink, true)}`;
    case 'reference':
      return `<path d="M1 7h28" fill="none" stroke="${PAGE_PAINT.faintInk}" stroke-width="1.4" stroke-dasharray="2 4"/>`;
    case 'timestamps':
      return `<path d="M1 11h28" fill="none" stroke="${PAGE_PAINT.ink}" stroke-width="3"/>`;
    case 'fill':
      return `<rect x="1" y="1" width="28" height="12" fill="${swatch.fill}"/><rect x="1" y="1" width="28" height="12" fill="${swatch.pattern}" stroke="${PAGE_PAINT.faintInk}"/>`;
  }
}

/** A chart and what its looks mean; an empty chart where there is nothing to show. */
export interface Plot {
  readonly chart: string;
  readonly legend: readonly Swatch[];
}

export interface FigureOptions {
  readonly id: string;
  readonly plots: readonly Plot[];
  readonly caption: string;
  /** Whether a look means the same in all plots: one legend for all, otherwise one below each. */
  readonly shared: boolean;
  /** Said where there is no plot. */
  readonly nothing?: string;
  /** On a narrow screen plots lie in a row that is pushed sideways: for many plots of one kind. */
  readonly row?: boolean;
}

/** Charts beside each other, as many as the page is wide, or word that there are none. */
export function figure(options: FigureOptions): string {
  const {
    id,
    plots,
    caption,
    shared,
    nothing = 'Nothing was measured for this figure in this run.',
    row = false,
  } = options;
  const drawn = plots.filter(({ chart }) => chart !== '');
  const panels = drawn.map(({ chart, legend }) => `<div>${chart}${shared ? '' : legendList(legend)}</div>`);
  const classes = [
    'panels',
    ...(drawn.length === 1 || drawn.length % 3 === 0 ? [] : ['even']),
    ...(row && drawn.length > 1 ? ['row'] : []),
  ];
  // What scrolls has to be reached by keyboard, too.
  const scrolls = row ? ` role="group" tabindex="0" aria-label="${escapeHtml(`Charts: ${caption}`)}"` : '';
  const content =
    drawn.length === 0
      ? paragraph(nothing, 'nothing')
      : `<div class="${classes.join(' ')}"${scrolls}>${panels.join('\n')}</div>${shared ? legendList(mergeLegends(drawn)) : ''}`;
  return `<figure id="${escapeHtml(id)}">\n${content}\n<figcaption>${escapeHtml(caption)}</figcaption>\n</figure>`;
}

/** Every name once, special marks last. */
function mergeLegends(plots: readonly Plot[]): Swatch[] {
  const byName = new Map(plots.flatMap(({ legend }) => legend).map((swatch) => [swatch.name, swatch]));
  const order = ({ kind }: Swatch) =>
    ['series', 'fill', 'timestamps', 'extrapolated', 'reference'].indexOf(kind);
  return [...byName.values()].sort((a, b) => order(a) - order(b));
}

const VERDICTS = {
  yes: { mark: '✓', name: 'agrees', look: 'yes' },
  no: { mark: '≠', name: 'differs', look: 'no' },
  'not measured': { mark: '–', name: 'not measured', look: 'open' },
} as const;

/** A statement of the paper, what was found here, and whether they agree. */
export function findingCard(finding: Finding): string {
  return statementCard(finding, 'Paper');
}

/** The same of whoever `says` it. */
export function statementCard({ source, statement, measured, agrees, why }: Finding, says: string): string {
  const verdict = VERDICTS[agrees];
  const line = (name: string, content: string) =>
    content === '' ? '' : `<p><b>${name}</b> ${escapeHtml(content)}</p>`;
  return [
    `<div class="finding ${verdict.look}">`,
    `<p class="verdict"><span aria-hidden="true">${verdict.mark}</span> ${escapeHtml(source)}: ${verdict.name}</p>`,
    line(says, statement),
    line('Here', measured),
    line('Why', why),
    '</div>',
  ].join('');
}

export function paragraph(content: string, look = ''): string {
  return `<p${look === '' ? '' : ` class="${look}"`}>${escapeHtml(content)}</p>`;
}

export function bullets(items: readonly string[]): string {
  return items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;
}

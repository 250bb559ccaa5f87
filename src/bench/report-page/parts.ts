/** Pieces of the page: tables that scroll within themselves, folded details, charts with legends. */
import type { Finding } from '../report.ts';
import { countText, escapeHtml, NOTHING } from '../text.ts';
import { type ChartSpec, isWorthDrawing } from './spec.ts';

/** A cell's text; `extrapolated` for what was scaled up. */
export type Cell =
  | string
  | { readonly text: string; readonly look: 'extrapolated' | 'alert' | 'good'; readonly title?: string };

/** A count of wrong answers. */
export const wrongCell = (count: number): Cell =>
  count > 0 ? { text: countText(count), look: 'alert' } : countText(count);

/** Whether something is as it was wanted or said. */
export const VERDICTS = {
  yes: { text: 'held', look: 'good' },
  no: { text: 'not held', look: 'alert' },
  'not judged': 'no verdict',
  'not measured': 'not measured',
} as const satisfies Record<Finding['agrees'], Cell>;

export const verdictCell = (held: boolean): Cell => VERDICTS[held ? 'yes' : 'no'];

export const cellText = (cell: Cell) => (typeof cell === 'string' ? cell : cell.text);

export interface TableOptions {
  /** `head` or `head|unit`; `@` before it: text, aligned at its left and wrapped, and no number. */
  readonly columns: readonly string[];
  /** Rows under a name that spans the table, or without one. The first cell of a row is its head. */
  readonly groups: readonly { readonly name?: string; readonly rows: readonly (readonly Cell[])[] }[];
}

/** A table with what it is about: the page folds it, the terminal prints it. */
export interface NamedTable extends TableOptions {
  readonly name: string;
  readonly explanation: string;
}

/** A table in a box of its own that scrolls; empty where there are no rows. */
export function table(label: string, { columns, groups }: TableOptions): string {
  const filled = groups.filter(({ rows }) => rows.length > 0);
  if (filled.length === 0) return '';
  const isText = columns.map((column) => column.startsWith('@'));
  const heads = columns.map((column, c) => {
    const [head, unit] = column.slice(isText[c] ? 1 : 0).split('|');
    const small = unit === undefined ? '' : ` <small>${escapeHtml(unit)}</small>`;
    return `<th scope="col"${isText[c] ? ' class="text"' : ''}>${escapeHtml(head!)}${small}</th>`;
  });
  const wide = `colspan="${columns.length}"`;
  const bodies = filled.map(({ name, rows }) => {
    const head =
      name === undefined
        ? ''
        : `<tr class="group"><th scope="rowgroup" ${wide}><span>${escapeHtml(name)}</span></th></tr>`;
    return `<tbody>${head}${rows.map((row) => tableRow(row, isText)).join('\n')}</tbody>`;
  });
  return [
    `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(label)}">`,
    `<table><thead><tr>${heads.join('')}</tr></thead>${bodies.join('\n')}</table></div>`,
  ].join('\n');
}

function tableRow(row: readonly Cell[], isText: readonly boolean[]): string {
  const cells = isText.map((text, c) => {
    const cell = row[c] ?? NOTHING;
    const more = typeof cell === 'string' ? { text: cell } : cell;
    const classes = [text ? 'text' : '', 'look' in more ? more.look : ''].filter((name) => name !== '');
    const title = 'title' in more && more.title ? ` title="${escapeHtml(more.title)}"` : '';
    const [open, close] = c === 0 ? ['th scope="row"', 'th'] : ['td', 'td'];
    const look = classes.length > 0 ? ` class="${classes.join(' ')}"` : '';
    return `<${open}${look}${title}>${escapeHtml(more.text)}</${close}>`;
  });
  return `<tr>${cells.join('')}</tr>`;
}

export const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;

/** Folded; empty where its content is. */
export function details(summary: string, ...content: readonly string[]): string {
  const shown = content.filter((part) => part !== '');
  if (shown.length === 0) return '';
  return `<details><summary>${escapeHtml(summary)}</summary>\n${shown.join('\n')}\n</details>`;
}

/** A table under its own summary. */
export const foldedTable = (summary: string, explanation: string, options: TableOptions) => {
  const found = table(summary, options);
  return found === '' ? '' : details(summary, paragraph(explanation), found);
};

/** A chart with its legend and data; empty where it has nothing to say that a table would not say better. */
export function chart(spec: ChartSpec, caption: string): string {
  if (!isWorthDrawing(spec)) return '';
  const used = new Set(spec.panels.flatMap(({ points }) => points.map(({ series }) => series)));
  const kept = [...spec.series.keys()].filter((i) => used.has(i));
  // Series that have nothing here are in no legend.
  const own: ChartSpec = {
    ...spec,
    series: kept.map((i) => spec.series[i]!),
    panels: spec.panels
      .filter(({ points }) => points.length > 0)
      .map(({ title, points }) => ({
        title,
        points: points.map((one) => ({ ...one, series: kept.indexOf(one.series) })),
      })),
  };
  const data = JSON.stringify(own).replaceAll('<', '\\u003c');
  const legend = own.series.map(({ name }) => `<li>${escapeHtml(name)}</li>`).join('');
  const panels = own.panels.map(({ title }) => `<div><h4>${escapeHtml(title)}</h4><div class="plot"></div></div>`);
  return [
    `<figure class="chart"><script type="application/json">${data}</script>`,
    `<ul class="legend">${legend}</ul>`,
    `<div class="panels">${panels.join('')}</div>`,
    `<figcaption>${escapeHtml(caption)}</figcaption></figure>`,
  ].join('\n');
}

/** The page's charts with a row for each way of each body: marks on a logarithmic axis, and shares of a call. */
import {
  escapeXml,
  horizontalAxis,
  type Look,
  linearScale,
  logScale,
  marker,
  type Panel,
  round,
  text,
} from './chart.ts';
import { pageSvg, rangeOf } from './html-charts.ts';
import { PAGE_PAINT, PARTS, REST } from './html-style.ts';

const WIDTH = 440;
const LABELS = 140;
const TOP = 46;
const GROUP = 27;
const ROW = 27;
const BELOW = 50;
/** Letters of a label in one line. */
const LINE_LETTERS = 23;
const { ink: INK, faintInk: FAINT, background: BACKGROUND } = PAGE_PAINT;

interface Row {
  readonly label: string;
}

/** Rows under the name of what they have in common. */
export interface RowGroup<T extends Row> {
  readonly name: string;
  readonly note: string;
  readonly rows: readonly T[];
}

interface Layout<T> {
  readonly heads: readonly { readonly y: number; readonly name: string; readonly note: string }[];
  readonly rows: readonly { readonly middle: number; readonly row: T }[];
  readonly height: number;
}

function layOut<T extends Row>(groups: readonly RowGroup<T>[]): Layout<T> {
  let y = TOP;
  const heads: Layout<T>['heads'][number][] = [];
  const rows: Layout<T>['rows'][number][] = [];
  for (const { name, note, rows: own } of groups) {
    heads.push({ y: y + 18, name, note });
    y += GROUP;
    for (const row of own) {
      rows.push({ middle: y + ROW / 2, row });
      y += ROW;
    }
  }
  return { heads, rows, height: y - TOP };
}

/** Beside the labels, below the first group's head. */
function panelOf(height: number, right: number): Panel {
  return { left: LABELS, top: TOP + GROUP, width: WIDTH - LABELS - right, height: height - GROUP };
}

/** In one line or two, cut where even these are too short. */
function labelLines(label: string): string[] {
  if (label.length <= LINE_LETTERS) return [label];
  const cut = (part: string) => (part.length > LINE_LETTERS ? `${part.slice(0, LINE_LETTERS - 1)}…` : part);
  const comma = label.lastIndexOf(', ', LINE_LETTERS - 1);
  const fits = comma > 0 && label.length - comma - 2 <= LINE_LETTERS;
  const at = fits ? comma + 1 : label.lastIndexOf(' ', LINE_LETTERS);
  return at <= 0 ? [cut(label)] : [label.slice(0, at), cut(label.slice(at + 1))];
}

function rowLabel(label: string, middle: number): string[] {
  const lines = labelLines(label);
  const first = middle + 4 - 6.5 * (lines.length - 1);
  return lines.map((line, i) => text(LABELS - 10, first + 13 * i, line, 'text-anchor="end" font-size="12"'));
}

function groupHeads(heads: Layout<Row>['heads']): string[] {
  return heads.flatMap(({ y, name, note }) => [
    `<rect x="0" y="${y - 14}" width="${WIDTH}" height="20" fill="${BACKGROUND}"/>`,
    `<text x="0" y="${y}" font-weight="600">${escapeXml(name)}<tspan dx="8" font-weight="400" fill="${FAINT}">${escapeXml(note)}</tspan></text>`,
  ]);
}

/** The axis at the left of each group, and the one below all. */
function axisLines(heads: Layout<Row>['heads'], { left, top, width, height }: Panel): string[] {
  const lines = heads.map(({ y }, i) => {
    const end = i + 1 < heads.length ? heads[i + 1]!.y - 18 : top + height;
    return `M${left} ${y + 9}V${end}`;
  });
  return [`<path d="${lines.join('')}M${left} ${top + height}h${width}" stroke="${FAINT}" fill="none"/>`];
}

export interface MarkRow extends Row {
  readonly look: Look;
  /** 0 where it was left out. */
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly hollow: boolean;
  readonly valueText: string;
  readonly besideText: string;
  readonly tip: string;
}

export interface MarkPlotOptions {
  readonly title: string;
  readonly valueHead: string;
  readonly besideHead: string;
  readonly axis: string;
  readonly tick: (value: number) => string;
  readonly groups: readonly RowGroup<MarkRow>[];
}

const MARK_RIGHT = 126;
/** Of a tick's text: `200 ms`. */
const TICK_ROOM = 46;

/** A mark at each row's value on a logarithmic axis, the value and something else beside it. Empty without a value. */
export function markPlot({ title, valueHead, besideHead, axis, tick, groups }: MarkPlotOptions): string {
  const { heads, rows, height } = layOut(groups);
  const values = rows
    .flatMap(({ row }) => [row.value, row.min, row.max])
    .filter((value) => value > 0 && Number.isFinite(value));
  if (values.length === 0) return '';
  const panel = panelOf(height, MARK_RIGHT);
  const scale = logScale(rangeOf(values), panel.left, panel.left + panel.width);
  const ticks = ticksWithRoom(scale.ticks, scale.place);
  return pageSvg(TOP + height + BELOW, `${title}: ${axis}, logarithmic axis`, [
    text(0, 15, title, 'font-size="15" font-weight="600"'),
    text(WIDTH - 62, 37, valueHead, `text-anchor="end" fill="${FAINT}"`),
    text(WIDTH, 37, besideHead, `text-anchor="end" fill="${FAINT}"`),
    ...horizontalAxis(panel, { ...scale, ticks }, axis, { paint: PAGE_PAINT, tick, nameAt: 40 }),
    ...groupHeads(heads),
    ...axisLines(heads, panel),
    ...rows.flatMap(({ row, middle }) => [
      ...rowLabel(row.label, middle),
      ...(row.value > 0 ? rowMark(row, middle, panel.left, scale.place) : []),
      text(WIDTH - 62, middle + 4, row.valueText, 'text-anchor="end"'),
      text(WIDTH, middle + 4, row.besideText, `text-anchor="end" fill="${FAINT}"`),
    ]),
  ]);
}

/** Every one, every other, every third ... of the ticks, the last among them, so that their texts stand apart. */
function ticksWithRoom(ticks: readonly number[], place: (value: number) => number): number[] {
  for (let step = 1; ; step++) {
    const kept = ticks.filter((_, i) => (ticks.length - 1 - i) % step === 0);
    const gaps = kept.slice(1).map((tick, i) => place(tick) - place(kept[i]!));
    if (gaps.every((gap) => gap >= TICK_ROOM)) return kept;
  }
}

function rowMark(row: MarkRow, middle: number, left: number, place: (value: number) => number): string[] {
  const { look, value, min, max, hollow, tip } = row;
  const [x, y] = [round(place(value)), round(middle)];
  const dashes = hollow ? ' stroke-dasharray="6 4"' : '';
  const [low, high] = [min, max].map((end) => round(place(end > 0 ? end : value)));
  return [
    `<path d="M${left} ${y}H${x}" stroke="${look.color}" stroke-width="2.4"${dashes}/>`,
    ...(max > min
      ? [
          `<path d="M${low} ${y - 5}v10M${low} ${y}H${high}M${high} ${y - 5}v10" fill="none" stroke="${FAINT}"/>`,
        ]
      : []),
    `<g class="tip"><title>${escapeXml(tip)}</title><rect x="${left}" y="${y - 12}" width="${round(x - left + 8)}" height="24" fill="transparent"/>${marker(look.marker, x, y, look.color, { hollow, paint: PAGE_PAINT })}</g>`,
  ];
}

export interface ShareRow extends Row {
  readonly total: number;
  /** Seconds by the keys of PARTS. */
  readonly parts: Readonly<Record<(typeof PARTS)[number]['key'], number>>;
  /** Of the kernel by the GPU's timestamps; 0 without. */
  readonly gpu: number;
  readonly totalText: string;
}

const SHARE_RIGHT = 78;
const BAR = 15;
/** Shares that have room for their number. */
const LEAST_LABELLED = 0.17;

/** A bar of 100 % for each row, its total beside it. Empty without a total. */
export function sharePlot(title: string, groups: readonly RowGroup<ShareRow>[]): string {
  const { heads, rows, height } = layOut(groups);
  if (rows.length === 0) return '';
  const panel = panelOf(height, SHARE_RIGHT);
  const scale = linearScale(100, panel.left, panel.left + panel.width, 4);
  return pageSvg(TOP + height + BELOW, `${title}: shares of the wall time of a call`, [
    text(0, 15, title, 'font-size="15" font-weight="600"'),
    text(WIDTH, 37, 'whole call', `text-anchor="end" fill="${FAINT}"`),
    ...horizontalAxis(panel, scale, 'share of the wall time', {
      paint: PAGE_PAINT,
      tick: (share) => `${share} %`,
      nameAt: 40,
    }),
    ...groupHeads(heads),
    ...axisLines(heads, panel),
    ...rows.flatMap(({ row, middle }) => [
      ...rowLabel(row.label, middle),
      ...shareBar(row, round(middle - BAR / 2), scale.place),
      text(WIDTH, middle + 4, row.totalText, 'text-anchor="end"'),
    ]),
  ]);
}

function shareBar({ parts, total, gpu }: ShareRow, y: number, place: (share: number) => number): string[] {
  const sum = PARTS.reduce((all, { key }) => all + parts[key], 0);
  // Medians of parts may add up to a little more than the median of the whole.
  const whole = Math.max(total, sum);
  const drawn: string[] = [];
  let before = 0;
  for (const { name, fill, pattern, labelled, seconds } of [
    ...PARTS.map((part) => ({ ...part, seconds: parts[part.key] })),
    { ...REST, seconds: whole - sum },
  ]) {
    const share = seconds / whole;
    const [from, to] = [round(place(100 * before)), round(place(100 * (before + share)))];
    before += share;
    const box = `x="${from}" y="${y}" width="${round(to - from)}" height="${BAR}"`;
    if (to - from < 0.05) continue;
    const percent = `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
    drawn.push(
      `<g class="tip"><title>${escapeXml(`${name}: ${percent}`)}</title><rect ${box} fill="${fill}"/>${pattern === 'none' ? '' : `<rect ${box} fill="${pattern}"/>`}<rect ${box} fill="none" stroke="${BACKGROUND}" stroke-width="0.8"/></g>`,
    );
    if (share < LEAST_LABELLED) continue;
    drawn.push(text((from + to) / 2, y + 11.8, percent, `text-anchor="middle" font-size="12" ${labelled}`));
  }
  if (gpu > 0) {
    const from = parts.upload / whole;
    const [start, end] = [from, Math.min(1, from + gpu / whole)].map((share) => round(place(100 * share)));
    drawn.push(`<path d="M${start} ${y + BAR + 2.5}H${end}" stroke="${INK}" stroke-width="3"/>`);
  }
  return drawn;
}

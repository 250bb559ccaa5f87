/** Colours of both themes and the page's style sheet. */
import type { Look, Paint } from './chart.ts';

/** Colour by name, as hexadecimal numbers: `--name` in the style sheet. */
export type Palette = Readonly<Record<string, string>>;

/** Backgrounds, then what is written on them. */
const LIGHT_PAGE: Palette = {
  background: '#ffffff',
  card: '#f4f6f9',
  'grid-line': '#e3e7ec',
  line: '#cdd4dc',
  ink: '#1d2733',
  'faint-ink': '#566373',
  link: '#0b5cad',
  good: '#17683f',
  bad: '#a3330b',
  open: '#566373',
};
const DARK_PAGE: Palette = {
  background: '#12161b',
  card: '#1b2129',
  'grid-line': '#2a323c',
  line: '#3c4652',
  ink: '#e6ebf1',
  'faint-ink': '#a3afbd',
  link: '#7db8f5',
  good: '#6fd39d',
  bad: '#ff9d73',
  open: '#a3afbd',
};

/** Series, after Okabe and Ito with steps in lightness. `step-0` and on are one hue, ever stronger against the page. */
const LIGHT_SERIES: Palette = {
  blue: '#0072b2',
  sky: '#3a8fc4',
  purple: '#8a3f73',
  orange: '#b36b00',
  green: '#1b7f5c',
  red: '#c8441a',
  brown: '#6b4a1f',
  ochre: '#7a6a00',
  violet: '#5a4fcf',
  peer: '#3b3b3b',
  copy: '#767676',
  'step-0': '#5592cb',
  'step-1': '#2c70b3',
  'step-2': '#174a85',
  'step-3': '#0a2347',
};
const DARK_SERIES: Palette = {
  blue: '#4ea8e6',
  sky: '#9ad6ff',
  purple: '#dd92c8',
  orange: '#f0ae3f',
  green: '#3fc795',
  red: '#ff8256',
  brown: '#c79f6c',
  ochre: '#ddd25c',
  violet: '#a79dff',
  peer: '#dfe3e8',
  copy: '#98a1ab',
  'step-0': '#4b82ba',
  'step-1': '#6fa6de',
  'step-2': '#a8cef5',
  'step-3': '#e8f3ff',
};

export const THEMES: Readonly<Record<'light' | 'dark', Palette>> = {
  light: { ...LIGHT_PAGE, ...LIGHT_SERIES },
  dark: { ...DARK_PAGE, ...DARK_SERIES },
};

const colour = (name: keyof typeof LIGHT_SERIES | keyof typeof LIGHT_PAGE) => `var(--${name})`;

/** Charts take the page's colours and so follow its theme. */
export const PAGE_PAINT: Paint = {
  ink: colour('ink'),
  faintInk: colour('faint-ink'),
  background: colour('background'),
  gridLine: colour('grid-line'),
};

/** Of ways that people know from one report to the next. The first that fits a way's key is taken. */
const KNOWN_LOOKS: readonly (readonly [RegExp, Look])[] = [
  [/^copy/, { color: colour('copy'), marker: 'plus', dashed: true }],
  [/^three-mesh-bvh/, { color: colour('peer'), marker: 'square' }],
  [/well-chosen/, { color: colour('green'), marker: 'down' }],
  [/pre-chosen/, { color: colour('red'), marker: 'hourglass' }],
  [/^multipole/, { color: colour('brown'), marker: 'plus' }],
  [/^ray-crossing-all/, { color: colour('ochre'), marker: 'left' }],
  [/^ray-crossing/, { color: colour('orange'), marker: 'diamond' }],
  [/^cell-grid-cpu-1/, { color: colour('sky'), marker: 'right' }],
  [/^cell-grid-cpu/, { color: colour('blue'), marker: 'circle' }],
  [/^cell-grid/, { color: colour('purple'), marker: 'triangle' }],
  [/^auto/, { color: colour('violet'), marker: 'pentagon' }],
];

/** A look for every way: its own, or one that no other has. */
export function looksOf(keys: readonly string[]): ReadonlyMap<string, Look> {
  const looks = new Map<string, Look>();
  const free = new Set(KNOWN_LOOKS.map(([, look]) => look));
  for (const key of keys) {
    const known = KNOWN_LOOKS.find(([pattern]) => pattern.test(key))?.[1];
    if (known === undefined || !free.delete(known)) continue;
    looks.set(key, known);
  }
  // Once all are given away, dashes tell the second round from the first.
  const again = KNOWN_LOOKS.filter(([, look]) => !look.dashed).map(([, look]) => ({ ...look, dashed: true }));
  const more = [...free, ...again];
  for (const [i, key] of keys.filter((one) => !looks.has(one)).entries()) {
    looks.set(key, more[i % more.length]!);
  }
  return looks;
}

const STEP_MARKERS = ['circle', 'square', 'triangle', 'diamond'] as const;

/** Of series in rising order, such as numbers of points. */
export function stepLook(i: number): Look {
  const k = i % STEP_MARKERS.length;
  return { color: colour(`step-${k}`), marker: STEP_MARKERS[k]!, dashed: i >= STEP_MARKERS.length };
}

// Numbers stand on the fill itself or, over a pattern, in a halo.
const ON_FILL = `fill="${colour('background')}" font-weight="600"`;
const IN_HALO = `stroke="${colour('background')}" stroke-width="4" paint-order="stroke"`;

/** Parts of a call, each with a pattern over its colour (`PATTERNS`), and how a number on it is written. */
export const PARTS = [
  {
    key: 'upload',
    name: 'upload',
    fill: colour('blue'),
    pattern: 'url(#pattern-rising)',
    labelled: IN_HALO,
  },
  {
    key: 'kernel',
    name: 'kernel (on the CPU: the test)',
    fill: colour('purple'),
    pattern: 'none',
    labelled: ON_FILL,
  },
  {
    key: 'readback',
    name: 'readback',
    fill: colour('green'),
    pattern: 'url(#pattern-falling)',
    labelled: IN_HALO,
  },
  {
    key: 'exact',
    name: 'exact predicates',
    fill: colour('orange'),
    pattern: 'url(#pattern-dots)',
    labelled: IN_HALO,
  },
] as const;
export const REST = {
  name: 'rest of the call',
  fill: colour('grid-line'),
  pattern: 'none',
  labelled: '',
} as const;

/** For all charts of the page, on top of it. */
export const PATTERNS = `<svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs>
<pattern id="pattern-rising" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 7L7 -1M-1 1L1 -1M5 7L7 5" stroke="${colour('background')}" stroke-width="1.6"/></pattern>
<pattern id="pattern-falling" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 -1L7 7M5 -1L7 1M-1 5L1 7" stroke="${colour('background')}" stroke-width="1.6"/></pattern>
<pattern id="pattern-dots" width="5" height="5" patternUnits="userSpaceOnUse"><circle cx="2.5" cy="2.5" r="1.2" fill="${colour('background')}"/></pattern>
</defs></svg>`;

/** As custom properties. */
export function declarations(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}

/** Light unless the reader's system is dark; `data-theme` on the root overrides both. Paper is always light. */
const THEME_RULES = `
:root{color-scheme:light;${declarations(THEMES.light)}}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${declarations(THEMES.dark)}}}
@media screen{:root[data-theme=dark]{color-scheme:dark;${declarations(THEMES.dark)}}}`;

const RULES = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--background);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Open Sans',sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
main,.top{max-width:1280px;margin:0 auto;padding:0 24px}
.top{padding-top:28px;display:flex;flex-wrap:wrap;gap:4px 24px;justify-content:space-between;align-items:flex-start}
.top>div{flex:1 1 320px}
h1{font-size:30px;line-height:1.2;margin:0}
h2{font-size:23px;line-height:1.25;margin:52px 0 12px;padding-top:14px;border-top:1px solid var(--line)}
h3{font-size:19px;margin:36px 0 8px}
h4{font-size:16px;margin:28px 0 6px}
p{margin:8px 0;max-width:76ch}
a{color:var(--link)}
small,.faint,figcaption,.sub{color:var(--faint-ink)}
.sub{margin:6px 0 0}
button{font:inherit;font-size:14px;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:6px;padding:5px 12px;cursor:pointer}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
nav ul{list-style:none;margin:16px 0 0;padding:0;display:flex;flex-wrap:wrap;gap:4px 18px}
pre{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:10px 14px;overflow-x:auto;font:14px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(270px,1fr));gap:10px 24px;margin:14px 0}
dt{color:var(--faint-ink);font-size:14px}
dd{margin:0}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,270px),1fr));gap:12px;margin:14px 0;padding:0;list-style:none}
.tiles li{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px 14px}
.tiles b{display:block;font-size:24px;line-height:1.3;white-space:nowrap}
.tiles span{color:var(--faint-ink);font-size:14px;line-height:1.4;display:block}
.notes{background:var(--card);border-left:4px solid var(--bad);border-radius:0 8px 8px 0;padding:6px 16px;margin:16px 0}
.notes h2{font-size:19px;margin:6px 0;padding:0;border:0}
.notes ul{margin:6px 0;padding-left:20px}
.notes li{margin:3px 0}
.alert{color:var(--bad);font-weight:600}
figure{margin:0;min-width:0}
figcaption{font-size:14px;margin-top:6px;max-width:76ch}
.panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,330px),1fr));gap:14px 20px;align-items:start}
@media (min-width:800px){.panels.even{grid-template-columns:repeat(2,minmax(0,1fr))}}
.chart{display:block;width:100%;max-width:520px;height:auto}
.chart .tip:hover{filter:brightness(1.15)}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 18px;margin:8px 0 0;padding:0;font-size:14px}
.legend li{display:flex;align-items:center;gap:7px}
.legend svg{flex:none}
.beside{display:grid;grid-template-columns:minmax(0,520px) minmax(0,1fr);gap:14px 40px;align-items:start}
.below{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:12px 24px;margin-top:14px;align-items:start}
.below .finding{margin:0}
.finding{border-left:4px solid var(--open);background:var(--card);border-radius:0 8px 8px 0;padding:8px 14px;margin:0 0 12px}
.finding p{margin:4px 0;font-size:15px}
.finding .verdict{font-weight:600;color:var(--open)}
.finding.yes{border-color:var(--good)}.finding.yes .verdict{color:var(--good)}
.finding.no{border-color:var(--bad)}.finding.no .verdict{color:var(--bad)}
.nothing{border:1px dashed var(--line);border-radius:8px;padding:18px;color:var(--faint-ink)}
details{margin:10px 0;border:1px solid var(--line);border-radius:8px;padding:0 14px}
summary{cursor:pointer;padding:8px 0;font-weight:600}
details[open]{padding-bottom:14px}
.scroll{overflow:auto;max-height:78vh;margin:10px 0;border:1px solid var(--line);border-radius:6px;overflow-wrap:normal;width:fit-content;max-width:100%}
details .scroll{width:auto}
table{width:max-content;border-collapse:separate;border-spacing:0;font-size:14px;line-height:1.35}
.caption{margin:18px 0 -4px;font-size:14px;color:var(--faint-ink)}
th,td{padding:4px 10px;text-align:right;white-space:nowrap;vertical-align:top}
th:first-child,td.text,th.text{text-align:left}
td.text{white-space:normal;max-width:34em}
thead{position:sticky;top:0;z-index:2}
thead th{background:var(--card);font-weight:600;border-bottom:1px solid var(--line);vertical-align:bottom}
thead th.over{text-align:center;border-left:1px solid var(--line)}
thead small{display:block;font-weight:400}
tbody th{font-weight:400;text-align:left;position:sticky;left:0;background:var(--background)}
tbody td{border-top:1px solid var(--grid-line)}tbody th[scope=row]{border-top:1px solid var(--grid-line)}
tr.group th{font-weight:600;background:var(--card);border-top:1px solid var(--line)}
tr.group span{position:sticky;left:10px}
td.faint,th.faint{color:var(--faint-ink)}
td.extrapolated{font-style:italic;color:var(--faint-ink)}
td.alert{color:var(--bad);font-weight:600}
footer{color:var(--faint-ink);font-size:14px;margin:52px 0 40px;border-top:1px solid var(--line);padding-top:14px}
@media (max-width:860px){.beside{grid-template-columns:minmax(0,1fr)}}
@media (max-width:520px){main,.top{padding-left:16px;padding-right:16px}h1{font-size:26px}h2{font-size:21px;margin-top:40px}tbody th[scope=row]{white-space:normal;min-width:8.5em;max-width:10em}.panels.row{display:flex;overflow-x:auto;scroll-snap-type:x proximity;padding-bottom:8px}.panels.row>div{flex:0 0 88%;scroll-snap-align:start}}
@media print{.top button,nav{display:none}.scroll{max-height:none;overflow:visible}figure,.finding{break-inside:avoid}}
`;

export const STYLE = `${THEME_RULES}${RULES}`;

/** Colours of both themes, the looks of ways, and the page's style sheet. */
import { labelsOf, type WayReport } from '../report.ts';
import type { ChartSeries } from './spec.ts';

/** Hexadecimal colours by name: `--name` in the style sheet. Backgrounds, what is written on them, then series. */
export const THEMES = {
  light: {
    ...{ background: '#ffffff', card: '#f4f6f9', 'grid-line': '#e3e7ec', line: '#cdd4dc' },
    ...{ ink: '#1d2733', 'faint-ink': '#566373', link: '#0b5cad', good: '#17683f', bad: '#a3330b' },
    ...{ blue: '#1769b0', teal: '#0a7d72', pink: '#b02a7f', orange: '#b36000', red: '#c42d17' },
    ...{ brown: '#7b5230', violet: '#5c48cf', olive: '#6a6e00', peer: '#2b2b2b', copy: '#767676' },
  },
  dark: {
    ...{ background: '#12161b', card: '#1b2129', 'grid-line': '#2a323c', line: '#3c4652' },
    ...{ ink: '#e6ebf1', 'faint-ink': '#a3afbd', link: '#7db8f5', good: '#6fd39d', bad: '#ff9d73' },
    ...{ blue: '#58aef2', teal: '#35cbb6', pink: '#f287c6', orange: '#f5a83b', red: '#ff7759' },
    ...{ brown: '#cfa06f', violet: '#a798ff', olive: '#d2d455', peer: '#eceff3', copy: '#98a1ab' },
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

type Look = Omit<ChartSeries, 'name'>;

/** Of ways that people know from one report to the next. The first that fits a way's key is taken. */
const KNOWN_LOOKS: readonly (readonly [RegExp, Look])[] = [
  [/^copy$/, { color: 'copy', symbol: 'cross' }],
  [/^(three-mesh-bvh|rapier)$/, { color: 'peer', symbol: 'square' }],
  [/^(cell-grid|auto|contacts|dem)-cpu$/, { color: 'blue', symbol: 'circle' }],
  [/-cpu-1$/, { color: 'teal', symbol: 'triangle' }],
  [/^(cell-grid|auto|contacts|dem)-gpu$/, { color: 'pink', symbol: 'diamond' }],
  [/^ray-crossing-all/, { color: 'red', symbol: 'wye' }],
  [/^(ray-crossing|mpr-cpu)/, { color: 'orange', symbol: 'star' }],
  [/well-chosen|-cpu-coarse|^gjk-cpu$/, { color: 'violet', symbol: 'square' }],
  [/pre-chosen|-gpu-coarse|^gjk-johnson-cpu$/, { color: 'brown', symbol: 'cross' }],
  [/^auto$|^sweep-gjk-cpu$|^depth-auto$/, { color: 'olive', symbol: 'wye' }],
];

/** A look for every way: its own, or one that no other has, as long as there are some. */
function looksOf(keys: readonly string[]): ReadonlyMap<string, Look> {
  const looks = new Map<string, Look>();
  const free = new Set(KNOWN_LOOKS.map(([, look]) => look));
  for (const key of keys) {
    const known = KNOWN_LOOKS.find(([pattern]) => pattern.test(key))?.[1];
    if (known !== undefined && free.delete(known)) looks.set(key, known);
  }
  const colors = KNOWN_LOOKS.slice(2).map(([, look]) => look);
  const symbols = ['circle', 'triangle', 'square', 'diamond', 'star', 'cross', 'wye'] as const;
  for (const [i, key] of keys.filter((one) => !looks.has(one)).entries()) {
    const [own] = free;
    if (own !== undefined) free.delete(own);
    const color = colors[i % colors.length]!.color;
    looks.set(key, own ?? { color, symbol: symbols[(i + Math.floor(i / colors.length)) % symbols.length]! });
  }
  return looks;
}

/** Ways as series of a chart, or those of them with these keys. */
export function seriesOf(ways: readonly WayReport[], keys = ways.map(({ key }) => key)) {
  const [label, looks] = [labelsOf(ways), looksOf(keys)];
  return keys.map((key) => ({ name: label(key), ...looks.get(key)! }));
}

const declarations = (theme: keyof typeof THEMES) =>
  Object.entries(THEMES[theme])
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/** The theme follows the reader's system; `data-theme` on the root overrides it. Paper is always light. */
export const STYLE = `
:root{color-scheme:light;${declarations('light')}}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${declarations('dark')}}}
@media screen{:root[data-theme=dark]{color-scheme:dark;${declarations('dark')}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--background);color:var(--ink);
  font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Open Sans',sans-serif;
  font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
main,.top{max-width:1280px;margin:0 auto;padding:0 24px}
.top{padding-top:24px;display:flex;flex-wrap:wrap;gap:4px 24px;justify-content:space-between;align-items:flex-start}
.top>div{flex:1 1 320px}
h1{font-size:28px;line-height:1.2;margin:0}
h2{font-size:20px;line-height:1.25;margin:18px 0 4px;padding-top:10px;border-top:1px solid var(--line)}
h4{font-size:14px;margin:0 0 2px}
p{margin:6px 0;max-width:92ch}
a{color:var(--link)}
small,.faint,figcaption{color:var(--faint-ink)}
button,pre{background:var(--card);border:1px solid var(--line);border-radius:6px}
button{font:inherit;font-size:14px;color:var(--ink);padding:5px 12px;cursor:pointer}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
pre{padding:10px 14px;overflow-x:auto;font:14px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(270px,1fr));gap:10px 24px;margin:14px 0}
dt{color:var(--faint-ink);font-size:14px}
dd{margin:0}
.tiles,.panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,var(--least)),1fr));gap:8px}
.tiles{--least:230px;margin:10px 0;padding:0;list-style:none}
.tiles li{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:7px 12px}
.tiles b{display:block;font-size:19px;line-height:1.3}
.tiles span{color:var(--faint-ink);font-size:13px;line-height:1.3;display:block}
.notes{background:var(--card);border-left:4px solid var(--bad);border-radius:0 8px 8px 0;padding:3px 14px;margin:10px 0}
.notes ul{margin:2px 0;padding-left:18px;font-size:13.5px}
figure{margin:10px 0 0;min-width:0}
figcaption{font-size:14px;margin-top:2px;max-width:110ch}
.panels{--least:300px;gap:10px 18px;align-items:start}
.plot{min-width:0;--plot-background:var(--card)}
.plot svg{display:block;font:12px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;max-width:none;overflow:visible}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 18px;margin:6px 0 8px;padding:0;font-size:14px}
.legend li{display:flex;align-items:center;gap:7px}
.legend svg{flex:none}
details{margin:6px 0;border:1px solid var(--line);border-radius:8px;padding:0 14px}
summary{cursor:pointer;padding:4px 0;font-weight:600}
summary small{font-weight:400}
details[open]{padding-bottom:14px}
.scroll{overflow:auto;max-height:78vh;margin:10px 0;max-width:100%;overflow-wrap:normal}
.scroll{border:1px solid var(--line);border-radius:6px}
table{width:max-content;min-width:100%;border-collapse:separate;border-spacing:0;font-size:14px;line-height:1.35}
.statements{width:auto}
th,td{padding:4px 10px;text-align:right;white-space:nowrap;vertical-align:top}
th:first-child,td.text,th.text{text-align:left}
td.text{white-space:normal;min-width:12em;max-width:36em}
thead{position:sticky;top:0;z-index:2}
thead th{background:var(--card);font-weight:600;border-bottom:1px solid var(--line);vertical-align:bottom}
thead small{display:block;font-weight:400}
tbody th{font-weight:400;text-align:left;position:sticky;left:0;background:var(--background)}
tbody td,tbody th[scope=row]{border-top:1px solid var(--grid-line)}
tr.group th{font-weight:600;background:var(--card);border-top:1px solid var(--line)}
tr.group span{position:sticky;left:10px}
td.extrapolated{font-style:italic;color:var(--faint-ink)}
td.good{color:var(--good)}
td.alert{color:var(--bad);font-weight:600}
footer{color:var(--faint-ink);font-size:14px;margin:40px 0;border-top:1px solid var(--line);padding-top:12px}
@media (max-width:520px){main,.top{padding-left:14px;padding-right:14px}h1{font-size:24px}details{padding:0 10px}
  tbody th[scope=row]{white-space:normal;min-width:8em;max-width:10em}}
@media print{.top button{display:none}.scroll{max-height:none;overflow:visible}figure{break-inside:avoid}}
`;

/** The page on which people run the benchmark: a form, a bar, and the report. */

import type { PageRequest } from '../../src/bench/page.ts';
import { type BenchReport, reportJson } from '../../src/bench/report.ts';
import { reportHtml } from '../../src/bench/report-page/page.ts';
import type { BenchProgress } from '../../src/bench/runner.ts';
import { MAIN_SUITES } from '../../src/bench/suite-names.ts';
import { adapterText } from '../../src/bench/text.ts';
import type { AdapterPreference } from '../../src/index.ts';
import { findAdapter, showNoDevice } from '../page/adapter.ts';
import { describeBrowser } from '../page/browser.ts';
import { clock, drawn, element, messageOf, showAlarm } from '../page/elements.ts';
import { showIsolation } from '../page/isolation.ts';
import { Bars } from './bars.ts';
import { run } from './run.ts';

type Choice = Pick<PageRequest, 'suites' | 'quick' | 'adapter'>;

/** Above and below the report together, in CSS pixels; see bench.css. */
const FRAME_BORDER = 2;

const form = element<HTMLFormElement>('form');
const start = element<HTMLButtonElement>('start');
const stop = element<HTMLButtonElement>('stop');
const bar = element<HTMLProgressElement>('bar');
const frame = element<HTMLIFrameElement>('report');
const bars = new Bars(element('bars'));

let running: AbortController | undefined;
let isAdapterFound = false;
/** How often an adapter was looked for. */
let looks = 0;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void startRun();
});
form.addEventListener('change', (event) => {
  if ((event.target as HTMLInputElement).name === 'adapter') void lookForAdapter();
});
stop.addEventListener('click', () => {
  stop.disabled = true;
  element('stage').textContent = 'stopping at the end of this measurement ...';
  running?.abort();
});

function choice(): Choice {
  const data = new FormData(form);
  return {
    suites: MAIN_SUITES.filter((name) => data.getAll('suite').includes(name)),
    quick: data.get('extent') === 'quick',
    adapter: data.get('adapter') as AdapterPreference,
  };
}

/** An address says what is to be chosen: `?suite=paper&full&adapter=software`. */
function presetFrom(query: URLSearchParams): void {
  const check = (name: string, value: string, on: boolean) => {
    const input = form.querySelector<HTMLInputElement>(`[name="${name}"][value="${value}"]`);
    if (input) input.checked = on;
  };
  const suites = query.getAll('suite').flatMap((list) => list.split(','));
  if (MAIN_SUITES.some((name) => suites.includes(name))) {
    for (const name of MAIN_SUITES) check('suite', name, suites.includes(name));
  }
  if (query.has('full')) check('extent', 'full', true);
  for (const kind of ['auto', 'hardware', 'software']) check('adapter', kind, query.get('adapter') === kind);
  if (!form.querySelector('[name="adapter"]:checked')) check('adapter', 'auto', true);
}

/** How the same is run again: this page's address, and the command. */
function commandsOf({ suites, quick, adapter }: Choice): string[] {
  const address = new URL(location.href);
  const query = [`suite=${suites.join(',')}`, quick ? 'quick' : 'full', `adapter=${adapter}`];
  address.search = query.join('&');
  address.hash = '';
  const suite = suites.length === MAIN_SUITES.length ? 'all' : suites.join(',');
  return [address.href, `scree bench --suite ${suite} --browser --adapter ${adapter}${quick ? ' --quick' : ''}`];
}

async function showMachine(): Promise<void> {
  const { runtime, platform } = await describeBrowser();
  element('browser').textContent = `${runtime}, ${platform}`;
  element('cores').textContent = String(navigator.hardwareConcurrency);
  element('threads').textContent = crossOriginIsolated ? 'yes' : 'no: no shared memory';
}

/** Opens the adapter that is chosen, to show its name or why there is none. */
async function lookForAdapter(): Promise<void> {
  const look = ++looks;
  const found = await findAdapter(choice().adapter).catch((error: unknown) => ({ error }));
  // A later choice has its own answer.
  if (look !== looks) return;
  const error = 'error' in found ? found.error : undefined;
  isAdapterFound = !('error' in found);
  element('adapter-found').textContent = 'error' in found ? 'none' : adapterText(found.adapter);
  element('timestamps').textContent = 'error' in found ? '–' : found.hasTimestamps ? 'yes' : 'no: wall time only';
  showNoDevice('no-adapter', error);
  start.disabled = !isAdapterFound || running !== undefined;
}

async function startRun(): Promise<void> {
  const chosen = choice();
  showAlarm('problem', chosen.suites.length === 0 ? 'No suite is chosen: choose at least one.' : '');
  if (chosen.suites.length === 0) return;
  running = new AbortController();
  setRunning(true);
  const { signal } = running;
  const started = performance.now();
  const onProgress = (line: BenchProgress) => {
    showProgress(line, performance.now() - started);
    return drawn();
  };
  // A screen that goes dark hides the page, and hidden pages are slowed down.
  const awake = await navigator.wakeLock?.request('screen').catch(() => undefined);
  try {
    const report = await run({ ...chosen, commands: commandsOf(chosen), facts: {} }, { signal, onProgress });
    await showReport(report, performance.now() - started);
  } catch (error) {
    if (signal.aborted) element('stopped').hidden = false;
    else showAlarm('problem', messageOf(error));
  } finally {
    await awake?.release().catch(() => undefined);
    running = undefined;
    setRunning(false);
  }
}

function setRunning(on: boolean): void {
  start.disabled = on || !isAdapterFound;
  stop.disabled = !on;
  for (const set of form.querySelectorAll('fieldset')) set.disabled = on;
  element('running').hidden = !on;
  if (!on) return;
  element('done').hidden = true;
  element('stopped').hidden = true;
  bars.clear();
  showProgress({ stage: 'opening the device', done: 0, total: 1, measured: [] }, 0);
  element('running').scrollIntoView({ block: 'nearest' });
}

function showProgress({ stage, done, total, measured }: BenchProgress, milliseconds: number): void {
  for (const one of measured) bars.show(one);
  bar.max = Math.max(1, total);
  bar.value = done;
  element('stage').textContent = `${stage} · step ${done} of ${total} · ${clock(milliseconds)}`;
}

async function showReport(report: BenchReport, milliseconds: number): Promise<void> {
  // Without it, a report has tables and no charts.
  const script = await fetch(new URL('../charts.js', location.href));
  const html = reportHtml(report, script.ok ? await script.text() : '');
  const json = reportJson(report);
  const links = { 'html-file': 'text/html', 'html-tab': 'text/html', 'json-file': 'application/json' };
  for (const [id, type] of Object.entries(links)) {
    const link = element<HTMLAnchorElement>(id);
    URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(new Blob([type === 'text/html' ? html : json], { type: `${type};charset=utf-8` }));
  }
  const runs = [
    ...report.suites.flatMap(({ bodies }) => bodies.flatMap((body) => body.runs)),
    ...(report.pairs?.shapes ?? []).flatMap(({ settings }) => settings.flatMap((one) => one.runs)),
    ...(report.contacts?.packings ?? []).flatMap((one) => one.runs),
    ...(report.dem?.packings ?? []).flatMap((one) => one.runs),
  ];
  const { adapter } = report.environment;
  element('summary').textContent = `${runs.length} measurements in ${clock(milliseconds)} on ${adapterText(adapter)}.`;
  element('done').hidden = false;
  element('done').scrollIntoView();
  // Not srcdoc: links within the report would lead to this page there.
  frame.src = element<HTMLAnchorElement>('html-tab').href;
}

frame.addEventListener('load', () => {
  const page = frame.contentDocument?.documentElement;
  if (!page) return;
  // The report scrolls with this page, not in a window of its own.
  new ResizeObserver(() => {
    frame.style.height = `${Math.ceil(page.getBoundingClientRect().height) + FRAME_BORDER}px`;
  }).observe(page);
});

presetFrom(new URLSearchParams(location.search));
void showMachine();
showIsolation('isolation-note');
void lookForAdapter();

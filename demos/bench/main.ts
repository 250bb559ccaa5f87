/** The page on which people run the benchmark: a form, a bar, and the report. */
import { reportHtml } from '../../src/bench/html.ts';
import { type BenchReport, SUITE_NAMES, type SuiteName } from '../../src/bench/report.ts';
import { resultJson } from '../../src/bench/report-json.ts';
import type { BenchProgress } from '../../src/bench/run-suites.ts';
import { type AdapterPreference, type AdapterSummary, openDevice, ScreeError } from '../../src/index.ts';
import { describeBrowser } from './host.ts';
import { run } from './run.ts';

interface Choice {
  readonly suites: readonly SuiteName[];
  readonly quick: boolean;
  readonly adapter: AdapterPreference;
}

/** Above and below the report together, in CSS pixels; see bench.css. */
const FRAME_BORDER = 2;
/** What drawing a bar and a line may take at most. */
const DRAWING_MILLISECONDS = 250;

function element<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

const form = element<HTMLFormElement>('form');
const start = element<HTMLButtonElement>('start');
const stop = element<HTMLButtonElement>('stop');
const bar = element<HTMLProgressElement>('bar');
const frame = element<HTMLIFrameElement>('report');

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
    suites: SUITE_NAMES.filter((name) => data.getAll('suite').includes(name)),
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
  if (SUITE_NAMES.some((name) => suites.includes(name))) {
    for (const name of SUITE_NAMES) check('suite', name, suites.includes(name));
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
  const suite = suites.length === SUITE_NAMES.length ? 'all' : suites.join(',');
  return [
    address.href,
    `scree bench --suite ${suite} --browser --adapter ${adapter}${quick ? ' --quick' : ''}`,
  ];
}

async function showMachine(): Promise<void> {
  const { runtime, platform } = await describeBrowser();
  element('browser').textContent = `${runtime}, ${platform}`;
  element('cores').textContent = String(navigator.hardwareConcurrency);
  element('threads').textContent = crossOriginIsolated ? 'yes' : 'no: no shared memory';
  element('isolation-note').hidden = crossOriginIsolated;
}

/** Opens the adapter that is chosen, to show its name or why there is none. */
async function lookForAdapter(): Promise<void> {
  const look = ++looks;
  let found: { adapter: AdapterSummary; hasTimestamps: boolean } | undefined;
  let problem = '';
  try {
    const device = await openDevice({ adapter: choice().adapter });
    found = { adapter: device.adapter, hasTimestamps: device.features.has('timestamp-query') };
    device.destroy();
  } catch (error) {
    problem = messageOf(error);
  }
  // A later choice has its own answer.
  if (look !== looks) return;
  isAdapterFound = found !== undefined;
  element('adapter-found').textContent = found ? adapterName(found.adapter) : 'none';
  element('timestamps').textContent = found ? (found.hasTimestamps ? 'yes' : 'no: wall time only') : '–';
  const box = element('no-adapter');
  box.hidden = found !== undefined;
  box.textContent = problem;
  start.disabled = !isAdapterFound || running !== undefined;
}

function adapterName({ vendor, architecture, description, software }: AdapterSummary): string {
  const name = [vendor, architecture].filter((part) => part !== '').join(' ');
  return `${name || description || 'unnamed'}, ${software ? 'software' : 'hardware'}`;
}

async function startRun(): Promise<void> {
  const chosen = choice();
  if (chosen.suites.length === 0) {
    showProblem('No suite is chosen: choose at least one.');
    return;
  }
  showProblem('');
  running = new AbortController();
  setRunning(true);
  const started = performance.now();
  try {
    await keepingAwake(async () => {
      const report = await run(
        { ...chosen, commands: commandsOf(chosen), facts: {} },
        {
          signal: running!.signal,
          onProgress: (line) => {
            showProgress(line, performance.now() - started);
            return drawn();
          },
        },
      );
      showReport(report, performance.now() - started);
    });
  } catch (error) {
    if (running.signal.aborted) element('stopped').hidden = false;
    else showProblem(messageOf(error));
  } finally {
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
  showProgress({ stage: 'opening the device', done: 0, total: 1 }, 0);
  element('running').scrollIntoView({ block: 'nearest' });
}

function showProgress({ stage, done, total }: BenchProgress, milliseconds: number): void {
  bar.max = Math.max(1, total);
  bar.value = done;
  element('stage').textContent = `${stage} · step ${done} of ${total} · ${clock(milliseconds)}`;
}

/** Waits until the page is drawn, and with it for clicks. A hidden page is not drawn at all. */
async function drawn(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const late = new Promise((resolve) => setTimeout(resolve, DRAWING_MILLISECONDS));
  // The second frame begins when the first has been handed over.
  await Promise.race([frame().then(frame), late]);
}

function showReport(report: BenchReport, milliseconds: number): void {
  const html = reportHtml(report);
  const json = resultJson(report);
  const links = { 'html-file': 'text/html', 'html-tab': 'text/html', 'json-file': 'application/json' };
  for (const [id, type] of Object.entries(links)) {
    const link = element<HTMLAnchorElement>(id);
    URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(
      new Blob([type === 'text/html' ? html : json], { type: `${type};charset=utf-8` }),
    );
  }
  const runs = [
    ...report.suites.flatMap(({ bodies }) => bodies.flatMap((body) => body.runs)),
    ...(report.pairs?.shapes ?? []).flatMap(({ settings }) => settings.flatMap((one) => one.runs)),
  ];
  const { adapter } = report.environment;
  element('summary').textContent =
    `${runs.length} measurements in ${clock(milliseconds)} on ${adapterName(adapter)}.`;
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

function showProblem(text: string): void {
  const box = element('problem');
  box.textContent = text;
  box.hidden = text === '';
}

function messageOf(error: unknown): string {
  if (error instanceof ScreeError) return error.message;
  return `unexpected error: ${error instanceof Error ? error.message || error.name : String(error)}`;
}

/** `2:05` */
function clock(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A screen that goes dark hides the page, and hidden pages are slowed down. */
async function keepingAwake(work: () => Promise<void>): Promise<void> {
  const lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
  try {
    await work();
  } finally {
    await lock?.release().catch(() => undefined);
  }
}

presetFrom(new URLSearchParams(location.search));
void showMachine();
void lookForAdapter();

/** `scree bench pages`: the pages `bulk/` and `inside/` in one headless Chrome, beside the library without a page. */
import type { BareFacts, BenchPage, MeasuredBulk, MeasuredInside, MeasuredPage, PageAnswer } from '../../bench/page.ts';
import { countText } from '../../bench/text.ts';
import { type AdapterPreference, type AdapterSummary, ScreeError } from '../../index.ts';
import { countGpuMemory, gpuMemoryOf } from '../chrome/gpu-memory.ts';
import { formatAdapter } from '../format.ts';
import {
  newPage,
  OPEN_SECONDS,
  type OpenPage,
  openBenchmark,
  orGone,
  pageError,
  serveBuiltPages,
} from './bench-browser.ts';
import { type Figure, figureOf, formatFigures } from './bench-figures.ts';

/** What is measured, and how often and how long. */
const FULL = {
  rocks: 1000,
  points: 512_000,
  triangles: 120_000,
  rounds: 5,
  calls: 6,
  seconds: 4,
  watchedSeconds: 8,
} as const;
const QUICK = {
  rocks: 40,
  points: 1000,
  triangles: 1000,
  rounds: 1,
  calls: 1,
  seconds: 0.5,
  watchedSeconds: 1,
} as const;

/** Longest frame on a software adapter, seconds. A hardware GPU is to draw 60 frames per second. */
const LONGEST_FRAME = { software: 0.25, hardware: 1 / 60 } as const;

/** Least share of real time that a first visit shows. */
const REAL_TIME = 0.9;

export interface PagesRun {
  readonly adapter: AdapterPreference;
  /** Small and short, not judged: whether it runs. */
  readonly quick: boolean;
  readonly signal?: AbortSignal;
  /** Called between measurements only. */
  readonly onProgress?: (what: string) => void;
}

/** A figure of a page. */
export interface PageFigure extends Figure {
  readonly page: MeasuredPage;
}

export interface PagesReport {
  readonly format: 'scree-bench-pages';
  readonly date: string;
  readonly browser: string;
  readonly adapter: AdapterSummary;
  readonly quick: boolean;
  /** What did the work of each page, and why. */
  readonly chosen: readonly string[];
  readonly figures: readonly PageFigure[];
}

/** What came of a page. */
type Measured = Pick<PagesReport, 'figures'> & { readonly chosen: string };

declare const screeBench: BenchPage;
declare const screeBulk: MeasuredBulk;
declare const screeInside: MeasuredInside;
declare const gc: () => void;

/**
 * Measures the built pages.
 *
 * @throws as `runInBrowser`
 */
export async function benchPages(options: PagesRun): Promise<PagesReport> {
  const { quick } = options;
  const server = await serveBuiltPages();
  let bench: Awaited<ReturnType<typeof openBenchmark>> | undefined;
  try {
    bench = await openBenchmark(server, options);
    const { found, chrome } = bench;
    const kind = found.software ? 'software' : 'hardware';
    const run: Run = { ...options, plan: quick ? QUICK : FULL, bench, kind, url: server.url };
    const measured = [await ofBulk(run), await ofInside(run)];
    return {
      ...{ format: 'scree-bench-pages', date: new Date().toISOString(), quick },
      ...{ browser: chrome.version, adapter: found },
      chosen: measured.map(({ chosen }) => chosen),
      figures: measured.flatMap(({ figures }) => figures),
    };
  } finally {
    await bench?.chrome.close();
    await server.close();
  }
}

interface Run extends PagesRun {
  readonly plan: typeof FULL | typeof QUICK;
  readonly bench: OpenPage;
  readonly kind: 'software' | 'hardware';
  readonly url: string;
}

type Add = (...figure: Parameters<typeof figureOf>) => void;

function figuresOf(page: MeasuredPage): { readonly figures: PageFigure[]; readonly add: Add } {
  const figures: PageFigure[] = [];
  const add: Add = (...figure) => figures.push({ page, ...figureOf(...figure) });
  return { figures, add };
}

async function ofBulk(run: Run): Promise<Measured> {
  const { plan, onProgress, kind } = run;
  const { figures, add } = figuresOf('bulk');

  onProgress?.('bulk: the page as it begins');
  await onPage(run, `bulk/index.html?adapter=${kind}`, async (opened) => {
    add('from navigation to the first motion', 'seconds', [await moves(opened)], { most: 3 });
    const watched = await orGone(opened, opened.page.evaluate(watch, plan.watchedSeconds));
    add('as it begins: of real time', 'ratio', [watched.simulated / watched.seconds], { least: REAL_TIME });
    const { choice } = (await opened.page.evaluate(() => screeBulk.state()))!;
    add('as it begins: bodies', 'count', [choice.count]);
    const frames = await opened.page.evaluate(() => [...screeBulk.framesSeconds]);
    add('as it begins: longest frame', 'seconds', [Math.max(...frames)], { most: LONGEST_FRAME[kind] });
    add('as it begins: frame', 'seconds', frames);
    await addMemory(opened, 'as it begins', add);
  });

  const search = `?scene=hopper&count=${plan.rocks}&adapter=${kind}`;
  const what = `${countText(plan.rocks)} rocks`;
  onProgress?.(`bulk: ${what}`);
  const { chosen } = await openBare(run, 'bulk', search);
  await onPage(run, `bulk/index.html${search}`, async (opened) => {
    await moves(opened);
    const [ratios, rates, shares]: number[][] = [[], [], []];
    let done = 0;
    for (let round = 0; round < plan.rounds; round++) {
      onProgress?.(`bulk: ${what}, round ${round + 1} of ${plan.rounds}`);
      const watched = await orGone(opened, opened.page.evaluate(watch, plan.seconds));
      // The same steps of the same run: later steps have more contacts.
      await workBare(run, watched.from - done);
      const steps = watched.to - watched.from;
      const bare = await workBare(run, steps);
      done = watched.to;
      ratios!.push(bare / watched.seconds);
      rates!.push(steps / watched.seconds);
      shares!.push(sum(watched.drawing) / sum(watched.frames));
    }
    add(`${what}: steps`, 'per second', rates!);
    add(`${what}: steps/s beside suite dem`, 'ratio', ratios!, { least: 0.8 });
    add(`${what}: drawing, share of frames`, 'ratio', shares!, { most: 0.25 });
    await addMemory(opened, what, add);
  });
  return { chosen: `bulk: ${chosen}`, figures };
}

async function ofInside(run: Run): Promise<Measured> {
  const { plan, onProgress, kind } = run;
  const { figures, add } = figuresOf('inside');
  const what = `${countText(plan.points)} points`;
  onProgress?.(`inside: ${what}`);
  const search = `?mesh=foam&triangles=${plan.triangles}&points=random&count=${plan.points}&adapter=${kind}`;
  const { chosen } = await openBare(run, 'inside', search);
  await onPage(run, `inside/index.html${search}`, async (opened) => {
    const first = await orGone(opened, opened.page.evaluate(firstAnswer));
    add('from navigation to the first flags', 'seconds', [first]);
    const [ratios, rates, whole]: number[][] = [[], [], []];
    for (let round = 0; round < plan.rounds; round++) {
      onProgress?.(`inside: ${what}, round ${round + 1} of ${plan.rounds}`);
      let [onPage, bare, points] = [0, 0, 0];
      // A call takes hundredths of a second: several of both, in turn.
      for (let call = 0; call < plan.calls; call++) {
        const asked = await orGone(opened, opened.page.evaluate(askAgain));
        onPage += asked.seconds;
        points += asked.points;
        whole!.push(asked.shown);
        bare += await workBare(run, 1);
      }
      ratios!.push(bare / onPage);
      rates!.push(points / onPage);
    }
    add(`${what}: classified`, 'per second', rates!);
    add(`${what}: points/s beside suite inside`, 'ratio', ratios!, { least: 0.8 });
    add(`${what}: from the question to flags on the page`, 'seconds', whole!);
    await addMemory(opened, what, add);
  });
  return { chosen: `inside: ${chosen}`, figures };
}

/** Opens a page, in front of the others, for as long as something is done with it. */
async function onPage(run: Run, address: string, work: (opened: OpenPage) => Promise<void>): Promise<void> {
  const opened = await newPage(run.bench.chrome);
  await countGpuMemory(opened.page);
  await orGone(opened, opened.page.goto(`${run.url}${address}`));
  await work(opened);
  await opened.page.close();
}

/** @returns seconds from navigation to the first motion */
async function moves(opened: OpenPage): Promise<number> {
  const answer = await orGone(opened, opened.page.evaluate(firstMotion, OPEN_SECONDS));
  if (typeof answer === 'number') return answer;
  throw new ScreeError(`the page bulk: nothing moves within ${OPEN_SECONDS} s; it says: ${answer || 'nothing'}`, 1);
}

async function addMemory({ page }: OpenPage, what: string, add: Add): Promise<void> {
  add(`${what}: buffers and textures on the GPU`, 'bytes', [await gpuMemoryOf(page)]);
  await page.evaluate(() => gc());
  const { JSHeapUsedSize = 0 } = await page.metrics();
  add(`${what}: heap of JavaScript`, 'bytes', [JSHeapUsedSize]);
}

/** Has the benchmark's page make ready what a page shows at an address. */
async function openBare({ bench }: Run, page: MeasuredPage, search: string): Promise<BareFacts> {
  const opening = bench.page.evaluate((page, search) => screeBench.open(page, search), page, search);
  return resultOf(await orGone(bench, opening));
}

/** Has it make so many steps, or calls. @returns seconds */
async function workBare({ bench }: Run, amount: number): Promise<number> {
  const working = bench.page.evaluate((amount) => screeBench.work(amount), amount);
  return resultOf(await orGone(bench, working));
}

function resultOf<T>(answer: PageAnswer<T>): T {
  if ('error' in answer) throw pageError(answer.error);
  return answer.result;
}

// These run in pages, where they have nothing but their arguments.

/** Seconds from navigation to the end of the first frame with steps, or what the page says in place of moving. */
async function firstMotion(most: number): Promise<number | string> {
  while (!('screeBulk' in globalThis) || screeBulk.framesSeconds.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const seconds = performance.now() / 1000;
    if (seconds > most) return document.querySelector('[role="alert"]:not([hidden])')?.textContent ?? '';
  }
  return performance.now() / 1000;
}

/**
 * Lets the page go on for so many seconds, from the end of some steps to the end of others. Then it stands. Where it
 * takes fewer bodies by itself, as steps are slow, these are watched.
 */
async function watch(least: number) {
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const steps = () => screeBulk.simulation?.monitors.steps;
  const change = async () => {
    for (const before = steps(); steps() === before; await pause(10)) {
      const alert = document.querySelector('[role="alert"]:not([hidden])')?.textContent;
      if (alert) throw new Error(`the page bulk stands still: ${alert}`);
    }
  };
  screeBulk.play();
  let simulation: MeasuredBulk['simulation'];
  let [seconds, from, to, simulated] = [0, 0, 0, 0];
  do {
    await screeBulk.ready();
    simulation = screeBulk.simulation;
    await change();
    const began = performance.now();
    from = steps() ?? 0;
    const time = simulation?.monitors.time ?? 0;
    while (performance.now() - began < 1000 * least && screeBulk.simulation === simulation) await change();
    seconds = (performance.now() - began) / 1000;
    to = steps() ?? 0;
    // Steps may have been halved meanwhile.
    simulated = (simulation?.monitors.time ?? 0) - time;
  } while (screeBulk.simulation !== simulation || simulation === undefined);
  screeBulk.pause();
  // The frame under way ends.
  await pause(500);
  const { framesSeconds, drawSeconds } = screeBulk;
  let [first, rest] = [framesSeconds.length, seconds];
  while (first > 0 && rest > framesSeconds[first - 1]!) rest -= framesSeconds[--first]!;
  return { seconds, from, to, simulated, frames: framesSeconds.slice(first), drawing: drawSeconds.slice(first) };
}

/** Seconds from navigation to the first answer. */
async function firstAnswer(): Promise<number> {
  while (!('screeInside' in globalThis)) await new Promise((resolve) => setTimeout(resolve, 5));
  await screeInside.ready();
  const alert = document.querySelector('[role="alert"]:not([hidden])')?.textContent;
  if (screeInside.state() === undefined) throw new Error(`the page inside does not answer: ${alert}`);
  return performance.now() / 1000;
}

/** Seconds that classification took, as the page shows them, and those until flags were shown. */
async function askAgain() {
  const began = performance.now();
  await screeInside.classify();
  const shown = (performance.now() - began) / 1000;
  const { points, seconds } = screeInside.state()!;
  // Their picture is drawn.
  await new Promise((resolve) => setTimeout(resolve, 500));
  return { points, seconds: seconds.total, shown };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Without a final newline. */
export function formatPages({ browser, adapter, quick, chosen, figures }: PagesReport): string {
  return formatFigures([`${browser}, ${formatAdapter(adapter)}`, ...chosen], 'page', figures, quick);
}

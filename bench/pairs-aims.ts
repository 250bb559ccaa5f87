/** What suite `pairs` aims at, and what a report says was reached. */
import { shortNumber } from '../src/bench/chart.ts';
import {
  type PairQuestion,
  type PairShapeReport,
  type PairsReport,
  runsOf,
} from '../src/bench/pairs/pairs-report.ts';
import { QUESTION_LABELS } from '../src/bench/pairs/question-labels.ts';
import type { BenchReport } from '../src/bench/report.ts';
import { median } from '../src/bench/spread.ts';
import { formatCount } from '../src/cli/format.ts';
import { tableMarkdown } from './report-page.ts';

/** Times as fast as Rapier. */
const CPU_AIM = 5;
const SOFTWARE_AIM = 2;
/** Pairs of boxes per second on a hardware GPU. */
const HARDWARE_AIM = 1e8;
/** Share of the pairs. */
const FAILURES_AIM = 2e-3;

const QUESTIONS = ['penetration', 'signed-distance', 'intersect'] as const;

/** A table of aims. */
export function aimsMarkdown(report: BenchReport, pairs: PairsReport): string {
  const { adapter, cores } = report.environment;
  const gpu = adapter.software ? 'software WebGPU' : 'WebGPU on hardware';
  const rows = [
    ...QUESTIONS.map((question) =>
      speedRow(
        pairs,
        `CPU, ${cores} threads: ${CPU_AIM} times Rapier on every shape, ${QUESTION_LABELS[question]}`,
        {
          ...{ way: 'auto-cpu', question, aim: CPU_AIM },
        },
      ),
    ),
    ...QUESTIONS.map((question) =>
      speedRow(pairs, `${gpu}: ${SOFTWARE_AIM} times Rapier on every shape, ${QUESTION_LABELS[question]}`, {
        ...{ way: 'auto-gpu', question, aim: SOFTWARE_AIM },
      }),
    ),
    hardwareRow(report, pairs),
    wrongRow(pairs),
    failuresRow(pairs),
  ];
  return tableMarkdown(['aim', 'reached', ''], rows);
}

function speedRow(
  { shapes }: PairsReport,
  aim: string,
  { way, question, aim: least }: { way: string; question: PairQuestion; aim: number },
): string[] {
  const ratios = shapes.flatMap((shape) => {
    const own = runsOf(shape, way, question).filter(({ ratioToPeer }) => ratioToPeer > 0);
    if (own.length === 0) return [];
    return [{ label: shape.label, ratio: median(own.map(({ ratioToPeer }) => ratioToPeer)) }];
  });
  if (ratios.length === 0) return [aim, 'not measured', ''];
  const text = ratios.map(({ label, ratio }) => `${label} ${shortNumber(ratio)}`).join(', ');
  const missed = ratios.filter(({ ratio }) => ratio < least);
  const verdict = missed.length === 0 ? 'yes' : missed.length === ratios.length ? 'no' : 'in part';
  return [aim, text, verdict];
}

function hardwareRow({ environment }: BenchReport, { shapes }: PairsReport): string[] {
  const aim = `hardware GPU: ${formatCount(HARDWARE_AIM)} pairs of boxes/s`;
  if (environment.adapter.software) return [aim, 'not measured: the adapter is software', ''];
  const rates = (shapes.find(({ name }) => name === 'box')?.settings ?? []).flatMap(({ runs }) =>
    runs.filter(({ way }) => way === 'auto-gpu').map(({ pairsPerSecond }) => pairsPerSecond.median),
  );
  if (rates.length === 0) return [aim, 'not measured', ''];
  const most = Math.max(...rates);
  return [aim, `${formatCount(Math.round(most))} at most`, most >= HARDWARE_AIM ? 'yes' : 'no'];
}

const screeRuns = ({ ways, shapes }: PairsReport) => {
  const keys = new Set(ways.filter(({ kind }) => kind === 'scree').map(({ key }) => key));
  return shapes.flatMap(({ settings }: PairShapeReport) =>
    settings.flatMap(({ runs }) => runs.filter(({ way }) => keys.has(way))),
  );
};

function wrongRow(pairs: PairsReport): string[] {
  const runs = screeRuns(pairs);
  const sum = (value: (run: (typeof runs)[number]) => number) =>
    runs.reduce((all, run) => all + value(run), 0);
  const wrong = sum((run) => run.wrong);
  const found = `${formatCount(wrong)} of ${formatCount(sum(({ checked }) => checked))} answers held against the reference`;
  return ['no pair on the wrong side', found, wrong === 0 ? 'yes' : 'no'];
}

/** A failure would be a depth that was asked for and is not there: the run ends at the first. */
function failuresRow(pairs: PairsReport): string[] {
  const depths = screeRuns(pairs).filter(({ question }) => question === 'penetration');
  const [all, failed, left] = [
    depths.reduce((sum, { checked }) => sum + checked, 0),
    depths.reduce((sum, { wrong }) => sum + wrong, 0),
    depths.reduce((sum, { undecided }) => sum + undecided, 0),
  ];
  const found = `${formatCount(failed)} of ${formatCount(all)}; ${formatCount(left)} went to a surer algorithm`;
  return ['depth failures below 2 of 1000 (the thesis)', found, failed < FAILURES_AIM * all ? 'yes' : 'no'];
}

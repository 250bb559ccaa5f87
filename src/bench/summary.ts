/** A report in a dozen lines: what the page says first, and the terminal. */

import type { BenchReport, ContactsReport, DemReport, Finding, RunReport, SuiteReport } from './report.ts';
import { type PeerRatio, peerRatios } from './report-page/pairs.ts';
import {
  bytesText,
  countText,
  numberText,
  QUICK_DISTANCE_NOTE,
  QUICK_NOTE,
  rateText,
  secondsText,
  timesText,
} from './text.ts';

/** A number, and what it means. */
export type SummaryLine = readonly [value: string, meaning: string];

/** Above this load before the run, other programs keep the machine busy. */
const BUSY_LOAD = 0.7;

/** Of a quick run what was checked and, where meshes had distances, verdicts about these: others are not judged. */
export function summaryOf(report: BenchReport): SummaryLine[] {
  const { quick, suites, pairs, contacts, dem, stacks, distance } = report;
  const ofDistances = statementLine(distance?.findings ?? [], 'about distances of meshes');
  if (quick) return [...ofDistances, ...checkLines(report)];
  return [
    ...suites.filter(({ name }) => name === 'inside').flatMap(speedLines),
    ...(pairs === undefined ? [] : pairLines(peerRatios(pairs))),
    ...(contacts === undefined ? [] : peerLines('contacts', 'contacts of packings', contacts)),
    ...(dem === undefined ? [] : peerLines('dem', 'steps of heaps', dem)),
    ...suites.flatMap(({ name, findings }) =>
      statementLine(findings, name === 'paper' ? 'of Muth et al.' : `of suite ${name}`),
    ),
    ...statementLine(pairs?.findings ?? [], 'of Olvang about pairs'),
    ...statementLine(contacts?.findings ?? [], 'wanted of contacts'),
    ...statementLine(dem?.findings ?? [], 'wanted of bodies in motion'),
    ...statementLine(stacks?.findings ?? [], 'about stacks'),
    ...ofDistances,
    ...checkLines(report),
  ];
}

const WHO = {
  'cpu-1': 'one thread against its one',
  cpu: 'all threads against its one',
  gpu: 'the GPU against its one thread',
};
const ways = Object.entries(WHO);
const rangeOf = (ratios: readonly number[]) => `${timesText(Math.min(...ratios))} to ${timesText(Math.max(...ratios))}`;

function speedLines(suite: SuiteReport): SummaryLine[] {
  const runs = (key: string, set: RunReport['set']) =>
    suite.bodies.flatMap((body) =>
      body.runs.filter((run) => run.way === key && run.set === set && run.ratioToPeer > 0),
    );
  return ways.flatMap(([way, who]) => {
    const [random, near] = (['random', 'near'] as const).map((set) => runs(`cell-grid-${way}`, set));
    if (random!.length === 0) return [];
    const rates = `${rateText(Math.min(...random!.map((run) => run.pointsPerSecond.median)))} points/s and more`;
    const beside = near!.length === 0 ? '' : `; beside the surface ${rangeOf(near!.map((run) => run.ratioToPeer))}`;
    const value = rangeOf(random!.map((run) => run.ratioToPeer));
    return [[value, `the rate of three-mesh-bvh, random points: ${who}, ${rates}${beside}`]];
  });
}

function pairLines(ratios: readonly PeerRatio[]): SummaryLine[] {
  return ways.flatMap(([way, who]) => {
    const [depths, tests] = (['penetration', 'intersect'] as const).map((question) =>
      ratios.filter((one) => one.way === `auto-${way}` && one.question === question).map(({ middle }) => middle),
    );
    if (depths!.length === 0) return [];
    const more = tests!.length === 0 ? '' : `; intersection tests ${rangeOf(tests!)}`;
    return [[rangeOf(depths!), `the rate of Rapier for depths of pairs, by shapes: ${who}${more}`]];
  });
}

/** Convex bodies beside Rapier, and what a body takes. */
function peerLines(suite: string, whose: string, { packings }: ContactsReport | DemReport): SummaryLine[] {
  return ways.flatMap(([way, who]) => {
    const runs = packings.flatMap(({ bodies, runs }) =>
      runs.flatMap((run) => (run.way === `${suite}-${way}` ? [{ bodies, run }] : [])),
    );
    const ratios = runs.map(({ run }) => run.ratioToPeer).filter((ratio) => ratio > 0);
    if (ratios.length === 0) return [];
    const times = runs.map(({ bodies, run }) => run.seconds.median / bodies);
    const each = `${secondsText(Math.min(...times))} to ${secondsText(Math.max(...times))}`;
    return [[rangeOf(ratios), `the rate of Rapier for ${whose}: ${who}; ${each} per body of all kinds`]];
  });
}

function statementLine(findings: readonly Finding[], whose: string): SummaryLine[] {
  const count = (agrees: Finding['agrees']) => findings.filter((one) => one.agrees === agrees).length;
  const judged = count('yes') + count('no');
  const open = findings.length === judged ? '' : `; ${countText(findings.length - judged)} more have no verdict`;
  const value = `${countText(count('yes'))} of ${countText(judged)}`;
  return judged === 0 ? [] : [[value, `statements ${whose} hold here${open}`]];
}

/** How many answers were checked. A wrong one of scree's ends the run, except on damaged meshes. */
function checkLines({ suites, pairs, contacts, dem, distance }: BenchReport): SummaryLine[] {
  const all = [
    ...suites.flatMap((suite) => suite.bodies.flatMap(({ runs }) => runs.map((run) => ({ known: suite.ways, run })))),
    ...(pairs?.shapes ?? []).flatMap(({ settings }) =>
      settings.flatMap(({ runs }) => runs.map((run) => ({ known: pairs!.ways, run }))),
    ),
    ...(contacts?.packings ?? []).flatMap(({ runs }) => runs.map((run) => ({ known: contacts!.ways, run }))),
    ...(dem?.packings ?? []).flatMap(({ runs }) => runs.map((run) => ({ known: dem!.ways, run }))),
    ...(distance?.cases ?? []).flatMap(({ runs }) => runs.map((run) => ({ known: distance!.ways, run }))),
  ];
  const sum = (isPeer: boolean, value: 'checked' | 'wrong') =>
    all
      .filter(({ known, run }) => isPeer === known.some(({ key, kind }) => key === run.way && kind === 'peer'))
      .reduce((total, { run }) => total + run[value], 0);
  const [checked, damaged, peers] = [sum(false, 'checked'), sum(false, 'wrong'), sum(true, 'checked')];
  const ofDamaged = damaged === 0 ? '' : `; ${countText(damaged)} of damaged meshes differ from the whole body’s`;
  const ofPeers =
    peers === 0 ? '' : `; of ${countText(peers)} of the peers’, ${countText(sum(true, 'wrong'))} were wrong`;
  const meaning = 'answers of scree held against exact ones, none wrong, or there would be no report';
  return checked === 0 ? [] : [[countText(checked), `${meaning}${ofDamaged}${ofPeers}`]];
}

/** What changes how the figures are read, and what is missing. */
export function notesOf(report: BenchReport): string[] {
  const { environment, quick, remarks, suites, pairs, contacts, dem, stacks, distance } = report;
  const isAlone = suites.length === 0 && [pairs, contacts, dem, stacks].every((suite) => suite === undefined);
  const runs = suites.flatMap(({ bodies }) => bodies.flatMap((body) => body.runs));
  const count = (status: RunReport['status']) => runs.filter((run) => run.status === status).length;
  const [extrapolated, leftOut] = [count('extrapolated'), count('left-out')];
  const lines: (string | false)[] = [
    quick && !(distance && isAlone) && QUICK_NOTE,
    quick && distance !== undefined && QUICK_DISTANCE_NOTE,
    environment.adapter.software &&
      'The adapter is software: what is called GPU here ran on the processor, beside everything else.',
    environment.loadBefore > BUSY_LOAD &&
      `The machine was busy before the run (load ${environment.loadBefore}): read ratios, not times.`,
    extrapolated > 0 &&
      `${countText(extrapolated)} of ${countText(runs.length)} runs are scaled up from fewer points (hollow, ≈).`,
    leftOut > 0 && `${countText(leftOut)} of ${countText(runs.length)} were left out; the tables tell why.`,
    ...remarks,
  ];
  return lines.filter((line) => line !== false);
}

/** Facts about the machine by name. */
export function machineOf(report: BenchReport): readonly (readonly [string, string])[] {
  const { environment, copyBytesPerSecond, date, commands } = report;
  const { adapter, cores, memoryBytes, versions, timestamps, loadBefore, runtime, platform, cpu } = environment;
  const name = [adapter.vendor, adapter.architecture, adapter.device, adapter.description].filter(Boolean);
  const all = Object.entries(versions).map((one) => one.join(' '));
  const { median, min, max } = copyBytesPerSecond;
  const facts = [
    ['adapter', `${name.join(' ') || 'unnamed'}, ${adapter.software ? 'software' : 'hardware'}`],
    ['copy kernel, the yardstick', `${bytesText(median)}/s (${bytesText(min)} to ${bytesText(max)})`],
    ['GPU timestamps', timestamps ? 'yes, beside wall times' : 'none: wall times only'],
    ['processor', [cpu, `${countText(cores)} cores`].filter(Boolean).join(', ')],
    ['memory', memoryBytes > 0 ? bytesText(memoryBytes) : ''],
    ['host', `${runtime} on ${platform}`],
    ['load before the run', loadBefore < 0 ? '' : numberText(loadBefore)],
    ['date', date],
    ['versions', all.join(', ')],
    ['command', commands.join('\n')],
  ] as const;
  return facts.filter(([, value]) => value !== '');
}

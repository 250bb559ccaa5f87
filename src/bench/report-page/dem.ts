/** Suite `dem`: its charts and tables. */
import { type DemHeapReport, type DemReport, type DemRunReport, labelsOf } from '../report.ts';
import { bytesText, capitalized, countText, inUnits, NOTHING, numberText } from '../text.ts';
import { STAGES as CONTACT_STAGES, stageChart, timeChart } from './contacts.ts';
import { type Cell, details, foldedTable, paragraph } from './parts.ts';
import type { Shown } from './points.ts';

const [MICRO, MILLI] = [1e-6, 1e-3];
/** On the GPU a step is one stage. */
const STAGES = [...CONTACT_STAGES, 'forces', 'motion', 'steps'];

const RAPIER_NOTES = [
  'Both begin with the same settled heap, in a box of the same size. A step of Rapier’s is 1/60 unit of time. ' +
    'It finds impulses that keep bodies apart, four times improved, and springs and the course of a contact are no ' +
    'part of it. scree follows each contact by forty steps, with overlaps, friction by history and energies. So it ' +
    'takes many more steps, and says more about each.',
  'Rapier: whole steps of its build with SIMD: float32, WebAssembly, one thread. Bodies may not fall asleep. ' +
    'scree: whole steps, monitors included.',
];

export const showDem = (dem: DemReport): Shown => ({
  charts: [timeChart(dem), stageChart(dem, STAGES)],
  tables: tables(dem),
  notes: dem.ways.some(({ key }) => key === 'rapier')
    ? details('How steps of Rapier and of scree differ', ...RAPIER_NOTES.map(paragraph))
    : '',
});

function tables({ ways, packings }: DemReport): string[] {
  const label = labelsOf(ways);
  /** A row for each way on each heap. */
  const groups = (row: (run: DemRunReport, heap: DemHeapReport) => readonly Cell[]) =>
    packings.map((heap) => ({
      name: `${capitalized(heap.label)}, ${countText(heap.bodies)}`,
      rows: heap.runs.map((run) => [label(run.way), ...row(run, heap)]),
    }));
  const bytes = (count: number) => (count > 0 ? bytesText(count) : NOTHING);
  return [
    foldedTable('Steps', '× Rapier: how many times as fast, by steps and by simulated time.', {
      columns: [
        ...['@way', 'a step|ms', 'least|ms', 'most|ms', 'steps/s', 'per body|µs', 'body-steps/s'],
        ...['step|1/1000', '× Rapier', '× Rapier, time'],
      ],
      groups: groups(({ seconds: { median, min, max }, ...run }, { bodies }) => [
        ...[median, min, max].map((one) => inUnits(one, MILLI)),
        ...[numberText(1 / median), inUnits(median / bodies, MICRO), countText(bodies / median)],
        ...[inUnits(run.timeStep, MILLI), inUnits(run.ratioToPeer, 1), inUnits(run.ratioOfTime, 1)],
      ]),
    }),
    foldedTable('Stages of a step', 'Medians, in milliseconds; the rest is what no stage counts.', {
      columns: ['@way', ...STAGES.map((name) => `${name}|ms`), 'rest|ms'],
      groups: groups(({ stages, seconds }) => [
        ...STAGES.map((name) => inUnits(stages[name] ?? 0, MILLI)),
        inUnits(
          Object.values(stages).reduce((left, one) => left - one, seconds.median),
          MILLI,
        ),
      ]),
    }),
    foldedTable('Heaps and memory', 'After the last step. Bodies are about 1 unit in radius, under a gravity of 10.', {
      columns: [
        ...['@way', 'contacts', 'deepest overlap', 'mean speed', 'set-up|ms', 'host memory', 'GPU memory', '@heap'],
      ],
      groups: groups((run, { made }) => [
        ...[countText(run.contacts), inUnits(run.deepest, 1), inUnits(run.speed, 1), inUnits(run.setUpSeconds, MILLI)],
        ...[bytes(run.hostBytes), bytes(run.gpuBytes), made],
      ]),
    }),
  ];
}

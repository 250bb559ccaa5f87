/** Suite `contacts`: its charts and tables. */
import { type ContactsReport, labelsOf, type PackingReport } from '../report.ts';
import { bytesText, capitalized, countText, inUnits, NOTHING, numberText, secondsText } from '../text.ts';
import { chart, details, foldedTable, paragraph, wrongCell } from './parts.ts';
import type { Shown } from './points.ts';
import type { ChartPoint } from './spec.ts';
import { seriesOf } from './style.ts';

const [MICRO, MILLI] = [1e-6, 1e-3];
const STAGES = ['broadphase', 'nodes', 'edges', 'patches', 'convex', 'planes', 'list', 'kernel', 'upload', 'readback'];

const RAPIER_NOTES = [
  'Rapier: its own clock for collision detection alone, in its build with SIMD: float32, WebAssembly, one thread. ' +
    'Bodies are kinematic; of dynamic ones it takes about twice as long. Putting them in place is not timed.',
  'scree: the whole call, from an array of poses to arrays of contacts, and once in a round the lists of pairs.',
];

export const showContacts = (contacts: ContactsReport): Shown => ({
  charts: [timeChart(contacts), stageChart(contacts)],
  tables: tables(contacts),
  notes: contacts.ways.some(({ key }) => key === 'rapier')
    ? details('What is timed of Rapier and of scree', ...RAPIER_NOTES.map(paragraph))
    : '',
});

const kindsOf = ({ packings }: ContactsReport) => [...new Set(packings.map(({ label }) => label))];
const ofKind = ({ packings }: ContactsReport, label: string) => packings.filter((one) => one.label === label);

function timeChart(contacts: ContactsReport): string {
  const series = seriesOf(contacts.ways);
  const panels = kindsOf(contacts).map((label) => ({
    title: capitalized(label),
    points: ofKind(contacts, label).flatMap(({ bodies, runs }) =>
      runs.flatMap(({ way, reason, seconds }): ChartPoint[] => {
        if (reason !== '') return [];
        const [y, low, high] = [seconds.median, seconds.min, seconds.max].map((one) => one / bodies);
        const own = contacts.ways.findIndex(({ key }) => key === way);
        const tip = `${series[own]!.name}\n${countText(bodies)} bodies\n${secondsText(y!)} per body`;
        return [{ series: own, x: bodies, y: y!, low: low!, high: high!, tip }];
      }),
    ),
  }));
  const axes = { x: { label: 'bodies', unit: 'count' }, y: { label: 'time per body', unit: 'seconds' } } as const;
  return chart(
    { kind: 'lines', ...axes, series, panels },
    'Time of a step per body against bodies: medians with least and most, logarithmic. A level line: no cost grows.',
  );
}

/** Of the largest packing of each kind that a way was asked about. */
function stageChart(contacts: ContactsReport): string {
  const ways = STAGES.map((key) => ({ key, label: key, kind: 'scree' as const }));
  const panels = contacts.ways.map(({ key, label: way }) => ({
    title: way,
    points: kindsOf(contacts).flatMap((label) => {
      const found = ofKind(contacts, label).findLast(({ runs }) => runs.some((one) => one.way === key && !one.reason));
      const { stages = {} } = found?.runs.find((one) => one.way === key) ?? {};
      return Object.entries(stages).flatMap(([stage, seconds]): ChartPoint[] => {
        if (!(seconds > 0) || !STAGES.includes(stage)) return [];
        const y = `${label}, ${countText(found!.bodies)}`;
        const tip = `${stage}\n${y} bodies\n${secondsText(seconds)} a step`;
        return [{ series: STAGES.indexOf(stage), y, x: seconds / found!.bodies, tip }];
      });
    }),
  }));
  return chart(
    { kind: 'rows', x: { label: 'time per body', unit: 'seconds' }, series: seriesOf(ways), panels },
    'Where the time of a step goes, in the largest packings: medians per body, logarithmic.',
  );
}

function tables(contacts: ContactsReport): string[] {
  const label = labelsOf(contacts.ways);
  const groups = (row: (packing: PackingReport, run: PackingReport['runs'][number]) => readonly string[]) =>
    contacts.packings.map((packing) => ({
      name: `${capitalized(packing.label)}, ${countText(packing.bodies)}`,
      rows: packing.runs.map((run) => [label(run.way), ...(run.reason ? [NOTHING] : row(packing, run))]),
    }));
  const steps = `${contacts.steps} steps a round; lists of pairs are made in the first of them.`;
  return [
    foldedTable('Packings', 'Partners: bodies that one overlaps with. Depths are the deepest of each pair.', {
      columns: ['packing', 'bodies', 'partners', 'mean depth', '@made'],
      groups: [
        {
          rows: contacts.packings.map(({ label: name, bodies, partners, meanDepth, made }) => [
            ...[name, countText(bodies), numberText(partners), numberText(meanDepth), made],
          ]),
        },
      ],
    }),
    foldedTable('Times of steps', `Medians of rounds, with least and most. ${steps}`, {
      columns: [
        ...['@way', 'a step|ms', 'least|ms', 'most|ms', 'per body|µs', 'GPU timestamps|ms', '× Rapier', 'threads'],
        ...[
          'set-up|ms',
          'pairs',
          'contacts',
          'nodes looked up',
          'open',
          'deep',
          'lists grown',
          'GPU memory',
          'checked',
        ],
        'wrong',
      ],
      groups: contacts.packings.map((packing) => ({
        name: `${capitalized(packing.label)}, ${countText(packing.bodies)}`,
        rows: packing.runs.map((run) => {
          if (run.reason !== '') return [label(run.way), { text: NOTHING, look: 'extrapolated', title: run.reason }];
          const { median, min, max } = run.seconds;
          const counts = [run.pairs, run.contacts, run.nodesTested, run.openContacts, run.deepContacts, run.grown];
          return [
            ...[label(run.way), ...[median, min, max].map((one) => inUnits(one, MILLI))],
            ...[inUnits(median / packing.bodies, MICRO), inUnits(run.gpu ?? 0, MILLI), inUnits(run.ratioToPeer, 1)],
            ...[countText(run.threads), inUnits(run.setUpSeconds, MILLI), ...counts.map(countText)],
            ...[run.gpuBytes > 0 ? bytesText(run.gpuBytes) : NOTHING, countText(run.checked), wrongCell(run.wrong)],
          ];
        }),
      })),
    }),
    foldedTable('Stages of a step', 'Medians, in milliseconds. On the GPU all passes are one stage, the kernel.', {
      columns: ['@way', ...STAGES.map((name) => `${name}|ms`)],
      groups: groups((_, { stages }) => STAGES.map((name) => inUnits(stages[name] ?? 0, MILLI))),
    }),
    foldedTable('A node with depth', 'One thread each, the same points: nodes of a packing inside another body.', {
      columns: [
        ...[
          'bodies',
          'points',
          'depth|ns',
          'classify|ns',
          'three-mesh-bvh|ns',
          '× classify’s time',
          '× three-mesh-bvh',
        ],
      ],
      groups: [
        {
          rows: contacts.nodes.map((one) => [
            ...[one.label, countText(one.points)],
            ...[one.depth, one.classify, one.peer].map((time) => inUnits((time?.median ?? 0) / one.points, 1e-9)),
            ...[numberText(one.overClassify), inUnits(one.ratioToPeer, 1)],
          ]),
        },
      ],
    }),
  ];
}

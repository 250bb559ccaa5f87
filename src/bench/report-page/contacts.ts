/** Suite `contacts`: its charts and tables. */
import { type ContactRunReport, type ContactsReport, type DemReport, labelsOf, type PackingReport } from '../report.ts';
import { bytesText, capitalized, countText, inUnits, NOTHING, numberText, secondsText } from '../text.ts';
import { type Cell, chart, details, foldedTable, paragraph, wrongCell } from './parts.ts';
import type { Shown } from './points.ts';
import type { ChartPoint } from './spec.ts';
import { seriesOf } from './style.ts';

const [NANO, MICRO, MILLI] = [1e-9, 1e-6, 1e-3];
export const STAGES = [
  'broadphase',
  'nodes',
  'edges',
  'patches',
  'convex',
  'planes',
  'list',
  'kernel',
  'upload',
  'readback',
];

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

/** What suites `contacts` and `dem` have in common. */
type Measured = Pick<ContactsReport | DemReport, 'ways' | 'packings'>;

const kindsOf = ({ packings }: Measured) => [...new Set(packings.map(({ label }) => label))];
const ofKind = ({ packings }: Measured, label: string) => packings.filter((one) => one.label === label);

export function timeChart(contacts: Measured): string {
  const series = seriesOf(contacts.ways);
  const panels = kindsOf(contacts).map((label) => ({
    title: capitalized(label),
    points: ofKind(contacts, label).flatMap(({ bodies, runs }) =>
      runs.map(({ way, seconds }): ChartPoint => {
        const [y, low, high] = [seconds.median, seconds.min, seconds.max].map((one) => one / bodies);
        const own = contacts.ways.findIndex(({ key }) => key === way);
        const tip = `${series[own]!.name}\n${countText(bodies)} bodies\n${secondsText(y!)} per body`;
        return { series: own, x: bodies, y: y!, low: low!, high: high!, tip };
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
export function stageChart(contacts: Measured, names: readonly string[] = STAGES): string {
  const ways = names.map((key) => ({ key, label: key, kind: 'scree' as const }));
  const panels = contacts.ways.map(({ key, label: way }) => ({
    title: way,
    points: kindsOf(contacts).flatMap((label) => {
      const found = ofKind(contacts, label).findLast(({ runs }) => runs.some((one) => one.way === key));
      const { stages = {} } = found?.runs.find((one) => one.way === key) ?? {};
      return Object.entries(stages).flatMap(([stage, seconds]): ChartPoint[] => {
        if (!(seconds > 0) || !names.includes(stage)) return [];
        const y = `${found!.kind}, ${countText(found!.bodies)}`;
        const tip = `${stage}\n${y} bodies\n${secondsText(seconds)} a step`;
        return [{ series: names.indexOf(stage), y, x: seconds / found!.bodies, tip }];
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
  /** A row for each way on each packing. */
  const groups = (row: (run: ContactRunReport, packing: PackingReport) => readonly Cell[]) =>
    contacts.packings.map((packing) => ({
      name: `${capitalized(packing.label)}, ${countText(packing.bodies)}`,
      rows: packing.runs.map((run) => [label(run.way), ...row(run, packing)]),
    }));
  const share = (part: number, of: number) => (of > 0 ? numberText((100 * part) / of) : NOTHING);
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
    foldedTable('Times of steps', `${contacts.steps} steps a round; lists of pairs are made in the first.`, {
      columns: [
        ...['@way', 'a step|ms', 'least|ms', 'most|ms', 'per body|µs', 'GPU timestamps|ms', '× Rapier'],
        ...['set-up|ms', 'GPU memory', 'lists grown', 'checked', 'wrong'],
      ],
      groups: groups(({ seconds: { median, min, max }, ...run }, { bodies }) => [
        ...[median, min, max].map((one) => inUnits(one, MILLI)),
        ...[inUnits(median / bodies, MICRO), inUnits(run.gpu ?? 0, MILLI), inUnits(run.ratioToPeer, 1)],
        ...[inUnits(run.setUpSeconds, MILLI), run.gpuBytes > 0 ? bytesText(run.gpuBytes) : NOTHING],
        ...[countText(run.grown), countText(run.checked), wrongCell(run.wrong)],
      ]),
    }),
    foldedTable('Stages of a step', 'Medians, in milliseconds. On the GPU all passes are one stage, the kernel.', {
      columns: ['@way', ...STAGES.map((name) => `${name}|ms`)],
      groups: groups(({ stages }) => STAGES.map((name) => inUnits(stages[name] ?? 0, MILLI))),
    }),
    foldedTable('What a step found', 'Culled: nodes of both bodies of all pairs that were not looked up.', {
      columns: [
        '@way',
        'pairs',
        'contacts',
        'open',
        'deep',
        'nodes looked up',
        'in mixed or inside cells|%',
        'culled|%',
      ],
      groups: groups((run, packing) => {
        const nodes = 2 * run.pairs * (contacts.nodes.find((one) => one.label === packing.label)?.nodes ?? 0);
        const counts = [run.pairs, run.contacts, run.openContacts, run.deepContacts, run.nodesTested].map(countText);
        return [...counts, share(run.nodesNear, run.nodesTested), share(nodes - run.nodesTested, nodes)];
      }),
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
        ...['nodes of a body', 'its tables'],
      ],
      groups: [
        {
          rows: contacts.nodes.map((one) => [
            ...[one.label, countText(one.points)],
            ...[one.depth, one.classify, one.peer].map((time) => inUnits((time?.median ?? 0) / one.points, NANO)),
            ...[numberText(one.overClassify), inUnits(one.ratioToPeer, 1)],
            ...[countText(one.nodes), bytesText(one.tableBytes)],
          ]),
        },
      ],
    }),
  ];
}

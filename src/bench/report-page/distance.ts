/** Suite `distance`: its charts and tables. */
import { onlyRises, searchesOf, WANTED } from '../distance/statements.ts';
import { type DistanceCaseReport, type DistanceReport, labelsOf } from '../report.ts';
import { capitalized, countText, inUnits, NOTHING, numberText, secondsText } from '../text.ts';
import { type Cell, chart, foldedTable, type NamedTable, verdictCell, wrongCell } from './parts.ts';
import type { Shown } from './points.ts';
import type { ChartPoint } from './spec.ts';
import { seriesOf } from './style.ts';

const [MICRO, MILLI] = [1e-6, 1e-3];

export const showDistance = (distance: DistanceReport): Shown => ({
  charts: [timeChart(distance), stoppedChart(distance)],
  tables: distanceTables(distance).map(({ name, explanation, ...table }) => foldedTable(name, explanation, table)),
});

const apart = (gap: number) => `${numberText(gap)} sizes apart`;

function timeChart({ ways, cases }: DistanceReport): string {
  const series = seriesOf(ways);
  const titles = [...new Set(cases.map(({ label, gap }) => `${label}, ${apart(gap)}`))];
  const panels = titles.map((title) => ({
    title: capitalized(title),
    points: cases
      .filter(({ label, gap }) => `${label}, ${apart(gap)}` === title)
      .flatMap(({ triangles, runs }) =>
        runs.map(({ way, distance }): ChartPoint => {
          const own = ways.findIndex(({ key }) => key === way);
          const tip = `${series[own]!.name}\n${countText(triangles)} triangles\n${secondsText(distance.median)}`;
          return { series: own, x: triangles, y: distance.median, low: distance.min, high: distance.max, tip };
        }),
      ),
  }));
  const axes = { x: { label: 'triangles', unit: 'count' }, y: { label: 'time', unit: 'seconds' } } as const;
  return chart(
    { kind: 'lines', ...axes, series, panels },
    'Time of a distance against triangles of each mesh: medians with least and most, logarithmic.',
  );
}

function stoppedChart({ stopped }: DistanceReport): string {
  const largest = Math.max(...stopped.map(({ triangles }) => triangles));
  const own = stopped.filter(({ triangles }) => triangles > largest / 2);
  const names = [...new Set(own.map(({ label, gap }) => `${label}, ${apart(gap)}`))];
  const series = seriesOf(names.map((name) => ({ key: name, label: name, kind: 'scree' as const })));
  const points = own.map(({ label, gap, visits, lower }): ChartPoint => {
    const name = `${label}, ${apart(gap)}`;
    const tip = `${name}\n${countText(visits)} pairs\n${numberText(lower)} of the distance`;
    return { series: names.indexOf(name), x: visits, y: lower, tip };
  });
  const axes = {
    x: { label: 'pairs of nodes', unit: 'count' },
    y: { label: 'lower bound', unit: 'number', linear: true },
  } as const;
  return chart(
    { kind: 'lines', ...axes, series, panels: [{ title: 'Searches that are stopped', points }] },
    'Lower bound of a search of the largest meshes by spheres, best first, as a share of the distance.',
  );
}

/** Figures for the page and the terminal. */
export function distanceTables({ ways, cases, setUps, stopped }: DistanceReport): readonly NamedTable[] {
  const label = labelsOf(ways);
  const name = (one: { readonly label: string; readonly triangles: number }) =>
    `${capitalized(one.label)}, ${countText(one.triangles)} triangles`;
  const caseName = (one: DistanceCaseReport) => `${name(one)}, ${apart(one.gap)}`;
  const groups = cases.map((one) => ({
    name: caseName(one),
    rows: one.runs.map((run): Cell[] => [
      label(run.way),
      ...[inUnits(run.distance.median, MICRO), inUnits(run.ratioOfDistance, 1)],
      ...[heldCell(run.ratioOfDistance, WANTED.distance), inUnits(run.visited, 1)],
      ...[inUnits(run.meet.median, MICRO), inUnits(run.ratioOfMeet, 1), heldCell(run.ratioOfMeet, WANTED.meet)],
      wrongCell(run.wrong),
    ]),
  }));
  const bodies = [...new Set(setUps.map(name))].map((body) => ({
    name: body,
    rows: setUps
      .filter((one) => name(one) === body)
      .map(({ way, seconds, overPeer }): Cell[] => [
        ...[label(way), inUnits(seconds.median, MILLI), inUnits(overPeer, 1)],
        overPeer > 0 ? verdictCell(overPeer <= WANTED.setUp) : NOTHING,
      ]),
  }));
  const searches = cases.map((one): Cell[] => {
    const own = searchesOf(stopped, one);
    const ends = (value: 'visits' | 'lower', text: (of: number) => string) =>
      [own[0], own.at(-1)].map((end) => text(end?.[value] ?? NaN)).join(' to ');
    return [caseName(one), ends('visits', countText), ends('lower', numberText), verdictCell(onlyRises(own))];
  });
  const times = (wanted: number) => `held: ${wanted}×`;
  return [
    {
      ...{ name: 'Distances', explanation: 'Medians. × peer: how many times as fast as three-mesh-bvh.' },
      columns: [
        ...['@way', 'distance|µs', '× peer', times(WANTED.distance), 'pairs of nodes'],
        ...['do they meet|µs', '× peer', times(WANTED.meet), 'wrong'],
      ],
      groups,
    },
    {
      name: 'Set-up',
      explanation: 'Trees, whatever the strategy. Over peer: how many times the time of three-mesh-bvh.',
      columns: ['@way', 'set-up|ms', 'over peer', `held: ${WANTED.setUp}× at most`],
      groups: bodies,
    },
    {
      name: 'Searches that are stopped',
      explanation: 'Trees of spheres, best first; the lower bound as a share of the distance.',
      columns: ['@meshes', 'pairs of nodes', 'lower bound', 'held: it only rises'],
      groups: [{ rows: searches }],
    },
  ];
}

/** Whether a rate is as wanted; nothing where the peer did not run. */
const heldCell = (ratio: number, wanted: number): Cell => (ratio > 0 ? verdictCell(ratio >= wanted) : NOTHING);

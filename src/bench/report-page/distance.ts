/** Suite `distance`: its charts and tables. */
import { type DistanceReport, labelsOf } from '../report.ts';
import { capitalized, countText, inUnits, numberText, secondsText } from '../text.ts';
import { type Cell, chart, foldedTable, wrongCell } from './parts.ts';
import type { Shown } from './points.ts';
import type { ChartPoint } from './spec.ts';
import { seriesOf } from './style.ts';

const [MICRO, MILLI] = [1e-6, 1e-3];

export const showDistance = (distance: DistanceReport): Shown => ({
  charts: [timeChart(distance), stoppedChart(distance)],
  tables: tables(distance),
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

function tables({ ways, cases, setUps }: DistanceReport): string[] {
  const label = labelsOf(ways);
  const name = (one: { readonly label: string; readonly triangles: number }) =>
    `${capitalized(one.label)}, ${countText(one.triangles)} triangles`;
  const groups = cases.map((one) => ({
    name: `${name(one)}, ${apart(one.gap)}`,
    rows: one.runs.map((run): Cell[] => [
      label(run.way),
      ...[inUnits(run.distance.median, MICRO), inUnits(run.ratioOfDistance, 1), inUnits(run.visited, 1)],
      ...[inUnits(run.meet.median, MICRO), inUnits(run.ratioOfMeet, 1), wrongCell(run.wrong)],
    ]),
  }));
  const bodies = [...new Set(setUps.map(name))].map((body) => ({
    name: body,
    rows: setUps
      .filter((one) => name(one) === body)
      .map((one) => [label(one.way), inUnits(one.seconds.median, MILLI), inUnits(one.overPeer, 1)]),
  }));
  return [
    foldedTable('Distances', 'Medians. × peer: how many times as fast as three-mesh-bvh.', {
      columns: ['@way', 'distance|µs', '× peer', 'pairs of nodes', 'do they meet|µs', '× peer', 'wrong'],
      groups,
    }),
    foldedTable('Set-up', 'Trees, whatever the strategy. Over peer: how many times the time of three-mesh-bvh.', {
      columns: ['@way', 'set-up|ms', 'over peer'],
      groups: bodies,
    }),
  ];
}

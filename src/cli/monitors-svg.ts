/** Plots of what was watched during a simulation: a self-contained SVG file. */
import { chartsSvg } from '../chart.ts';

/** Rows of the table of monitors, by their columns. */
export type MonitorRows = readonly Readonly<Record<string, number>>[];

const UNITS = 's, J and m where the scene is in metres, kilograms and seconds';
/** Pixels that plots of one line are high. */
const LOW = 130;

/**
 * @param rows one at least
 * @param own columns of the scene's own monitors: those of one monitor have a plot, with a line each
 */
export function monitorsSvg(rows: MonitorRows, title: string, own: readonly string[] = []): string {
  const series = (name: string, color: number, column: string, from = 0) => {
    const points = rows.map((row) => [row.time!, row[column]! - from] as const);
    return { name, look: 'line', color, points } as const;
  };
  const since = (name: string, color: number, column: string) =>
    series(`${name}, since start`, color, column, rows[0]![column]!);
  const x = 'time (s)';
  const charts = [
    {
      ...{ title: 'Energy', x, y: 'energy (J)' },
      series: [
        series('kinetic', 0, 'kinetic'),
        since('gravity', 1, 'gravity'),
        series('elastic', 2, 'elastic'),
        series('lost in dashpots', 3, 'dashpots'),
        series('lost in friction', 4, 'friction'),
        series('lost in rolling', 5, 'rolling'),
        since('balance', 6, 'balance'),
      ],
    },
    { title: 'Contacts', x, y: 'contacts', series: [series('contacts', 0, 'contacts')], height: LOW },
    {
      ...{ title: 'Deepest overlap', x, y: 'depth (m)', height: LOW },
      series: [series('deepest overlap', 0, 'deepestOverlap')],
    },
    ...[...new Set(own.map((column) => column.split('.')[0]!))].map((name) => {
      const columns = own.filter((column) => column.split('.')[0] === name);
      return {
        ...{ title: name, x, y: name, height: LOW },
        series: columns.map((column, i) => series(column, i, column)),
      };
    }),
  ];
  return chartsSvg(charts, title, [title, UNITS]);
}

/** Suite `stacks`: its tables. */
import { labelsOf, type StacksReport } from '../report.ts';
import { capitalized, countText, inUnits, NOTHING } from '../text.ts';
import { paragraph, table } from './parts.ts';
import type { Shown } from './points.ts';

const MICRO = 1e-6;

export function showStacks({ ways, stacks, seconds, seeds, most }: StacksReport): Shown {
  const label = labelsOf(ways);
  const shapes = [...new Set(stacks.map((one) => one.shape))].map((shape) =>
    stacks.filter((one) => one.shape === shape),
  );
  const groups = (cell: (run: StacksReport['stacks'][number]['runs'][number]) => string, thesis: boolean) =>
    shapes.map((own) => ({
      name: capitalized(own[0]!.label),
      rows: [
        ...(thesis ? [['the thesis', ...own.map((one) => countText(one.thesis))]] : []),
        ...ways.map(({ key }) => [
          label(key),
          ...own.map(({ runs }) => {
            const run = runs.find((one) => one.way === key);
            return run === undefined ? NOTHING : cell(run);
          }),
        ]),
      ],
    }));
  const columns = ['@way', ...(shapes[0] ?? []).map(({ iterations }) => `${iterations}|iterations`)];
  const tallest = table('Tallest stacks that stand', {
    columns,
    groups: groups((run) => `${countText(run.tallest)}${run.tallest === most ? ' or more' : ''}`, true),
  });
  const times = table('Microseconds per collision', {
    columns,
    groups: groups((run) => inUnits(run.perCollision, MICRO), false),
  });
  const how =
    `Stacks stand for ${countText(seconds)} simulated seconds at 200 Hz, with each of ${countText(seeds)} seeds. ` +
    `No more than ${countText(most)} boxes were tried.`;
  return {
    charts: [],
    tables: [
      paragraph('Tallest stacks that stand, in boxes.'),
      tallest,
      paragraph('Microseconds per collision.'),
      times,
    ],
    notes: paragraph(how),
  };
}

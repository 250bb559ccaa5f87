/** Table 2 of Muth et al., the paper's seconds beside those of this run. */
import { ascending, pointsText } from './html-model.ts';
import { type Cell, table } from './html-parts.ts';
import { countText, NOTHING, numberText } from './html-text.ts';
import type { BodyReport, RunReport, WayReport } from './report.ts';

/** Triangles of the table's columns, and its seconds by number of points. */
const PAPER_TRIANGLES = [8192, 32_768, 131_072] as const;
const PAPER_SECONDS: Readonly<Record<number, readonly [string, string, string]>> = {
  1000: ['<1', '≈1', '<1'],
  8000: ['≈1', '5', '3'],
  64000: ['10', '40', '24'],
  512000: ['83', '329', '202'],
};

/** Evaluation alone: a row for each number of points of either, a column for each of the paper's spheres. */
export function evaluationTable(
  way: WayReport,
  runs: readonly { readonly body: BodyReport; readonly run: RunReport }[],
): string {
  const own = runs.filter(({ run }) => run.way === way.key);
  const ours = (triangles: number, points: number): Cell => {
    const found = own.find(({ body, run }) => body.triangles === triangles && run.points === points);
    if (found === undefined) return NOTHING;
    const text = numberText(1000 * found.run.seconds.total.median);
    return found.run.status === 'extrapolated' ? { text: `≈${text}`, look: 'extrapolated' } : text;
  };
  const sizes = ascending([...Object.keys(PAPER_SECONDS).map(Number), ...own.map(({ run }) => run.points)]);
  const measured = PAPER_TRIANGLES.some((triangles) => own.some(({ body }) => body.triangles === triangles));
  const note = measured ? '' : ' This run had none of these spheres.';
  return table({
    caption: `${way.label}: evaluation alone, medians; ≈ where extrapolated or, in the paper, about.${note}`,
    columns: [
      { head: 'points', text: true },
      ...PAPER_TRIANGLES.flatMap((triangles) => [
        { head: 'here', unit: 'ms', over: `N = ${countText(triangles)}` },
        { head: 'paper', unit: 's', over: `N = ${countText(triangles)}` },
      ]),
    ],
    groups: [
      {
        rows: sizes.map((points) => [
          pointsText(points),
          ...PAPER_TRIANGLES.flatMap((triangles, t) => [
            ours(triangles, points),
            PAPER_SECONDS[points]?.[t] ?? NOTHING,
          ]),
        ]),
      },
    ],
  });
}

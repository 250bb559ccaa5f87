/** What belongs together in a report. */
import type { BodyReport, RunReport, SetUpReport } from './report.ts';

/** What made a way ready for a run: for just its points, or for any. */
export function setUpFor(
  { setUps }: BodyReport,
  { way, points }: Pick<RunReport, 'way' | 'points'>,
): SetUpReport | undefined {
  const own = setUps.filter((one) => one.way === way);
  return own.find((one) => one.points === points) ?? own.find((one) => one.points === 0);
}

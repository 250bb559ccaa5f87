/** Where algorithms of the thesis fail (figures 11 and 13), and ours leave a pair to a surer one. */
import { countText, numberText } from '../html-text.ts';
import type { Finding } from '../report.ts';
import { DEPTH_WITHIN, THESIS_FAILURES } from './constants.ts';
import {
  judged,
  listText,
  type Measured,
  notMeasured,
  overShapes,
  placesOf,
  type Series,
} from './figures.ts';
import type { PairQuestion, PairWayReport } from './pairs-report.ts';

const MPR: Series = { algorithm: 'mpr', precision: 'float64', question: 'penetration' };
/** How many times as often counts as far more often. */
const FAR_MORE = 10;

/** Answers that an algorithm left to a surer one; none of them is wrong, or the run would have ended. */
interface Undecided {
  readonly left: number;
  readonly all: number;
  /** Share of them where it is largest. */
  readonly most: number;
}

function undecided(
  { ways, shapes }: Measured,
  question: PairQuestion,
  is: (way: PairWayReport) => boolean,
): Undecided {
  const keys = new Set(ways.filter((way) => way.kind === 'scree' && is(way)).map(({ key }) => key));
  let [left, all, most] = [0, 0, 0];
  for (const { settings } of shapes) {
    for (const { runs } of settings) {
      for (const run of runs) {
        if (run.question !== question || !keys.has(run.way)) continue;
        left += run.undecided;
        all += run.checked;
        most = Math.max(most, run.checked > 0 ? run.undecided / run.checked : 0);
      }
    }
  }
  return { left, all, most };
}

const shareOf = ({ left, all }: Undecided) => (all === 0 ? 0 : left / all);

export function leftToSurer(measured: Measured, source: string, question: PairQuestion): Finding {
  const depths = question === 'penetration';
  const statement = depths
    ? `Depth computations fail in less than ${1000 * THESIS_FAILURES} of 1000 cases, but for polyhedra with EPA in single precision.`
    : 'GJK as a measure of distance is very sensitive to the number format: in single precision it fails far more often, from its regions of Voronoi.';
  const [double, single] = (['float64', 'float32'] as const).map((precision) =>
    undecided(measured, question, (way) => way.precision === precision),
  ) as [Undecided, Undecided];
  if (double.all === 0 || (single.all === 0 && !depths)) return notMeasured(source, statement);
  const text = (name: string, { left, all, most }: Undecided) =>
    all === 0
      ? ''
      : `${name} ${countText(left)} of ${countText(all)} answers (${numberText(1000 * most)} of 1000 where most were)`;
  const told = [text('in float64', double), text('in float32', single)].filter((part) => part !== '');
  const held = `No answer failed. Left to a surer algorithm were ${told.join(', ')}.`;
  return depths
    ? judged(
        source,
        statement,
        held,
        Math.max(double.most, single.most) < THESIS_FAILURES,
        'Ours is never a failure: bounds that float32 cannot tell apart, or portals that shrink no more, go to a surer algorithm, which takes time but gives the answer.',
      )
    : judged(
        source,
        statement,
        held,
        single.left > 0 && shareOf(single) >= FAR_MORE * shareOf(double),
        'Of all features of the simplex with the new point the nearest is taken, not one that signs point to, and bounds end the loop instead of a distance that no longer falls.',
      );
}

export function fewerThanEpa(measured: Measured): Finding {
  const source = 'Figure 11';
  const statement = 'MPR fails significantly less often than GJK with EPA, because it is a heuristic.';
  const [mpr, epa] = ['mpr', 'gjk'].map((algorithm) =>
    undecided(measured, 'penetration', (way) => way.algorithm === algorithm),
  );
  if (mpr!.all === 0 || epa!.all === 0) return notMeasured(source, statement);
  const exact = overShapes(measured, (shape) => {
    const places = placesOf(measured, shape, MPR, ({ within }) => within);
    return places.length === 0 ? undefined : Math.min(...places.map(({ value }) => value));
  });
  return judged(
    source,
    statement,
    `Neither gave an answer that fails; MPR left ${countText(mpr!.left)} of ${countText(mpr!.all)} to a surer algorithm, GJK and EPA ${countText(epa!.left)}. Within ${100 * DEPTH_WITHIN} % of the exact depth were of MPR's, at the probability where fewest are, of ${listText(exact, (share) => `${numberText(100 * share)} %`)}.`,
    mpr!.left < epa!.left,
    'EPA here decides exactly what a new point sees, and has nothing left to fail at. What MPR pays for its speed is depths that are too large.',
  );
}

/** The summary of `scree pairs`, for people and for programs. */
import type { ConvexResults, Scene } from '../index.ts';
import {
  adapterFields,
  type CommandSeconds,
  countOf,
  formatAdapter,
  formatCount,
  formatSeconds,
  formatTable,
  leastOf,
  NO_NAMES,
  roundedStages,
  shareRow,
  timesOf,
} from './format.ts';
import { peakMemoryBytes } from './run.ts';

export interface PairsOutcome {
  readonly path: string;
  readonly scene: Scene;
  readonly results: ConvexResults;
  /** Why there is no device, if one would have been used. */
  readonly missing: string | undefined;
}

/** The values of `PairStatus` that results can have. */
const STATUSES = { converged: 0, touching: 1, separated: 2, degenerate: 4, bounded: 5 } as const;
/** How many of the deepest pairs are named. */
const MOST_NAMED = 5;

/** One pair of a summary. */
interface NamedPair {
  readonly a: string;
  readonly b: string;
  readonly distance: number;
  readonly normal: readonly number[];
}

export async function summarize({ scene, results, missing }: PairsOutcome, times: CommandSeconds) {
  const { intersects } = await import('../index.ts');
  const { status, distance, kind, algorithm, tolerance, backend, threads, redone, adapter, seconds } =
    results;
  const { upload, kernel, readback, redo } = seconds;
  const counts = Object.fromEntries(
    Object.entries(STATUSES).map(([name, value]) => [name, timesOf(status, value)]),
  ) as Record<keyof typeof STATUSES, number>;
  // Pairs with this status were only found to be apart: their distance is a bound.
  const isMeasured = (i: number) => status[i] !== STATUSES.separated;
  const least = leastOf(distance, MOST_NAMED, isMeasured).map((i) => pairOf(scene, results, i));
  return {
    shapes: scene.shapes.length,
    bodies: scene.names.bodies.length,
    pairs: status.length,
    ...counts,
    intersecting: status.reduce((sum, _, i) => sum + (intersects(results, i) ? 1 : 0), 0),
    leastDistance: least[0]?.distance ?? null,
    nearest: least[0] === undefined ? null : [least[0].a, least[0].b],
    deepest: least.filter((pair) => pair.distance < 0),
    ...{ kind, algorithm, tolerance, redone, backend },
    reason: missing === undefined ? results.reason : `${results.reason} (${missing})`,
    adapter: adapterFields(adapter),
    threads,
    seconds: roundedStages({
      ...{ read: times.read, open: times.open, build: times.build },
      ...{ upload, kernel, readback, redo },
      ...{ write: times.write, total: times.total },
    }),
    peakMemoryBytes: peakMemoryBytes(),
  };
}

function pairOf(
  { names: { bodies: names } }: Scene,
  { pairs, distance, normal }: ConvexResults,
  i: number,
): NamedPair {
  return {
    a: names[pairs[2 * i]!]!,
    b: names[pairs[2 * i + 1]!]!,
    distance: distance[i]!,
    normal: [...normal.subarray(3 * i, 3 * i + 3)],
  };
}

export type Summary = Awaited<ReturnType<typeof summarize>>;

/** The report for people, without a final newline. */
export function formatSummary(summary: Summary): string {
  const { pairs, kind, nearest, leastDistance, deepest, seconds } = summary;
  const digits = (value: number) => `${Number(value.toPrecision(6))}`;
  const result = formatTable(
    [
      ['pairs', formatCount(pairs)],
      ...(Object.keys(STATUSES) as (keyof typeof STATUSES)[]).map((name) =>
        shareRow(`  ${name}`, summary[name], pairs),
      ),
      shareRow('intersecting', summary.intersecting, pairs),
      ['bodies', formatCount(summary.bodies)],
      ['shapes', formatCount(summary.shapes)],
    ],
    [1, 2],
  );
  const depths = formatTable(
    [
      ['deepest pairs', 'depth', 'normal'],
      ...deepest.map(({ a, b, distance, normal }) => [
        `  ${a}, ${b}`,
        digits(-distance),
        normal.map((x) => x.toFixed(4)).join(' '),
      ]),
    ],
    [1],
  );
  const way = formatTable([
    ...(nearest === null || leastDistance === null
      ? []
      : [['least distance', `${digits(leastDistance)} (${nearest.join(', ')})`]]),
    ['kind', kind],
    ['algorithm', `${summary.algorithm}, tolerance ${digits(summary.tolerance)} of the size of a pair`],
    ['redone', `${countOf(summary.redone, 'pair')} that it left undecided, by a surer algorithm`],
    ['backend', summary.backend],
    ['because', summary.reason],
    ['adapter', summary.adapter === null ? 'none' : formatAdapter({ ...NO_NAMES, ...summary.adapter })],
    ['threads', formatCount(summary.threads)],
  ]);
  const times = formatSeconds([
    ['read', seconds.read],
    ['open device', seconds.open],
    ['prepare shapes', seconds.build],
    ['upload', seconds.upload],
    ['answer', seconds.kernel],
    ['read back', seconds.readback],
    ['redo', seconds.redo],
    ['write', seconds.write],
    ['total', seconds.total],
  ]);
  return [result, ...(deepest.length > 0 ? [depths] : []), way, times].join('\n\n');
}

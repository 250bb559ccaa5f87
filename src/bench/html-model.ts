/** What the page looks up in a report: what was run, what it took together, who is who. */
import type { Look } from './chart.ts';
import { looksOf } from './html-style.ts';
import { countText, gridText } from './html-text.ts';
import type {
  BenchReport,
  BodyReport,
  RunReport,
  SetUpReport,
  Spread,
  SuiteReport,
  WayReport,
} from './report.ts';
import { setUpFor } from './report-parts.ts';

/** A suite with the looks of its ways. */
export interface ShownSuite {
  readonly suite: SuiteReport;
  readonly look: (way: string) => Look;
  readonly label: (way: string) => string;
}

export function showSuites({ suites }: BenchReport): ShownSuite[] {
  const keys = suites.flatMap(({ ways, bodies }) => [
    ...ways.map(({ key }) => key),
    ...bodies.flatMap(({ setUps, runs }) => [...setUps, ...runs].map(({ way }) => way)),
  ]);
  const looks = looksOf([...new Set(keys)]);
  return suites.map((suite) => ({
    suite,
    look: (way) => looks.get(way)!,
    label: (way) => suite.ways.find(({ key }) => key === way)?.label ?? way,
  }));
}

/** Whether a run has a time, measured or scaled up. */
export function hasTime({ status, seconds }: RunReport): boolean {
  return status !== 'left-out' && isPositive(seconds.total.median);
}

export function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}

/** A way's set-up where it is shown without points: for any points, or for most. */
export function mainSetUpOf(body: BodyReport, way: string): SetUpReport | undefined {
  const own = body.setUps.filter((setUp) => setUp.way === way);
  return own.find(({ points }) => points === 0) ?? own.sort((a, b) => b.points - a.points)[0];
}

/** Set-up and evaluation together; least with least and most with most, which is wider than what can have happened. */
export function wholeTime(body: BodyReport, run: RunReport): Omit<Spread, 'runs'> {
  const { total } = run.seconds;
  const setUp = setUpFor(body, run)?.total ?? { min: 0, median: 0, max: 0 };
  return {
    min: setUp.min + total.min,
    median: setUp.median + total.median,
    max: setUp.max + total.max,
  };
}

export function runsOf({ bodies }: SuiteReport): { body: BodyReport; run: RunReport }[] {
  return bodies.flatMap((body) => body.runs.map((run) => ({ body, run })));
}

/** Ways in the order of tables, those without an entry in `ways` last. */
export function waysOf({ ways, bodies }: SuiteReport): WayReport[] {
  const known = new Set(ways.map(({ key }) => key));
  const others = new Set(
    bodies.flatMap(({ runs }) => runs.map(({ way }) => way)).filter((way) => !known.has(way)),
  );
  return [...ways, ...[...others].map((key) => ({ key, label: key, kind: 'scree' as const }))];
}

export function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

export function ascending(values: readonly number[]): number[] {
  return distinct(values).sort((a, b) => a - b);
}

/** `131,072 triangles` */
export function trianglesText({ triangles }: BodyReport): string {
  return `${countText(triangles)} triangles`;
}

/** The same, unless the body's name says it already. */
export function trianglesNote(body: BodyReport): string {
  return body.name.includes(countText(body.triangles)) ? '' : trianglesText(body);
}

/** `rock, 20,480 triangles` */
export function bodyText(body: BodyReport): string {
  return [body.name, trianglesNote(body)].filter((part) => part !== '').join(', ');
}

/** `10³ points` */
export function pointsText(points: number): string {
  return `${gridText(points)} points`;
}

export const SET_LABELS = {
  grid: 'on a cubic grid over the box',
  random: 'uniformly random in the box',
  near: 'beside the surface',
} as const;

export const SERIES_LABELS = { sphere: 'spheres', foam: 'foams', other: 'other bodies' } as const;

/** In the order of charts. */
export const POINT_SETS = ['random', 'near', 'grid'] as const;
type PointSet = (typeof POINT_SETS)[number];
/** Bodies of a series that make a line. */
const LEAST_FOR_GROWTH = 2;

/** Bodies that were asked most kinds of points: others are there for their size alone, and in the charts of growth. */
export function mainBodies(bodies: readonly BodyReport[]): BodyReport[] {
  const kinds = (body: BodyReport) => distinct(body.runs.map(({ set }) => set)).length;
  const most = Math.max(0, ...bodies.map(kinds));
  return bodies.filter((body) => kinds(body) === most);
}

/** Of a body's runs of one way and set, that with the most points. */
export function mainRun({ runs }: BodyReport, way: string, set: PointSet): RunReport | undefined {
  return runs.filter((run) => run.way === way && run.set === set).sort((a, b) => b.points - a.points)[0];
}

/** The set that a body was asked, random points first. */
export function mainSet(bodies: readonly BodyReport[]): PointSet | undefined {
  return POINT_SETS.find((set) => bodies.some(({ runs }) => runs.some((run) => run.set === set)));
}

/** Bodies that differ in little but their size, smallest first. */
export function growing(bodies: readonly BodyReport[]): { name: string; bodies: BodyReport[] }[] {
  return (['sphere', 'foam'] as const)
    .map((series) => ({
      name: SERIES_LABELS[series],
      bodies: bodies.filter((body) => body.series === series).sort((a, b) => a.triangles - b.triangles),
    }))
    .filter(({ bodies: own }) => distinct(own.map(({ triangles }) => triangles)).length >= LEAST_FOR_GROWTH);
}

/** Measured runs of the main bodies, random points first. */
export function mainRuns({ suite }: ShownSuite): { body: BodyReport; way: WayReport; run: RunReport }[] {
  const bodies = mainBodies(suite.bodies);
  const set = mainSet(bodies);
  if (set === undefined) return [];
  return bodies.flatMap((body) =>
    waysOf(suite).flatMap((way) => {
      const run = mainRun(body, way.key, set);
      const shown = run !== undefined && run.status === 'measured' && hasTime(run);
      return shown && way.kind !== 'yardstick' ? [{ body, way, run }] : [];
    }),
  );
}

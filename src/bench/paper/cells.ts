/** The cells of suite `paper`: a body, a number of points, a way, and what it took. */
import { type BodyReport, type RunReport, setUpFor } from '../report.ts';

/** One cell of a figure. */
export interface Cell {
  readonly triangles: number;
  readonly points: number;
  /** Seconds: the set-up for so many points, or for any; the call; both. */
  readonly setUp: number;
  readonly evaluation: number;
  readonly total: number;
  readonly status: RunReport['status'];
  /** Finest level of the trees; undefined where there are none. */
  readonly level: number | undefined;
}

export const KEYS = {
  crossing: 'ray-crossing-all-gpu',
  culled: 'ray-crossing-gpu',
  wellChosen: 'multipole-well-chosen-gpu',
  preChosen: 'multipole-pre-chosen-gpu',
  gridGpu: 'cell-grid-gpu',
  gridCpu: 'cell-grid-cpu',
} as const;

/** A series of bodies, finer and finer. */
export class Series {
  readonly bodies: readonly BodyReport[];

  constructor(bodies: readonly BodyReport[], name: BodyReport['series']) {
    this.bodies = bodies.filter(({ series }) => series === name).toSorted((a, b) => a.triangles - b.triangles);
  }

  get triangles(): number[] {
    return this.bodies.map(({ triangles }) => triangles);
  }

  /** Numbers of points, ascending. */
  get points(): number[] {
    const all = this.bodies.flatMap(({ runs }) => runs.map(({ points }) => points));
    return [...new Set(all)].sort((a, b) => a - b);
  }

  /** Undefined where it was left out. */
  cell(way: string, triangles: number, points: number): Cell | undefined {
    const body = this.bodies.find((one) => one.triangles === triangles);
    const run = body?.runs.find((one) => one.way === way && one.set === 'grid' && one.points === points);
    const setUp = body && setUpFor(body, { way, points });
    if (run === undefined || setUp === undefined || run.status === 'left-out') return undefined;
    const [before, call] = [setUp.total.median, run.seconds.total.median];
    return {
      ...{ triangles, points, status: run.status, setUp: before, evaluation: call, total: before + call },
      level: setUp.figures.level,
    };
  }

  /** Of a way, for one number of points, by ascending triangles. */
  overTriangles(way: string, points: number): Cell[] {
    return this.triangles.flatMap((triangles) => this.cell(way, triangles, points) ?? []);
  }

  /** Of a way on one body, by ascending points. */
  overPoints(way: string, triangles: number): Cell[] {
    return this.points.flatMap((points) => this.cell(way, triangles, points) ?? []);
  }
}

/** Measurements of one body as its report has them. */
import type { TriangleMesh } from '../index.ts';
import type { BodySource } from './bodies.ts';
import type { MeasuredSet, SetResult } from './measure-set.ts';
import type { BodyReport, RunReport, SetUpReport, Spread } from './report.ts';
import { type LeftOut, type Ready, setUpTotals } from './set-up.ts';
import { spread } from './spread.ts';
import type { Way } from './way.ts';

/** Of what was not run. */
const NOTHING: Spread = { min: 0, median: 0, max: 0, runs: 0 };

/** Gathers what is measured of one body. */
export class BodyRecord {
  readonly #source: BodySource;
  readonly #mesh: TriangleMesh;
  readonly #ways: readonly Way[];
  readonly #setUps: SetUpReport[] = [];
  readonly #runs: RunReport[] = [];

  /** @param ways in the order of the report */
  constructor(source: BodySource, mesh: TriangleMesh, ways: readonly Way[]) {
    this.#source = source;
    this.#mesh = mesh;
    this.#ways = ways;
  }

  /** @param points that the ways were made ready for; 0: for any. Called after they were asked, which tells their GPU memory. */
  addSetUps(ready: readonly Ready[], points: number): void {
    for (const one of ready) {
      if (one.way.kind === 'yardstick') continue;
      const names = [...new Set(one.parts.flatMap((parts) => Object.keys(parts)))];
      const parts = names.map((name) => [name, spread(one.parts.map((part) => part[name] ?? 0))] as const);
      this.#setUps.push({
        way: one.way.key,
        points,
        total: spread(setUpTotals(one)),
        parts: { check: spread(one.check), build: spread(one.build), ...Object.fromEntries(parts) },
        tableBytes: one.prepared.tableBytes,
        gpuBytes: one.gpuBytes,
        figures: one.prepared.figures,
      });
    }
  }

  addSet(set: RunReport['set'], { ways, flags }: MeasuredSet): void {
    for (const { key } of this.#ways) {
      const result = ways[key];
      if (result !== undefined) this.#runs.push(runReport(key, set, flags.length, result));
    }
  }

  addLeftOut(set: RunReport['set'], points: number, leftOut: readonly LeftOut[]): void {
    for (const { way, reason } of leftOut) {
      this.#runs.push({
        ...{ way: way.key, set, points, status: 'left-out', measuredPoints: 0, reason },
        seconds: { total: NOTHING, upload: NOTHING, kernel: NOTHING, readback: NOTHING, exact: NOTHING },
        pointsPerSecond: NOTHING,
        ...{
          ratioToPeer: 0,
          ratioToCopy: 0,
          chosen: '',
          resolvedExactly: 0,
          checked: 0,
          wrong: 0,
          gpuBytes: 0,
        },
      });
    }
  }

  finish(): BodyReport {
    const order = new Map(this.#ways.map(({ key }, i) => [key, i]));
    const byWay = (a: { way: string }, b: { way: string }) => order.get(a.way)! - order.get(b.way)!;
    return {
      name: `${this.#source.series} ${this.#mesh.triangleCount.toLocaleString('en-US')}`,
      series: this.#source.series,
      triangles: this.#mesh.triangleCount,
      vertices: this.#mesh.vertexCount,
      setUps: this.#setUps.toSorted(byWay),
      runs: this.#runs,
    };
  }
}

function runReport(way: string, set: RunReport['set'], points: number, result: SetResult): RunReport {
  const { seconds, gpu, measuredPoints, reason, pointsPerSecond, ratioToPeer, ratioToCopy } = result;
  const { chosen, resolvedExactly, checked, wrong, gpuBytes } = result;
  return {
    ...{ way, set, points },
    status: measuredPoints === points ? 'measured' : 'extrapolated',
    ...{ measuredPoints, reason },
    seconds: { ...seconds, ...(gpu && { gpu }) },
    ...{ pointsPerSecond, ratioToPeer, ratioToCopy, chosen, resolvedExactly, checked, wrong, gpuBytes },
  };
}

/** What commands that work with a `Polyhedron` have in common: making it, timing the stages, reporting them. */
import { readFileSync } from 'node:fs';
import type { Classification, ClassifyOptions, Polyhedron, Rule, SavedBody, TriangleMesh } from '../index.ts';
import { type DeviceChoice, openIfNeeded, orAdvise } from './device.ts';
import {
  countOf,
  formatAdapter,
  formatBytes,
  formatCount,
  formatSeconds,
  formatTable,
  roundedStages,
  shareRow,
} from './format.ts';
import { withDefaultSignals } from './interrupt.ts';
import type { Progress } from './progress.ts';

export interface Work extends DeviceChoice {
  readonly mesh: TriangleMesh;
  /** The saved body that the mesh comes from, if any. */
  readonly saved?: SavedBody | undefined;
  readonly cells?: number | undefined;
  readonly rule?: Rule;
  readonly cull?: boolean;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** A classification, with the time of opening the device, which the library does not measure. */
export interface Outcome extends Omit<Classification, 'flags'> {
  readonly openSeconds: number;
}

/** Classifies an array of points. */
export async function classifyPoints(
  work: Work & { readonly points: Float32Array },
): Promise<Outcome & Pick<Classification, 'flags'>> {
  const { points, progress } = work;
  return withPolyhedron(work, async (polyhedron, options, complete) => {
    const result = await polyhedron.classify(points, {
      ...options,
      onProgress: (done, total) => progress.update(done, total),
    });
    return { ...result, ...complete(result) };
  });
}

type Options = Pick<ClassifyOptions, 'method' | 'backend' | 'rule' | 'cull' | 'signal'>;

/**
 * Opens a device, makes the body and lends it to `use`. Closes the device whatever happens, since an open one keeps the
 * process alive. `use` gets the options for calls of the body, and a function that adds to a result what was done here.
 */
export async function withPolyhedron<T>(
  work: Work,
  use: (
    polyhedron: Polyhedron,
    options: Options,
    complete: <R extends Omit<Classification, 'flags'>>(result: R) => R & Outcome,
  ) => Promise<T>,
): Promise<T> {
  const { mesh, saved, method, backend, cells, rule, cull, signal, progress } = work;
  const { Polyhedron } = await import('../index.ts');
  const clock = startClock();
  progress.stage('opening the WebGPU device');
  const { device, missing } = await openIfNeeded(work);
  try {
    const openSeconds = clock();
    progress.stage(`preparing ${formatCount(mesh.triangleCount)} triangles`);
    const bodyOptions = { ...(cells !== undefined && { cellsPerAxis: cells }), open: rule === 'winding' };
    const polyhedron = await withDefaultSignals(signal, () =>
      saved ? Polyhedron.load(device, saved) : Polyhedron.create(device, mesh, bodyOptions),
    );
    const createSeconds = clock();
    const options = {
      ...(method !== undefined && { method }),
      ...(backend !== undefined && { backend }),
      ...(rule !== undefined && { rule }),
      ...(cull !== undefined && { cull }),
      signal,
    };
    const complete = <R extends Omit<Classification, 'flags'>>(result: R) => ({
      ...result,
      reason: missing === undefined ? result.reason : `${result.reason} (${missing})`,
      // Checking the mesh is a part of building, whichever call does it.
      seconds: { ...result.seconds, build: result.seconds.build + createSeconds },
      openSeconds,
    });
    return await orAdvise(work, () => use(polyhedron, options, complete));
  } finally {
    progress.stop();
    device?.destroy();
  }
}

/** A clock whose every call returns the seconds since the one before. */
export function startClock(): () => number {
  let mark = performance.now();
  return () => {
    const before = mark;
    mark = performance.now();
    return (mark - before) / 1000;
  };
}

/**
 * The most resident memory that the process has had, in bytes, with all its threads. On Linux `maxRSS` begins with the
 * peak of the process that started this one, so there the process's own peak is read.
 */
export function peakMemoryBytes(): number {
  try {
    const own = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'));
    if (own !== null) return 1024 * Number(own[1]);
  } catch {
    // Not Linux.
  }
  return 1024 * process.resourceUsage().maxRSS;
}

/** Seconds of wall time per stage of a command. */
export interface StageSeconds {
  /** Reading the mesh and the points. */
  readonly read: number;
  /** Making the mesh or the points, if they are not read: a grid, the foam of the demo. */
  readonly make?: number;
  /** Opening the WebGPU device. */
  readonly open: number;
  /** Checking the mesh and building its tables. */
  readonly build: number;
  readonly upload: number;
  readonly classify: number;
  readonly readback: number;
  readonly exact: number;
  /** Writing files. */
  readonly write: number;
  /**
   * Only if points were streamed: from asking for the first to having written the last. Reading, `upload` to `exact`
   * and `write` went on at the same time, so their sum may be more.
   */
  readonly stream?: number;
  /** From the start of the command to its report. */
  readonly total: number;
}

/** Puts the stages together. */
export function stageSeconds(
  outcome: Outcome,
  times: Pick<StageSeconds, 'read' | 'make' | 'write' | 'stream' | 'total'>,
): StageSeconds {
  const { build, upload, classify, readback, exact } = outcome.seconds;
  const { read, make, write, stream, total } = times;
  return roundedStages({
    ...{ read, ...(make !== undefined && { make }), open: outcome.openSeconds },
    ...{ build, upload, classify, readback, exact, write },
    ...{ ...(stream !== undefined && { stream }), total },
  });
}

/** The report for people, without a final newline. `rows` are further rows on how the work was done. */
export function formatOutcome(
  outcome: Outcome,
  seconds: StageSeconds,
  rows: readonly (readonly string[])[] = [],
): string {
  const { counts, triangles, method, backend, rule, resolvedExactly, undecided, adapter } = outcome;
  const { gpuBytes, tableBytes } = outcome;
  const { stream } = seconds;
  const pointSeconds = stream ?? seconds.upload + seconds.classify + seconds.readback + seconds.exact;
  const result = formatTable(
    [
      ['points', formatCount(counts.points)],
      shareRow('  inside', counts.inside, counts.points),
      shareRow('  outside', counts.outside, counts.points),
      shareRow('  boundary', counts.boundary, counts.points),
      ['triangles', formatCount(triangles)],
    ],
    [1, 2],
  );
  const way = formatTable([
    ['method', `${method}, rule ${rule}`],
    ['backend', backend],
    ['because', outcome.reason],
    ['settled exactly', `${countOf(resolvedExactly, 'point')} that the method was not certain of`],
    ...(undecided > 0
      ? [['undecided', `${formatCount(undecided)} of them, with a winding number of 1/2 within rounding`]]
      : []),
    ['adapter', adapter === undefined ? 'none' : formatAdapter(adapter)],
    ...rows,
    ['tables', formatBytes(tableBytes)],
    ['GPU memory', formatBytes(gpuBytes)],
    ['peak memory', formatBytes(peakMemoryBytes())],
  ]);
  const times = formatSeconds([
    ['read', seconds.read],
    ['make', seconds.make],
    ['open device', seconds.open],
    ['build', seconds.build],
    ['upload', seconds.upload],
    ['classify', seconds.classify],
    ['read back', seconds.readback],
    ['exact', seconds.exact],
    ['write', seconds.write],
    ['read to write', stream],
    ['total', seconds.total],
  ]);
  const rate = countOf(Math.round(counts.points / Math.max(pointSeconds, 1e-9)), 'point');
  const timed = stream === undefined ? 'upload to exact' : 'read to write, which went on at the same time';
  return [result, way, times, `${rate} per second (${timed})`].join('\n\n');
}

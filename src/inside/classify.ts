/** What `Polyhedron.classify` does in its turn: one chunk of points through a lane. */
import type { Device } from '../gpu/device.ts';
import { type PassTimer, startPassTimer } from '../gpu/timestamps.ts';
import type { BodyTables } from './body-tables.ts';
import { type Classification, countFlags, namingPoint } from './classification.ts';
import type { Plan } from './plan.ts';
import { noSeconds } from './stream/lane.ts';

export interface ClassifyRun {
  readonly points: Float32Array;
  readonly tables: BodyTables;
  readonly device: Device | undefined;
  readonly triangles: number;
  /** When the call began, by `performance.now()`. */
  readonly started: number;
  readonly timestamps: boolean;
  readonly onProgress: ((done: number, total: number) => void) | undefined;
  /** Ends the work. */
  readonly signal: AbortSignal;
  /** Says that the body is gone: there is no result then. */
  readonly closing: AbortSignal;
}

export async function classifyPoints(plan: Plan, run: ClassifyRun): Promise<Classification> {
  const { points, tables, device, triangles, signal } = run;
  const buildStarted = performance.now();
  const count = points.length / 3;
  const flags = new Uint8Array(count);
  const seconds = noSeconds();
  const onProgress = run.onProgress && ((done: number) => run.onProgress!(done, count));
  const lane = await tables.openLane(plan, { seconds, onProgress }, signal);
  let timer: PassTimer | undefined;
  try {
    const build = (performance.now() - buildStarted) / 1000;
    if (run.timestamps && plan.backend === 'gpu') timer = await startPassTimer(device!);
    const { resolvedExactly, undecided } = await namingPoint(points, 0, async () => {
      const begun = await lane.begin(points, flags, signal);
      return begun.done;
    });
    run.closing.throwIfAborted();
    const counts = countFlags(flags);
    const total = (performance.now() - run.started) / 1000;
    const gpu = await timer?.read();
    const { method, backend, reason, rule } = plan;
    return {
      ...{ flags, counts, resolvedExactly, undecided, method, backend, reason, rule },
      adapter: device?.adapter,
      triangles,
      seconds: { build, ...seconds, total, ...(gpu !== undefined && { gpu }) },
      expansion: lane.expansion,
      tableBytes: lane.tableBytes,
      gpuBytes: lane.gpuBytes,
    };
  } finally {
    timer?.destroy();
    lane.close();
  }
}

/** `scree winding` with points that are read, worked on and written in chunks, in bounded memory. */
import type { PotentialKind, WindingNumbers } from '../index.ts';
import type { OpenJob, ShardFlags } from './cluster/shards.ts';
import { formatAdapter } from './format.ts';
import { orInterrupted } from './interrupt.ts';
import { type DeviceFlags, type OutputFlags, wantedBackend } from './options.ts';
import type { Progress } from './progress.ts';
import type { ResultFile, Settings } from './result-file.ts';
import { withPolyhedron } from './run.ts';
import type { Subject } from './subject.ts';

export interface WindingFlags extends ShardFlags, OutputFlags, DeviceFlags {
  readonly points: string;
  readonly out?: string;
  readonly bounds?: string;
  readonly tolerance?: number;
  readonly method: PotentialKind | 'auto';
  readonly degree?: number;
  readonly separation?: number;
  readonly weld?: number;
  readonly chunk?: number;
}

export interface WindingWork {
  readonly subject: Subject;
  readonly job: OpenJob;
  readonly flags: WindingFlags;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** What came of all chunks. */
export type Evaluated = Omit<WindingNumbers, 'values' | 'bounds'> & {
  readonly points: number;
  readonly least: number | null;
  readonly greatest: number | null;
  readonly largestBound: number | null;
};

/** Evaluates the points chunk by chunk, and writes what there are files for. */
export async function evaluate({ subject, job, flags, signal, progress }: WindingWork): Promise<Evaluated> {
  const { tolerance, method, degree, separation, adapter } = flags;
  const { points } = job;
  const backend = wantedBackend(flags);
  const work = { ...subject, adapter, method, backend, rule: 'winding', signal, progress } as const;
  const options = {
    ...{ method, backend, signal },
    ...(tolerance !== undefined && { tolerance }),
    ...(degree !== undefined && { degree }),
    ...(separation !== undefined && { separation }),
    // All chunks are worked on alike, and a share as the whole would be.
    expectedPoints: points.total,
  };
  let files: ResultFile[] = [];
  try {
    return await withPolyhedron(work, async (polyhedron) => {
      files = await job.create();
      let sum: Evaluated | undefined;
      const add = async (chunk: Float32Array) => {
        const done = sum?.points ?? 0;
        const onProgress = (more: number) => progress.update(done + more, points.count);
        const { values, bounds, ...rest } = await polyhedron.windingNumber(chunk, { ...options, onProgress });
        const results = flags.out === undefined ? [bounds] : [values, bounds];
        for (const [k, file] of files.entries()) await file.write(results[k]!);
        const found = {
          ...rest,
          points: values.length,
          ...rangeOf(values),
          largestBound: rangeOf(bounds).greatest,
        };
        sum = sum === undefined ? found : together(sum, found);
      };
      const chunks = points[Symbol.asyncIterator]();
      for (;;) {
        const { done, value } = await orInterrupted(chunks.next(), signal);
        if (done) break;
        await add(value);
      }
      // A share without points still tells how its points would be worked on.
      if (sum === undefined) await add(new Float32Array(0));
      signal.throwIfAborted();
      for (const file of files) await file.commit(usedBy(sum!));
      return sum!;
    });
  } finally {
    for (const file of files) await file.discard();
    await points.close();
  }
}

function rangeOf(numbers: Float32Array) {
  if (numbers.length === 0) return { least: null, greatest: null };
  const least = numbers.reduce((a, b) => Math.min(a, b), Infinity);
  return { least, greatest: numbers.reduce((a, b) => Math.max(a, b), -Infinity) };
}

function together(a: Evaluated, b: Evaluated): Evaluated {
  const { seconds } = a;
  return {
    ...b,
    points: a.points + b.points,
    least: Math.min(a.least!, b.least!),
    greatest: Math.max(a.greatest!, b.greatest!),
    largestBound: Math.max(a.largestBound!, b.largestBound!),
    sharpened: a.sharpened + b.sharpened,
    overTolerance: a.overTolerance + b.overTolerance,
    seconds: {
      build: seconds.build + b.seconds.build,
      evaluate: seconds.evaluate + b.seconds.evaluate,
      sharpen: seconds.sharpen + b.seconds.sharpen,
      total: seconds.total + b.seconds.total,
    },
  };
}

/** What numbers depend on, as it was in fact. */
function usedBy({ tolerance, method, backend, adapter, degree, separation, level }: Evaluated): Settings {
  return {
    ...{ tolerance, method, backend },
    ...(backend === 'gpu' && adapter && { adapter: formatAdapter(adapter) }),
    ...(method === 'multipole' && { degree, separation, level }),
  };
}

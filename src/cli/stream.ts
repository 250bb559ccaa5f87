/** `scree classify` with points that are read, classified and written in chunks, in bounded memory. */

import type { OpenJob } from './cluster/shards.ts';
import { formatAdapter } from './format.ts';
import type { ResultFile, Settings } from './result-file.ts';
import { type Outcome, startClock, type Work, withPolyhedron } from './run.ts';

export interface StreamOutcome extends Outcome {
  readonly times: {
    /** Waiting for points of the file. */
    readonly read: number;
    readonly write: number;
    /** See `StageSeconds.stream`. */
    readonly stream: number;
  };
}

/**
 * Classifies the points of an open file, and writes their flags if the job has a file for them. However it ends, the
 * file of points is closed, and there is a whole file of flags or none.
 */
export async function classifyStream(
  work: Work & { readonly job: Pick<OpenJob, 'points' | 'create'> },
): Promise<StreamOutcome> {
  const { job, progress } = work;
  const { points } = job;
  let flagsFile: ResultFile | undefined;
  try {
    return await withPolyhedron(work, async (polyhedron, options, complete) => {
      const whole = startClock();
      let write = 0;
      const writing = async (work: () => Promise<void>) => {
        const clock = startClock();
        await work();
        write += clock();
      };
      [flagsFile] = await job.create();
      const stream = polyhedron.classifyStream(points, {
        ...options,
        // A share is worked on as the whole would be.
        expectedPoints: points.total,
        onProgress: (done) => progress.update(done, points.count),
      });
      for await (const { flags } of stream) if (flagsFile) await writing(() => flagsFile!.write(flags));
      options.signal?.throwIfAborted();
      const { summary } = stream;
      if (flagsFile) await writing(() => flagsFile!.commit(settingsOf(summary)));
      // Tables are built before the first chunk is handed over, and timed apart.
      const times = { read: summary.seconds.read, write, stream: whole() - summary.seconds.build };
      return { ...complete(summary), times };
    });
  } finally {
    await flagsFile?.discard();
    await points.close();
  }
}

/** What flags depend on. Those by winding numbers are exact but for points too near to 1/2. */
function settingsOf({
  rule,
  method,
  backend,
  expansion,
  adapter,
}: Omit<Outcome, 'seconds' | 'openSeconds'>): Settings {
  if (rule !== 'winding') return { rule };
  return {
    ...{ rule, method, backend },
    ...(backend === 'gpu' && adapter && { adapter: formatAdapter(adapter) }),
    ...(expansion && { degree: expansion.degree, separation: expansion.separation }),
  };
}

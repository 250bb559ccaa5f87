/** `scree classify` with points that are read, classified and written in chunks, in bounded memory. */
import type { PointFile } from '../index.ts';
import { type AtomicFile, createFileAtomically } from './output.ts';
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
 * Classifies the points of an open file. If there is a path for the flags, writes them as .npy. However it ends, the
 * file of points is closed, and there is a whole file of flags or none.
 */
export async function classifyStream(
  work: Work & { readonly points: PointFile; readonly out: string | undefined },
): Promise<StreamOutcome> {
  const { points, out, progress } = work;
  let flagsFile: AtomicFile | undefined;
  try {
    return await withPolyhedron(work, async (polyhedron, options, complete) => {
      const { encodeNpyHeader } = await import('../index.ts');
      const whole = startClock();
      let write = 0;
      const writing = async (job: () => Promise<void>) => {
        const clock = startClock();
        await job();
        write += clock();
      };
      if (out !== undefined) {
        flagsFile = await createFileAtomically(out);
        const header = encodeNpyHeader('u1', [points.count]);
        await flagsFile.write(header);
      }
      const stream = polyhedron.classifyStream(points, {
        ...options,
        expectedPoints: points.count,
        onProgress: (done) => progress.update(done, points.count),
      });
      for await (const { flags } of stream) if (flagsFile) await writing(() => flagsFile!.write(flags));
      options.signal?.throwIfAborted();
      if (flagsFile) await writing(() => flagsFile!.commit());
      const { summary } = stream;
      // Tables are built before the first chunk is handed over, and timed apart.
      const times = { read: summary.seconds.read, write, stream: whole() - summary.seconds.build };
      return { ...complete(summary), times };
    });
  } finally {
    await flagsFile?.discard();
    await points.close();
  }
}

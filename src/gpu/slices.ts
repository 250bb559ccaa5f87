/** Work cut into slices, which are submitted one after the other. */
import type { BoundKernel } from './bind.ts';
import type { Device } from './device.ts';
import { GROUP } from './dispatch.ts';
import type { KernelParams, LayoutEntries } from './kernel.ts';
import { Recorder } from './recorder.ts';

export interface SliceOptions {
  /** What the work is, for error messages. */
  readonly what: string;
  /** Units of work in all. */
  readonly total: number;
  /** Units of the first slice; later ones are sized by what it took. */
  readonly first: number;
  /** Slices start at multiples of this. */
  readonly multiple: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Seconds that a slice should take: short enough for progress, Ctrl-C and watchdogs, long against its overhead. */
const SLICE_SECONDS = 0.15;

/**
 * Units of the next slice after one of `units` took `seconds`. It moves towards SLICE_SECONDS, in steps that outliers
 * cannot make large.
 */
export function nextSlice(units: number, seconds: number): number {
  return units * Math.min(8, Math.max(0.25, SLICE_SECONDS / Math.max(seconds, 1e-4)));
}

/** Runs work in slices of about SLICE_SECONDS, so that it can be watched and stopped. Returns its wall seconds. */
export async function runSlices(
  device: Device,
  options: SliceOptions,
  submit: (first: number, end: number) => void,
): Promise<number> {
  const { total, multiple, signal, onProgress } = options;
  const started = performance.now();
  let size = options.first;
  let expected = 0;
  for (let first = 0; first < total; ) {
    signal?.throwIfAborted();
    const end = Math.min(total, first + Math.max(multiple, Math.floor(size / multiple) * multiple));
    const sliceStarted = performance.now();
    const from = first;
    await device.checked(options.what, () => submit(from, end));
    await device.finished(expected);
    const seconds = (performance.now() - sliceStarted) / 1000;
    size = nextSlice(end - first, seconds);
    expected = seconds * Math.min(1, size / (end - first));
    first = end;
    onProgress?.(end);
  }
  signal?.throwIfAborted();
  return (performance.now() - started) / 1000;
}

/** Threads of a kernel whose parameters say which are to run: from `firstThread` on, before `endThread`. */
export interface ThreadsOptions<Entries extends LayoutEntries> extends Omit<SliceOptions, 'multiple'> {
  readonly bound: BoundKernel<Entries>;
  readonly label: string;
  /** The other parameters. */
  readonly params: Omit<KernelParams<Entries>, 'firstThread' | 'endThread'>;
}

/** Runs the threads of a kernel in slices, as `runSlices` does. */
export async function runThreads<Entries extends LayoutEntries>(
  device: Device,
  { bound, label, params: others, ...slices }: ThreadsOptions<Entries>,
): Promise<void> {
  await runSlices(device, { ...slices, multiple: GROUP }, (firstThread, endThread) => {
    const recorder = new Recorder(device, { label });
    const params = { ...others, firstThread, endThread } as KernelParams<Entries>;
    recorder.run(bound, { threads: endThread - firstThread, params });
    recorder.submit();
  });
}

/** What every method of classification is given and gives back, besides points and flags. */
import type { Built, Rule } from './classification.ts';

export interface MethodRun {
  readonly rule: Rule;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((pointsDone: number) => void) | undefined;
}

/** Wall seconds per stage; methods add to them chunk by chunk. */
export interface StageSeconds {
  upload: number;
  classify: number;
  readback: number;
}

/** A method, ready for chunks of points: writes flags of points `first .. first + count`, returns the doubtful ones. */
export interface Prepared {
  classify(first: number, count: number, run: MethodRun): Promise<Uint32Array>;
  /** Triangles in an order in which neighbours are close, if the method has one. */
  readonly order: Uint32Array | undefined;
  readonly tableBytes: number;
  readonly built: Built | undefined;
  gpuBytes(): number;
}

/** A clock whose every call returns the seconds since the one before. */
export function lapClock(): () => number {
  let mark = performance.now();
  return () => {
    const before = mark;
    mark = performance.now();
    return (mark - before) / 1000;
  };
}

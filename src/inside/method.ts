/** What every method of classification is given, besides points and flags. */
import type { Rule } from './classification.ts';

export interface MethodRun<R extends Rule = Rule> {
  readonly rule: R;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((pointsDone: number) => void) | undefined;
}

/** Wall seconds per stage; methods add to them piece by piece. */
export interface StageSeconds {
  upload: number;
  classify: number;
  readback: number;
}

/** Most points of a piece, which are worked on at once: 12 MiB of coordinates, well inside every portable limit. */
export const CHUNK = 1 << 20;

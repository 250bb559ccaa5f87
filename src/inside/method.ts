/** What every method of classification is given and gives back, besides points and flags. */
import type { Rule } from './classification.ts';

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

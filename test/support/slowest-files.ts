import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const LISTED = 10;

/** Seconds that a file took: its imports, its hooks and its tests. */
function secondsOf(file: TestModule): number {
  const { collectDuration, setupDuration, duration } = file.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}

/** Prints the test files that took longest. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(files: readonly TestModule[]): void {
    const slowest = files.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, LISTED);
    console.log('== the slowest test files, in seconds');
    for (const file of slowest) {
      console.log(`${secondsOf(file).toFixed(1).padStart(7)}  ${relative('.', file.moduleId)}`);
    }
  }
}

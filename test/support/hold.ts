import { expect } from 'vitest';

/**
 * Fails with these words unless a condition holds. For what a test asks hundreds of thousands of times: Vitest's
 * `expect` takes some ten microseconds, more than many an answer that it is about.
 */
export function hold(condition: boolean, words: () => string): void {
  if (!condition) expect.fail(words());
}

import fc from 'fast-check';
import { Exact } from './exact-number.ts';
import { DrawnFloat32 } from './float32-emulation.ts';

/** What a kernel found in float32, what is exact, and how far they may be apart. */
export interface Drawn {
  readonly found: number;
  readonly exact: Exact | number;
  readonly bound: number;
}

/**
 * Draws cases, each with an arithmetic of its own, and holds each within its bound; fast-check names the seed of one
 * that is not. Returns the largest error in parts of its bound: what a test compares with a bound that is too small.
 *
 * @param run numbers of one case; none where it says nothing
 */
export function worstRatio(cases: number, run: (draw: DrawnFloat32) => readonly Drawn[]): number {
  let worst = 0;
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      for (const { found, exact, bound } of run(new DrawnFloat32(seed))) {
        const error =
          typeof exact === 'number' ? Math.abs(found - exact) : Math.abs(Exact.of(found).minus(exact).value);
        if (!(error <= bound)) throw new Error(`off by ${error}, expected at most ${bound}`);
        worst = Math.max(worst, error / bound);
      }
    }),
    { numRuns: cases },
  );
  return worst;
}

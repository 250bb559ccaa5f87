/**
 * Property tests take the same cases in every run, so that a failure comes from a change and not from a new case. For
 * other cases: `SCREE_SEED=random npx vitest run test/convex`, or any whole number as the seed.
 */
import fc from 'fast-check';

const seed = process.env.SCREE_SEED ?? '20261121';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

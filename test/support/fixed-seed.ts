/**
 * Property tests take the same cases in every run, so that a change that breaks one is what broke it. Others are looked for
 * with `SCREE_SEED=random npx vitest run test/convex`, or any whole number for the seed.
 */
import fc from 'fast-check';

const seed = process.env.SCREE_SEED ?? '20261121';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

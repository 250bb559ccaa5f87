/** All cases of `scree validate`, in the order of the report. */
import { billiards, cradle, hertz, oblique, restitution } from './cases/impacts.ts';
import { pile } from './cases/pile.ts';
import type { ValidationCase } from './validation-case.ts';

export const CASES: readonly ValidationCase[] = [hertz, restitution, oblique, cradle, billiards, pile];

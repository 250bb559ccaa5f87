import type { PairQuestion } from './pairs-report.ts';

/** In tables, on the page and in the terminal. */
export const QUESTION_LABELS: Readonly<Record<PairQuestion, string>> = {
  intersect: 'intersect',
  penetration: 'depth',
  distance: 'distance',
  'signed-distance': 'signed distance',
};

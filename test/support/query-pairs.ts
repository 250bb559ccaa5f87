/** A query on the calling thread: the twin of the kernels. */
import { CONVEX_TOLERANCE } from '../../src/convex/constants.ts';
import { PairRun } from '../../src/convex/cpu/pair-run.ts';
import { requireContents, resolveQuery } from '../../src/convex/query/check-query.ts';
import { arraysFor } from '../../src/convex/query/pair-arrays.ts';
import type { PairQuery, PairResults } from '../../src/convex/query/pair-query.ts';
import { toPlainDistances } from '../../src/convex/query/plain-distance.ts';
import type { ShapeArrays } from '../../src/convex/shapes/records.ts';

/**
 * Answers a query for many pairs. Defaults: algorithm `gjk`, tolerance 2^-36.
 *
 * @throws InputError that names the field of the query, what was found and what was expected.
 */
export function queryPairs(table: ShapeArrays, query: PairQuery): PairResults {
  const resolved = resolveQuery(table.count, query, { algorithm: 'gjk', tolerance: CONVEX_TOLERANCE });
  const count = query.pairs.length / 2;
  requireContents(resolved);
  const arrays = arraysFor(query.kind, count);
  const run = new PairRun(table, resolved, arrays);
  run.answerAll(0, count);
  if (query.kind === 'distance') toPlainDistances(arrays);
  return { ...arrays, pairs: query.pairs, redone: run.redone };
}

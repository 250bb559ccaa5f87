// Pairs that kernels could not decide in float32, decided by the float64 algorithms.

import type { CpuPairs } from '../cpu/cpu-pairs.ts';
import { PairStatus } from '../pair/status.ts';
import type { PairRunOptions } from '../query/backends.ts';
import { CONTACTS_PER_PAIR, NORMALS_PER_PAIR } from '../query/pair-arrays.ts';
import type { PairArrays, ResolvedPairQuery } from '../query/pair-query.ts';

/**
 * Redoes all pairs with the status `iterationLimit`, into the same places. Says how many there were, and how many
 * threads did it.
 */
export async function redoUndecided(
  answers: PairArrays,
  query: ResolvedPairQuery,
  cpu: CpuPairs,
  run: PairRunOptions,
): Promise<{ redone: number; threads: number }> {
  const undecided: number[] = [];
  for (let i = 0; i < answers.status.length; i++) {
    if (answers.status[i] === PairStatus.iterationLimit) undecided.push(i);
  }
  if (undecided.length === 0) return { redone: 0, threads: 0 };
  const { pairs, warm } = query;
  const again = {
    ...query,
    pairs: Uint32Array.from(undecided.flatMap((i) => [pairs[2 * i]!, pairs[2 * i + 1]!])),
    warm: warm && Float64Array.from(undecided.flatMap((i) => [...warm.subarray(3 * i, 3 * i + 3)])),
  };
  const found = await cpu.query(again, run);
  undecided.forEach((i, k) => {
    answers.status[i] = found.status[k]!;
    answers.iterations[i]! += found.iterations[k]!;
    if (query.kind === 'intersect') return;
    answers.distance[i] = found.distance[k]!;
    answers.lower[i] = found.lower[k]!;
    if (answers.lower[i]! > found.lower[k]!) answers.lower[i] = nextFloat32(answers.lower[i]!, -1);
    answers.upper[i] = found.upper[k]!;
    if (answers.upper[i]! < found.upper[k]!) answers.upper[i] = nextFloat32(answers.upper[i]!, 1);
    for (const name of ['normal', 'pointA', 'pointB'] as const) {
      answers[name].set(found[name].subarray(3 * k, 3 * k + 3), 3 * i);
    }
    if (query.kind !== 'manifold') return;
    answers.contactCounts[i] = found.contactCounts[k]!;
    const contacts = found.contacts.subarray(CONTACTS_PER_PAIR * k, CONTACTS_PER_PAIR * (k + 1));
    answers.contacts.set(contacts, CONTACTS_PER_PAIR * i);
    const normals = found.contactNormals.subarray(NORMALS_PER_PAIR * k, NORMALS_PER_PAIR * (k + 1));
    answers.contactNormals.set(normals, NORMALS_PER_PAIR * i);
  });
  return { redone: undecided.length, threads: found.threads };
}

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** The float32 next to a float32, upwards (1) or downwards (-1): rounding must not move a bound to the wrong side. */
function nextFloat32(value: number, direction: 1 | -1): number {
  float[0] = value;
  if (value === 0) return direction * 2 ** -149;
  bits[0]! += (value > 0 ? 1 : -1) * direction;
  return float[0]!;
}

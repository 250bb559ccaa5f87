import type { Rule } from '../../src/inside/classification.ts';
import { ExactTest } from '../../src/inside/exact.ts';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';

/** Flags by exact predicates alone. */
export function exactFlags(mesh: TriangleMesh, points: Float32Array, rule: Rule = 'odd'): Uint8Array {
  const test = new ExactTest(mesh);
  const flags = new Uint8Array(points.length / 3);
  for (let i = 0; i < flags.length; i++)
    flags[i] = test.flag(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!, rule);
  return flags;
}

/** The first few places where two arrays of flags differ, in words. */
export function differences(found: Uint8Array, expected: Uint8Array, points: Float32Array): string[] {
  const out: string[] = [];
  let count = Math.abs(found.length - expected.length);
  for (let i = 0; i < expected.length; i++) {
    if (found[i] === expected[i]) continue;
    count++;
    if (out.length < 5) {
      out.push(
        `point ${i} (${points.slice(3 * i, 3 * i + 3).join(', ')}): ${found[i]}, expected ${expected[i]}`,
      );
    }
  }
  return count === 0 ? [] : [`${count} wrong`, ...out];
}

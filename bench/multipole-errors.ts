/** Error of J against degree and separation, over trees of one depth, so that only these two differ. */

import { makePoints } from '../src/bench/points.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';
import { growingSphere } from './bodies.ts';
import { type Accuracy, requireAccuracy } from './potential-check.ts';
import { firstPoints, type PotentialKey, type PotentialWay, totalSeconds } from './potential-way.ts';
import { exactFlags } from './reference-flags.ts';

export interface ErrorRow {
  readonly p: number;
  readonly d: number;
  readonly way: PotentialKey;
  readonly accuracy: Accuracy;
  readonly setUpSeconds: number;
  readonly pointsPerSecond: number;
}

export interface ErrorSweep {
  readonly name: string;
  readonly triangles: number;
  /** Finest level of the evaluation tree. */
  readonly depth: number;
  readonly rows: readonly ErrorRow[];
}

export interface ErrorOptions {
  readonly name: string;
  readonly mesh: TriangleMesh;
  readonly ways: readonly PotentialWay[];
  readonly pointsPerAxis: number;
  readonly degrees: readonly number[];
  readonly separations: readonly number[];
  readonly depth: number;
  readonly sampleSize: number;
  readonly say: (line: string) => void;
}

/** @throws WrongFlags where a bound or a certain flag does not hold. */
export async function sweepErrors(options: ErrorOptions): Promise<ErrorSweep> {
  const { name, mesh, ways, depth, degrees, separations, say } = options;
  const points = makePoints('random', mesh, options.pointsPerAxis);
  const flags = await exactFlags(name, mesh, points, options.sampleSize);
  await compileKernels(options);
  const rows: ErrorRow[] = [];
  for (const d of separations) {
    for (const p of degrees) {
      say(`${name}: errors at p = ${p}, d = ${d}`);
      for (const way of ways) {
        const asked = firstPoints(points, way.mostPoints);
        const settings = { p, d, depth, points: asked.length / 3, closed: true };
        const prepared = await way.prepare(mesh, settings);
        try {
          const started = performance.now();
          const potentials = await prepared.evaluate(asked);
          const seconds = (performance.now() - started) / 1000;
          const accuracy = requireAccuracy(`${name}, p = ${p}, d = ${d}, ${way.label}`, potentials, flags);
          rows.push({
            p,
            d,
            way: way.key,
            accuracy,
            setUpSeconds: totalSeconds(prepared.stages),
            pointsPerSecond: asked.length / 3 / seconds,
          });
        } finally {
          prepared.destroy();
        }
      }
    }
  }
  return { name, triangles: mesh.triangleCount, depth, rows };
}

/** Every degree has kernels of its own; a set-up is not to be charged with compiling them. */
async function compileKernels({ ways, degrees, separations }: ErrorOptions): Promise<void> {
  const mesh = growingSphere(3);
  for (const way of ways) {
    for (const p of degrees) {
      const settings = { p, d: separations[0]!, depth: 2, points: 1, closed: true };
      const prepared = await way.prepare(mesh, settings);
      await prepared.evaluate(new Float32Array(3));
      prepared.destroy();
    }
  }
}

/** The kernels of the multipole method, and of the direct sum. */
import { BufferPool } from '../src/gpu/buffers.ts';
import type { Device } from '../src/gpu/device.ts';
import { DirectPotential } from '../src/inside/direct/direct.ts';
import type { MethodRun } from '../src/inside/method.ts';
import { Multipole } from '../src/inside/multipole/multipole.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';
import { plantTrees } from './plant-trees.ts';
import {
  type PotentialSettings,
  type Potentials,
  type PotentialWay,
  type PreparedPotential,
  totalSeconds,
} from './potential-way.ts';

const RUN: MethodRun = { rule: 'odd' };

export function gpuWay(device: Device): PotentialWay {
  return {
    key: 'multipole-gpu',
    label: 'multipole, GPU',
    mostPoints: Number.POSITIVE_INFINITY,
    trees: (mesh, settings) => plantTrees(mesh, settings, 'kernels'),
    prepare: (mesh, settings) => prepare(device, mesh, settings),
  };
}

async function prepare(
  device: Device,
  mesh: TriangleMesh,
  settings: PotentialSettings,
): Promise<PreparedPotential> {
  const { p, d, depth, points, closed } = settings;
  const multipole = await Multipole.create(device, mesh, { degree: p, separation: d, depth, points, closed });
  const { total, ...stages } = multipole.seconds;
  const named = Object.entries(stages).map(([name, seconds]) => ({
    name,
    seconds,
    beside: name === 'nearField',
  }));
  /** Of a call, besides the tables. */
  let peakBytes = 0;
  // Waiting of the one for the other is in it.
  const rest = total - totalSeconds(named);
  return {
    stages: [...named, { name: 'rest', seconds: rest }],
    tableBytes: multipole.tableBytes,
    gpuBytes: () => multipole.gpuBytes + peakBytes,
    async evaluate(asked) {
      const pool = new BufferPool(device);
      try {
        return await evaluateOn((call, run) => multipole.evaluate(call, run, { work: pool }), asked);
      } finally {
        peakBytes = Math.max(peakBytes, pool.peakBytes);
        pool.destroy();
      }
    },
    destroy: () => multipole.destroy(),
  };
}

/** The direct sum on the GPU, uploaded once. */
export async function directOnGpu(device: Device, mesh: TriangleMesh) {
  const direct = await DirectPotential.create(device, mesh);
  return {
    evaluate: (points: Float32Array) => evaluateOn((call, run) => direct.evaluate(call, run), points),
    destroy: () => direct.destroy(),
  };
}

/** What both classes have in common. */
type Evaluate = (
  asked: { readonly points: Float32Array; readonly values: Float32Array; readonly bounds: Float32Array },
  run: MethodRun,
) => Promise<void>;

async function evaluateOn(evaluate: Evaluate, points: Float32Array): Promise<Potentials> {
  const count = points.length / 3;
  const values = new Float32Array(count);
  const bounds = new Float32Array(count);
  await evaluate({ points, values, bounds }, RUN);
  return { values, bounds };
}

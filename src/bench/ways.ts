/** The ways of scree that are compared, with the copy kernel as their yardstick. */
import {
  type Classification,
  type ClassifyOptions,
  type Device,
  Polyhedron,
  type TriangleMesh,
} from '../index.ts';
import { copyWay } from './copy.ts';
import type { Answer, AskOptions, Prepared, Way } from './way.ts';

interface ScreeWay extends ClassifyOptions {
  readonly workers?: boolean;
  /** Its tables depend on the number of points of a call. */
  readonly forPoints?: boolean;
}

function screeWay(device: Device, key: string, label: string, way: ScreeWay): Way {
  const { forPoints = false } = way;
  const prepare: Way['prepare'] = (mesh, points, signal) =>
    prepareScree(device, mesh, way, { points: forPoints ? points : undefined, signal });
  return { key, label, kind: 'scree', forPoints, prepare };
}

/** @param peer undefined where it is not there */
export function insideWays(device: Device, peer: Way | undefined): Way[] {
  const grid = { method: 'cell-grid', backend: 'cpu' } as const;
  return [
    screeWay(device, 'cell-grid-cpu', 'cell grid, CPU', grid),
    screeWay(device, 'cell-grid-cpu-1', 'cell grid, CPU, 1 thread', { ...grid, workers: false }),
    screeWay(device, 'cell-grid-gpu', 'cell grid, GPU', { method: 'cell-grid', backend: 'gpu' }),
    screeWay(device, 'ray-crossing-gpu', 'ray crossing, GPU', { method: 'ray-crossing', backend: 'gpu' }),
    ...(peer ? [peer] : []),
    copyWay(device),
  ];
}

/** Those of the paper first: ray crossing as it has it, with every triangle, and as ours culls it. */
export function paperWays(device: Device): Way[] {
  const crossing = { method: 'ray-crossing', backend: 'gpu' } as const;
  const multipole = { method: 'multipole', backend: 'gpu' } as const;
  const grid = { method: 'cell-grid', backend: 'gpu' } as const;
  return [
    screeWay(device, 'ray-crossing-all-gpu', 'ray crossing of all triangles, GPU', {
      ...crossing,
      cull: false,
    }),
    screeWay(device, 'ray-crossing-gpu', 'ray crossing, culled, GPU', crossing),
    screeWay(device, 'multipole-well-chosen-gpu', 'multipole, well-chosen depth, GPU', {
      ...multipole,
      depth: 'well-chosen',
      forPoints: true,
    }),
    screeWay(device, 'multipole-pre-chosen-gpu', 'multipole, pre-chosen depth, GPU', {
      ...multipole,
      depth: 'pre-chosen',
    }),
    screeWay(device, 'cell-grid-gpu', 'cell grid, GPU', grid),
    screeWay(device, 'cell-grid-cpu', 'cell grid, CPU', { method: 'cell-grid', backend: 'cpu' }),
    // Which backend it takes depends on the number of points.
    screeWay(device, 'auto', 'auto', { forPoints: true }),
    copyWay(device),
  ];
}

/** `points`: a call of so many is made with them; by default the tables serve any number. */
async function prepareScree(
  device: Device,
  mesh: TriangleMesh,
  { workers = true, forPoints: _, ...options }: ScreeWay,
  { points, signal }: { readonly points: Float32Array | undefined; readonly signal: AbortSignal | undefined },
): Promise<Prepared> {
  const checkStarted = performance.now();
  const polyhedron = await Polyhedron.create(device, mesh, { workers });
  const check = (performance.now() - checkStarted) / 1000;
  try {
    const started = performance.now();
    // A call without points builds the tables and nothing else; uploads count until they have arrived.
    const call = { ...options, ...askOf({ signal }) };
    const built = await polyhedron.classify(points ?? new Float32Array(0), call);
    if (built.backend === 'gpu') await device.finished();
    const build = points === undefined ? (performance.now() - started) / 1000 : built.seconds.build;
    const { expansion, tableBytes } = built;
    return {
      check,
      build,
      parts: expansion?.setUpSeconds ?? {},
      tableBytes,
      figures: expansion
        ? { degree: expansion.degree, separation: expansion.separation, level: expansion.level }
        : {},
      answer: async (asked, ask = {}) =>
        answerOf(await polyhedron.classify(asked, { ...options, ...askOf(ask) })),
      destroy: () => polyhedron.destroy(),
    };
  } catch (error) {
    polyhedron.destroy();
    throw error;
  }
}

const askOf = ({ timestamps, signal }: AskOptions) => ({
  ...(timestamps && { timestamps }),
  ...(signal && { signal }),
});

function answerOf(result: Classification): Answer {
  const { flags, seconds, resolvedExactly, gpuBytes, method, backend, reason } = result;
  const { upload, classify: kernel, readback, exact, gpu } = seconds;
  return {
    flags,
    seconds: { upload, kernel, readback, exact },
    ...(gpu !== undefined && { gpu }),
    resolvedExactly,
    gpuBytes,
    chosen: `${method}, ${backend}: ${reason}`,
  };
}

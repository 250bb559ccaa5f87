/** What `classify` and `demo` have in common: classifying with a clock running, and reporting it. */
import type {
  AdapterPreference,
  Backend,
  Classification,
  Device,
  Method,
  Rule,
  SavedBody,
  TriangleMesh,
} from '../index.ts';
import { formatAdapter, formatBytes, formatCount, formatShare, formatTable } from './format.ts';
import type { Progress } from './progress.ts';

export interface Work {
  readonly mesh: TriangleMesh;
  /** What the mesh came with, where it is a saved body's. */
  readonly saved?: SavedBody | undefined;
  readonly points: Float32Array;
  readonly adapter: AdapterPreference;
  readonly method?: Method | 'auto';
  readonly backend?: Backend | 'auto';
  readonly cells?: number | undefined;
  readonly rule?: Rule;
  readonly cull?: boolean;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** A classification with what the library does not time: opening the device. */
export interface Outcome extends Classification {
  readonly openSeconds: number;
}

/** Opens a device, classifies, and closes the device again whatever happens: an open one keeps the process alive. */
export async function classifyPoints(work: Work): Promise<Outcome> {
  const { mesh, saved, points, method, backend, cells, rule, cull, signal, progress } = work;
  const { Polyhedron } = await import('../index.ts');
  const clock = startClock();
  progress.stage('opening the WebGPU device');
  const { device, missing } = await openIfNeeded(work);
  try {
    signal.throwIfAborted();
    const openSeconds = clock();
    progress.stage(`preparing ${formatCount(mesh.triangleCount)} triangles`);
    const polyhedron = saved
      ? await Polyhedron.load(device, saved)
      : await Polyhedron.create(device, mesh, { ...(cells !== undefined && { cellsPerAxis: cells }) });
    const createSeconds = clock();
    const result = await polyhedron.classify(points, {
      ...(method !== undefined && { method }),
      ...(backend !== undefined && { backend }),
      ...(rule !== undefined && { rule }),
      ...(cull !== undefined && { cull }),
      signal,
      onProgress: (done, total) => progress.update(done, total),
    });
    // Checking the mesh is part of preparing it, whichever call does it.
    const seconds = { ...result.seconds, build: result.seconds.build + createSeconds };
    const reason = missing === undefined ? result.reason : `${result.reason} (${missing})`;
    return { ...result, reason, seconds, openSeconds };
  } finally {
    progress.stop();
    device?.destroy();
  }
}

/**
 * Opens a device, unless the work is for the CPU. Where the choice is free and there is no WebGPU, the CPU does it, and
 * `missing` says why.
 */
async function openIfNeeded({
  adapter,
  method,
  backend,
}: Work): Promise<{ device?: Device; missing?: string }> {
  if (backend === 'cpu' && method !== 'ray-crossing') return {};
  const { DeviceError, openDevice } = await import('../index.ts');
  try {
    return { device: await openDevice({ adapter }) };
  } catch (error) {
    const free = adapter === 'auto' && backend !== 'gpu' && method !== 'ray-crossing';
    const absent =
      error instanceof DeviceError && (error.reason === 'no-webgpu' || error.reason === 'no-adapter');
    if (!free || !absent) throw error;
    return { missing: error.message };
  }
}

/** A clock whose every call returns the seconds since the one before. */
export function startClock(): () => number {
  let mark = performance.now();
  return () => {
    const before = mark;
    mark = performance.now();
    return (mark - before) / 1000;
  };
}

/** Seconds of wall time per stage of a command. */
export interface StageSeconds {
  /** Reading or making the mesh and the points. */
  readonly read: number;
  /** Opening the WebGPU device. */
  readonly open: number;
  /** Checking the mesh and building its tables. */
  readonly build: number;
  readonly upload: number;
  readonly classify: number;
  readonly readback: number;
  readonly exact: number;
  /** Writing files. */
  readonly write: number;
  /** From the start of the command to its report. */
  readonly total: number;
}

/** Puts the stages together, rounded to microseconds: more digits would only be noise. */
export function stageSeconds(
  outcome: Outcome,
  times: { readonly read: number; readonly write: number; readonly total: number },
): StageSeconds {
  const { build, upload, classify, readback, exact } = outcome.seconds;
  const round = (seconds: number) => Math.round(1e6 * seconds) / 1e6;
  return {
    read: round(times.read),
    open: round(outcome.openSeconds),
    build: round(build),
    upload: round(upload),
    classify: round(classify),
    readback: round(readback),
    exact: round(exact),
    write: round(times.write),
    total: round(times.total),
  };
}

/** The report for people, without a final newline. */
export function formatOutcome(outcome: Outcome, seconds: StageSeconds): string {
  const { counts, triangles, method, backend, rule, resolvedExactly, adapter, gpuBytes, tableBytes } =
    outcome;
  const count = (label: string, value: number) => [
    label,
    formatCount(value),
    formatShare(value, counts.points),
  ];
  const stage = (label: string, value: number) => [`  ${label}`, value.toFixed(3)];
  const pointSeconds = seconds.upload + seconds.classify + seconds.readback + seconds.exact;
  const result = formatTable(
    [
      ['points', formatCount(counts.points)],
      count('  inside', counts.inside),
      count('  outside', counts.outside),
      count('  boundary', counts.boundary),
      ['triangles', formatCount(triangles)],
    ],
    [1, 2],
  );
  const way = formatTable([
    ['method', `${method}, rule ${rule}`],
    ['backend', backend],
    ['because', outcome.reason],
    ['settled exactly', `${formatCount(resolvedExactly)} points that the method was not certain of`],
    ['adapter', adapter === undefined ? 'none' : formatAdapter(adapter)],
    ['tables', formatBytes(tableBytes)],
    ['GPU memory', formatBytes(gpuBytes)],
  ]);
  const times = formatTable(
    [
      ['seconds'],
      stage('read', seconds.read),
      stage('open device', seconds.open),
      stage('build', seconds.build),
      stage('upload', seconds.upload),
      stage('classify', seconds.classify),
      stage('read back', seconds.readback),
      stage('exact', seconds.exact),
      stage('write', seconds.write),
      stage('total', seconds.total),
    ],
    [1],
  );
  const speed = `${formatCount(counts.points / Math.max(pointSeconds, 1e-9))} points per second (upload to exact)`;
  return [result, way, times, speed].join('\n\n');
}

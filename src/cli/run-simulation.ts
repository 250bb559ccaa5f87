/** A run of a scene that leaves its files in a folder, as `scree simulate` and tasks of `scree sweep` do. */
import { join } from 'node:path';
import type { Device, ResponseName, Scene, Simulation, SimulationScene } from '../index.ts';
import type { TaskLock } from './cluster/task-lock.ts';
import { openIfNeeded, orAdvise } from './device.ts';
import { inputError, makeFolder, requireReadableFile } from './files.ts';
import { type Film, openFilm } from './film.ts';
import { formatBytes, formatCount } from './format.ts';
import { nameOf, readBytes } from './input.ts';
import { withDefaultSignals } from './interrupt.ts';
import { type DeviceFlags, reasonOf, wantedBackend } from './options.ts';
import type { Progress } from './progress.ts';
import { startClock } from './run.ts';
import { placedAt, readLaws, readSceneFile } from './scene.ts';
import { FILES, openRecord, plain } from './simulate-record.ts';

/** Steps are counted in 32 bits. */
const MOST_STEPS = 2 ** 32 - 1;
export interface RunFlags extends DeviceFlags {
  readonly duration?: number;
  readonly timeStep?: number;
  readonly response?: ResponseName;
  readonly frames: number;
  readonly series: boolean;
  readonly picture: boolean;
  readonly film?: boolean;
  readonly npy?: boolean;
  readonly resume?: boolean;
  readonly laws?: string;
  readonly threads?: number;
}

interface RunContext {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** The scene, where it has been read. */
  readonly scene?: Scene;
  /** Takes the folder once it is there, so that no other run writes to it. */
  readonly lock?: () => Promise<TaskLock>;
  /** Looks at the last state. */
  readonly atEnd?: (simulation: Simulation, scene: SimulationScene) => void | Promise<void>;
}

export type RunReport = Awaited<ReturnType<typeof runSimulation>>;

/** A scene, with the laws that flags name. */
export async function readSceneOf(
  path: string,
  flags: Pick<RunFlags, 'laws'>,
  { signal, progress }: Pick<RunContext, 'signal' | 'progress'>,
): Promise<Scene> {
  progress.stage(`reading ${nameOf(path)}`);
  const laws = flags.laws === undefined ? {} : await readLaws(flags.laws);
  const { Simulation } = await import('../index.ts');
  return readSceneFile(path, signal, laws, (bodies) => {
    const bytes = Simulation.requireMemory(bodies);
    progress.stage(`making ${formatCount(bodies)} bodies, ${formatBytes(bytes)} at least`);
  });
}

/** @throws what the run throws, or the signal's reason, when all that is there is saved */
export async function runSimulation(
  path: string,
  out: string,
  flags: RunFlags,
  { signal, progress, atEnd, lock: take, scene: known }: RunContext,
) {
  const { frames, threads, resume = false } = flags;
  const total = startClock();
  const scene = known ?? (await readSceneOf(path, flags, { signal, progress }));
  const duration = flags.duration ?? scene.simulation.duration;
  if (duration === undefined) {
    throw await inputError(`${scene.name}: duration is missing, expected a time there or --duration <time>`);
  }
  const { Simulation, simulationScene } = await import('../index.ts');
  const { timeStep, ...stepOptions } = stepOptionsOf(scene, flags);
  const { response } = stepOptions;
  const bodies = scene.bodies.shapes.length;
  const [shapeCount, bodyCount] = [scene.shapes.length, bodies].map(formatCount);
  const needed = formatBytes(Simulation.requireMemory(bodies));
  progress.stage(`preparing ${shapeCount} shapes and ${bodyCount} bodies, ${needed} at least`);
  const own = await withDefaultSignals(signal, () => simulationScene(scene));
  const checkpoint = join(out, FILES.checkpoint);
  if (resume) await requireReadableFile(checkpoint);
  let lock = resume ? await take?.() : undefined;
  const wanted = wantedBackend(flags);
  const choice = {
    adapter: flags.adapter,
    // Other responses refuse a device.
    backend:
      wanted === 'auto' && response !== 'forces' && response !== 'impulses' ? ('cpu' as const) : wanted,
  };
  let device: Device | undefined;
  let simulation: Simulation | undefined;
  let film: Film | undefined;
  try {
    const saved = resume ? await readBytes(checkpoint, signal) : undefined;
    const opened = await openIfNeeded(choice);
    device = opened.device;
    const common = { backend: choice.backend, threads, signal, ...stepOptions };
    const make = () =>
      saved
        ? Simulation.resume(device, own, saved, { ...common, name: checkpoint, timeStep })
        : Simulation.create(device, own, { ...common, timeStep });
    simulation = await orAdvise(choice, () =>
      placedAt(scene.name, () => withDefaultSignals(signal, make), [checkpoint]),
    );
    const steps = Math.round(duration / simulation.timeStep);
    if (steps > MOST_STEPS) {
      throw await inputError(
        `${scene.name}: duration is ${duration}, ${steps.toPrecision(3)} steps of ${simulation.timeStep}, expected ` +
          `at most ${MOST_STEPS} steps`,
      );
    }
    film = flags.film ? await openFilm(own, flags.adapter) : undefined;
    if (steps < stepsOf(simulation)) {
      throw await inputError(
        `${checkpoint}: time ${plainly(simulation.time)} found, expected at most the duration, ${duration}`,
      );
    }
    await makeFolder(out);
    lock ??= await take?.();
    const record = await openRecord(out, scene, simulation, {
      ...{ resume, frames, duration, signal, film, series: flags.series, npy: flags.npy ?? false },
      materials: own.bodies.materials ?? new Uint32Array(bodies),
    });
    const first = simulation.monitors.steps;
    const clock = startClock();
    try {
      await stepTo(duration, { simulation, record, signal, progress });
    } finally {
      // Also where it was interrupted: what is there fits together, and `--resume` goes on.
      await record.save();
    }
    const simulated = clock();
    await atEnd?.(simulation, own);
    if (flags.picture) progress.stage('drawing');
    const missing = flags.picture ? await record.picture(own) : undefined;
    const draw = clock();
    progress.stop();
    const { monitors, adapter } = simulation;
    return {
      told: toldOf(simulation, flags, { noDevice: opened.missing, pictureMissing: missing }),
      adapter,
      rate: (monitors.steps - first) / simulated,
      balanceAtFirst: record.balanceAtFirst(),
      stateHash: record.stateHash(),
      seconds: { simulate: simulated, draw, total: total() },
    };
  } finally {
    film?.destroy();
    simulation?.destroy();
    device?.destroy();
    await lock?.release();
  }
}

/** The response of a run and what goes with it. A scene's own numbers are for the response that it names. */
function stepOptionsOf({ simulation }: Scene, flags: RunFlags) {
  const { response: said = 'forces', timeStep, substeps, iterations, shocks, narrowPhase } = simulation;
  const response = flags.response ?? said;
  if (response !== said) return { response, timeStep: flags.timeStep };
  return { response, timeStep: flags.timeStep ?? timeStep, substeps, iterations, shocks, narrowPhase };
}

/** What is told of a run. */
function toldOf(
  simulation: Simulation,
  flags: RunFlags,
  {
    noDevice,
    pictureMissing,
  }: { readonly noDevice: string | undefined; readonly pictureMissing: string | undefined },
) {
  const { bodyCount: bodies, timeStep, recommendedTimeStep, response, halvings, backend } = simulation;
  const reason = reasonOf(simulation.reason, flags);
  return {
    ...{ bodies, timeStep, recommendedTimeStep, response, halvings, backend },
    reason: noDevice === undefined ? reason : `${reason} (${noDevice})`,
    ...(pictureMissing !== undefined && { pictureMissing }),
    ...plain(simulation.monitors),
  };
}

interface Stepping {
  readonly simulation: Simulation;
  readonly record: Awaited<ReturnType<typeof openRecord>>;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** The time of a simulation in steps as it makes now: it may have made fewer, which were longer. */
const stepsOf = ({ time, timeStep }: Simulation) => Math.round(time / timeStep);

async function stepTo(duration: number, { simulation, record, signal, progress }: Stepping) {
  const began = performance.now();
  const first = simulation.monitors.steps;
  // Steps get shorter where they are halved.
  for (;;) {
    const [done, steps] = [stepsOf(simulation), Math.round(duration / simulation.timeStep)];
    if (done >= steps) return;
    const next = Math.min(steps, record.nextFrame(done));
    const { steps: from } = simulation.monitors;
    const { timeStep } = simulation;
    const due = record.saveDue();
    try {
      await simulation.step(next - done, {
        signal: AbortSignal.any([signal, due]),
        onProgress: (n) => {
          const now = from - first + n;
          const time = plainly(simulation.time);
          const rate = plainly((1000 * now) / (performance.now() - began));
          progress.update(now, from - first + steps - done, `, time ${time}, ${rate} steps/s`);
        },
      });
    } catch (error) {
      if (!due.aborted || error !== due.reason) throw error;
    }
    const isDue = stepsOf(simulation) === Math.round((next * timeStep) / simulation.timeStep);
    if (isDue) await record.frame();
    if (due.aborted) await record.save();
  }
}

export const plainly = (x: number) => Number(x.toPrecision(4)).toString();

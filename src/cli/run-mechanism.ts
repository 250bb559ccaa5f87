/** A run of a scene with joints that leaves its files in a folder, as `scree simulate` does. */
import type { AdapterPreference, ContactEventArrays, Multibody, MultibodyScene, Scene } from '../index.ts';
import type { TaskLock } from './cluster/task-lock.ts';
import { inputError, makeFolder } from './files.ts';
import { type Film, openFilm } from './film.ts';
import { formatCount, formatTable } from './format.ts';
import { withDefaultSignals } from './interrupt.ts';
import type { Progress } from './progress.ts';
import { startClock } from './run.ts';
import { plainly } from './run-simulation.ts';
import { placedAt } from './scene.ts';
import { FILES, openFrames, plain, removePictures } from './simulate-record.ts';
import type { Moving } from './state-picture.ts';

export interface MechanismFlags {
  readonly duration?: number;
  readonly tolerance?: number;
  readonly frames: number;
  readonly series: boolean;
  readonly picture: boolean;
  readonly film?: boolean;
  readonly adapter: AdapterPreference;
}

interface MechanismContext {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Takes the folder once it is there, so that no other run writes to it. */
  readonly take: () => Promise<TaskLock>;
}

type MechanismReport = Awaited<ReturnType<typeof runMechanism>>;

/** @throws what the run throws, or the signal's reason, when the tables and pictures that are there are saved */
export async function runMechanism(
  scene: Scene,
  out: string,
  flags: MechanismFlags,
  { signal, progress, take }: MechanismContext,
) {
  const total = startClock();
  const duration = flags.duration ?? scene.simulation.duration;
  if (duration === undefined) {
    throw await inputError(`${scene.name}: duration is missing, expected a time there or --duration <time>`);
  }
  const { Multibody, multibodyScene } = await import('../index.ts');
  progress.stage(`closing the loops of ${formatCount(scene.bodies.shapes.length)} bodies`);
  const own = multibodyScene(scene);
  const system = await placedAt(scene.name, () =>
    withDefaultSignals(signal, () => Multibody.create(own, { relativeTolerance: flags.tolerance })),
  );
  let film: Film | undefined;
  let lock: TaskLock | undefined;
  try {
    const { drawn, moving } = await seen(own, system);
    film = flags.film ? await openFilm(drawn, flags.adapter) : undefined;
    await makeFolder(out);
    lock = await take();
    await removePictures(out, -1);
    const record = await openFrames(out, scene.name, moving, {
      ...{ shapes: drawn.shapes, bodies: drawn.bodies.shapes, series: flags.series, film },
      // Several frames may lie within one step.
      frameOf: (_, index) => index,
    });
    const coordinates: string[] = [];
    const frame = async () => {
      await record.frame();
      const numbers = [...(await system.read('coordinates')), ...(await system.read('rates'))];
      coordinates.push([system.time, ...numbers].join(','));
    };
    const clock = startClock();
    const began = performance.now();
    const { frames } = flags;
    try {
      await frame();
      for (let i = 1; i <= frames; i++) {
        const goal = (duration * i) / frames;
        await placedAt(scene.name, () =>
          system.advance(goal - system.time, {
            signal,
            onProgress: () => {
              const rate = plainly((1000 * system.statistics.steps) / (performance.now() - began));
              progress.update(i - 1, frames, `, ${rate} steps/s`);
            },
          }),
        );
        await frame();
      }
    } finally {
      // Also where it was interrupted: what is there fits together. Without a frame there is nothing to save.
      if (coordinates.length > 0) {
        await record.saveTables();
        const names = [...system.coordinateNames, ...system.rateNames.map((name) => `${name} rate`)];
        const quoted = names.map(quote);
        await record.write(
          FILES.coordinates,
          `${[['time', ...quoted].join(','), ...coordinates].join('\n')}\n`,
        );
        await record.write(FILES.events, eventTable(system.events, scene.names.bodies.map(quote)));
      }
    }
    const simulated = clock();
    if (flags.picture) progress.stage('drawing');
    const missing = flags.picture ? await record.picture(drawn) : undefined;
    const draw = clock();
    progress.stop();
    return {
      told: {
        bodies: system.bodyCount,
        ...plain(system.monitors),
        balanceAtFirst: record.balanceAtFirst(),
        ...system.statistics,
        events: system.events.count,
        ...(missing !== undefined && { pictureMissing: missing }),
      },
      seconds: { simulate: simulated, draw, total: total() },
    };
  } finally {
    film?.destroy();
    system.destroy();
    await lock?.release();
  }
}

const quote = (name: string) => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

/** A row per contact that began or ended. */
function eventTable({ times, bodies, kinds, speeds }: ContactEventArrays, names: readonly string[]): string {
  const rows = Array.from(times, (time, i) => {
    const pair = [names[bodies[2 * i]!], names[bodies[2 * i + 1]!]];
    return [time, ...pair, kinds[i] === 1 ? 'began' : 'ended', speeds[i]].join(',');
  });
  return `${['time,body a,body b,what,speed', ...rows].join('\n')}\n`;
}

/** What is seen of a mechanism: bodies that have a shape, where they are in the world. */
async function seen(
  scene: MultibodyScene,
  system: Multibody,
): Promise<{ readonly drawn: MultibodyScene; readonly moving: Moving }> {
  const { bodies, shapes } = scene;
  const isSeen = Array.from(bodies.shapes, (shape) => shapes[shape] !== undefined);
  const ofThose = <A extends Float64Array | Uint32Array | Uint8Array>(values: A) => {
    const size = values.length / isSeen.length;
    return values.filter((_: number, i: number) => isSeen[Math.floor(i / size)]!) as A;
  };
  const { isStatic, materials } = bodies;
  return {
    drawn: {
      ...scene,
      bodies: {
        shapes: ofThose(bodies.shapes),
        poses: ofThose(await system.read('poses')),
        ...(isStatic && { isStatic: ofThose(isStatic) }),
        ...(materials && { materials: ofThose(materials) }),
      },
    },
    moving: {
      get monitors() {
        return system.monitors;
      },
      read: async (quantity) => ofThose(await system.read(quantity)),
    },
  };
}

export function formatMechanism(told: MechanismReport['told'], seconds: MechanismReport['seconds']): string {
  const number = plainly;
  const { redundantRows } = told;
  return formatTable([
    ['bodies', formatCount(told.bodies)],
    ['degrees of freedom', formatCount(told.degreesOfFreedom)],
    [
      'closure',
      `${formatCount(told.closureRows)} rows, ${formatCount(redundantRows.length)} more that say the same`,
    ],
    [
      'simulated time',
      `${number(told.time)} in ${formatCount(told.steps)} steps, ${number(seconds.simulate)} s`,
    ],
    ['evaluations', `${formatCount(told.residuals)}, ${formatCount(told.jacobians)} matrices`],
    [
      'energy',
      `kinetic ${number(told.kinetic)}, gravity ${number(told.gravity)}, elastic ${number(told.elastic)}`,
    ],
    [
      'lost',
      `dashpots ${number(told.dashpots)}, friction ${number(told.friction)}, rolling ${number(told.rolling)}`,
    ],
    ['driven', number(told.driven)],
    ['contacts', `${formatCount(told.contacts)}, of ${formatCount(told.events)} beginnings and ends`],
    ['balance', `${number(told.balance)}, ${number(told.balanceAtFirst)} at first`],
    ...(told.pictureMissing === undefined ? [] : [['no picture', told.pictureMissing] as const]),
  ]);
}

/** Sweeps of balls that fall, for the tests of `scree sweep`. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scree, startScree, temporaryFolder } from './scree.ts';

export const folder = temporaryFolder();
// Opening a device and starting threads takes longer than most of these tasks. Which backend a task has of itself is
// asked in a test.
const PLAIN = ['--backend', 'cpu', '--threads', '1'];
export const sweep = (...args: string[]) => scree(['sweep', ...args, '--quiet', ...PLAIN], { cwd: folder });
export const start = (...args: string[]) => startScree(['sweep', ...args, ...PLAIN], { cwd: folder });
export const at = (...path: string[]) => join(folder, ...path);
export const json = (...path: string[]) => JSON.parse(readFileSync(at(...path), 'utf8'));
export const task = (out: string, number: number) =>
  json(out, 'tasks', `${number}`.padStart(4, '0'), 'task.json');
export function write(name: string, value: unknown): string {
  writeFileSync(at(name), JSON.stringify(value));
  return name;
}

/** Balls that fall, two at a time. */
export const scene = {
  shapes: { ground: { kind: 'plane' }, ball: { kind: 'sphere', radius: 0.5 } },
  materials: { soft: { density: 1000, youngsModulus: 1e6 } },
  bodies: [
    { shape: 'ground' },
    {
      name: 'ball',
      shape: 'ball',
      velocity: [0, 0, -1],
      source: { count: 4, batch: 2, every: 0.6, region: { base: [0, 0, 1], radius: 1.5, height: 1.3 } },
    },
  ],
  duration: 1,
};
export const friction = { path: '/materials/soft/friction', values: [0.1, 0.5] };
write('scene.json', scene);
write('small.json', { scene: 'scene.json', parameters: { friction }, repetitions: 2 });
/** Steps of a run that is mostly still on its way when a test looks: see `stoppedOnItsWay`. */
export const LONG = 50_000;
const timeStep = 0.0001;
const long = (count: number, steps: number) => ({
  scene: { ...scene, duration: undefined },
  parameters: { friction: { ...friction, values: friction.values.slice(0, count) } },
  simulate: { duration: steps * timeStep, timeStep, frames: 5 },
});
write('long.json', long(1, LONG));
write('two.json', long(2, LONG));
// No test waits for its end.
write('endless.json', long(2, 1000 * LONG));

/** A task was done before it could be stopped. */
class DoneTooEarly extends Error {}

/** Waits until tasks are on their way, and gives the processes that have them. Throws where one is done. */
export async function begun(out: string, ...tasks: number[]): Promise<number[]> {
  const pidOf = (number: number) => {
    const own = at(out, 'tasks', `000${number}`);
    if (!existsSync(join(own, 'task.json'))) return undefined;
    const { state } = task(out, number);
    if (state === 'done') throw new DoneTooEarly(`task ${number} of ${out} is done`);
    if (state !== 'running') return undefined;
    const lock = join(own, 'running.json');
    const text = existsSync(lock) ? readFileSync(lock, 'utf8') : '';
    return text === '' ? undefined : (JSON.parse(text).pid as number);
  };
  const asked = performance.now();
  for (;;) {
    await sleep(50);
    const pids = tasks.map(pidOf);
    if (pids.includes(undefined)) continue;
    // Steps are made: to make a simulation takes less than to come to it, however slow the machine is.
    await sleep(Math.max(500, performance.now() - asked));
    tasks.forEach(pidOf);
    return pids as number[];
  }
}

/**
 * Stops a run on its way, and gives what `stop` gave: again from its start where task 1 was done before it was
 * stopped. How long a task takes is not known: machines differ, and are busy at times.
 */
export async function stoppedOnItsWay<T>(out: string, stop: () => Promise<T>): Promise<T> {
  for (let left = 8; ; left--) {
    try {
      const ended = await stop();
      if (task(out, 1).state !== 'done') return ended;
      if (left === 0) throw new Error(`${out}: always done before it is stopped: LONG is too short`);
    } catch (error) {
      if (!(error instanceof DoneTooEarly) || left === 0) throw error;
    }
    rmSync(at(out), { recursive: true });
  }
}

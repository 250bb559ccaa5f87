/** Makes ways ready for a body: in turns, repeatedly if that is quick; leaves out what takes too long or too much. */
import { DeviceError, type TriangleMesh } from '../../index.ts';
import { type HostClock, inTurns, spread } from '../spread.ts';
import type { Prepared, Way } from './way.ts';

/** A set-up that took longer is not repeated, in seconds. */
const SLOW_SET_UP = 5;

/** A way that is ready, with what its set-ups took. */
export interface Ready {
  readonly way: Way;
  prepared: Prepared;
  /** Of every set-up: looking over the mesh, the rest, and parts of the rest. */
  readonly check: number[];
  readonly build: number[];
  readonly parts: Readonly<Record<string, number>>[];
  /** Most GPU memory of any call. */
  gpuBytes: number;
}

export interface LeftOut {
  readonly way: Way;
  readonly reason: string;
}

export interface SetUpOptions {
  readonly mesh: TriangleMesh;
  readonly ways: readonly Way[];
  readonly rounds: number;
  /** What ways that are made ready for a number of points are going to be asked. */
  readonly points?: Float32Array;
  /** Leaves out ways whose set-up is expected to take too long. */
  readonly forecast?: SetUpForecast;
  readonly host: HostClock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Foretells set-ups of larger bodies from those of smaller ones, in proportion to triangles. Ways made ready for a
 * number of points are foretold from the same number.
 */
export class SetUpForecast {
  readonly #mostSeconds: number;
  readonly #latest = new Map<string, { readonly triangles: number; readonly seconds: number }>();

  /** @param mostSeconds that a set-up may be expected to take */
  constructor(mostSeconds: number) {
    this.#mostSeconds = mostSeconds;
  }

  note({ key, forPoints }: Way, triangles: number, points: number, seconds: number): void {
    this.#latest.set(`${key} ${forPoints ? points : ''}`, { triangles, seconds });
  }

  /** Why a set-up would take too long; undefined where it would not, as far as is known. */
  whyNot({ key, forPoints }: Way, triangles: number, points: number): string | undefined {
    const latest = this.#latest.get(`${key} ${forPoints ? points : ''}`);
    if (latest === undefined) return undefined;
    const expected = (latest.seconds * triangles) / latest.triangles;
    if (expected <= this.#mostSeconds) return undefined;
    const [took, foreseen] = [latest.seconds, expected].map((seconds) => Number(seconds.toPrecision(2)));
    const told = `its set-up took ${took} s for ${latest.triangles} triangles, so about ${foreseen} s are expected`;
    return `${told} for ${triangles}; a run allows ${this.#mostSeconds}`;
  }
}

/** Leaves out ways that the device is too small for, too. The caller destroys what is ready. */
export async function setUpWays(options: SetUpOptions): Promise<{ ready: Ready[]; leftOut: LeftOut[] }> {
  const { mesh, ways, rounds, points, forecast, host, signal } = options;
  const pointCount = (points?.length ?? 0) / 3;
  const leftOut = ways.flatMap((way) => {
    const reason = forecast?.whyNot(way, mesh.triangleCount, pointCount);
    return reason === undefined ? [] : [{ way, reason }];
  });
  const wanted = ways.filter((way) => !leftOut.some((one) => one.way === way));
  const all = new Map<Way, Ready>();
  try {
    await inTurns(wanted, rounds, async (way) => {
      if (leftOut.some((one) => one.way === way)) return;
      const earlier = all.get(way);
      if (earlier && setUpTotals(earlier)[0]! > SLOW_SET_UP) return;
      signal?.throwIfAborted();
      // Both at once would take twice the memory.
      earlier?.prepared.destroy();
      host.collectGarbage?.();
      let prepared: Prepared;
      try {
        prepared = await way.prepare(mesh, points, signal);
      } catch (error) {
        if (!isTooLarge(error)) throw error;
        all.delete(way);
        leftOut.push({ way, reason: error.message });
        return;
      }
      const ready = earlier ?? { way, prepared, check: [], build: [], parts: [], gpuBytes: 0 };
      ready.prepared = prepared;
      ready.check.push(prepared.check);
      ready.build.push(prepared.build);
      ready.parts.push(prepared.parts);
      all.set(way, ready);
    });
  } catch (error) {
    for (const { prepared } of all.values()) prepared.destroy();
    throw error;
  }
  // In the order of the ways, whoever was first.
  const ready = wanted.flatMap((way) => all.get(way) ?? []);
  for (const one of ready) {
    forecast?.note(one.way, mesh.triangleCount, pointCount, spread(setUpTotals(one)).median);
  }
  return { ready, leftOut };
}

/** The body is too large for the device's limits or memory. Other ways may still be set up. */
function isTooLarge(error: unknown): error is DeviceError {
  return error instanceof DeviceError && (error.reason === 'limits' || error.reason === 'out-of-memory');
}

/** Seconds of every set-up. */
export function setUpTotals({ check, build }: Pick<Ready, 'check' | 'build'>): number[] {
  return check.map((seconds, round) => seconds + build[round]!);
}

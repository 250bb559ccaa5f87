import { describe, expect, it } from 'vitest';
import { WrongFlags } from '../../src/bench/points/check.ts';
import { measureSet, nextAsk } from '../../src/bench/points/measure.ts';
import { makePoints, randomPart } from '../../src/bench/points/points.ts';
import { SetUpForecast, setUpWays } from '../../src/bench/points/set-up.ts';
import type { Answer, Way } from '../../src/bench/points/way.ts';
import { DeviceError, type DeviceErrorReason } from '../../src/errors.ts';
import { exactFlags } from '../../src/inside/exact-flags.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';

const mesh = unitSphere(2);
const points = makePoints('random', mesh, 20);
const count = points.length / 3;
const host = {};

interface Fake {
  readonly key: string;
  readonly kind?: Way['kind'];
  /** Seconds per point that it really takes. */
  readonly pace?: number;
  readonly change?: (flags: Uint8Array, asked: Float32Array) => void;
  readonly forPoints?: boolean;
  readonly asked?: number[];
}

/** Exact predicates, at a pace. */
function way({ key, kind = 'scree', pace = 0, change, forPoints = false, asked }: Fake): Way {
  const answer = async (some: Float32Array): Promise<Answer> => {
    asked?.push(some.length / 3);
    const started = performance.now();
    const flags = exactFlags(mesh, some);
    change?.(flags, some);
    while (performance.now() - started < (1000 * pace * some.length) / 3);
    const seconds = { upload: 0, kernel: (performance.now() - started) / 1000, readback: 0, exact: 0 };
    return { flags, seconds, resolvedExactly: 1, gpuBytes: 8, chosen: key };
  };
  return {
    ...{ key, label: key, kind, forPoints },
    prepare: async () => ({
      ...{ check: 0.25, build: 0.5, parts: { trees: 0.125 }, tableBytes: 16, figures: { level: 3 }, answer },
      destroy() {},
    }),
  };
}

async function measure(ways: readonly Way[], mostCallSeconds?: number) {
  const { ready } = await setUpWays({ mesh, ways, rounds: 2, points, host });
  const limit = mostCallSeconds === undefined ? {} : { mostCallSeconds };
  const measured = await measureSet({
    ...{ what: 'sphere, random', mesh, set: 'random', points, all: ready, rounds: 3, sampleSize: 50, host },
    ...limit,
  });
  return { ready, runs: Object.fromEntries(measured.map((run) => [run.way, run])) };
}

describe('a part of a set', () => {
  /** Mean distance of 200 of the points to their nearest neighbour. */
  const meanGap = (some: Float32Array) => {
    let sum = 0;
    const step = 3 * Math.floor(some.length / 600);
    for (let n = 0, i = 0; n < 200; n++, i += step) {
      let least = Infinity;
      for (let j = 0; j < some.length; j += 3) {
        if (j === i) continue;
        const [x, y, z] = [some[i]! - some[j]!, some[i + 1]! - some[j + 1]!, some[i + 2]! - some[j + 2]!];
        least = Math.min(least, Math.hypot(x, y, z));
      }
      sum += least;
    }
    return sum / 200;
  };

  it.each(['grid', 'random', 'near'] as const)(
    '%s: is of different points in the order of the set',
    (set) => {
      const all = makePoints(set, mesh, 20);
      const { numbers, points: some } = randomPart(all, 500);
      expect(numbers.length).toBeGreaterThanOrEqual(500);
      expect(numbers.length).toBeLessThan(1000);
      expect(new Set(numbers).size).toBe(numbers.length);
      expect([...numbers]).toEqual([...numbers].sort((a, b) => a - b));
      for (const n of [0, 250, 499]) {
        expect([...some.slice(3 * n, 3 * n + 3)]).toEqual([
          ...all.slice(3 * numbers[n]!, 3 * numbers[n]! + 3),
        ]);
      }
      expect(randomPart(all, 500)).toEqual({ numbers, points: some });
    },
  );

  it('is as dense as the set, and from all over it', () => {
    const { points: some } = randomPart(points, 1000);
    const ratio = meanGap(some) / meanGap(points);
    // As many points strewn over the box would be twice as far apart, by the cube root of 8.
    expect(ratio).toBeLessThan(1.25);
    for (let k = 0; k < 3; k++) {
      const along = Array.from({ length: some.length / 3 }, (_, i) => some[3 * i + k]!);
      expect(Math.min(...along)).toBeLessThan(-0.5);
      expect(Math.max(...along)).toBeGreaterThan(0.5);
    }
  });
});

describe('a way that would take too long', () => {
  it('is asked a part of the points, and its times are scaled up and marked so', async () => {
    const asked: number[] = [];
    // 8000 points at 0.1 ms a point take 0.8 s, eight times what is allowed.
    const slow = way({ key: 'slow', pace: 1e-4, asked });
    const { runs } = await measure([way({ key: 'quick', forPoints: true }), slow], 0.1);
    const { slow: result, quick } = runs;
    expect(result!.measuredPoints).toBeGreaterThanOrEqual(1000);
    expect(result!.measuredPoints).toBeLessThanOrEqual(count / 2);
    expect(asked).not.toContain(count);
    expect(result!.reason).toMatch(
      /^all 8000 points were expected to take about [\d.]+ s a call; a run allows 0\.1$/,
    );
    // At its pace, all of them cannot take less; a part of them alone does.
    expect(result!.seconds.total.min).toBeGreaterThanOrEqual(1e-4 * count);
    expect(result!.seconds.kernel.min).toBeGreaterThanOrEqual(1e-4 * count);
    expect(result!.pointsPerSecond.median * result!.seconds.total.median).toBeCloseTo(count, 6);
    expect(quick).toMatchObject({ measuredPoints: count, reason: '' });

    expect([quick!.status, result!.status]).toEqual(['measured', 'extrapolated']);
  });

  it('is asked all of them where a call may take that long, or where it is made for them', async () => {
    const quick = way({ key: 'quick', forPoints: true });
    const allowed = await measure([quick, way({ key: 'slow', pace: 2e-5 })], 10);
    expect(allowed.runs.slow).toMatchObject({ measuredPoints: count, reason: '' });
    const made = await measure([quick, way({ key: 'slow', pace: 2e-5, forPoints: true })], 0.01);
    expect(made.runs.slow).toMatchObject({ measuredPoints: count, reason: '' });
  });

  it('is tried with more and more points, until it is plain what all of them take', () => {
    const all = 512_000;
    // What a call takes in any case: 20 ms of 1000 points may be the call's, not the points'.
    expect(nextAsk({ size: 1000, count: all, seconds: 0.02 }, 2)).toEqual({ size: 8000 });
    expect(nextAsk({ size: 8000, count: all, seconds: 0.006 }, 2)).toEqual({ size: all });
    expect(nextAsk({ size: 64_000, count: all, seconds: 0.24 }, 2)).toEqual({ size: all });
    // A next try would take longer than a call may.
    expect(nextAsk({ size: 1000, count: all, seconds: 0.4 }, 2)).toEqual({ part: 5000, expected: 204.8 });
    expect(nextAsk({ size: 1000, count: all, seconds: 4 }, 2)).toEqual({ part: 1000, expected: 2048 });
    // Half of the points are no part worth scaling up.
    expect(nextAsk({ size: 64_000, count: all, seconds: 0.4 }, 2)).toEqual({ size: all });
    expect(nextAsk({ size: 1000, count: 1500, seconds: 9 }, 2)).toEqual({ size: 1500 });
  });

  it('is left out where its set-up is expected to, in proportion to a smaller body', () => {
    const forecast = new SetUpForecast(120);
    const [any, own] = [way({ key: 'any' }), way({ key: 'own', forPoints: true })];
    forecast.note(any, 1000, 8000, 40);
    forecast.note(own, 1000, 8000, 40);
    expect(forecast.whyNot(any, 2000, 64_000)).toBeUndefined();
    expect(forecast.whyNot(any, 4000, 64_000)).toBe(
      'its set-up took 40 s for 1000 triangles, so about 160 s are expected for 4000; a run allows 120',
    );
    // Made for a number of points: nothing is known of another.
    expect(forecast.whyNot(own, 4000, 64_000)).toBeUndefined();
    expect(forecast.whyNot(own, 4000, 8000)).toContain('160 s');
  });

  it('is left out as well where the device is too small for it, and other errors end the run', async () => {
    const failing = (reason: DeviceErrorReason): Way => ({
      ...way({ key: 'large' }),
      prepare: () => Promise.reject(new DeviceError(reason, `the device says ${reason}`)),
    });
    const quick = way({ key: 'quick', forPoints: true });
    for (const reason of ['limits', 'out-of-memory'] as const) {
      const large = failing(reason);
      const { ready, leftOut } = await setUpWays({ mesh, ways: [large, quick], rounds: 3, points, host });
      expect(ready.map((one) => one.way)).toEqual([quick]);
      expect(leftOut).toEqual([{ way: large, reason: `the device says ${reason}` }]);
    }
    const lost = setUpWays({ mesh, ways: [quick, failing('lost')], rounds: 3, points, host });
    await expect(lost).rejects.toThrow('the device says lost');
  });

  it('ends at the signal while a set-up is under way', async () => {
    const stop = new AbortController();
    const prepare: Way['prepare'] = (_, __, signal) =>
      new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
    const waiting = { ...way({ key: 'waiting' }), prepare };
    const settingUp = setUpWays({ mesh, ways: [waiting], rounds: 1, host, signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(settingUp).rejects.toThrow('enough');
  });
});

describe('wrong flags', () => {
  const right = way({ key: 'right' });
  /** Another flag for one point. */
  const wrongAt = (i: number) => (flags: Uint8Array, asked: Float32Array) => {
    for (let n = 0; n < flags.length; n++) {
      if ([0, 1, 2].every((k) => asked[3 * n + k] === points[3 * i + k])) flags[n] = 1 - flags[n]!;
    }
  };

  it('end the run with exit code 1, and a message that names body, way and point', async () => {
    const error = await measure([right, way({ key: 'wrong', change: wrongAt(4321) })]).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(WrongFlags);
    expect(error).toMatchObject({ exitCode: 1 });
    expect((error as Error).message).toMatch(
      /^sphere, random: wrong gave 1 wrong flags or more: point 4321 \([-\d., e]+\) has [01], expected [01]$/,
    );
  });

  it('are found in a part of the points too, by their number in the set', async () => {
    const { numbers } = randomPart(points, 1000);
    const slow = way({ key: 'slow', pace: 1e-4, change: wrongAt(numbers[77]!) });
    await expect(measure([right, slow], 0.1)).rejects.toThrow(
      `slow gave 1 wrong flags or more: point ${numbers[77]} `,
    );
  });

  it('of the first way are blamed on it when a later one disagrees', async () => {
    const first = way({ key: 'first', change: wrongAt(4321) });
    await expect(measure([first, right])).rejects.toThrow('first gave 1 wrong flags or more: point 4321 ');
  });

  it('of a peer are counted, and all it was asked is compared', async () => {
    const peer = way({ key: 'peer', kind: 'peer', change: wrongAt(4321) });
    const { runs } = await measure([right, way({ key: 'copy', kind: 'yardstick' }), peer]);
    expect(runs.peer).toMatchObject({ checked: count, wrong: 1, ratioToPeer: 1 });
    // Of 50 that were drawn, some twice.
    expect(runs.right!.checked).toBeGreaterThan(40);
    expect(runs.right!.checked).toBeLessThanOrEqual(50);
    expect(runs.right!.ratioToPeer).toBeGreaterThan(0);
    expect(runs.right!.ratioToCopy).toBeGreaterThan(0);
  });
});

it('the heap is swept before every call', async () => {
  let sweeps = 0;
  const clocks = { collectGarbage: () => void sweeps++ };
  const { ready } = await setUpWays({ mesh, ways: [way({ key: 'one' })], rounds: 1, host: clocks });
  const options = { what: 's', mesh, set: 'random', points, all: ready, rounds: 3, sampleSize: 5 } as const;
  await measureSet({ ...options, host: clocks });
  // One set-up, one warm-up, three rounds.
  expect(sweeps).toBe(5);
});

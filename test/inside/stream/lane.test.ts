import { describe, expect, it } from 'vitest';
import { Lane, type LaneParts, noSeconds, type Slot } from '../../../src/inside/stream/lane.ts';

const turn = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const never = new AbortController().signal;

/** A lane whose doubtful points get flag 9, and its log of what was settled and told. */
function laneOf(parts: Pick<LaneParts, 'slots' | 'pieceSize'> & Partial<LaneParts>) {
  const log = { settled: [] as number[][], told: [] as number[] };
  const settle: LaneParts['settle'] = async (_, flags, doubtful, { onSettled }) => {
    log.settled.push([...doubtful]);
    for (const [n, i] of doubtful.entries()) {
      flags[i] = 9;
      onSettled(n + 1);
    }
    return 1;
  };
  const lane = new Lane(
    { settle, tableBytes: () => 1, tablesOnGpu: () => 1000, ...parts },
    { seconds: noSeconds(), onProgress: (done) => log.told.push(done) },
  );
  return { lane, ...log };
}

/** Slots whose pieces take a turn each, and find the points whose x is 1 doubtful. */
function slots(count: number, log: { working: number; most: number; closed: number }): Slot[] {
  return Array.from({ length: count }, () => {
    let isBusy = false;
    return {
      gpuBytes: 10,
      async run(points, flags) {
        expect(isBusy).toBe(false);
        isBusy = true;
        log.most = Math.max(log.most, ++log.working);
        await turn(2);
        log.working--;
        isBusy = false;
        flags.fill(7);
        if (points.includes(99)) throw new Error('a piece');
        return Uint32Array.from([...flags.keys()].filter((i) => points[3 * i] === 1));
      },
      close: () => void log.closed++,
    };
  });
}

describe('a lane', () => {
  it('has as many pieces in work as it has slots, and settles the doubtful points of whole chunks', async () => {
    const log = { working: 0, most: 0, closed: 0 };
    const { lane, settled, told } = laneOf({ slots: slots(3, log), pieceSize: () => 4 });
    const points = new Float32Array(3 * 26);
    for (const i of [0, 3, 4, 17, 25]) points[3 * i] = 1;
    const flags = new Uint8Array(26);
    const first = await lane.begin(points, flags, never);
    // Handed over, not done: the next chunk may begin now.
    expect(log.working).toBe(3);
    const other = new Uint8Array(5);
    const second = await lane.begin(points.slice(0, 15), other, never);
    expect(await first.done).toEqual({ resolvedExactly: 5, undecided: 1 });
    expect(await second.done).toEqual({ resolvedExactly: 3, undecided: 1 });
    expect(settled).toEqual([
      [0, 3, 4, 17, 25],
      [0, 3, 4],
    ]);
    // Doubtful points are done when they are settled, and what was told is not taken back.
    expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
    expect(told[0]).toBe(2);
    expect(told.at(-1)).toBe(31);
    expect([...flags].map((flag) => flag === 9)).toEqual([...flags.keys()].map((i) => points[3 * i] === 1));
    expect([...flags, ...other].every((flag) => flag === 7 || flag === 9)).toBe(true);
    expect(log.most).toBe(3);
    expect(lane.gpuBytes).toBe(1030);
    lane.close();
    expect(log.closed).toBe(3);
  });

  it('tells of slices of a piece, of which some points turn out doubtful', async () => {
    const slot: Slot = {
      gpuBytes: 0,
      async run(_, flags, { onSlice }) {
        for (const done of [3.5, 8, 10]) onSlice(done);
        return Uint32Array.from(flags.keys()).subarray(4);
      },
      close() {},
    };
    const { lane, told } = laneOf({ slots: [slot], pieceSize: () => 10 });
    const { done } = await lane.begin(new Float32Array(30), new Uint8Array(10), never);
    expect(await done).toEqual({ resolvedExactly: 6, undecided: 1 });
    expect(told).toEqual([3, 8, 9, 10]);
  });

  it('takes an empty chunk', async () => {
    const { lane } = laneOf({ slots: slots(2, { working: 0, most: 0, closed: 0 }), pieceSize: () => 4 });
    const { done } = await lane.begin(new Float32Array(0), new Uint8Array(0), never);
    expect(await done).toEqual({ resolvedExactly: 0, undecided: 0 });
  });

  it('begins nothing more after a piece that failed, and rejects only when nothing uses the chunk', async () => {
    const log = { working: 0, most: 0, closed: 0 };
    const { lane, told } = laneOf({ slots: slots(2, log), pieceSize: () => 2 });
    const points = new Float32Array(3 * 40);
    points[3 * 5] = 99;
    await expect(lane.begin(points, new Uint8Array(40), never)).rejects.toThrow('a piece');
    expect(log.working).toBe(0);
    expect(told.length).toBeLessThanOrEqual(4);
    await expect(lane.begin(new Float32Array(3), new Uint8Array(1), never)).rejects.toThrow('a piece');
  });

  it('rejects a chunk that is all handed over only when none of its pieces is in work', async () => {
    let working = 0;
    const slot = (milliseconds: number, error?: string): Slot => ({
      gpuBytes: 0,
      async run() {
        working++;
        await turn(milliseconds);
        working--;
        if (error !== undefined) throw new Error(error);
        return new Uint32Array(0);
      },
      close: () => expect(working).toBe(0),
    });
    const { lane } = laneOf({
      slots: [slot(30, 'a later one'), slot(2, 'a piece'), slot(60)],
      pieceSize: () => 10,
    });
    const { done } = await lane.begin(new Float32Array(90), new Uint8Array(30), never);
    expect(working).toBe(3);
    await expect(done).rejects.toThrow('a piece');
    expect(working).toBe(0);
    lane.close();
  });

  it('stops between pieces', async () => {
    const log = { working: 0, most: 0, closed: 0 };
    let pieces = 0;
    const controller = new AbortController();
    const counted = slots(2, log).map((slot) => ({
      ...slot,
      run: async (...piece: Parameters<Slot['run']>) => {
        const found = await slot.run(...piece);
        if (++pieces === 5) controller.abort(new Error('enough'));
        return found;
      },
    }));
    const { lane } = laneOf({ slots: counted, pieceSize: () => 1 });
    const begun = lane.begin(new Float32Array(300), new Uint8Array(100), controller.signal);
    await expect(begun).rejects.toThrow('enough');
    expect(log.working).toBe(0);
    expect(pieces).toBeLessThanOrEqual(7);
  });

  it('rejects a chunk that was in one piece, if its signal is aborted meanwhile, and settles nothing', async () => {
    const controller = new AbortController();
    const { lane, settled } = laneOf({
      slots: slots(1, { working: 0, most: 0, closed: 0 }),
      pieceSize: () => 9,
    });
    const { done } = await lane.begin(Float32Array.of(1, 0, 0), new Uint8Array(1), controller.signal);
    controller.abort(new Error('enough'));
    await expect(done).rejects.toThrow('enough');
    expect(settled).toEqual([]);
  });
});

describe('a lane of one slot', () => {
  it('does one piece after the other, and none after one that failed', async () => {
    let working = 0;
    const order: number[] = [];
    const slot: Slot = {
      gpuBytes: 5,
      async run(points) {
        expect(working++).toBe(0);
        await turn(points[0] === 0 ? 20 : 1);
        working--;
        order.push(points[0]!);
        if (points[0] === 2) throw new Error('a piece');
        return Uint32Array.of(0);
      },
      close() {},
    };
    const { lane, settled } = laneOf({ slots: [slot], pieceSize: () => 1 });
    const begin = (x: number) => lane.begin(Float32Array.of(x, 0, 0), new Uint8Array(1), never);
    const begun: Promise<unknown>[] = [];
    for (const x of [0, 1, 2]) {
      const { done } = await begin(x);
      done.catch(() => {});
      begun.push(done);
    }
    begun.push(begin(3));
    const results = await Promise.allSettled(begun);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    expect(order).toEqual([0, 1, 2]);
    expect(settled).toEqual([[0], [0]]);
  });
});

import { describe, expect, it } from 'vitest';
import { SerialLane, type Slot, SlotLane } from '../../../src/inside/stream/lanes.ts';

const turn = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const never = new AbortController().signal;

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

describe('a lane of slots', () => {
  it('has as many pieces in work as it has slots, and finds the doubtful points of whole chunks', async () => {
    const log = { working: 0, most: 0, closed: 0 };
    const pieces: number[] = [];
    const lane = new SlotLane(slots(3, log), { pieceSize: () => 4, onPiece: (n) => pieces.push(n) });
    const points = new Float32Array(3 * 26);
    for (const i of [0, 3, 4, 17, 25]) points[3 * i] = 1;
    const flags = new Uint8Array(26);
    const first = await lane.begin(points, flags, never);
    // Handed over, not done: the next chunk may begin now.
    expect(log.working).toBe(3);
    const other = new Uint8Array(5);
    const second = await lane.begin(points.slice(0, 15), other, never);
    expect([...(await first.done)]).toEqual([0, 3, 4, 17, 25]);
    expect([...(await second.done)]).toEqual([0, 3, 4]);
    expect(pieces).toEqual([4, 4, 4, 4, 4, 4, 2, 4, 1]);
    expect([...flags, ...other].every((flag) => flag === 7)).toBe(true);
    expect(log.most).toBe(3);
    expect(lane.gpuBytes).toBe(30);
    lane.close();
    expect(log.closed).toBe(3);
  });

  it('takes an empty chunk', async () => {
    const lane = new SlotLane(slots(2, { working: 0, most: 0, closed: 0 }), {
      pieceSize: () => 4,
      onPiece() {},
    });
    expect(await (await lane.begin(new Float32Array(0), new Uint8Array(0), never)).done).toHaveLength(0);
  });

  it('begins nothing more after a piece that failed, and rejects only when nothing uses the chunk', async () => {
    const log = { working: 0, most: 0, closed: 0 };
    let pieces = 0;
    const lane = new SlotLane(slots(2, log), { pieceSize: () => 2, onPiece: () => void pieces++ });
    const points = new Float32Array(3 * 40);
    points[3 * 5] = 99;
    await expect(lane.begin(points, new Uint8Array(40), never)).rejects.toThrow('a piece');
    expect(log.working).toBe(0);
    expect(pieces).toBeLessThanOrEqual(4);
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
    const lane = new SlotLane([slot(60), slot(2, 'a piece'), slot(30, 'a later one')], {
      pieceSize: () => 10,
      onPiece() {},
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
    const lane = new SlotLane(slots(2, log), {
      pieceSize: () => 1,
      onPiece: () => {
        if (++pieces === 5) controller.abort(new Error('enough'));
      },
    });
    const begun = lane.begin(new Float32Array(300), new Uint8Array(100), controller.signal);
    await expect(begun).rejects.toThrow('enough');
    expect(log.working).toBe(0);
    expect(pieces).toBeLessThanOrEqual(7);
  });
});

describe('a serial lane', () => {
  it('does one chunk after the other, though both were begun, and none after one that failed', async () => {
    let working = 0;
    const order: number[] = [];
    let destroyed = 0;
    const memory = { peakBytes: 5, destroy: () => void destroyed++ };
    const lane = new SerialLane(memory, async (points) => {
      expect(working++).toBe(0);
      await turn(points[0] === 0 ? 20 : 1);
      working--;
      order.push(points[0]!);
      if (points[0] === 2) throw new Error('a chunk');
      return Uint32Array.of(points[0]!);
    });
    const begun = [0, 1, 2, 3].map((x) => lane.begin(Float32Array.of(x, 0, 0), new Uint8Array(1), never));
    const results = await Promise.allSettled(begun.map(async (work) => (await work).done));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    expect(order).toEqual([0, 1, 2]);
    expect(lane.gpuBytes).toBe(5);
    lane.close();
    expect(destroyed).toBe(1);
  });
});

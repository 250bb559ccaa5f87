import { describe, expect, it } from 'vitest';
import { type PipelineOptions, pipeline } from '../../../src/inside/stream/pipeline.ts';

const turn = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits as long as it takes: a busy machine may take its time. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

/** A source that keeps count, and work that ends when the test says so. */
function rig(count: number, options: Partial<PipelineOptions<number, number>> = {}) {
  const log = { asked: 0, closed: 0, released: 0, working: 0, mostWorking: 0 };
  const gates: { open: () => void; fail: (error: Error) => void; stop: AbortSignal }[] = [];
  async function* source() {
    try {
      for (let i = 0; i < count; i++) {
        log.asked++;
        await turn();
        yield i;
      }
    } finally {
      log.closed++;
    }
  }
  const begin = async (item: number, stop: AbortSignal) => {
    log.mostWorking = Math.max(log.mostWorking, ++log.working);
    const done = new Promise<number>((resolve, reject) => {
      let isOver = false;
      const end = (settle: () => void) => () => {
        if (!isOver) log.working--;
        isOver = true;
        settle();
      };
      gates.push({ open: end(() => resolve(10 * item)), fail: (error) => end(() => reject(error))(), stop });
      stop.addEventListener(
        'abort',
        end(() => reject(stop.reason)),
      );
    });
    return { done };
  };
  const controller = new AbortController();
  const results = pipeline(source(), {
    most: 4,
    signal: controller.signal,
    begin,
    release: () => void log.released++,
    ...options,
  });
  return { log, gates, controller, results };
}

describe('a pipeline', () => {
  it('gives results in order though later work ends first, and releases once', async () => {
    const { log, gates, results } = rig(6);
    const first = results.next();
    await until(() => log.working === 4);
    await turn(30);
    // Four held: all begun, none done.
    expect(log).toMatchObject({ asked: 4, working: 4, released: 0 });
    for (const gate of gates.slice(0, 4).reverse()) gate.open();
    expect(await first).toEqual({ done: false, value: 0 });
    const values = [0];
    const rest = (async () => {
      for await (const value of results) values.push(value);
    })();
    await until(() => gates.length === 6);
    for (const gate of gates.slice(4)) gate.open();
    await rest;
    expect(values).toEqual([0, 10, 20, 30, 40, 50]);
    expect(log).toMatchObject({ asked: 6, closed: 1, released: 1, working: 0 });
  });

  it.each([1, 2, 3, 7])('holds at most %i items, the one with the consumer included', async (most) => {
    let asked = 0;
    let used = 0;
    async function* source() {
      for (let i = 0; i < 20; i++) {
        asked++;
        expect(asked - used).toBeLessThanOrEqual(most);
        yield i;
      }
    }
    let released = 0;
    const results = pipeline(source(), {
      most,
      signal: new AbortController().signal,
      begin: async (item: number) => ({ done: turn(item % 3).then(() => item) }),
      release: () => void released++,
    });
    let reached = 0;
    for await (const item of results) {
      expect(item).toBe(used);
      await turn(2);
      reached = Math.max(reached, asked - used);
      used++;
    }
    // And it makes use of them: reading went ahead while the consumer was busy.
    expect(reached).toBe(most);
    expect({ used, released }).toEqual({ used: 20, released: 1 });
  });

  it('asks for nothing before its first result is asked for', async () => {
    const { log, results } = rig(3);
    await turn(20);
    expect(log.asked).toBe(0);
    await results.return();
    expect(log).toMatchObject({ asked: 0, released: 0 });
  });

  it('takes plain iterables, and an empty one', async () => {
    const options = {
      most: 3,
      signal: new AbortController().signal,
      begin: async (item: number) => ({ done: Promise.resolve(item) }),
      release: () => {},
    };
    const all: number[] = [];
    for await (const item of pipeline([1, 2, 3], options)) all.push(item);
    for await (const item of pipeline([], options)) all.push(item);
    expect(all).toEqual([1, 2, 3]);
  });
});

describe('a pipeline that ends early', () => {
  it('rejects, and leaves no rejection unhandled, where its source is no iterator of results', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', listen);
    try {
      for (const iterator of [undefined, {}, { next: async () => undefined }, { next: () => 7 }]) {
        let released = 0;
        const source = { [Symbol.asyncIterator]: () => iterator } as unknown as AsyncIterable<number>;
        const results = pipeline(source, {
          most: 2,
          signal: new AbortController().signal,
          begin: async (item: number) => ({ done: Promise.resolve(item) }),
          release: () => void released++,
        });
        await expect(results.next()).rejects.toThrow(/^chunks: found an iterator with .*, expected /);
        expect(released).toBe(1);
      }
      await turn(20);
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', listen);
    }
  });

  it('by a source that cannot be read again: releases what waited for it', async () => {
    let released = 0;
    const source = {
      [Symbol.asyncIterator](): AsyncIterator<number> {
        throw new Error('read already');
      },
    };
    const results = pipeline(source, {
      most: 2,
      signal: new AbortController().signal,
      begin: async () => ({ done: Promise.resolve(0) }),
      release: () => void released++,
    });
    await expect(results.next()).rejects.toThrow('read already');
    expect(released).toBe(1);
  });

  it('by its consumer: stops the work, closes the source, releases, all before the loop is left', async () => {
    const { log, gates, results } = rig(100);
    void until(() => gates.length > 1).then(() => gates[0]!.open());
    for await (const value of results) {
      expect(value).toBe(0);
      break;
    }
    expect(log).toMatchObject({ closed: 1, released: 1, working: 0 });
    expect(log.asked).toBeLessThanOrEqual(5);
    expect(gates[1]!.stop.aborted).toBe(true);
  });

  it('by its consumer: releases only when the work that it stopped has let go', async () => {
    let working = 0;
    const results = pipeline([0, 1, 2, 3], {
      most: 3,
      signal: new AbortController().signal,
      begin: async (item: number, stop) => {
        working++;
        const done = (async () => {
          if (item > 0) await new Promise((resolve) => stop.addEventListener('abort', resolve));
          // On its way to the end, as a piece on the GPU is.
          await turn(20);
          working--;
          return item;
        })();
        return { done };
      },
      release: () => expect(working).toBe(0),
    });
    for await (const item of results) {
      expect(item).toBe(0);
      break;
    }
    expect(working).toBe(0);
  });

  it('by an error of its consumer, in the same way', async () => {
    const { log, gates, results } = rig(100);
    void until(() => gates.length > 1).then(() => gates[0]!.open());
    const loop = (async () => {
      for await (const _ of results) throw new Error('a consumer');
    })();
    await expect(loop).rejects.toThrow('a consumer');
    expect(log).toMatchObject({ closed: 1, released: 1, working: 0 });
  });

  it('by an error of the source, after the results before it', async () => {
    async function* source() {
      yield 1;
      yield 2;
      throw new Error('a source');
    }
    let released = 0;
    const values: number[] = [];
    const loop = (async () => {
      const results = pipeline(source(), {
        most: 4,
        signal: new AbortController().signal,
        begin: async (item: number) => ({ done: turn(20).then(() => item) }),
        release: () => void released++,
      });
      for await (const value of results) values.push(value);
    })();
    await expect(loop).rejects.toThrow('a source');
    expect({ values, released }).toEqual({ values: [1, 2], released: 1 });
  });

  it('by an error of the work, at its place: results before it come, though they end later', async () => {
    const { log, gates, results } = rig(100);
    const values: number[] = [];
    const loop = (async () => {
      for await (const value of results) values.push(value);
    })();
    await until(() => gates.length === 4);
    gates[2]!.fail(new Error('a chunk'));
    await turn(10);
    gates[1]!.open();
    gates[0]!.open();
    await expect(loop).rejects.toThrow('a chunk');
    expect(values).toEqual([0, 10]);
    expect(log).toMatchObject({ closed: 1, released: 1, working: 0, asked: 4 });
  });

  it('by work that cannot begin: no later item is begun', async () => {
    const begun: number[] = [];
    const { log, results } = rig(100, {
      begin: async (item) => {
        begun.push(item);
        if (item === 1) throw new Error('no beginning');
        return { done: Promise.resolve(item) };
      },
    });
    const loop = (async () => {
      for await (const _ of results) await turn(20);
    })();
    await expect(loop).rejects.toThrow('no beginning');
    expect(begun).toEqual([0, 1]);
    expect(log).toMatchObject({ closed: 1, released: 1 });
  });

  it('by its signal, while it waits: at once, with the reason of the signal', async () => {
    const { log, controller, results } = rig(100);
    const next = results.next();
    await turn(20);
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
    await until(() => log.closed > 0);
    expect(log).toMatchObject({ closed: 1, released: 1, working: 0 });
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });

  it('by its signal while the consumer is busy: work and memory are let go of before it comes back', async () => {
    const { log, gates, controller, results } = rig(100);
    void until(() => gates.length > 1).then(() => gates[0]!.open());
    await results.next();
    controller.abort(new Error('enough'));
    await until(() => log.closed > 0 && log.released > 0);
    expect(log).toMatchObject({ closed: 1, released: 1, working: 0 });
    await expect(results.next()).rejects.toThrow('enough');
  });

  it('by its signal, though the source never answers', async () => {
    const controller = new AbortController();
    let released = 0;
    const results = pipeline(
      { [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<number>>(() => {}) }) },
      {
        most: 2,
        signal: controller.signal,
        begin: async (item: number) => ({ done: Promise.resolve(item) }),
        release: () => void released++,
      },
    );
    const next = results.next();
    await turn(10);
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    expect(released).toBe(1);
  });

  it('before it began, where the signal is aborted already', async () => {
    const { log, controller, results } = rig(3);
    controller.abort(new Error('enough'));
    await expect(results.next()).rejects.toThrow('enough');
    expect(log).toMatchObject({ asked: 0, released: 1 });
  });

  it('with the error of closing the source, where there is no other', async () => {
    const source = (async function* () {
      try {
        yield 1;
        yield 2;
      } finally {
        await Promise.reject(new Error('cannot be closed'));
      }
    })();
    const loop = (async () => {
      const options = {
        most: 1,
        signal: new AbortController().signal,
        begin: async (item: number) => ({ done: Promise.resolve(item) }),
        release: () => {},
      };
      for await (const _ of pipeline(source, options)) break;
    })();
    await expect(loop).rejects.toThrow('cannot be closed');
  });
});

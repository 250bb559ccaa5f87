/** Colours of pairs on the GPU beside those of the host. */

import { sizeOf } from 'typegpu/data';
import { expect, it } from 'vitest';
import { COLOUR_ROUNDS, MOST_COLOURS } from '../../../src/dem/constants.ts';
import { groupContacts } from '../../../src/dem/forces/groups.ts';
import { colourGroupsSource } from '../../../src/dem/gpu/impulses/impulse-kernels.ts';
import { StepControl } from '../../../src/dem/gpu/step-layout.ts';
import { colourGroups, priorityOf } from '../../../src/dem/impulses/colours.ts';
import type { ContactKeys } from '../../../src/dem/impulses/seekers.ts';
import { bind } from '../../../src/gpu/bind.ts';
import { compileKernel } from '../../../src/gpu/kernel.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { Bench } from '../../support/blocks.ts';
import { useDevice } from '../../support/device.ts';

const device = useDevice();
const NONE = 2 ** 32 - 1;
const WAITS = 2 ** 32 - 2;

/** Pairs of bodies, in their order, and which bodies move. */
function graph(bodies: number, pairs: readonly (readonly [number, number])[], isMoving: Uint8Array) {
  const sorted = pairs
    .map(([a, b]) => (a < b ? [a, b] : [b, a]) as [number, number])
    .sort(([a, b], [c, d]) => a - c || b - d);
  const keys: ContactKeys = {
    ...{
      count: sorted.length,
      bodies: Uint32Array.from(sorted.flat()),
      kinds: new Uint8Array(sorted.length).fill(3),
    },
    ...{ parts: new Uint32Array(2 * sorted.length), features: new Uint32Array(sorted.length) },
  };
  const entries = sorted.flatMap((pair, row) => pair.map((body, side) => ({ body, entry: 2 * row + side })));
  entries.sort((one, other) => one.body - other.body || one.entry - other.entry);
  const starts = Uint32Array.from(
    { length: bodies + 1 },
    (_, body) => entries.filter((one) => one.body < body).length,
  );
  const colours = Uint32Array.from(
    sorted.flatMap((pair, row) => [
      ...[priorityOf(keys, row), WAITS],
      ...pair.map((body) => (isMoving[body] === 1 ? body : NONE)),
    ]),
  );
  return { keys, entries: Uint32Array.from(entries, ({ entry }) => entry), starts, colours };
}

/** The colour of each pair: by one thread, and by a thread per pair. */
async function coloursOf({ keys, entries, starts, colours }: ReturnType<typeof graph>): Promise<number[][]> {
  const bench = new Bench(device());
  const kernel = await compileKernel(device(), colourGroupsSource);
  const rowRoom = keys.count;
  const found = [];
  for (const threads of [1, rowRoom]) {
    const buffers = {
      control: bench.buffer('control', new Uint32Array(sizeOf(StepControl) / 4)),
      ...{ starts: bench.buffer('starts', starts), entries: bench.buffer('entries', entries) },
      colours: bench.buffer('colours', colours),
    };
    const run = (first: number, last: number) => ({
      ...{ threads, params: { rowRoom, colours: MOST_COLOURS, first, last, threads } },
    });
    await bench.submit((recorder) => {
      const bound = bind(device(), kernel, buffers);
      if (threads === 1) recorder.run(bound, run(1, COLOUR_ROUNDS));
      else for (let round = 1; round <= COLOUR_ROUNDS; round++) recorder.run(bound, run(round, round));
    });
    const words = await bench.words(buffers.colours, 4 * rowRoom);
    found.push(
      Array.from({ length: rowRoom }, (_, row) => Math.min(words[4 * row + 1]! & 255, MOST_COLOURS)),
    );
  }
  bench.destroy();
  return found;
}

/** As on the host. */
function expectedOf({ keys }: ReturnType<typeof graph>, isMoving: Uint8Array): number[] {
  const { order, starts, count } = colourGroups(
    keys,
    groupContacts(keys, new Uint32Array(4 * keys.count)),
    isMoving,
  );
  const colours: number[] = [];
  for (let colour = 0; colour < count; colour++)
    for (const group of order.subarray(starts[colour], starts[colour + 1])) colours[group] = colour;
  return colours;
}

it('are those of the host, whatever threads there are', async () => {
  const random = createRandom(5);
  const bodies = 90;
  const isMoving = Uint8Array.from({ length: bodies }, (_, body) => (body < 85 ? 1 : 0));
  const names = new Set<string>();
  while (names.size < 300) {
    const [a, b] = [Math.floor(bodies * random()), Math.floor(bodies * random())];
    if (a !== b && isMoving[a]! + isMoving[b]! > 0) names.add(`${Math.min(a, b)} ${Math.max(a, b)}`);
  }
  const pairs = Array.from(names, (name) => name.split(' ').map(Number) as [number, number]);
  const made = graph(bodies, pairs, isMoving);
  const expected = expectedOf(made, isMoving);
  expect(Math.max(...expected)).toBeGreaterThan(7);
  expect(Math.max(...expected)).toBeLessThan(MOST_COLOURS);
  expect(await coloursOf(made)).toEqual([expected, expected]);
});

it('are one for all pairs that are left where there are no more', async () => {
  const around = 3 * MOST_COLOURS;
  const isMoving = new Uint8Array(around + 1).fill(1);
  const made = graph(
    around + 1,
    Array.from({ length: around }, (_, i) => [0, i + 1] as const),
    isMoving,
  );
  const expected = expectedOf(made, isMoving).map((colour) => Math.min(colour, MOST_COLOURS));
  expect(expected.filter((colour) => colour === MOST_COLOURS).length).toBe(around - MOST_COLOURS);
  expect(await coloursOf(made)).toEqual([expected, expected]);
});

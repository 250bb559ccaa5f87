import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORMS } from '../../../src/gpu/blocks/form.ts';
import { createSegmentSums, type SegmentSums } from '../../../src/gpu/blocks/segment-sums.ts';
import { MOST_GROUPS } from '../../../src/gpu/dispatch.ts';
import { firstDifference, isOffered, LARGEST, randomBits, useBench, wordsBy } from '../../support/blocks.ts';
import { useDevice } from '../../support/device.ts';
import { withLimits } from '../../support/host-waits.ts';

const device = useDevice();
const bench = useBench(device);

const [LANES, RANGE] = [32, 1024];

/** Sums in the fixed order, in float32, each rounded to nearest. Values of one component lie `components` apart. */
function sumInOrder(values: Float32Array, first: number, end: number, components = 1, component = 0): number {
  if (end - first > RANGE) {
    const sums: number[] = [];
    for (let at = first; at < end; at += RANGE) {
      sums.push(sumInOrder(values, at, Math.min(end, at + RANGE), components, component));
    }
    return sumInOrder(new Float32Array(sums), 0, sums.length);
  }
  const lanes = new Float32Array(LANES);
  for (let at = first; at < end; at++) {
    const lane = (at - first) % LANES;
    lanes[lane] = Math.fround(lanes[lane]! + values[at * components + component]!);
  }
  for (let half = LANES / 2; half >= 1; half /= 2) {
    for (let lane = 0; lane < half; lane++) lanes[lane] = Math.fround(lanes[lane]! + lanes[lane + half]!);
  }
  return lanes[0]!;
}

interface Segments {
  readonly values: Float32Array<ArrayBuffer>;
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly components?: number;
  readonly inBuffer?: boolean;
}

/** Starts of segments of such lengths. */
function startsOf(lengths: readonly number[]): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, i) => {
    starts[i + 1] = starts[i]! + length;
  });
  return starts;
}

async function sumsOf(sums: SegmentSums, { values, starts, components = 1, inBuffer = false }: Segments) {
  const count = starts.length - 1;
  const out = bench().buffer('sums', new Float32Array(components * count + 1).fill(-7));
  const counts = bench().buffer('counts', new Uint32Array([count]));
  const [valueBuffer, startBuffer] = [bench().buffer('values', values), bench().buffer('starts', starts)];
  await bench().submit((recorder) => {
    const asked = inBuffer ? { buffer: counts } : count;
    sums.record(recorder, { values: valueBuffer, starts: startBuffer, count: asked, sums: out });
  });
  const found = await bench().floats(out, components * count + 1);
  expect(found.at(-1)).toBe(-7);
  return found.subarray(0, -1);
}

/** The host's sums in the fixed order. */
function expectedSums({ values, starts, components = 1 }: Segments): Float32Array {
  return new Float32Array(components * (starts.length - 1)).map((_, at) => {
    const segment = Math.floor(at / components);
    return sumInOrder(values, starts[segment]!, starts[segment + 1]!, components, at % components);
  });
}

/** Integers whose sums float32 holds exactly, whatever the order: every adapter has to have them. */
const integers = (count: number, salt: number) =>
  new Float32Array(count).map((_, i) => (randomBits(i, salt) % 17) - 8);
/** Floats of all sizes: their sums depend on the order. */
const floats = (count: number, salt: number) =>
  new Float32Array(count).map(
    (_, i) => (randomBits(i, salt) - 2 ** 31) * 2 ** -(randomBits(i, salt + 1) % 40),
  );

/**
 * Sums of any floats. Software adapters round sums to nearest: they have the sums of the fixed order bit for bit.
 * Others may round either way, as WGSL says: they are within the bound, 2^-23 for each of `depth` sums.
 */
function expectOrder(found: Float32Array, asked: Segments): void {
  const expected = expectedSums(asked);
  if (device().adapter.software) {
    expect(firstDifference(found, expected)).toBeUndefined();
    return;
  }
  const { values, starts, components = 1 } = asked;
  for (const [at, sum] of found.entries()) {
    const segment = Math.floor(at / components);
    let size = 0;
    for (let i = starts[segment]!; i < starts[segment + 1]!; i++) {
      size += Math.abs(values[i * components + (at % components)]!);
    }
    // At most 37 sums lead from a value to its segment's sum per level of ranges: 32 in a lane, 5 in the tree.
    const levels = 1 + Math.ceil(Math.log(starts[segment + 1]! - starts[segment]! + 1) / Math.log(RANGE));
    expect(Math.abs(sum - expected[at]!)).toBeLessThanOrEqual(
      2 * 37 * levels * 2 ** -23 * size * (1 + 2 ** -10),
    );
  }
}

describe.each(FORMS)('sums by segment, %s', (form) => {
  it('are those of the fixed order for lengths around those of lanes and ranges, and for empty segments', async ({
    skip,
  }) => {
    if (!isOffered(form, device())) skip();
    const lengths = [0, 1, 31, 32, 33, 0, 0, 63, 64, 65, 1_023, 1_024, 1_025, 2_049, 20_011, 0];
    const starts = startsOf(lengths);
    const mostValues = starts.at(-1)!;
    const sums = await createSegmentSums(device(), { mostSegments: lengths.length, mostValues, form });
    for (const inBuffer of [false, true]) {
      const whole = { values: integers(mostValues, 1), starts, inBuffer };
      expect(firstDifference(await sumsOf(sums, whole), expectedSums(whole))).toBeUndefined();
      const asked = { values: floats(mostValues, 2), starts, inBuffer };
      expectOrder(await sumsOf(sums, asked), asked);
    }
    sums.destroy();
  });

  it('are those of the fixed order for any lengths and numbers of components', async ({ skip }) => {
    if (!isOffered(form, device())) skip();
    for (const [components, longest] of [
      [1, 100],
      [3, 100],
      [4, 5_000],
    ] as const) {
      const options = { mostSegments: 200, mostValues: 20_000, longest, components, form };
      const sums = await createSegmentSums(device(), options);
      const lengths = fc.array(fc.nat(longest), { maxLength: longest > 1024 ? 4 : 200 });
      const property = fc.asyncProperty(lengths, fc.nat(1000), fc.boolean(), async (some, salt, inBuffer) => {
        const starts = startsOf(some);
        const asked = { values: floats(starts.at(-1)! * components, salt), starts, components, inBuffer };
        expectOrder(await sumsOf(sums, asked), asked);
      });
      await fc.assert(property, { numRuns: form === 'serial' ? 8 : 4 });
      sums.destroy();
    }
  });

  it('do not depend on what stands before a segment', async ({ skip }) => {
    if (!isOffered(form, device())) skip();
    const values = floats(3_001, 5);
    const sums = await createSegmentSums(device(), { mostSegments: 3, mostValues: 4_000, form });
    const alone = await sumsOf(sums, { values, starts: startsOf([3_001]) });
    const behind = new Float32Array([...floats(501, 6), ...values]);
    const found = await sumsOf(sums, { values: behind, starts: startsOf([500, 1, 3_001]) });
    expect(found[2]).toBe(alone[0]);
    sums.destroy();
  });

  it('are exact for the largest number of values, in one segment and in millions', async ({ skip }) => {
    if (!isOffered(form, device())) skip();
    const isQuick = form === 'serial' || !device().adapter.software;
    const mostValues = isQuick ? LARGEST : 300_007;
    const values = integers(mostValues, 7);
    const one = await createSegmentSums(device(), { mostSegments: 1, mostValues, form });
    const starts = new Uint32Array([0, mostValues]);
    expect([...(await sumsOf(one, { values, starts }))]).toEqual([values.reduce((sum, x) => sum + x, 0)]);
    one.destroy();
    // Past 65,535 workgroups: of 64 segments in the serial form, of two in the others.
    const segments = isQuick ? 4_200_003 : 3_001;
    const many = wordsBy(segments + 1, (i) => Math.floor((i * mostValues) / segments));
    const options = { mostSegments: segments, mostValues, longest: 100, form };
    const limited = withLimits(device(), { maxComputeWorkgroupsPerDimension: isQuick ? MOST_GROUPS : 100 });
    const sums = await createSegmentSums(limited, options);
    const asked = { values, starts: many };
    expect(firstDifference(await sumsOf(sums, asked), expectedSums(asked))).toBeUndefined();
    sums.destroy();
  });
});

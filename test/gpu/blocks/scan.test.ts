import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORMS, formOf } from '../../../src/gpu/blocks/form.ts';
import { createScan, type Scan } from '../../../src/gpu/blocks/scan.ts';
import {
  firstDifference,
  isOffered,
  largestOf,
  randomBits,
  SIZES,
  useBench,
  wordsBy,
} from '../../support/blocks.ts';
import { useDevice } from '../../support/device.ts';
import { takenForHardware } from '../../support/host-waits.ts';

const device = useDevice();
const bench = useBench(device);

/** The sums of the numbers before each, and of all, modulo 2^32. */
function scanned(numbers: Uint32Array, count: number): { sums: Uint32Array; total: number } {
  const sums = numbers.slice();
  let total = 0;
  for (let i = 0; i < count; i++) {
    sums[i] = total;
    total = (total + numbers[i]!) >>> 0;
  }
  return { sums, total };
}

/**
 * Scans the first `count` of some numbers; with `inBuffer` the count is in a buffer. Expects the host's sums, and the
 * rest untouched.
 */
async function expectScan(scan: Scan, numbers: Uint32Array<ArrayBuffer>, count: number, inBuffer = false) {
  const buffer = bench().buffer('numbers', numbers);
  const counts = bench().buffer('counts', new Uint32Array([0, 0, 0, count]));
  await bench().submit((recorder) =>
    scan.record(recorder, { numbers: buffer, count: inBuffer ? { buffer: counts, offset: 12 } : count }),
  );
  const { sums, total } = scanned(numbers, count);
  expect(firstDifference(await bench().words(buffer, numbers.length), sums)).toBeUndefined();
  const found = await bench().words(scan.total.buffer, scan.total.offset / 4 + 1);
  expect(found.at(-1)).toBe(total);
}

describe.each(FORMS)('a scan, %s', (form) => {
  it('is the host’s for sizes around those of workgroups and chunks', async ({ skip }) => {
    if (!isOffered(form, device())) skip();
    for (const size of SIZES) {
      const scan = await createScan(device(), { most: size, form });
      await expectScan(
        scan,
        wordsBy(size, (i) => randomBits(i)),
        size,
      );
      scan.destroy();
    }
  });

  it('takes its count from a buffer, and no more than there is room for', async ({ skip }) => {
    if (!isOffered(form, device())) skip();
    const scan = await createScan(device(), { most: 5_000, form });
    const numbers = wordsBy(6_000, (i) => randomBits(i, 1));
    for (const count of [0, 1, 1_023, 4_999, 5_000]) await expectScan(scan, numbers, count, true);
    const buffer = bench().buffer('numbers', numbers);
    const counts = bench().buffer('counts', new Uint32Array([4_000_000_000]));
    await bench().submit((recorder) => scan.record(recorder, { numbers: buffer, count: { buffer: counts } }));
    expect(firstDifference(await bench().words(buffer, 6_000), scanned(numbers, 5_000).sums)).toBeUndefined();
    scan.destroy();
  });

  it('is the host’s for any numbers', async ({ skip }) => {
    if (!isOffered(form, device())) skip();
    const scan = await createScan(device(), { most: 3_000, form });
    const numbers = fc.uint32Array({ maxLength: 3_000 });
    const property = fc.asyncProperty(numbers, fc.boolean(), async (some, inBuffer) => {
      await expectScan(scan, new Uint32Array(some), some.length, inBuffer);
    });
    await fc.assert(property, { numRuns: 20 });
    scan.destroy();
  });

  it('is the host’s for the largest number of numbers', async ({ skip }) => {
    if (!isOffered(form, device())) skip();
    const most = largestOf(form, device());
    const scan = await createScan(device(), { most, form });
    await expectScan(
      scan,
      wordsBy(most, (i) => randomBits(i, 2)),
      most,
    );
    scan.destroy();
  });
});

it('a device has the form that suits its adapter', () => {
  const hardware = device().features.has('subgroups') ? 'subgroups' : 'workgroup';
  expect(formOf(device())).toBe(device().adapter.software ? 'serial' : hardware);
  expect(formOf(takenForHardware(device()))).toBe(hardware);
});

it('a count above the room is refused in one line', async () => {
  const scan = await createScan(device(), { most: 10 });
  const record = bench().submit((recorder) =>
    scan.record(recorder, { numbers: bench().buffer('numbers', new Uint32Array(20)), count: 11 }),
  );
  await expect(record).rejects.toThrow(/^11 items: expected at most 10, for which room was made$/);
  scan.destroy();
});

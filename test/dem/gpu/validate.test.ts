/** Cases of `scree validate` with steps on the GPU. `scree validate --backend gpu` runs all that make sense there. */
import { expect, it } from 'vitest';
import { CASES } from '../../../src/validate/cases.ts';
import { runCases } from '../../../src/validate/run-cases.ts';
import { useDevice } from '../../support/device.ts';

const device = useDevice();

it.each(CASES.filter(({ name }) => name === 'billiards'))('$name', async (one) => {
  for await (const report of runCases([one], { device: device(), threads: 1, isQuick: true })) {
    expect(report.failure).toBeUndefined();
    expect(report.rows.filter(({ passed }) => !passed)).toEqual([]);
    expect(report.rows.length).toBeGreaterThan(0);
  }
});

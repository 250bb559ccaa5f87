/** Ways and findings of a synthetic report: formulas for times, and sentences of the kind that a run has. */
import type { Finding, WayReport } from '../../src/bench/report.ts';

export interface SyntheticWay extends WayReport {
  /** Seconds until a body of N triangles can be asked about M points. */
  readonly setUp: (n: number, m: number) => number;
  readonly evaluate: (n: number, m: number) => number;
  readonly perPoints?: boolean;
  readonly onGpu?: boolean;
}

export const level = (n: number) => Math.max(1, Math.round(Math.log2(n) / 3));
export const COPY: SyntheticWay = {
  key: 'copy',
  label: 'copy kernel, GPU',
  kind: 'yardstick',
  setUp: () => 0,
  evaluate: (_, m) => 2e-4 + 1.1e-8 * m,
  onGpu: true,
};
export const PEER: SyntheticWay = {
  key: 'three-mesh-bvh',
  label: 'three-mesh-bvh, CPU',
  kind: 'peer',
  setUp: (n) => 4e-4 + 7e-7 * n,
  evaluate: (n, m) => 2e-5 + m * 2.4e-7 * Math.log2(n),
};
const gridGpu: Omit<SyntheticWay, 'key' | 'label'> = {
  kind: 'scree',
  setUp: (n) => 2e-3 + 4.5e-7 * n,
  evaluate: (n, m) => 4e-4 + m * 4e-8 * (1 + 0.05 * Math.log2(n)),
  onGpu: true,
};
const RAY_CROSSING: SyntheticWay = {
  key: 'ray-crossing-gpu',
  label: 'ray crossing, GPU',
  kind: 'scree',
  setUp: (n) => 1e-3 + 4e-7 * n,
  evaluate: (n, m) => 6e-4 + 9e-11 * n * m,
  onGpu: true,
};
export const PAPER_WAYS: readonly SyntheticWay[] = [
  RAY_CROSSING,
  {
    key: 'multipole-well-chosen-gpu',
    label: 'multipole, well-chosen depth, GPU',
    kind: 'scree',
    setUp: (n, m) => 4e-3 + 2e-6 * n ** 0.75 * m ** 0.25,
    evaluate: (n, m) => 8e-4 + 3e-7 * m * (1 + 0.02 * n ** 0.4),
    perPoints: true,
    onGpu: true,
  },
  {
    key: 'multipole-pre-chosen-gpu',
    label: 'multipole, pre-chosen depth, GPU',
    kind: 'scree',
    setUp: (n) => 4e-3 + 2e-5 * 8 ** (level(n) ** 0.8),
    evaluate: (n, m) => 8e-4 + (1.5e-8 * m * n) / 4 ** level(n),
    onGpu: true,
  },
  { key: 'cell-grid-gpu', label: 'cell grid, GPU', ...gridGpu },
  { key: 'auto', label: 'auto', ...gridGpu, evaluate: (n, m) => 0.9 * gridGpu.evaluate(n, m) },
  PEER,
  COPY,
];
export const INSIDE_WAYS: readonly SyntheticWay[] = [
  {
    key: 'cell-grid-cpu',
    label: 'cell grid, CPU',
    kind: 'scree',
    setUp: (n) => 1e-3 + 4e-7 * n,
    evaluate: (n, m) => 3e-4 + m * 2.2e-8 * (1 + 0.05 * Math.log2(n)),
  },
  {
    key: 'cell-grid-cpu-1',
    label: 'cell grid, CPU, 1 thread',
    kind: 'scree',
    setUp: (n) => 1e-3 + 6e-7 * n,
    evaluate: (n, m) => 1e-4 + m * 4.1e-8 * (1 + 0.05 * Math.log2(n)),
  },
  { key: 'cell-grid-gpu', label: 'cell grid, GPU', ...gridGpu },
  { ...RAY_CROSSING, evaluate: (n, m) => 6e-4 + 9e-9 * m * n ** 0.5 },
  PEER,
  COPY,
];

const finding = (
  source: string,
  agrees: Finding['agrees'],
  statement: string,
  measured: string,
): Finding => ({
  ...{ source, statement, measured, agrees },
});

export const FINDINGS: readonly Finding[] = [
  finding(
    'Figure 7',
    'yes',
    'With a well-chosen depth, time grows less than linearly with the number of triangles.',
    'Exponent of N between the smallest and the largest sphere: 0.58 at 10³ points, 0.12 at 80³.',
  ),
  finding(
    'Figure 8',
    'no',
    'With a pre-chosen depth, a finer mesh is sometimes faster than a coarser one.',
    'Every refinement took longer, by 1.3 times at least.',
  ),
  finding(
    'Table 2',
    'yes',
    'The evaluation part grows linearly with the number of points.',
    'Eight times the points take 7.6 to 8.1 times as long from 20³ points on.',
  ),
  finding(
    'Figure 9',
    'yes',
    'Ray crossing is linear in the number of triangles and in the number of points.',
    'Exponents 0.99 in N and 1.00 in M, where calls take more than 10 ms.',
  ),
  finding(
    'Figure 10',
    'yes',
    'Ray crossing is ahead for few triangles, multipole for many; with more points the cross-over comes earlier.',
    'They cross at about 61,000 triangles with 10³ points and at about 4,100 with 80³.',
  ),
  finding('Figure 14', 'not measured', 'Ray crossing is linear on foams too.', ''),
  finding(
    'Figure 15',
    'yes',
    'On the large grid both depths are far ahead of ray crossing.',
    '12 and 9 times as fast on the finest foam.',
  ),
];

/** What is wanted of contacts, beside what was measured. */
import type { AdapterSummary } from '../../index.ts';
import type { ContactRunReport, ContactsReport, Finding, PackingReport } from '../report.ts';
import { finding, type Judged } from '../statements.ts';
import { countText, numberText } from '../text.ts';

/** Wanted ratios: of one way's or question's time over another's, and of shares. */
const WANTED = { software: 1 / 3, flat: 1.5, classify: 3, bvh: 20, nodesPerSecond: 1e9 } as const;

const SOURCE = 'wanted';

type Measured = Omit<ContactsReport, 'findings'>;

export function contactStatements(
  { packings, nodes }: Measured,
  { software }: Pick<AdapterSummary, 'software'>,
): Finding[] {
  const runOf = ({ runs }: PackingReport, key: string) => runs.find(({ way, reason }) => way === key && reason === '');
  /** A value of each packing that has one, and whether all are as wanted. */
  const each = (
    value: (packing: PackingReport) => number | undefined,
    isWanted: (value: number) => boolean,
  ): Judged | undefined => {
    const found = packings.flatMap((packing) => {
      const one = value(packing);
      return one === undefined ? [] : [{ packing, one }];
    });
    if (found.length === 0) return undefined;
    const texts = found.map(({ packing, one }) => `${countText(packing.bodies)} ${packing.label} ${numberText(one)}`);
    return { measured: `${texts.join(', ')}.`, agrees: found.every(({ one }) => isWanted(one)) };
  };
  const overPeer = (key: string) =>
    each(
      (packing) => (packing.kind === 'hull' ? runOf(packing, key)?.ratioToPeer || undefined : undefined),
      (ratio) => ratio >= 1,
    );
  const gpuOverCpu = each(
    (packing) => {
      const [cpu, gpu] = [runOf(packing, 'contacts-cpu'), runOf(packing, 'contacts-gpu')];
      return cpu === undefined || gpu === undefined ? undefined : cpu.seconds.median / gpu.seconds.median;
    },
    (ratio) => ratio >= WANTED.software,
  );
  const perNode = each(
    (packing) => {
      const gpu = runOf(packing, 'contacts-gpu');
      return gpu === undefined || gpu.nodesTested === 0 ? undefined : gpu.nodesTested / (gpu.gpu ?? gpu.seconds.median);
    },
    (rate) => rate >= WANTED.nodesPerSecond,
  );
  const ofNodes = (
    value: (one: Measured['nodes'][number]) => number,
    isWanted: (value: number) => boolean,
  ): Judged | undefined => {
    const found = nodes.map((one) => ({ label: one.label, value: value(one) })).filter((one) => one.value > 0);
    if (found.length === 0) return undefined;
    const texts = found.map((one) => `${one.label} ${numberText(one.value)}`);
    return { measured: `${texts.join(', ')}.`, agrees: found.every((one) => isWanted(one.value)) };
  };
  return [
    finding(
      SOURCE,
      'On hulls of 16 points, all threads are at least as fast as Rapier’s collision detection on its one.',
      overPeer('contacts-cpu'),
    ),
    finding(SOURCE, 'The same of one thread.', overPeer('contacts-cpu-1')),
    finding(
      SOURCE,
      'A node’s depth takes at most 3 times as long as classify takes for the same point.',
      ofNodes(
        ({ overClassify }) => overClassify,
        (ratio) => ratio <= WANTED.classify,
      ),
    ),
    finding(
      SOURCE,
      'three-mesh-bvh takes at least 20 times as long for the nearest point of the surface.',
      ofNodes(
        ({ ratioToPeer }) => ratioToPeer,
        (ratio) => ratio >= WANTED.bvh,
      ),
    ),
    software
      ? finding(SOURCE, 'Software WebGPU is at least a third as fast as the CPU.', gpuOverCpu)
      : finding(SOURCE, 'The GPU looks up 10^9 nodes per second.', perNode),
    ...(['CPU', 'GPU'] as const).map((name) =>
      finding(
        SOURCE,
        `Time per body on the ${name} is the same within 1.5, from the fewest bodies to the most.`,
        flat(packings, (packing) => runOf(packing, `contacts-${name.toLowerCase()}`)),
      ),
    ),
  ];
}

/** Of each kind of bodies, the most time per body over the least. */
function flat(
  packings: readonly PackingReport[],
  runOf: (packing: PackingReport) => ContactRunReport | undefined,
): Judged | undefined {
  const found = [...new Set(packings.map(({ label }) => label))].flatMap((label) => {
    const times = packings
      .filter((packing) => packing.label === label)
      .flatMap((packing) => {
        const run = runOf(packing);
        return run === undefined ? [] : [run.seconds.median / packing.bodies];
      });
    return times.length < 2 ? [] : [{ label, ratio: Math.max(...times) / Math.min(...times) }];
  });
  if (found.length === 0) return undefined;
  const texts = found.map(({ label, ratio }) => `${label} ${numberText(ratio)}`);
  return {
    measured: `Most over least: ${texts.join(', ')}.`,
    agrees: found.every(({ ratio }) => ratio <= WANTED.flat),
  };
}

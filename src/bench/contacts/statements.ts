/** What is wanted of contacts, beside what was measured. */
import type { AdapterSummary } from '../../index.ts';
import type { ContactRunReport, ContactsReport, Finding, PackingReport } from '../report.ts';
import { finding, type Judged } from '../statements.ts';
import { countText, numberText } from '../text.ts';

/** Wanted ratios: of one way's or question's time over another's, and of shares. */
const WANTED = { software: 1 / 3, flat: 1.5, classify: 3, bvh: 20, near: 0.5, nodesPerSecond: 1e9 } as const;

type Measured = Omit<ContactsReport, 'findings'>;
/** Name and value; what was not measured has none. */
type Value = readonly [name: string, value: number | undefined];

/** What suites `contacts` and `dem` measure alike. */
interface Measuring<Run> {
  readonly label: string;
  readonly bodies: number;
  readonly runs: readonly Run[];
}
type TimedRun = Pick<ContactRunReport, 'way' | 'seconds'>;

function runOf<Run extends TimedRun>({ runs }: Measuring<Run>, key: string): Run | undefined {
  return runs.find(({ way }) => way === key);
}

/** A value of each packing by a way. */
export function valuesBy<Run extends TimedRun, P extends Measuring<Run>>(
  packings: readonly (P & Measuring<Run>)[],
  key: string,
  value: (run: Run, packing: P) => number | undefined,
): Value[] {
  return packings.map((packing) => {
    const run = runOf(packing, key);
    return [`${countText(packing.bodies)} ${packing.label}`, run && value(run, packing)];
  });
}

/** Of each kind of bodies, the most time per body over the least. */
function flatness(packings: readonly Measuring<TimedRun>[], key: string): Value[] {
  return [...new Set(packings.map(({ label }) => label))].map((label): Value => {
    const times = packings.flatMap((packing) => {
      const run = packing.label === label ? runOf(packing, key) : undefined;
      return run === undefined ? [] : [run.seconds.median / packing.bodies];
    });
    return [label, times.length < 2 ? undefined : Math.max(...times) / Math.min(...times)];
  });
}

/** That a body takes as long among many as among few. @param suite begins the keys of ways */
export function flatStatements(packings: readonly Measuring<TimedRun>[], suite: 'contacts' | 'dem'): Finding[] {
  return ['CPU', 'GPU'].map((where) => {
    const text = `Time per body on the ${where} is the same within 1.5, from the fewest to the most.`;
    const values = flatness(packings, `${suite}-${where.toLowerCase()}`);
    return finding(
      'wanted',
      text,
      judged(values, (ratio) => ratio <= WANTED.flat),
    );
  });
}

/** Whether all values are as wanted. */
export function judged(values: readonly Value[], isWanted: (value: number) => boolean): Judged | undefined {
  const found = values.filter((one): one is [string, number] => one[1] !== undefined && one[1] > 0);
  if (found.length === 0) return undefined;
  const measured = `${found.map(([name, value]) => `${name} ${numberText(value)}`).join(', ')}.`;
  return { measured, agrees: found.every(([, value]) => isWanted(value)) };
}

export function contactStatements(
  { packings, nodes }: Measured,
  { software }: Pick<AdapterSummary, 'software'>,
): Finding[] {
  const each = (key: string, value: (run: ContactRunReport, packing: PackingReport) => number | undefined) =>
    valuesBy(packings, key, value);
  const overPeer = (key: string) => each(key, (run, { kind }) => (kind === 'hull' ? run.ratioToPeer : undefined));
  const overCpu = each('contacts-gpu', (run, packing) => {
    const cpu = runOf(packing, 'contacts-cpu');
    return cpu && cpu.seconds.median / run.seconds.median;
  });
  // Recorded runs may have the CPU's count alone; the GPU looks up the same nodes but for rounding.
  const rates = each('contacts-gpu', ({ gpu, seconds }, packing) => {
    const { nodesTested = 0 } = runOf(packing, 'contacts-cpu') ?? {};
    return nodesTested / (gpu ?? seconds.median);
  });
  const wanted = (statement: string, values: readonly Value[], isWanted: (value: number) => boolean) =>
    finding('wanted', statement, judged(values, isWanted));
  return [
    wanted(
      'On hulls of 16 points, all threads are at least as fast as Rapier’s collision detection on its one.',
      overPeer('contacts-cpu'),
      (ratio) => ratio >= 1,
    ),
    wanted('The same of one thread.', overPeer('contacts-cpu-1'), (ratio) => ratio >= 1),
    wanted(
      'A node’s depth takes at most 3 times as long as classify takes for the same point.',
      nodes.map((one): Value => [one.label, one.overClassify]),
      (ratio) => ratio <= WANTED.classify,
    ),
    wanted(
      'three-mesh-bvh takes at least 20 times as long for the nearest point of the surface.',
      nodes.map((one): Value => [one.label, one.ratioToPeer]),
      (ratio) => ratio >= WANTED.bvh,
    ),
    software
      ? wanted('Software WebGPU is at least a third as fast as the CPU.', overCpu, (ratio) => ratio >= WANTED.software)
      : wanted('The GPU looks up 10^9 nodes per second.', rates, (rate) => rate >= WANTED.nodesPerSecond),
    ...flatStatements(packings, 'contacts'),
    wanted(
      'Half of the nodes looked up lie in cells that are mixed or inside.',
      each('contacts-cpu', ({ nodesNear, nodesTested }) => nodesNear / Math.max(1, nodesTested)),
      (share) => share >= WANTED.near,
    ),
  ];
}

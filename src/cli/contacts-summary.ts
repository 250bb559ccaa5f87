/** The summary of `scree contacts`, for people and for programs. */
import type { ContactArrays, DetectedContacts, Scene } from '../index.ts';
import {
  adapterFields,
  type CommandSeconds,
  formatAdapter,
  formatBytes,
  formatCount,
  formatSeconds,
  formatTable,
  leastOf,
  NO_NAMES,
  roundedStages,
  shareRow,
  timesOf,
} from './format.ts';
import { peakMemoryBytes } from './run.ts';

export interface ContactsOutcome {
  readonly scene: Scene;
  readonly results: DetectedContacts;
  /** Why there is no device, if one would have been used. */
  readonly missing: string | undefined;
}

/** How many of the deepest contacts are named. */
const MOST_NAMED = 5;

export async function summarize({ scene, results, missing }: ContactsOutcome, times: CommandSeconds) {
  const { ContactKind } = await import('../index.ts');
  const { names, bodies } = scene;
  const kinds = Object.entries(ContactKind).map(([name, value]) => [name, timesOf(results.kinds, value)]);
  const kindNames = Object.keys(ContactKind);
  const { seconds, backend, adapter, threads, gpuBytes, grown, nodesTested } = results;
  const { broadphase, nodes, edges, patches, convex, planes, list, total: detect } = seconds;
  const { kernel, upload, readback } = seconds;
  return {
    shapes: scene.shapes.length,
    bodies: names.bodies.length,
    static: bodies.isStatic.reduce((sum, one) => sum + one, 0),
    pairs: results.pairs,
    touching: touchingPairs(results, names.bodies.length),
    contacts: results.count,
    kinds: Object.fromEntries(kinds) as Record<keyof typeof ContactKind, number>,
    open: results.openContacts,
    deep: results.deepContacts,
    nodesTested,
    deepest: leastOf(results.distances, MOST_NAMED).map((i) => ({
      a: names.bodies[results.bodies[2 * i]!]!,
      b: names.bodies[results.bodies[2 * i + 1]!]!,
      kind: kindNames[results.kinds[i]!]!,
      distance: results.distances[i]!,
      normal: [...results.normals.subarray(3 * i, 3 * i + 3)],
      point: [...results.points.subarray(3 * i, 3 * i + 3)],
    })),
    backend,
    reason: missing === undefined ? results.reason : `${results.reason} (${missing})`,
    adapter: adapterFields(adapter),
    ...{ threads, gpuBytes, grown },
    seconds: roundedStages({
      ...{ read: times.read, open: times.open, build: times.build },
      ...{ broadphase, nodes, edges, patches, convex, planes, list, kernel, upload, readback, detect },
      ...{ write: times.write, total: times.total },
    }),
    peakMemoryBytes: peakMemoryBytes(),
  };
}

/** Pairs of bodies with a contact. */
function touchingPairs({ bodies, count }: ContactArrays, bodyCount: number): number {
  const pairs = new Set<number>();
  for (let i = 0; i < count; i++) pairs.add(bodyCount * bodies[2 * i]! + bodies[2 * i + 1]!);
  return pairs.size;
}

export type Summary = Awaited<ReturnType<typeof summarize>>;

/** The report for people, without a final newline. */
export function formatSummary(summary: Summary): string {
  const { contacts, kinds, deepest, seconds, grown } = summary;
  const digits = (value: number) => `${Number(value.toPrecision(6))}`;
  const result = formatTable(
    [
      ['contacts', formatCount(contacts)],
      ...Object.entries(kinds).map(([kind, count]) => shareRow(`  ${kind}`, count, contacts)),
      ...(summary.open > 0 ? [shareRow('open: too shallow to be sure of', summary.open, contacts)] : []),
      ...(summary.deep > 0 ? [shareRow('deep: beyond the reach of tables', summary.deep, contacts)] : []),
      ['pairs that touch', formatCount(summary.touching)],
      ['pairs whose bounds meet', formatCount(summary.pairs)],
      ['nodes looked up', formatCount(summary.nodesTested)],
      ['bodies', formatCount(summary.bodies)],
      ['  static', formatCount(summary.static)],
      ['shapes', formatCount(summary.shapes)],
    ],
    [1, 2],
  );
  const depths = formatTable(
    [
      ['deepest contacts', 'depth', 'kind', 'normal'],
      ...deepest.map(({ a, b, kind, distance, normal }) => [
        `  ${a}, ${b}`,
        digits(-distance),
        kind,
        normal.map((x) => x.toFixed(4)).join(' '),
      ]),
    ],
    [1],
  );
  const way = formatTable([
    ['backend', summary.backend],
    ['because', summary.reason],
    ['adapter', summary.adapter === null ? 'none' : formatAdapter({ ...NO_NAMES, ...summary.adapter })],
    ['threads', formatCount(summary.threads)],
    ['GPU memory', formatBytes(summary.gpuBytes)],
    ['peak memory', formatBytes(summary.peakMemoryBytes)],
    ...grown.map(({ list, capacity, needed }) => [
      `list of ${list}`,
      `grown: it had room for ${formatCount(capacity)}, and needed ${formatCount(needed)}`,
    ]),
  ]);
  const stage = (name: string, value: number) => [name, value === 0 ? undefined : value] as const;
  const times = formatSeconds([
    ['read', seconds.read],
    ['open device', seconds.open],
    ['prepare shapes', seconds.build],
    // A first call compiles kernels, which may take far longer than all else.
    [summary.backend === 'gpu' ? 'compile, upload' : 'upload', seconds.upload],
    // Either the stages of the CPU or the kernels of the GPU.
    stage('broad phase', seconds.broadphase),
    stage('nodes', seconds.nodes),
    stage('edges', seconds.edges),
    stage('patches', seconds.patches),
    stage('convex', seconds.convex),
    stage('planes', seconds.planes),
    stage('kernels', seconds.kernel),
    ['list', seconds.list],
    stage('read back', seconds.readback),
    ['write', seconds.write],
    ['total', seconds.total],
  ]);
  return [result, ...(deepest.length > 0 ? [depths] : []), way, times].join('\n\n');
}

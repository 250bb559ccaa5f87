/**
 * What `scree bench` writes: `report.json` (docs/bench-report.md). `report.html` shows the same. It has plain numbers
 * and texts only, so that a report from a browser arrives whole in Node. Units: seconds, bytes, points per second.
 * The shapes below are types and checks in one: a report has every field, or the error names the one that is missing.
 */
import { InputError } from '../index.ts';
import { amount, fields, flag, list, type Of, oneOf, optional, record, type Shape, text } from './shape.ts';
import { SUITE_NAMES } from './suite-names.ts';

/** Raised whenever a reader of older reports would misread a newer one. */
export const REPORT_VERSION = 1;

/** What pairs are asked. The thesis has the first three; the fourth is what it calls depth and distance in one. */
export const PAIR_QUESTIONS = ['intersect', 'penetration', 'distance', 'signed-distance'] as const;
export type PairQuestion = (typeof PAIR_QUESTIONS)[number];
/** On tables, on the page and in the terminal. */
export const QUESTION_LABELS: Readonly<Record<PairQuestion, string>> = {
  ...{ intersect: 'intersect', penetration: 'depth', distance: 'distance' },
  'signed-distance': 'signed distance',
};

const rising = fields({ min: amount, median: amount, max: amount, runs: amount });
/** Of repeated measurements of one thing. */
const spread: typeof rising = {
  check(value, at) {
    rising.check(value, at);
    const { min, median, max } = value as Spread;
    if (min <= median && median <= max) return;
    throw new InputError(`${at} is ${min}, ${median}, ${max}, expected min <= median <= max`);
  },
};

const way = {
  /** `cell-grid-gpu`, `multipole-well-chosen-gpu`, `three-mesh-bvh`, `copy` ... */
  key: text,
  label: text,
  kind: oneOf('scree', 'peer', 'yardstick'),
};

/** A statement of a paper beside what was measured here. */
const finding = fields({
  /** Figure or table: `Figure 7`. */
  source: text,
  /** In our own words. */
  statement: text,
  measured: text,
  /** `not judged`: numbers stand beside it, and no rule says whether they agree. */
  agrees: oneOf('yes', 'no', 'not judged', 'not measured'),
  /** Only in older reports: how ours differs. */
  why: optional(text),
});

/** A way made ready for a body. */
const setUp = fields({
  way: text,
  /** Number of points that it was made ready for; 0: for any. */
  points: amount,
  total: spread,
  /** Parts of `total` by name: check, build, trees, p2m ... */
  parts: record(spread),
  tableBytes: amount,
  gpuBytes: amount,
  /** Finest level of the trees, cells along the longest extent ... by name. */
  figures: record(amount),
});

/** Winding numbers beside exact ones, over points off the surface. */
const accuracy = fields({
  worst: amount,
  /** Root of the mean square. */
  rms: amount,
  meanBound: amount,
  largestBound: amount,
  /** Share of the points whose bound does not tell the side of 1/2. */
  open: amount,
  /** The bound over the error, over points with a bound above 0; missing where there are none. */
  boundOverError: optional(fields({ median: amount, percentile95: amount })),
});

/** A way asked about one set of points of a body. */
const run = fields({
  way: text,
  set: oneOf('grid', 'random', 'near'),
  points: amount,
  /** `extrapolated`: times of `measuredPoints` are scaled up to `points`. `left-out`: nothing was run, see `reason`. */
  status: oneOf('measured', 'extrapolated', 'left-out'),
  measuredPoints: amount,
  /** Why not all points were asked; empty for `measured`. */
  reason: text,
  /** Wall seconds of the calls and of their parts; `gpu`: kernels by the GPU's own timestamps, where it has them. */
  seconds: fields({
    ...{ total: spread, upload: spread, kernel: spread, readback: spread, exact: spread },
    gpu: optional(spread),
  }),
  /** `points` by `seconds.total`. */
  pointsPerSecond: spread,
  /** Medians over rounds of how many times as fast as three-mesh-bvh and the copy kernel; 0 where these did not run. */
  ratioToPeer: amount,
  ratioToCopy: amount,
  /** Method, backend and why, as the result told. */
  chosen: text,
  resolvedExactly: amount,
  /** Flags compared with exact ones, and how many of a peer's differed; a wrong one of scree's ends the run. */
  checked: amount,
  wrong: amount,
  gpuBytes: amount,
  accuracy: optional(accuracy),
});

const body = fields({
  name: text,
  /** `sphere` and `foam` are the paper's series. */
  series: oneOf('sphere', 'foam', 'other'),
  ...{ triangles: amount, vertices: amount, setUps: list(setUp), runs: list(run) },
});

/** A suite about points in bodies. */
const suite = fields({
  name: oneOf(...SUITE_NAMES),
  /** Everything that was compared, in the order of tables and legends. */
  ways: list(fields(way)),
  bodies: list(body),
  findings: list(finding),
});

/** Seconds that a call about pairs took for each of its parts; the rest are checks and copies. */
const parts = fields({
  ...{ upload: amount, kernel: amount, readback: amount },
  /** Redoing in float64 what float32 could not decide. */
  redo: amount,
});

/** A way asked one question about the pairs of a setting. */
const pairRun = fields({
  way: text,
  question: oneOf(...PAIR_QUESTIONS),
  /** Calls for a support point of both shapes, per pair: mean, and mean of the highest thousandth; 0: not told. */
  calls: fields({ mean: amount, highest: amount }),
  /** Pairs that the algorithm left to a surer one. */
  undecided: amount,
  /** Pairs held against the reference, and how many of a peer's are on the wrong side; scree's own end the run. */
  checked: amount,
  wrong: amount,
  /** Pairs whose side is not that of GJK in the same number format. */
  disagreeing: amount,
  /** Of depths and distances, relative to the pair's size: how far they are off at most, and on average. */
  error: fields({ worst: amount, mean: amount }),
  /** Mean depth over all pairs, those apart with 0; 0 where no depth was asked. */
  meanDepth: amount,
  /** Share of the intersecting pairs whose depth is within 1 % of the reference's; 0 where no depth was asked. */
  within: amount,
  /** Pairs of a timed call, what it took, and the rate. */
  timedPairs: amount,
  seconds: spread,
  /** Kernels by the GPU's own clock, where it has one. */
  gpu: optional(spread),
  /** Medians of a timed call; missing of a peer. */
  parts: optional(parts),
  pairsPerSecond: spread,
  /** Median over rounds of how many times as fast as Rapier; 0 where that did not run. */
  ratioToPeer: amount,
});

/** Random pairs in a cube. */
const setting = fields({
  /** That a pair intersects: what the cube was made for. */
  probability: amount,
  /** Share of the pairs that do intersect. */
  intersecting: amount,
  cubeSide: amount,
  pairs: amount,
  /** Over all pairs, those apart with depth 0 and those that intersect with distance 0; of the reference. */
  meanDepth: amount,
  meanDistance: amount,
  /** Pairs proven apart by a plane, to intersect by a common point, neither; depths that separating axes confirm. */
  proof: fields({ apart: amount, intersecting: amount, open: amount, depths: amount }),
  runs: list(pairRun),
});

/** Two shapes at all probabilities. */
const pairShape = fields({
  /** `box`, `ellipsoid`, `box-ellipsoid`, `round-box`, `polyhedron`, `cone`. */
  name: text,
  label: text,
  /** Sizes of both, in words. */
  sizes: text,
  settings: list(setting),
});

const pairWay = fields({
  ...way,
  algorithm: text,
  precision: oneOf('float32', 'float64'),
  /** Gap asked for between the bounds of a distance, relative to the pair's size; a peer has none. */
  tolerance: optional(amount),
});

/** A way asked one question about so many random pairs at once. */
const pairGrowth = fields({
  ...{ shape: text, way: text, question: oneOf(...PAIR_QUESTIONS), probability: amount, pairs: amount },
  seconds: spread,
  /** Medians. */
  parts,
  /** Of the arrays handed over and given back; and of the GPU's memory, 0 where it did no work. */
  ...{ hostBytes: amount, gpuBytes: amount },
});

const pairs = fields({
  ...{ ways: list(pairWay), shapes: list(pairShape), findings: list(finding) },
  /** How times grow with the number of pairs; the first reports are without. */
  growth: optional(list(pairGrowth)),
});

/** A way on a packing. */
const contactRun = fields({
  way: text,
  /** Making it ready, tables included. */
  setUpSeconds: amount,
  /** Of a step: a round's, by their number. */
  seconds: spread,
  /** Kernels of a step by the GPU's own clock, where it has one. */
  gpu: optional(amount),
  /** Medians of a step by name: broadphase, nodes, edges ... */
  stages: record(amount),
  /** Median over rounds of how many times as fast as Rapier; 0 where that did not run. */
  ratioToPeer: amount,
  /** Pairs whose bounds meet, contacts, and nodes that were looked up; of the last step. */
  ...{ pairs: amount, contacts: amount, nodesTested: amount, openContacts: amount, deepContacts: amount },
  /** Of the nodes, those in cells that are mixed or inside; 0 where that is not told. */
  nodesNear: amount,
  /** Lists that were too short at first. */
  grown: amount,
  gpuBytes: amount,
  /** Pairs of bodies held against the CPU's, and how many of a peer's are not as there; scree's own end the run. */
  checked: amount,
  wrong: amount,
});

const packing = fields({
  /** `sphere`, `hull`, `rock-80`, `rock-2048`. */
  ...{ kind: text, label: text, bodies: amount },
  /** How bodies came to lie as they do. */
  made: text,
  /** Bodies that one overlaps with, and how deep a pair is: means. */
  ...{ partners: amount, meanDepth: amount },
  runs: list(contactRun),
});

/** Depths of nodes beside other questions about the same points, one thread each: seconds of all points. */
const nodeDepths = fields({
  ...{ label: text, points: amount, depth: spread, classify: spread, peer: optional(spread) },
  /** Medians over rounds of depths' time over that of `classify`, and of the peer's over that of depths; or 0. */
  ...{ overClassify: amount, ratioToPeer: amount },
  /** Of one body: nodes, and bytes of all that is looked up in. */
  ...{ nodes: amount, tableBytes: amount },
});

const contacts = fields({
  ...{ ways: list(fields(way)), packings: list(packing), nodes: list(nodeDepths), findings: list(finding) },
  /** Steps of a round; lists of pairs are made anew in the first. */
  steps: amount,
});

/** A way of moving the bodies of a heap. */
const demRun = fields({
  way: text,
  setUpSeconds: amount,
  /** Wall time of a step: a round's, by their number. */
  seconds: spread,
  /** Simulated time of a step. */
  timeStep: amount,
  /** Medians of a step by name: contacts by their stages, forces, motion; the rest is in none. */
  stages: record(amount),
  /** Median over rounds of how many times as fast as Rapier: steps, and simulated time; 0 where that did not run. */
  ...{ ratioToPeer: amount, ratioOfTime: amount },
  /** Memory of the host, by what it holds more than before, and of the GPU; 0 where that is not told. */
  ...{ hostBytes: amount, gpuBytes: amount },
  /** After the last step: contacts, the deepest overlap, and a mean speed by the kinetic energy; 0 of a peer. */
  ...{ contacts: amount, deepest: amount, speed: amount },
  /** Energies held against the CPU's. */
  ...{ checked: amount, wrong: amount },
});

const demHeap = fields({
  /** `sphere`, `hull`, `rock-80`. */
  ...{ kind: text, label: text, bodies: amount, made: text },
  runs: list(demRun),
});

const dem = fields({ ways: list(fields(way)), packings: list(demHeap), findings: list(finding) });

/** How high stacks of a shape stand with so many iterations. */
const stack = fields({
  ...{ shape: oneOf('box', 'round-box'), label: text, iterations: amount },
  /** The tallest of the thesis. */
  thesis: amount,
  runs: list(
    fields({
      way: text,
      /** Boxes of the tallest stack that stands with each seed, and stacks that were tried. */
      ...{ tallest: amount, tried: amount },
      /** Wall time of collision detection for each box and step, and of all of it, seconds. */
      ...{ perCollision: amount, wall: amount },
    }),
  ),
});

const stacks = fields({
  ...{ ways: list(fields(way)), stacks: list(stack), findings: list(finding) },
  /** Simulated seconds that they stood, seeds of their shifts, and the most boxes that were tried. */
  ...{ seconds: amount, seeds: amount, most: amount },
});

const meshes = { label: text, triangles: amount };

const distanceCase = fields({
  ...meshes,
  /** How far the two meshes are apart, in sizes of one. */
  gap: amount,
  runs: list(
    fields({
      way: text,
      /** Of a call: how far they are apart, and whether they meet. */
      ...{ distance: spread, meet: spread },
      /** Pairs of nodes that a distance looks at; 0 of the peer. */
      visited: amount,
      /** Medians over rounds of how many times as fast as the peer; 0 where that did not run. */
      ...{ ratioOfDistance: amount, ratioOfMeet: amount },
      /** Distances held against another of scree's ways. */
      ...{ checked: amount, wrong: amount },
    }),
  ),
});

const distance = fields({
  ...{ ways: list(fields(way)), cases: list(distanceCase), findings: list(finding) },
  /** Building a tree; `overPeer`: median over rounds of how many times the peer's time, or 0. */
  setUps: list(fields({ ...meshes, way: text, seconds: spread, overPeer: amount })),
  /** Lower bounds of searches that were stopped, as shares of the distance. */
  stopped: list(fields({ ...meshes, gap: amount, visits: amount, lower: amount })),
});

const adapter = fields({
  ...{ vendor: text, architecture: text, device: text, description: text },
  software: flag,
});

const environment = fields({
  host: oneOf('node', 'browser'),
  /** Name and version: `Node 20.20.2`, `Chrome 143.0.7499.40`. */
  runtime: text,
  platform: text,
  /** Empty where the host does not tell. */
  cpu: text,
  cores: amount,
  /** 0 where the host does not tell. */
  memoryBytes: amount,
  adapter,
  /** Whether `seconds.gpu` comes from timestamps of the GPU; there is wall time in any case. */
  timestamps: flag,
  /** Versions of scree and of every package that took part. */
  versions: record(text),
  /** Load of the machine in the minute before, in processes; -1 where the host does not tell. */
  loadBefore: amount,
});

const REPORT = fields({
  format: oneOf('scree-bench'),
  version: { check() {} } as Shape<typeof REPORT_VERSION>,
  /** ISO 8601, UTC. */
  date: text,
  /** Commands that repeat the run, the first the one that made it. */
  commands: list(text),
  quick: flag,
  environment,
  /** Rate of the adapter's copy kernel over all rounds: the machine's yardstick. */
  copyBytesPerSecond: spread,
  /** Those about points in bodies. */
  suites: list(suite),
  /** Suite `pairs`, where it ran. */
  pairs: optional(pairs),
  /** Suite `contacts`, where it ran. */
  contacts: optional(contacts),
  /** Suite `dem`, where it ran. */
  dem: optional(dem),
  /** Suite `stacks`, where it ran. */
  stacks: optional(stacks),
  /** Suite `distance`, where it ran. */
  distance: optional(distance),
  /** What was left out or is not as asked, a sentence each: a peer that is not installed, a page that was hidden. */
  remarks: list(text),
});

export type BenchReport = Of<typeof REPORT>;
export type Environment = Of<typeof environment>;
export type Spread = Of<typeof rising>;
export type Finding = Of<typeof finding>;
export type SuiteReport = Of<typeof suite>;
export type WayReport = SuiteReport['ways'][number];
export type BodyReport = Of<typeof body>;
export type SetUpReport = Of<typeof setUp>;
export type RunReport = Of<typeof run>;
export type Accuracy = Of<typeof accuracy>;
export type PointSet = RunReport['set'];
export type PairsReport = Of<typeof pairs>;
export type PairWayReport = Of<typeof pairWay>;
export type PairShapeReport = Of<typeof pairShape>;
export type PairSettingReport = Of<typeof setting>;
export type PairProofReport = PairSettingReport['proof'];
export type PairRunReport = Of<typeof pairRun>;
export type PairGrowthReport = Of<typeof pairGrowth>;
export type PairParts = Of<typeof parts>;
export type ContactsReport = Of<typeof contacts>;
export type PackingReport = Of<typeof packing>;
export type ContactRunReport = Of<typeof contactRun>;
export type NodeDepthsReport = Of<typeof nodeDepths>;
export type DemReport = Of<typeof dem>;
export type DemHeapReport = Of<typeof demHeap>;
export type DemRunReport = Of<typeof demRun>;
export type StacksReport = Of<typeof stacks>;
export type StackReport = Of<typeof stack>;
export type DistanceReport = Of<typeof distance>;
export type DistanceCaseReport = Of<typeof distanceCase>;

/** Labels of ways by their keys. */
export const labelsOf = (ways: readonly WayReport[]) => (key: string) =>
  ways.find((way) => way.key === key)?.label ?? key;

/** What made a way ready for a run: for just its points, or for any. */
export function setUpFor({ setUps }: BodyReport, { way: key, points }: Pick<RunReport, 'way' | 'points'>) {
  const own = setUps.filter((one) => one.way === key);
  return own.find((one) => one.points === points) ?? own.find((one) => one.points === 0);
}

/** What a way answered about two shapes when asked a question: a run for each probability, in their order. */
export function pairRunsOf({ settings }: PairShapeReport, key: string, question: PairQuestion) {
  return settings.flatMap(({ runs }) => runs.filter((one) => one.way === key && one.question === question));
}

/** A report as JSON. Digits beyond the sixth are noise. Innermost objects, such as spreads, stand on one line. */
export function reportJson(report: BenchReport): string {
  const tidy = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
  const inOneLine = (_: string, members: string) => `{ ${members.trim().replace(/,\n\s*/g, ', ')} }`;
  return `${JSON.stringify(report, tidy, 1).replace(/\{\n([^{}[\]]*)\n\s*\}/g, inOneLine)}\n`;
}

/**
 * The report in the text of a `report.json`.
 *
 * @param name of the file, for messages
 * @throws InputError with the file's name: no JSON, no report of `scree bench`, another version, or a field is missing.
 */
export function parseReport(json: string, name: string): BenchReport {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    const [problem] = (cause as Error).message.split('\n', 1);
    throw new InputError(`${name}: no JSON (${problem}), expected a report.json of scree bench`, { cause });
  }
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown };
  if (format !== 'scree-bench') {
    const found = format === undefined ? 'no field "format"' : `format ${JSON.stringify(format)}`;
    throw new InputError(`${name}: ${found} found, expected "scree-bench", as report.json of scree bench has it`);
  }
  if (version !== REPORT_VERSION) {
    const found = `version ${JSON.stringify(version)} of the report found, expected ${REPORT_VERSION}`;
    throw new InputError(`${name}: ${found}: compare with the scree that made it, or run the benchmark again`);
  }
  try {
    REPORT.check(value, '');
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${name}: ${error.message}`) : error;
  }
  return value as BenchReport;
}

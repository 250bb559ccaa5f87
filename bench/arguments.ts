/** The command line of the benchmark. Bad usage is an InputError: one line, exit code 2. */
import { parseArgs } from 'node:util';
import { InputError } from '../src/errors.ts';
import type { AdapterPreference } from '../src/gpu/device.ts';
import {
  BODY_NAMES,
  type BodyName,
  DEFAULT_BODIES,
  MULTIPOLE_BODIES,
  MULTIPOLE_DEFAULT_BODIES,
  QUICK_BODIES,
  UNIFORM_BODIES,
} from './bodies.ts';

export const COMMANDS = ['inside', 'resolution', 'multipole', 'pairs-cpu'] as const;
export type CommandName = (typeof COMMANDS)[number];

/** What `multipole` measures; see docs/benchmarks.md. */
export const PARTS = ['errors', 'speed', 'depth', 'open'] as const;
export type Part = (typeof PARTS)[number];

export interface BenchOptions {
  readonly command: CommandName;
  /** Few points and small bodies: whether it runs, not how fast. */
  readonly quick: boolean;
  /** Folder of the results. */
  readonly out: string;
  readonly bodies: readonly BodyName[];
  /** Whether spheres of growing size are measured too. */
  readonly growth: boolean;
  /** Of `multipole`. */
  readonly parts: readonly Part[];
  /** Repetitions after the warm-up. */
  readonly repeat: number;
  readonly json: string | undefined;
  readonly markdown: string | undefined;
  readonly adapter: AdapterPreference;
}

const GROWTH = 'growth';
const ADAPTERS: readonly AdapterPreference[] = ['auto', 'hardware', 'software'];
const MOST_REPETITIONS = 1000;
const DEFAULT_REPETITIONS = { inside: 5, resolution: 3, multipole: 3, 'pairs-cpu': 15 } as const;

export const USAGE = `usage: npm run bench -- inside|resolution|multipole|pairs-cpu [options]

  inside      how fast points are classified, against three-mesh-bvh and a copy kernel
  resolution  how good the cell grid's cost model is: cells per axis against build and query time
  multipole   error, speed, choice of depth of the fast multipole method, and flags of a sphere with holes
  pairs-cpu   convex pairs per second on one thread, without bodies, adapters, charts and Markdown

  --bodies a,b,...   ${[...BODY_NAMES, GROWTH].join(', ')}
                     (--body is the same; ${GROWTH}: spheres of growing size, not for resolution;
                     multipole: ${MULTIPOLE_BODIES.join(', ')}, ${GROWTH})
  --parts a,b,...    multipole only: ${PARTS.join(', ')}; default all
  --repeat N         repetitions after the warm-up, default ${DEFAULT_REPETITIONS.inside}; resolution, multipole: ${DEFAULT_REPETITIONS.resolution},
                     pairs-cpu: ${DEFAULT_REPETITIONS['pairs-cpu']}
  --adapter KIND     ${ADAPTERS.join(', ')}; default auto: hardware where there is some
  --quick            few points and small bodies: whether it runs, not how fast
  --out DIR          folder for JSON and charts, default scree-out/bench
  --json FILE        the JSON goes there instead
  --markdown FILE    tables as Markdown: into the marked section of FILE, or a new file
  --help             print this
`;

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  out: { type: 'string', default: 'scree-out/bench' },
  bodies: { type: 'string' },
  body: { type: 'string' },
  parts: { type: 'string' },
  repeat: { type: 'string' },
  json: { type: 'string' },
  markdown: { type: 'string' },
  adapter: { type: 'string', default: 'auto' },
  help: { type: 'boolean', default: false },
} as const;

/** @returns undefined where help is asked for. @throws InputError for bad usage. */
export function parseArguments(args: readonly string[]): BenchOptions | undefined {
  const { values, positionals } = parseStrictly(args);
  if (values.help) return undefined;
  const [name, ...rest] = positionals;
  if (rest.length > 0) throw new InputError(`unexpected argument "${rest[0]}", expected options only`);
  const command = requireOneOf('command', name, COMMANDS);
  const { quick, out, json, markdown } = values;
  const chosen = chooseBodies(command, values.bodies ?? values.body, quick);
  return {
    command,
    quick,
    out,
    ...chosen,
    parts: chooseParts(command, values.parts),
    repeat: repetitions(values.repeat) ?? (quick ? 2 : DEFAULT_REPETITIONS[command]),
    json,
    markdown,
    adapter: requireOneOf('--adapter', values.adapter, ADAPTERS),
  };
}

function parseStrictly(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    // Node adds advice in further sentences.
    throw new InputError((error as Error).message.split(/\. |\n/, 1)[0]!);
  }
}

function requireOneOf<T extends string>(what: string, found: string | undefined, known: readonly T[]): T {
  const match = known.find((candidate) => candidate === found);
  if (match !== undefined) return match;
  const problem = found === undefined ? 'is missing' : `"${found}" is unknown`;
  throw new InputError(`${what} ${problem}, expected one of ${known.join(', ')}`);
}

function repetitions(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= MOST_REPETITIONS) return value;
  throw new InputError(`--repeat is "${text}", expected a whole number from 1 to ${MOST_REPETITIONS}`);
}

const BODIES: Record<
  CommandName,
  { readonly known: readonly BodyName[]; readonly usual: readonly BodyName[] }
> = {
  inside: { known: BODY_NAMES, usual: DEFAULT_BODIES },
  resolution: { known: BODY_NAMES, usual: UNIFORM_BODIES },
  multipole: { known: MULTIPOLE_BODIES, usual: MULTIPOLE_DEFAULT_BODIES },
  'pairs-cpu': { known: [], usual: [] },
};

function chooseBodies(command: CommandName, list: string | undefined, quick: boolean) {
  const { known, usual } = BODIES[command];
  if (command === 'pairs-cpu') {
    if (list !== undefined)
      throw new InputError('--bodies is not for pairs-cpu, which has shapes of its own');
    return { bodies: [], growth: false };
  }
  const grows = command !== 'resolution';
  if (list === undefined) return { bodies: quick ? QUICK_BODIES : usual, growth: grows };
  const names = namesOf(list);
  for (const name of names) requireOneOf('--bodies:', name, grows ? [...known, GROWTH] : known);
  return {
    bodies: names.filter((name): name is BodyName => name !== GROWTH),
    growth: names.includes(GROWTH),
  };
}

const namesOf = (list: string) => [...new Set(list.split(',').map((name) => name.trim()))];

function chooseParts(command: CommandName, list: string | undefined): readonly Part[] {
  if (list === undefined) return PARTS;
  if (command !== 'multipole') throw new InputError(`--parts is for multipole, not for ${command}`);
  return namesOf(list).map((name) => requireOneOf('--parts:', name, PARTS));
}

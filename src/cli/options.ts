/** Options that several commands share, and the checking of their values. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { BACKENDS } from '../gpu/backend.ts';
import type { AdapterPreference, Backend } from '../index.ts';
import { METHODS, RULES } from '../inside/classification.ts';
import { DASH } from './files.ts';

/** What all commands have that can print JSON, and show progress. */
export interface OutputFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** What all commands have that may work on a device. */
export interface DeviceFlags {
  readonly backend: Backend | 'auto';
  readonly adapter: AdapterPreference;
}

const ADAPTERS: Record<AdapterPreference, true> = { auto: true, hardware: true, software: true };

export function adapterOption(): Option {
  return new Option('--adapter <kind>', 'which WebGPU adapter: auto takes a GPU if there is one')
    .choices(Object.keys(ADAPTERS))
    .default('auto');
}

export function methodOption(): Option {
  return new Option('--method <method>', 'how points are tested')
    .choices(['auto', ...METHODS])
    .default('auto');
}

export function backendOption(): Option {
  return new Option(
    '--backend <backend>',
    'where: auto takes the GPU if it is hardware, and whichever adapter --adapter asks for',
  )
    .choices(['auto', ...BACKENDS])
    .default('auto');
}

/** The backend to ask the library for. A user who names an adapter wants that adapter to do the work. */
export function wantedBackend(flags: DeviceFlags): Backend | 'auto' {
  return flags.backend === 'auto' && flags.adapter !== 'auto' ? 'gpu' : flags.backend;
}

/** Why a backend did the work. If `--adapter` decided and not `--backend`, the reason has to say so. */
export function reasonOf(reason: string, flags: DeviceFlags): string {
  if (flags.backend === wantedBackend(flags)) return reason;
  return reason.replace('gpu was asked for', `--adapter ${flags.adapter} was asked for`);
}

export function ruleOption(): Option {
  return new Option(
    '--rule <rule>',
    'inside means: odd number of crossings, winding number not zero, or generalised winding number above 1/2, ' +
      'which open and damaged meshes have too',
  )
    .choices(RULES)
    .default('odd');
}

export function weldOption(): Option {
  return new Option(
    '--weld <distance>',
    'also merge vertices closer than this, in the unit of the mesh',
  ).argParser(number({ above: 0 }));
}

/** The library's own bound, LARGEST_CELLS_PER_AXIS. */
const LARGEST_CELLS = 4095;

export function cellsOption(): Option {
  return new Option(
    '--cells <n>',
    'cell-grid: cells along the longest side of the mesh, instead of the best number',
  ).argParser(wholeNumber(1, LARGEST_CELLS));
}

/** The library's own bound on `chunkPoints`, 2^26. */
const LARGEST_CHUNK = 67_108_864;
/** As many points as the library's `classify` takes at once, so that both settle the same points in the same way. */
export const DEFAULT_CHUNK = 1_048_576;

export function chunkOption(what: string): Option {
  return new Option('--chunk <points>', `${what} (default ${DEFAULT_CHUNK})`).argParser(
    wholeNumber(1, LARGEST_CHUNK),
  );
}

/** The library's own bound for worker threads. */
const MOST_THREADS = 1024;

/** @param each ends what is said of the default */
export function threadsOption(what: string, each = ''): Option {
  const text = `${what} (default: one per core, at most 8${each})`;
  return new Option('--threads <n>', text).argParser(wholeNumber(1, MOST_THREADS));
}

/** Threads are for the CPU: a user who asks for both wants one of them. */
export function requireThreadsOnCpu(
  { threads, backend }: { readonly threads?: number; readonly backend: Backend | 'auto' },
  command: Command,
): void {
  if (threads === undefined || backend !== 'gpu') return;
  command.error('error: --threads is for the CPU, found --backend gpu');
}

/** Timers of JavaScript reach 24 days. */
const LONGEST_SECONDS = 2_000_000;

export function stopAfterOption(): Option {
  return new Option(
    '--stop-after <seconds>',
    'save after this time, and end with exit code 75, to be gone on from later',
  ).argParser(number({ above: 0, to: LONGEST_SECONDS }));
}

export function jsonOption(): Option {
  return new Option('--json', 'print one JSON object instead of text');
}

export function seedOption(): Option {
  return new Option('--seed <seed>', 'equal seeds give equal bodies')
    .argParser(wholeNumber(0, 2 ** 32 - 1))
    .default(1);
}

/** Adds the options of every command after its own. cli.ts looks for `--debug` in the arguments. */
export function withCommonOptions(command: Command): Command {
  return command
    .option('--quiet', 'no progress on standard error')
    .option('--debug', 'with an error, also print where it came from')
    .helpOption('-h, --help', 'print help');
}

/** A parser for commander: a whole number within bounds. @param hint what to do beyond them */
export function wholeNumber(least: number, most: number, hint = ''): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new InvalidArgumentError(
        `Expected a whole number from ${least} to ${most}.${hint === '' ? '' : ` ${hint}`}`,
      );
    }
    return value;
  };
}

/** A parser for commander: a finite number greater than `above`, or from `from` to `to`. */
export function number(
  bounds: { above: number; to?: number } | { from: number; to: number },
): (text: string) => number {
  const { to = Infinity } = bounds;
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    const isGood = ('above' in bounds ? value > bounds.above : value >= bounds.from) && value <= to;
    if (!isGood || !Number.isFinite(value)) {
      const wanted =
        'above' in bounds
          ? `greater than ${bounds.above}${to < Infinity ? ` and at most ${to}` : ''}`
          : `from ${bounds.from} to ${to}`;
      throw new InvalidArgumentError(`Expected a number ${wanted}.`);
    }
    return value;
  };
}

/** The suffix of a path in lower case, without its dot. Ends the command if it is none of those given. */
export function suffixOf<T extends string>(
  path: string,
  option: string,
  suffixes: readonly T[],
  command: Command,
): T {
  if (path === DASH) {
    command.error(
      `error: option '${option}': standard output is for the report, expected the name of a file`,
    );
  }
  const found = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
  const suffix = suffixes.find((known) => known === found);
  if (suffix === undefined) {
    const known = suffixes.map((s) => `.${s}`).join(', ');
    const has = found === undefined ? 'no suffix' : `the suffix .${found}`;
    command.error(`error: option '${option}': ${path} has ${has}, expected ${known}`);
  }
  return suffix;
}

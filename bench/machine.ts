/** On what a run was made: figures mean nothing without it. */
import { cpuFacts } from '../src/cli/bench-node.ts';
import { formatAdapter } from '../src/cli/format.ts';
import { installedVersion } from '../src/cli/versions.ts';
import type { AdapterSummary, Device } from '../src/gpu/device.ts';
import { commit } from './project.ts';

const PACKAGES = ['scree', 'webgpu', 'typegpu', 'robust-predicates', 'three', 'three-mesh-bvh'] as const;

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly platform: string;
  readonly node: string;
  readonly adapter: AdapterSummary | undefined;
  readonly versions: Readonly<Record<(typeof PACKAGES)[number], string>>;
  /** Checked-out commit, `+` with local changes. */
  readonly commit: string | undefined;
  /** ISO 8601, UTC. */
  readonly date: string;
  readonly command: string;
  /** Processes that wanted to run in the minute before: near 0 on a quiet machine. */
  readonly loadBefore: number;
}

export function describeMachine(device: Device | undefined, args: readonly string[]): Machine {
  const versions = Object.fromEntries(PACKAGES.map((name) => [name, installedVersion(name) ?? 'unknown']));
  return {
    ...cpuFacts(),
    node: process.versions.node,
    adapter: device?.adapter,
    versions: versions as Machine['versions'],
    commit: commit(),
    date: new Date().toISOString(),
    command: ['npm run bench --', ...args].join(' '),
  };
}

/** The same in two lines, for tables and charts. */
export function machineLines(machine: Machine): string[] {
  const { cpu, cores, node, adapter, versions, date, loadBefore } = machine;
  const gpu = adapter ? `adapter ${formatAdapter(adapter)}` : 'no adapter';
  return [
    `${cpu}, ${cores} cores, Node ${node}, ${gpu}`,
    `scree ${versions.scree} ${machine.commit ?? ''}, three-mesh-bvh ${versions['three-mesh-bvh']}, ${date.slice(0, 10)}, load before ${loadBefore}`,
  ];
}

/** More than this many processes wanting to run before a benchmark has begun are others'. */
const BUSY_LOAD = 0.7;

/** A warning for readers of the tables; undefined where the machine was quiet. */
export function busyNote({ loadBefore, cores }: Machine): string | undefined {
  if (loadBefore < BUSY_LOAD) return undefined;
  return `The machine was busy with other work (load ${loadBefore} before the run, ${cores} cores): read the ratios, not the times.`;
}

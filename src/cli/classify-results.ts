/** The results of `scree classify`: files, a report for people, one JSON object for programs. */

import { basename } from 'node:path';
import type { Method, Rule, TriangleMesh } from '../index.ts';
import { type OpenJob, type ShardFlags, shareFields, shareRow } from './cluster/shards.ts';
import { adapterFields, formatCount } from './format.ts';
import { nameOf } from './input.ts';
import type { DeviceFlags, OutputFlags } from './options.ts';
import { printJson, writeFileAtomically } from './output.ts';
import { formatOutcome, type Outcome, peakMemoryBytes, type StageSeconds } from './run.ts';

export const FLAG_SUFFIXES = ['npy', 'csv', 'vtp'] as const;

export interface ClassifyFlags extends ShardFlags, OutputFlags, DeviceFlags {
  readonly points?: string;
  readonly grid?: number;
  readonly margin?: number;
  readonly chunk?: number;
  readonly weld?: number;
  readonly method: Method | 'auto';
  readonly cells?: number;
  readonly rule: Rule;
  readonly cull: boolean;
  readonly out?: string;
  readonly savePoints?: string;
  readonly slice?: string;
  readonly sliceAxis?: 'x' | 'y' | 'z';
  readonly slicePlace?: number;
}

export interface Results {
  readonly flags: ClassifyFlags;
  readonly outSuffix: (typeof FLAG_SUFFIXES)[number] | undefined;
  readonly mesh: TriangleMesh;
  readonly points: Float32Array;
  readonly outcome: Outcome & { readonly flags: Uint8Array };
  readonly signal: AbortSignal;
}

export async function writeResults({
  flags,
  outSuffix,
  mesh,
  points,
  outcome,
  signal,
}: Results): Promise<void> {
  const { encodeCsv, encodeNpy, encodeVtp, sliceSvg } = await import('../index.ts');
  if (flags.out !== undefined) {
    const data = { points, flags: outcome.flags };
    const bytes = () =>
      outSuffix === 'csv'
        ? encodeCsv(data)
        : outSuffix === 'vtp'
          ? encodeVtp(data)
          : encodeNpy(outcome.flags, [outcome.flags.length]);
    await writeFileAtomically(flags.out, bytes, { signal });
  }
  if (flags.savePoints !== undefined) {
    const bytes = () => encodeNpy(points, [points.length / 3, 3]);
    await writeFileAtomically(flags.savePoints, bytes, { signal });
  }
  if (flags.slice !== undefined) {
    const triangles = formatCount(mesh.triangleCount);
    const picture = () =>
      sliceSvg({
        mesh,
        points,
        flags: outcome.flags,
        n: flags.grid!,
        title: `${basename(mesh.name)}: ${triangles} triangles, ${formatCount(points.length / 3)} points`,
        ...(flags.sliceAxis !== undefined && { axis: flags.sliceAxis }),
        ...(flags.slicePlace !== undefined && { place: flags.slicePlace }),
      });
    await writeFileAtomically(flags.slice, picture, { signal });
  }
}

/** How the points were read. */
export interface Reading {
  /** Whether their file was read chunk by chunk. */
  readonly streamed: boolean;
  readonly chunkPoints?: number;
  /** Why a file that might have been streamed was read at once. */
  readonly readAtOnce?: string | undefined;
}

export interface Report {
  readonly meshPath: string;
  readonly flags: ClassifyFlags;
  /** Files written. */
  readonly outputs: readonly string[];
  readonly outcome: Outcome;
  readonly seconds: StageSeconds;
  readonly reading: Reading;
  /** Of a share. */
  readonly rows?: OpenJob['rows'];
}

/** Prints what was done on standard output. */
export function report({ meshPath, flags, outputs, outcome, seconds, reading, rows }: Report): void {
  if (flags.json) {
    const share = shareFields(flags.shard, rows);
    printJson({
      ...toJson({ outcome, seconds, flags, reading }),
      ...share,
      ...(share && { out: outputs[0] }),
    });
    return;
  }
  const { streamed, chunkPoints, readAtOnce } = reading;
  const read = streamed ? `in chunks of ${formatCount(chunkPoints!)}` : `at once: ${readAtOnce}`;
  const how = streamed || readAtOnce !== undefined ? [['points read', read]] : [];
  const written = outputs.map((path) => `\nwrote ${path}`).join('');
  const text = formatOutcome(outcome, seconds, [...how, ...shareRow(flags.shard, rows)]);
  process.stdout.write(`${nameOf(meshPath)}\n\n${text}\n${written}${written && '\n'}`);
}

function toJson({
  outcome,
  seconds,
  flags,
  reading,
}: Pick<Report, 'outcome' | 'seconds' | 'flags' | 'reading'>): object {
  const { counts, adapter } = outcome;
  const { out, savePoints, slice } = flags;
  return {
    points: counts.points,
    outside: counts.outside,
    inside: counts.inside,
    boundary: counts.boundary,
    resolvedExactly: outcome.resolvedExactly,
    undecided: outcome.undecided,
    method: outcome.method,
    rule: outcome.rule,
    backend: outcome.backend,
    reason: outcome.reason,
    adapter: adapterFields(adapter),
    triangles: outcome.triangles,
    seconds,
    tableBytes: outcome.tableBytes,
    gpuBytes: outcome.gpuBytes,
    peakMemoryBytes: peakMemoryBytes(),
    ...reading,
    out,
    savedPoints: savePoints,
    slice,
  };
}

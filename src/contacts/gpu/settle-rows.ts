/** Float64 finds the contacts that kernels leave open, or have no code for. */
import { OPEN_HEADER } from '../../convex/gpu/pair-layout.ts';
import type { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { WORD } from '../../gpu/words.ts';
import type { ResolvedBodies } from '../bodies/check-bodies.ts';
import type { ColliderPairs } from '../bodies/collider-pairs.ts';
import type { Colliders } from '../bodies/colliders.ts';
import { pairsNearPlanes, possiblePlanePairs } from '../bodies/plane-pairs.ts';
import { STAGES, type Stage } from '../cpu/contacts-task.ts';
import type { DetectionWatch, HostStages, PosedBodies, StagesFound } from '../cpu/host-stages.ts';
import type { FacedColliders } from '../faces/face-table.ts';
import { ContactKind, ContactStatus } from '../list/contact-arrays.ts';
import { type ContactRows, joinRows, rowsBetween } from '../list/contact-sink.ts';
import { pairsWithUnknownFaces } from '../planes/planes-on-device.ts';
import type { GpuContacts } from './gpu-contacts.ts';
import { ContactHeader } from './header.ts';
import { readRecords } from './read-contacts.ts';
import { rowsOfRecords, withRedone } from './records.ts';

/** Contacts that kernels found, and pairs that they left open. */
export interface ReadRows {
  readonly rows: ContactRows;
  /** `[k * 2]`: colliders of the convex pairs that float32 leaves open, in order. Some have no row. */
  readonly open: Uint32Array;
}

/**
 * The contacts of a step that there was room for, and what it left open.
 *
 * @param header of the step
 * @param firsts of `firstCollidersOf`
 */
export async function readRows(
  device: Device,
  pool: BufferPool,
  contacts: GpuContacts,
  header: Uint32Array,
  firsts: Uint32Array,
): Promise<ReadRows> {
  const { convex, capacity } = contacts;
  const open = header[ContactHeader.open]!;
  // Open pairs are numbers of those that were solved: no more than there are.
  const solved = Math.min(header[ContactHeader.pairs]!, capacity.pairs);
  const more =
    open === 0
      ? []
      : [
          { buffer: convex!.open, bytes: WORD * (OPEN_HEADER + open) },
          { buffer: convex!.solved, bytes: 2 * WORD * solved },
        ];
  const [records, list, pairs] = await readRecords(device, pool, contacts, header, more);
  const numbers = list?.slice(OPEN_HEADER).sort() ?? [];
  const colliders = Array.from(numbers, (number) => [...pairs!.subarray(2 * number, 2 * number + 2)]);
  return { rows: rowsOfRecords(records!, firsts), open: Uint32Array.from(colliders.flat()) };
}

/** Pairs with planes that kernels have no code for. */
export function planePairsOnHost({ colliders, convex }: FacedColliders, bodies: ResolvedBodies): Uint32Array {
  return pairsWithUnknownFaces(colliders, convex, possiblePlanePairs(colliders, bodies));
}

/**
 * Rows of kernels with those of open pairs found anew, in order, and what the host found.
 *
 * @param onPlanes of `planePairsOnHost`
 */
export async function settleRows(
  { table, stages }: { readonly table: FacedColliders; readonly stages: HostStages },
  onPlanes: Uint32Array,
  { rows: own, open: openConvex }: ReadRows,
  { poses, absent }: PosedBodies,
  watch: DetectionWatch,
): Promise<{ readonly rows: ContactRows[]; readonly host: StagesFound }> {
  const { colliders }: { colliders: Colliders } = table;
  const lists: Partial<Record<Stage, ColliderPairs>> = {};
  lists.planes = { pairs: pairsNearPlanes({ colliders, poses, absent }, onPlanes) };
  const ownOf = (kind: ContactKind) => rowsBetween(own, firstOf(own, kind), firstOf(own, kind + 1));
  const [nodes, edges] = [ownOf(ContactKind.node), ownOf(ContactKind.edge)];
  const patches = ownOf(ContactKind.patch);
  const open: Partial<Record<Stage, Uint32Array>> = {
    ...{ nodes: doubtfulPairs(nodes), edges: doubtfulPairs(edges), patches: doubtfulPairs(patches) },
    convex: inOrder(openConvex, doubtfulPairs(ownOf(ContactKind.convex))),
  };
  for (const [stage, pairs] of Object.entries(open)) lists[stage as Stage] = { pairs };
  const host = await stages.run(lists, poses, watch);
  const redone = (stage: 'nodes' | 'edges' | 'patches' | 'convex', rows: ContactRows) =>
    withRedone(rows, open[stage]!, joinRows(host.rows[stage] ?? []));
  const byStage = {
    ...host.rows,
    ...{
      nodes: redone('nodes', nodes),
      edges: redone('edges', edges),
      patches: redone('patches', patches),
    },
    convex: redone('convex', ownOf(ContactKind.convex)),
    planes: withRedone(ownOf(ContactKind.plane), onPlanes, joinRows(host.rows.planes ?? [])),
  };
  return { rows: STAGES.flatMap((stage) => byStage[stage] ?? []), host };
}

/** Number of the first row of a kind, or of one after it. */
function firstOf({ kinds, count }: ContactRows, kind: number): number {
  const first = kinds.findIndex((one) => one >= kind);
  return first < 0 ? count : first;
}

/** Colliders of pairs with a contact that float32 is not sure of, in order. */
function doubtfulPairs({ colliders, statuses, count }: ContactRows): Uint32Array {
  const pairs: number[] = [];
  for (let i = 0; i < count; i++) {
    if (statuses[i] !== ContactStatus.open && statuses[i] !== ContactStatus.bounded) continue;
    const [a, b] = [colliders[2 * i]!, colliders[2 * i + 1]!];
    if (pairs.at(-2) !== a || pairs.at(-1) !== b) pairs.push(a, b);
  }
  return Uint32Array.from(pairs);
}

/** Pairs of two lists, in order and each once. */
function inOrder(one: Uint32Array, other: Uint32Array): Uint32Array {
  const pairs = Array.from({ length: (one.length + other.length) / 2 }, (_, i) => {
    const [list, at] = 2 * i < one.length ? [one, 2 * i] : [other, 2 * i - one.length];
    return [list[at]!, list[at + 1]!] as const;
  }).sort(([a, b], [c, d]) => a - c || b - d);
  const isNew = ([a, b]: readonly [number, number], i: number) =>
    i === 0 || a !== pairs[i - 1]![0] || b !== pairs[i - 1]![1];
  return Uint32Array.from(pairs.filter(isNew).flat());
}

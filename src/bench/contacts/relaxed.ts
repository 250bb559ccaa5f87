/** Bodies that give way to each other, by scree's own contacts: packings of shapes of any kind. */
import { ContactPipeline } from '../../index.ts';
import { type Cell, latticeCell, type PackedKind } from './packings.ts';

/** Share of the deepest overlap with each partner that a body gives way to in a sweep. All others do the same. */
const GIVING_WAY = 0.4;
/** Share of its last move that a body goes on by. */
const MOMENTUM = 0.7;
/** Lattice constants around the cell within which copies of its bodies stand, for those inside to touch. */
const SHELL = 1.3;

/**
 * A cell whose bodies have given way to each other, `sweeps` times, and to copies of those beyond the cell's sides: in
 * repeated cells they touch across the sides as within.
 */
export async function relaxedCell(
  kind: PackedKind,
  { count, across, sweeps }: { readonly count: number; readonly across: number; readonly sweeps: number },
  signal?: AbortSignal,
): Promise<Cell> {
  const constant = Math.cbrt((Math.SQRT2 * kind.volume) / kind.filled);
  const cell = latticeCell(kind, count, across, constant);
  const { shapes, poses, period } = cell;
  const copies = copiesAround(cell, SHELL * constant);
  const all = new Float64Array(poses.length + 7 * copies.length);
  const moves = new Float64Array(3 * count);
  // Copies are in a group of their own, and touch bodies of the cell alone.
  const isCopy = Array.from({ length: count + copies.length }, (_, i) => i >= count);
  const bodies = {
    shapes: Uint32Array.from([...shapes, ...copies.map(({ of }) => shapes[of]!)]),
    groups: Uint32Array.from(isCopy, (one) => (one ? 2 : 1)),
    masks: Uint32Array.from(isCopy, (one) => (one ? 1 : 3)),
  };
  const pipeline = await ContactPipeline.create(undefined, kind.shapes, { bodies, signal });
  try {
    for (let sweep = 0; sweep < sweeps; sweep++) {
      all.set(poses);
      for (const [n, { of, shift }] of copies.entries()) {
        const at = 7 * (count + n);
        all.set(poses.subarray(7 * of, 7 * of + 7), at);
        for (let k = 0; k < 3; k++) all[at + k]! += shift[k]! * period[k]!;
      }
      const found = await pipeline.detect({ poses: all, backend: 'cpu', signal });
      for (const i of deepestOf(found)) {
        for (const [side, sign] of [-1, 1].entries()) {
          const body = found.bodies[2 * i + side]!;
          if (body >= count) continue;
          const way = -sign * GIVING_WAY * found.distances[i]!;
          for (let k = 0; k < 3; k++) moves[3 * body + k]! += way * found.normals[3 * i + k]!;
        }
      }
      for (let i = 0; i < moves.length; i++) {
        poses[7 * Math.floor(i / 3) + (i % 3)]! += moves[i]!;
        moves[i]! *= MOMENTUM;
      }
    }
  } finally {
    pipeline.destroy();
  }
  return { ...cell, made: `in a lattice, then ${sweeps} times out of each other’s way` };
}

/** Copies of bodies, shifted by whole periods, within `reach` of the cell. */
function copiesAround({ shapes, poses, period }: Cell, reach: number) {
  const copies: { readonly of: number; readonly shift: readonly number[] }[] = [];
  for (let n = 0; n < 27; n++) {
    const shift = [(n % 3) - 1, (Math.floor(n / 3) % 3) - 1, Math.floor(n / 9) - 1];
    if (shift.every((one) => one === 0)) continue;
    for (let of = 0; of < shapes.length; of++) {
      const isNear = shift.every((one, k) => {
        const place = poses[7 * of + k]! + one * period[k]!;
        return place > -reach && place < period[k]! + reach;
      });
      if (isNear) copies.push({ of, shift });
    }
  }
  return copies;
}

interface Found {
  readonly count: number;
  readonly bodies: Uint32Array;
  readonly distances: Float64Array;
}

/** The deepest contact of each pair of bodies that overlaps, in the order in which pairs come. */
export function deepestOf({ count, bodies, distances }: Found): number[] {
  const deepest = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    if (!(distances[i]! < 0)) continue;
    const pair = bodies[2 * i]! * 2 ** 26 + bodies[2 * i + 1]!;
    const other = deepest.get(pair);
    if (other === undefined || distances[i]! < distances[other]!) deepest.set(pair, i);
  }
  return [...deepest.values()];
}

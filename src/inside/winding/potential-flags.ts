/** Flags from a potential, as `Polyhedron` uses a method: see docs/multipole.md, "Flags". */
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import {
  BOUNDARY,
  doubtfulOf,
  type Expansion,
  INSIDE,
  OUTSIDE,
  type Rule,
  requireStillFinite,
} from '../classification.ts';
import { coordinatesOf, type ExactTest, eachInSlices } from '../exact.ts';
import { CHUNK, type StageSeconds } from '../method.ts';
import { certifyClosed, certifyWinding } from '../multipole/certify.ts';
import { gatherPoints } from '../potential/gather-points.ts';
import type { Potential, PotentialRun } from '../potential/potential.ts';
import type { LaneParts, PieceWatch, Settle, Slot } from '../stream/lane.ts';
import { CERTIFYING_TOLERANCES, FLAG_TOLERANCE, SETTLING_TOLERANCE } from './constants.ts';
import type { Potentials } from './potentials.ts';

export interface FlagsOptions {
  readonly rule: Rule;
  /** Of backend `gpu`. */
  readonly device: Device | undefined;
  readonly seconds: StageSeconds;
  readonly settle: Settle;
}

/**
 * A lane of one piece at a time: only reading and writing go on beside it.
 *
 * @param potential set up; the caller owns it
 */
export function flagsLane(potential: Potential, options: FlagsOptions): LaneParts {
  const { settle } = options;
  return {
    slots: [new PotentialSlot(potential, options)],
    pieceSize: () => CHUNK,
    settle,
    tableBytes: () => potential.tableBytes,
    tablesOnGpu: () => potential.gpuBytes,
    expansion: expansionOf(potential),
  };
}

class PotentialSlot implements Slot {
  readonly #potential: Potential;
  readonly #options: FlagsOptions;
  readonly #work: BufferPool | undefined;

  constructor(potential: Potential, options: FlagsOptions) {
    this.#potential = potential;
    this.#options = options;
    this.#work = options.device && new BufferPool(options.device);
  }

  get gpuBytes(): number {
    return this.#work?.peakBytes ?? 0;
  }

  async run(points: Float32Array, flags: Uint8Array, watch: PieceWatch): Promise<Uint32Array> {
    const { rule, seconds } = this.#options;
    const count = flags.length;
    const values = new Float32Array(count);
    const bounds = new Float32Array(count);
    const run = { rule, tolerance: FLAG_TOLERANCE, signal: watch.signal, onProgress: watch.onSlice };
    const scratch = { work: this.#work, stages: seconds };
    await this.#potential.evaluate({ points, values, bounds }, run, scratch);
    requireStillFinite(points);
    const evaluated = performance.now();
    flags.set(
      rule === 'winding' ? certifyWinding({ values, bounds }) : certifyClosed({ values, bounds }, rule),
    );
    let doubtful = doubtfulOf(flags);
    seconds.classify += (performance.now() - evaluated) / 1000;
    if (rule === 'winding' && this.#potential.heedsTolerance) {
      for (const tolerance of CERTIFYING_TOLERANCES) {
        // A bound of 1 or more says that the point is as good as on a triangle.
        const some = doubtful.filter((i) => bounds[i]! < 1);
        await this.#certifyAgain(points, flags, some, { ...run, tolerance, onProgress: undefined });
        doubtful = doubtfulOf(flags);
      }
    }
    return doubtful;
  }

  /** Rule `winding` from more precise values: exact predicates need a tree of the whole mesh. */
  async #certifyAgain(
    points: Float32Array,
    flags: Uint8Array,
    some: Uint32Array,
    run: PotentialRun,
  ): Promise<void> {
    if (some.length === 0) return;
    const asked = {
      points: gatherPoints(points, some),
      values: new Float32Array(some.length),
      bounds: new Float32Array(some.length),
    };
    const scratch = { work: this.#work, stages: this.#options.seconds };
    await this.#potential.evaluate(asked, run, scratch);
    certifyWinding(asked).forEach((flag, n) => {
      flags[some[n]!] = flag;
    });
  }

  close(): void {
    this.#work?.destroy();
  }
}

/** Undefined for all but the multipole method. */
function expansionOf({ degree, separation, level, setUpSeconds = {} }: Potential): Expansion | undefined {
  return degree === 0 ? undefined : { degree, separation, level, setUpSeconds };
}

/**
 * Settles points by rule `winding` whose potential was too near to 1/2 for its bound. Those on a triangle are found
 * exactly; for the others J is summed up again, more precisely. Points within even that bound of 1/2 remain undecided.
 *
 * @param onTriangle exact predicates, which on an open mesh only tell whether a point is on a triangle
 */
export function settleByWinding({
  potentials,
  onTriangle,
}: {
  readonly potentials: Potentials;
  readonly onTriangle: (signal: AbortSignal | undefined) => Promise<ExactTest>;
}): Settle {
  return async (points, flags, doubtful, { signal }) => {
    if (doubtful.length === 0) return 0;
    const exact = await onTriangle(signal);
    const found: number[] = [];
    await eachInSlices(doubtful, { signal }, (i) => {
      if (exact.isOn(...coordinatesOf(points, i))) flags[i] = BOUNDARY;
      else found.push(i);
    });
    const off = Uint32Array.from(found);
    if (off.length === 0) return 0;
    const isSettled = (value: number, bound: number) => Math.abs(value - 0.5) > bound;
    const { values, bounds } = await potentials.sharpen(gatherPoints(points, off), {
      run: { rule: 'winding', signal },
      tolerance: SETTLING_TOLERANCE,
      isSettled,
    });
    let undecided = 0;
    off.forEach((i, n) => {
      flags[i] = values[n]! > 0.5 ? INSIDE : OUTSIDE;
      if (!isSettled(values[n]!, bounds[n]!)) undecided++;
    });
    return undecided;
  };
}

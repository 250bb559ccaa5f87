/** What the solver is given: 0 = f(y', y, t). */
import type { Matrix } from 'ml-matrix';

/** A state: a time, the unknowns, and their rates. */
export interface DaeState {
  readonly time: number;
  readonly y: Float64Array;
  readonly rates: Float64Array;
}

/** Integrals beside the state: they are in no row of f, and no error test asks for them. */
export interface Quadratures {
  readonly count: number;
  /** Writes the rates of all integrals. */
  rates(state: DaeState, out: Float64Array): void;
}

/** Functions whose changes of sign are found. */
export interface RootFunctions {
  readonly count: number;
  values(state: DaeState, out: Float64Array): void;
}

export interface DaeSystem {
  /** Unknowns, and rows of f. */
  readonly count: number;
  /**
   * Writes f. Numbers that are not finite make the step shorter.
   *
   * @throws what ends the run
   */
  residual(state: DaeState, out: Float64Array): void;
  /** `[count]`: what each unknown may be off by beside the relative tolerance, in its unit. Above 0. */
  readonly absoluteTolerances: Float64Array;
  /** `[count]`: usual sizes of the unknowns, for differences. Default: their weights alone say. */
  readonly sizes?: Float64Array | undefined;
  /** `[count]`: 0 for unknowns that the error test leaves out, as multipliers. Default: all are tested. */
  readonly isTested?: Uint8Array | undefined;
  /** `[count]`: 1 for rows without rates, f_c. A consistent start needs it. Default: none. */
  readonly isConstraint?: Uint8Array | undefined;
  /** Rows in which each unknown stands. Those that share none are differenced together. Default: all rows. */
  readonly rowsOf?: readonly ArrayLike<number>[] | undefined;
  /** Columns of df/dy' factor + df/dy that need no differences. */
  readonly known?:
    | {
        /** `[count]`: 1 for columns that `write` fills in. */
        readonly isKnown: Uint8Array;
        write(state: DaeState, factor: number, matrix: Matrix): void;
      }
    | undefined;
  readonly quadratures?: Quadratures | undefined;
  readonly roots?: RootFunctions | undefined;
  /** The name of an unknown, for messages. */
  nameOf?(unknown: number): string;
}

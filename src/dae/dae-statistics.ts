/** What a solver has done. */

/** Counts since the solver was made. */
export interface DaeStatistics {
  steps: number;
  /** Of f, those for differences included. */
  residuals: number;
  /** Matrices made and factored. */
  jacobians: number;
  corrections: number;
  failedTests: number;
  failedCorrections: number;
  rootEvaluations: number;
  starts: number;
}

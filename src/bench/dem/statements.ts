/** What is wanted of steps, beside what was measured. */
import type { AdapterSummary } from '../../index.ts';
import { flatStatements, judged, valuesBy } from '../contacts/statements.ts';
import type { DemReport, DemRunReport, Finding } from '../report.ts';
import { finding } from '../statements.ts';

/** Wanted ratios of times and shares, and bodies moved by a step per second. */
const WANTED = { software: 1 / 3, forces: 1 / 3, bodySteps: 1e7, ofTime: 0.5 } as const;

/** Share of a step in which forces are added up and bodies move. */
function shareOfForces({ stages, seconds }: Pick<DemRunReport, 'stages' | 'seconds'>): number {
  return ((stages.forces ?? 0) + (stages.motion ?? 0)) / seconds.median;
}

export function demStatements(
  { packings }: Omit<DemReport, 'findings'>,
  { software }: Pick<AdapterSummary, 'software'>,
): Finding[] {
  const wanted = (statement: string, ...of: Parameters<typeof judged>) => finding('wanted', statement, judged(...of));
  const hulls = packings.filter(({ kind }) => kind === 'hull');
  const rocks = packings.filter(({ kind }) => kind === 'rock-80');
  const ratio = (run: DemRunReport) => run.ratioToPeer;
  return [
    wanted(
      'A step of hulls of 16 points on the CPU takes no longer than one of Rapier’s.',
      valuesBy(hulls, 'dem-cpu', ratio),
      (value) => value >= 1,
    ),
    software
      ? wanted(
          'On software WebGPU it takes at most three times as long as one of Rapier’s.',
          valuesBy(hulls, 'dem-gpu', ratio),
          (value) => value >= WANTED.software,
        )
      : wanted(
          'The GPU moves 10^7 rocks of 80 triangles by a step per second.',
          valuesBy(rocks, 'dem-gpu', ({ seconds }, { bodies }) => bodies / seconds.median),
          (rate) => rate >= WANTED.bodySteps,
        ),
    wanted(
      'By impulses, hulls move by half as much simulated time per second as by Rapier.',
      valuesBy(hulls, 'dem-impulses', ({ ratioOfTime }) => ratioOfTime),
      (value) => value >= WANTED.ofTime,
    ),
    wanted(
      'Forces and motion are at most a third of a step on the CPU.',
      valuesBy(packings, 'dem-cpu', shareOfForces),
      (share) => share <= WANTED.forces,
    ),
    ...flatStatements(packings, 'dem'),
  ];
}

/** What is wanted of distances, and what the paper says, beside what was measured. */
import type { DistanceCaseReport, DistanceReport, Finding } from '../report.ts';
import { finding } from '../statements.ts';
import { countText, numberText } from '../text.ts';

/** Of three-mesh-bvh's time: distances, tests whether meshes meet, and set-up at most. */
export const WANTED = { distance: 10, meet: 3, setUp: 2 } as const;
const OWN = 'sphere-best-first';

/** Whether the bound of longer and longer searches of a case never falls. */
export const onlyRises = (searches: DistanceReport['stopped']) =>
  searches.every(({ lower }, i) => i === 0 || searches[i - 1]!.lower <= lower);

/** Searches that were stopped, of a case. */
export const searchesOf = (stopped: DistanceReport['stopped'], { label, triangles, gap }: DistanceCaseReport) =>
  stopped.filter((one) => one.label === label && one.triangles === triangles && one.gap === gap);

export function distanceStatements({ cases, setUps, stopped }: Omit<DistanceReport, 'findings'>): Finding[] {
  const of = (one: DistanceCaseReport, way: string) => one.runs.find((run) => run.way === way)!;
  const rates = (value: 'ratioOfDistance' | 'ratioOfMeet', wanted: number) => {
    const ratios = cases.map((one) => of(one, OWN)[value]).filter((ratio) => ratio > 0);
    if (ratios.length === 0) return undefined;
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
    const held = ratios.filter((ratio) => ratio >= wanted).length;
    const count = `in ${countText(held)} of ${countText(ratios.length)} cases as wanted`;
    return { measured: `${numberText(least)} to ${numberText(most)} times, ${count}`, agrees: least >= wanted };
  };
  const overPeer = setUps.filter(({ way }) => way === OWN).map((one) => one.overPeer);
  const most = Math.max(...overPeer);
  /** In how many cases something holds: in most of them it has to. */
  const counted = (holds: (one: DistanceCaseReport) => boolean) => {
    const count = cases.filter(holds).length;
    return { measured: `in ${countText(count)} of ${countText(cases.length)} cases`, agrees: 2 * count > cases.length };
  };
  const time = (one: DistanceCaseReport, way: string) => of(one, way).distance.median;
  const volumes = ['aabb', 'obb', 'k-dop-18'].map((volume) => `${volume}-best-first`);
  return [
    finding(
      'wanted',
      'Distances are told 10 times as fast as by three-mesh-bvh.',
      rates('ratioOfDistance', WANTED.distance),
    ),
    finding('wanted', 'Whether meshes meet is told 3 times as fast.', rates('ratioOfMeet', WANTED.meet)),
    finding(
      'wanted',
      'Trees of spheres take at most twice the time of its hierarchies to build.',
      most > 0 ? { measured: `${numberText(most)} times at most`, agrees: most <= WANTED.setUp } : undefined,
    ),
    finding(
      'Lennerz et al., 2.4',
      'Spheres are mostly the fastest volumes.',
      counted((one) => volumes.every((way) => time(one, OWN) < time(one, way))),
    ),
    finding(
      'Lennerz et al., 2.4',
      'The nearest pair of all visits fewer nodes than the nearer one of two.',
      counted((one) => of(one, OWN).visited < of(one, 'sphere-greedy').visited),
    ),
    finding(
      'Lennerz et al., 2.4',
      'The nearer pair of two takes slightly less time.',
      counted((one) => time(one, 'sphere-greedy') < time(one, OWN)),
    ),
    finding('Lennerz et al., 2.4', 'The lower bound of a search that is stopped only rises.', {
      measured: `over ${countText(stopped.length)} searches that were stopped`,
      agrees: cases.every((one) => onlyRises(searchesOf(stopped, one))),
    }),
  ];
}

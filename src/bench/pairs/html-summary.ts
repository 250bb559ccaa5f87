/** What suite `pairs` adds to the head of the report: tiles, and where it differs from the thesis. */
import { details, statementCard } from '../html-parts.ts';
import { countText, timesText } from '../html-text.ts';
import type { BenchReport } from '../report.ts';
import { peerRatios } from './html-peer.ts';
import { titleOf } from './html-plots.ts';
import type { PairsReport } from './pairs-report.ts';

/** Value and meaning: speed beside the peer where it is least, statements of the thesis, checks. */
export function pairTiles(pairs: PairsReport | undefined): (readonly [value: string, meaning: string])[] {
  if (pairs === undefined) return [];
  const tiles: (readonly [string, string])[] = [];
  for (const [key, how] of [
    ['auto-cpu', 'on all threads of the CPU'],
    ['auto-gpu', 'on the GPU'],
  ] as const) {
    const depths = peerRatios(pairs).filter(({ way, question }) => way === key && question === 'penetration');
    const [slowest] = depths.sort((a, b) => a.median - b.median);
    if (slowest === undefined) continue;
    const each = depths.map(({ shape, median }) => `${shape.label} ${timesText(median)}`).join(', ');
    tiles.push([
      timesText(slowest.median),
      `Pairs of bodies: the speed of Rapier for depths, ${how}, where it is least, ${titleOf(slowest.shape).toLowerCase()} (medians over probabilities: ${each})`,
    ]);
  }
  const { findings } = pairs;
  if (findings.length > 0) {
    const count = (agrees: string) => findings.filter((finding) => finding.agrees === agrees).length;
    tiles.push([
      `${countText(count('yes'))} of ${countText(findings.length)}`,
      `statements of the thesis on pairs agree with what was measured here; differing: ${countText(count('no'))}, not measured: ${countText(count('not measured'))}`,
    ]);
  }
  const sums = checksOf(pairs);
  if (sums.checked > 0) {
    const peer =
      sums.peerChecked > 0
        ? `; of Rapier’s ${countText(sums.peerChecked)} answers ${countText(sums.peerWrong)} were on the wrong side`
        : '';
    tiles.push([
      countText(sums.checked),
      `answers of scree about pairs held against the reference, none wrong, or there would be no report${peer}`,
    ]);
  }
  return tiles;
}

export function checksOf({ ways, shapes }: PairsReport) {
  const peers = new Set(ways.filter(({ kind }) => kind === 'peer').map(({ key }) => key));
  const sums = { checked: 0, peerChecked: 0, peerWrong: 0 };
  for (const { settings } of shapes) {
    for (const { runs } of settings) {
      for (const { way, checked, wrong } of runs) {
        if (!peers.has(way)) sums.checked += checked;
        else {
          sums.peerChecked += checked;
          sums.peerWrong += wrong;
        }
      }
    }
  }
  return sums;
}

/** Statements of the thesis that are not so here. */
export function pairsSummary({ pairs }: BenchReport): string {
  const different = pairs?.findings.filter(({ agrees }) => agrees === 'no') ?? [];
  if (different.length === 0) return '';
  const cards = different.map((one) => statementCard(one, 'Thesis'));
  const summary = `Where ours differs from the thesis on pairs: ${countText(different.length)} statements`;
  return details(summary, cards.join('\n'));
}

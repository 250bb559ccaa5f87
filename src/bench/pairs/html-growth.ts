/** How time and memory of a call grow with the number of its pairs. */
import { linePlot } from '../html-charts.ts';
import { type Cell, details, figure, type Plot, paragraph, table } from '../html-parts.ts';
import { bytesText, countText, countTick, inUnits, NOTHING, secondsText, secondsTick } from '../html-text.ts';
import { swatches, titleOf, wayLook } from './html-plots.ts';
import type { PairGrowthReport, PairShapeReport, PairsReport } from './pairs-report.ts';

const MICROSECOND = 1e-6;

const perPair = ({ seconds, pairs }: PairGrowthReport, value: 'min' | 'median' | 'max') =>
  seconds[value] / Math.max(1, pairs);

export function growthSection(pairs: PairsReport): string[] {
  const { growth = [], shapes } = pairs;
  if (growth.length === 0) return [];
  const measured = shapes.filter(({ name }) => growth.some(({ shape }) => shape === name));
  const [{ probability }] = growth as [PairGrowthReport];
  return [
    '<h3>Growth with the number of pairs</h3>',
    paragraph(
      `Depths by the fastest exact way, of pairs of which a share of ${probability} intersects. Memory is that of the arrays handed over and given back, and that which the batch holds on the GPU; chunks of 262,144 pairs bound what a call takes besides.`,
    ),
    figure({
      id: 'pairs-growth',
      plots: measured.map((shape) => growthPlot(pairs, shape)),
      shared: true,
      row: true,
      caption:
        'Time per pair of a call about so many, medians, with whiskers from least to most. Both axes are logarithmic.',
    }),
    details('Times and memory of growing numbers of pairs', growthTable(pairs, measured)),
  ];
}

function growthPlot({ growth = [], ways }: PairsReport, shape: PairShapeReport): Plot {
  const own = growth.filter((one) => one.shape === shape.name);
  const lines = [...new Set(own.map(({ way }) => way))].map((key) => {
    const label = ways.find((way) => way.key === key)?.label ?? key;
    const points = own
      .filter(({ way }) => way === key)
      .map((one) => {
        const y = perPair(one, 'median');
        const tip = `${label}, ${countText(one.pairs)} pairs: ${secondsText(y)} per pair`;
        return { x: one.pairs, y, low: perPair(one, 'min'), high: perPair(one, 'max'), tip };
      });
    return { name: label, look: wayLook(key), points };
  });
  const chart = linePlot({
    ...{ title: titleOf(shape), yLabel: 'time per pair', xLabel: 'pairs of a call', lines },
    ...{ xTick: countTick, yTick: secondsTick },
  });
  return { chart, legend: swatches(lines) };
}

function growthTable({ growth = [], ways }: PairsReport, shapes: readonly PairShapeReport[]): string {
  const label = (key: string) => ways.find((way) => way.key === key)?.label ?? key;
  return table({
    caption: 'Microseconds per pair, medians, and bytes per pair of the host’s arrays and of the GPU.',
    columns: [
      { head: 'way', text: true },
      { head: 'pairs' },
      { head: 'a call' },
      ...['all', 'upload', 'kernels', 'readback', 'redone in float64'].map((head) => ({
        head,
        over: 'µs per pair',
      })),
      { head: 'host', over: 'memory' },
      { head: 'GPU', over: 'memory' },
    ],
    groups: shapes.map((shape) => ({
      name: titleOf(shape),
      rows: growth
        .filter((one) => one.shape === shape.name)
        .map((one): Cell[] => {
          const { upload, kernel, readback, redo } = one.parts;
          const each = (seconds: number) => inUnits(seconds / Math.max(1, one.pairs), MICROSECOND);
          return [
            label(one.way),
            countText(one.pairs),
            secondsText(one.seconds.median),
            ...[one.seconds.median, upload, kernel, readback, redo].map(each),
            bytesText(one.hostBytes),
            one.gpuBytes === 0 ? NOTHING : bytesText(one.gpuBytes),
          ];
        }),
    })),
  });
}

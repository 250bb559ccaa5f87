/** What `bench inside` found, in charts. */

import { POINT_SET_LABELS } from '../src/bench/points.ts';
import { formatBytes, formatCount } from '../src/cli/format.ts';
import { type Look, shortNumber } from './chart.ts';
import { type Bar, barChart, ratioLabel } from './chart-bars.ts';
import { type Line, lineChart } from './chart-lines.ts';
import type { InsideResult } from './inside-report.ts';
import { machineLines } from './machine.ts';
import type { SetResult } from './measure-body.ts';

// After Okabe and Ito, with steps in lightness; the peer and the yardstick are grey.
const LOOKS: Record<string, Look> = {
  'cell-grid-cpu': { color: '#0072b2', marker: 'circle' },
  'cell-grid-cpu-1': { color: '#56b4e9', marker: 'square' },
  'cell-grid-gpu': { color: '#8a3f73', marker: 'triangle' },
  'ray-crossing-gpu': { color: '#e69f00', marker: 'diamond' },
  'three-mesh-bvh': { color: '#3b3b3b', marker: 'cross' },
  copy: { color: '#9a9a9a', marker: 'none', dashed: true },
};

export interface Chart {
  readonly file: string;
  readonly svg: string;
}

export function insideCharts(result: InsideResult): Chart[] {
  const charts: Chart[] = [];
  if (result.bodies.length > 0) charts.push({ file: 'inside-speed.svg', svg: speedChart(result) });
  if (result.growth.length > 0) {
    charts.push({ file: 'inside-growth.svg', svg: growthChart(result) });
    charts.push({ file: 'inside-set-up.svg', svg: setUpChart(result) });
  }
  return charts;
}

function speedChart(result: InsideResult): string {
  const { bodies, ways, bandwidth, machine, options } = result;
  const shown = ways.filter(({ kind }) => kind !== 'yardstick');
  const bar = (way: SetResult): Bar => {
    const { median, min, max } = way.pointsPerSecond;
    const [value, least, most] = [median / 1e6, min / 1e6, max / 1e6];
    return { value, min: least, max: most, label: `${shortNumber(value)}  (${ratioLabel(way.ratioToPeer)})` };
  };
  const copies = bodies.flatMap(({ sets }) => sets.map((set) => set.ways.copy.pointsPerSecond.median / 1e6));
  const copyRange = `${shortNumber(Math.min(...copies))} to ${shortNumber(Math.max(...copies))}`;
  return barChart({
    title: `Point in polyhedron: ${formatCount(options.pointsPerSet)} points per call`,
    notes: [
      `Median of ${options.repeat}, whiskers from least to most. Beside each bar: its value and how many times as fast as three-mesh-bvh it was in the same rounds.`,
      `Copying the points on the same adapter: ${copyRange} million per second (buffers of ${formatBytes(bandwidth.bytes)}: ${bandwidth.gigabytesPerSecond.toPrecision(3)} GB/s).`,
      ...machineLines(machine),
    ],
    unit: 'million points per second',
    groups: bodies.map(({ name, triangles }) => ({ name, note: `${formatCount(triangles)} triangles` })),
    series: shown.map(({ key, label }) => ({ name: label, look: LOOKS[key] })),
    panels: bodies[0]!.sets.map(({ name }, s) => ({
      title: name,
      note: POINT_SET_LABELS[name],
      bars: bodies.map(({ sets }) => shown.map(({ key }) => bar(sets[s]!.ways[key]))),
    })),
  });
}

function growthChart(result: InsideResult): string {
  const { growth, ways, machine, options } = result;
  const lines = ways.map(
    ({ key, label }): Line => ({
      name: label,
      look: LOOKS[key],
      points: growth.map(({ triangles, sets }) => ({
        x: triangles,
        y: 1e9 / sets[0]!.ways[key].pointsPerSecond.median,
      })),
    }),
  );
  return lineChart({
    title: 'Time per point against the number of triangles',
    notes: [
      `Spheres; ${formatCount(options.pointsPerSet)} uniformly random points in the box, from the call to the flags, median of ${options.repeat}.`,
      ...machineLines(machine),
    ],
    xLabel: 'triangles',
    yLabel: 'nanoseconds per point',
    lines,
  });
}

function setUpChart(result: InsideResult): string {
  const { growth, bodies, ways, machine, options } = result;
  const pointsOf = (of: InsideResult['bodies'], key: string) =>
    of.flatMap(({ triangles, setUp }) => {
      const one = setUp[key];
      return one ? [{ x: triangles, y: 1e3 * one.total.median }] : [];
    });
  const shown = ways.filter(({ kind }) => kind !== 'yardstick');
  return lineChart({
    title: 'Set-up time against the number of triangles',
    notes: [
      `Until points can be asked: check of the mesh (not by three-mesh-bvh), tables, upload; median of ${options.setUpRepeat}.`,
      bodies.length > 0 ? 'Lines: spheres. Single marks: the other bodies.' : 'Spheres.',
      ...machineLines(machine),
    ],
    xLabel: 'triangles',
    yLabel: 'milliseconds',
    lines: shown.map(
      ({ key, label }): Line => ({
        name: label,
        look: LOOKS[key],
        points: pointsOf(growth, key),
        loose: pointsOf(bodies, key),
      }),
    ),
  });
}

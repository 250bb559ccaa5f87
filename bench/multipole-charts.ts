/** What `bench multipole` found, in charts. */

import type { Look } from '../src/bench/chart.ts';
import { type Line, lineChart } from '../src/bench/chart-lines.ts';
import { formatCount } from '../src/cli/format.ts';
import type { Chart } from './inside-charts.ts';
import { machineLines } from './machine.ts';
import { totalOf } from './multipole-depth.ts';
import type { MultipoleResult } from './multipole-report.ts';
import type { BodySpeed, SpeedKey } from './multipole-speed.ts';

const LOOKS: Record<SpeedKey, Look> = {
  'multipole-gpu': { color: '#8a3f73', marker: 'triangle' },
  'multipole-float64': { color: '#0072b2', marker: 'circle' },
  'cell-grid-cpu-1': { color: '#56b4e9', marker: 'square' },
  'cell-grid-gpu': { color: '#1b7f5c', marker: 'square' },
  'ray-crossing-gpu': { color: '#e69f00', marker: 'diamond' },
  'direct-gpu': { color: '#6b6b6b', marker: 'cross' },
  'direct-float64': { color: '#3b3b3b', marker: 'cross' },
  copy: { color: '#9a9a9a', marker: 'none', dashed: true },
};
/** Of separations and bodies, in order. */
const SERIES: readonly Look[] = [
  { color: '#0072b2', marker: 'circle' },
  { color: '#e69f00', marker: 'diamond' },
  { color: '#8a3f73', marker: 'triangle' },
  { color: '#3b3b3b', marker: 'square' },
  { color: '#56b4e9', marker: 'cross' },
];
const lookOf = (i: number) => SERIES[i % SERIES.length]!;

export function multipoleCharts(result: MultipoleResult): Chart[] {
  const charts: Chart[] = [];
  if (result.errors !== undefined) charts.push({ file: 'multipole-error.svg', svg: errorChart(result) });
  if (result.growth.length > 0) {
    charts.push({ file: 'multipole-growth.svg', svg: growthChart(result) });
    charts.push({ file: 'multipole-set-up.svg', svg: setUpChart(result) });
  }
  if (result.depth !== undefined && result.depth.cases.length > 0)
    charts.push({ file: 'multipole-points.svg', svg: pointsChart(result) });
  return charts;
}

function errorChart({ errors, ways, machine }: MultipoleResult): string {
  const { name, triangles, depth, rows } = errors!;
  const separations = [...new Set(rows.map(({ d }) => d))];
  const lines = separations.flatMap((d, i) =>
    ways.map(({ key, label }, w): Line => {
      const own = rows.filter((row) => row.d === d && row.way === key);
      const positive = (value: (row: (typeof rows)[number]) => number) =>
        own.filter((row) => value(row) > 0).map((row) => ({ x: row.p, y: value(row) }));
      return {
        name: `d = ${d}`,
        note: label,
        look: { ...lookOf(i), dashed: w > 0 },
        points: positive(({ accuracy }) => accuracy.largestError),
        loose: positive(({ accuracy }) => accuracy.rmsError),
      };
    }),
  );
  return lineChart({
    title: 'Error of J against the degree of the expansions',
    notes: [
      `${name}, ${formatCount(triangles)} triangles, depth ${depth}, random points. Lines: largest |J - exact|. Hollow marks: root of the mean square.`,
      ...machineLines(machine),
    ],
    xLabel: 'degree p',
    yLabel: '|J - exact|',
    lines,
    linearX: true,
  });
}

/** A line per way over spheres, single marks for the other bodies. */
function waysOver(
  { growth, bodies, labels }: MultipoleResult,
  value: (body: BodySpeed, key: SpeedKey) => number | undefined,
): Line[] {
  const points = (of: readonly BodySpeed[], key: SpeedKey) =>
    of.flatMap((body) => {
      const y = value(body, key);
      return y === undefined ? [] : [{ x: body.triangles, y }];
    });
  return (Object.keys(labels) as SpeedKey[])
    .map(
      (key): Line => ({
        name: labels[key],
        look: LOOKS[key],
        points: points(growth, key),
        loose: points(bodies, key),
      }),
    )
    .filter((line) => line.points.length > 0);
}

const bodiesNote = ({ bodies }: MultipoleResult) =>
  bodies.length > 0 ? 'Lines: spheres. Single marks: the other bodies.' : 'Spheres.';

function growthChart(result: MultipoleResult): string {
  const { machine, options } = result;
  return lineChart({
    title: 'Time per point against the number of triangles',
    notes: [
      `Uniformly random points in the box; multipole at p = ${options.p}, d = ${options.d}; median of ${options.repeat}. ${bodiesNote(result)}`,
      ...machineLines(machine),
    ],
    xLabel: 'triangles',
    yLabel: 'nanoseconds per point',
    lines: waysOver(result, ({ ways }, key) => {
      const way = ways[key];
      return way && 1e9 / way.pointsPerSecond.median;
    }),
  });
}

function setUpChart(result: MultipoleResult): string {
  const { machine, options } = result;
  return lineChart({
    title: 'Set-up time against the number of triangles',
    notes: [
      `Multipole at p = ${options.p}, d = ${options.d} for ${formatCount(options.points)} points; the others with their check of the mesh; median of ${options.setUpRepeat}. ${bodiesNote(result)}`,
      ...machineLines(machine),
    ],
    xLabel: 'triangles',
    yLabel: 'milliseconds',
    lines: waysOver(result, ({ setUp }, key) => {
      const one = setUp[key];
      return one && 1e3 * one.total.median;
    }),
  });
}

function pointsChart({ depth, labels, options, machine }: MultipoleResult): string {
  const { way, cases } = depth!;
  const names = [...new Set(cases.map(({ name }) => name))];
  return lineChart({
    title: 'Set-up and evaluation against the number of points',
    notes: [
      `${labels[way]}, p = ${options.p}, d = ${options.d}, random points. Lines: depth chosen by the cost model. Hollow marks: the best fixed depth.`,
      ...machineLines(machine),
    ],
    xLabel: 'points',
    yLabel: 'seconds',
    lines: names.map((name, i): Line => {
      const own = cases.filter((one) => one.name === name);
      return {
        name,
        note: `${formatCount(own[0]!.triangles)} triangles`,
        look: lookOf(i),
        points: own.map(({ points, trials }) => ({ x: points, y: totalOf(trials[0]!) })),
        loose: own.map(({ points, trials, best }) => ({
          x: points,
          y: totalOf(trials.find((trial) => trial.depth === best)!),
        })),
      };
    }),
  });
}

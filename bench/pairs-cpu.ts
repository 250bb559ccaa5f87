/** `bench pairs-cpu`: convex pairs per second on one thread, over the random poses of L. Olvang (2010), section 4; docs/convex.md. */
import { join } from 'node:path';
import { resultJson } from '../src/bench/report-json.ts';
import { queryPairs } from '../src/convex/cpu/pair-run.ts';
import { PairStatus } from '../src/convex/pair/status.ts';
import type { PairAlgorithm, PairKind } from '../src/convex/query/pair-kinds.ts';
import { ShapeTable } from '../src/convex/shapes/shape-table.ts';
import type { Shape } from '../src/convex/shapes/shapes.ts';
import { createRandom } from '../src/mesh/random.ts';
import type { BenchOptions } from './arguments.ts';
import { describeMachine } from './machine.ts';
import { reportHead, type Table, tableText, writeResult } from './output.ts';

const PAIRS = 5_000;
const QUICK_PAIRS = 200;
const PROBABILITIES = [0.1, 0.3, 0.5, 0.7, 0.9] as const;
const KINDS: readonly PairKind[] = ['penetration', 'signed-distance'];
const ALGORITHMS: readonly PairAlgorithm[] = ['gjk', 'auto'];
/** Gap between bounds, relative to the pair's size. */
const TOLERANCE = 2 ** -20;
/** Halvings of the cube's edge: it is then good to a thousandth of a length, finer than the probability's own noise. */
const HALVINGS = 16;

interface Row {
  readonly shapes: string;
  readonly kind: PairKind;
  readonly algorithm: PairAlgorithm;
  readonly probability: number;
  readonly pairsPerSecond: number;
  readonly supportCalls: number;
}

export function runPairsCpu({ out, json, quick, repeat }: BenchOptions, args: readonly string[]): void {
  const count = quick ? QUICK_PAIRS : PAIRS;
  const machine = describeMachine(undefined, args);
  const rows: Row[] = [];
  for (const [name, shapes] of Object.entries(combinations())) {
    for (const probability of quick ? [0.5] : PROBABILITIES) {
      process.stderr.write(`${name}, ${probability} intersect\n`);
      rows.push(...measure(name, shapes, probability, count, repeat));
    }
  }
  const path = json ?? join(out, 'pairs-cpu.json');
  const options = { quick, repeat, pairs: count, tolerance: TOLERANCE };
  writeResult(path, resultJson({ schema: 'scree-bench-pairs-cpu/1', machine, options, rows }));
  process.stdout.write(
    [...reportHead(machine), '', tableText(tableOf(rows)), `wrote ${path}`, ''].join('\n'),
  );
}

function tableOf(rows: readonly Row[]): Table {
  return {
    title: 'Convex pairs on one thread: thousands per second, and mean support points of a pair',
    columns: ['shapes', 'kind', 'algorithm', 'intersecting', 'kpairs/s', 'support points'],
    names: [0, 1, 2],
    rows: rows.map((row) => [
      row.shapes,
      row.kind,
      row.algorithm,
      row.probability.toFixed(1),
      (row.pairsPerSecond / 1000).toFixed(0),
      row.supportCalls.toFixed(1),
    ]),
  };
}

/** The thesis' shapes, without those of two kinds. */
function combinations(): Record<string, readonly [Shape, Shape]> {
  const twice = (shape: Shape) => [shape, shape] as const;
  return {
    box: twice({ kind: 'box', halfExtents: [0.5, 0.5, 0.5] }),
    'round box': twice({ kind: 'round-box', halfExtents: [0.5, 0.5, 0.5], radius: 0.1 }),
    'hull of 50 points': [hullOnSphere(1), hullOnSphere(2)],
    cone: twice({ kind: 'cone', radius: 1, height: 2 }),
    cylinder: twice({ kind: 'cylinder', radius: 0.5, halfHeight: 1 }),
    ellipsoid: twice({ kind: 'ellipsoid', radii: [0.5, 1, 0.75] }),
  };
}

function hullOnSphere(seed: number): Shape {
  const random = createRandom(seed);
  const vertices: number[] = [];
  for (let i = 0; i < 50; i++) {
    const z = 2 * random() - 1;
    const phi = 2 * Math.PI * random();
    const r = Math.sqrt(1 - z * z);
    vertices.push(r * Math.cos(phi), r * Math.sin(phi), z);
  }
  return { kind: 'polytope', vertices };
}

/** Two bodies per pair in a cube, turned at random. */
function posesIn(edge: number, count: number): Float64Array {
  const random = createRandom(count);
  const poses = new Float64Array(14 * count);
  for (let i = 0; i < 14 * count; i += 7) {
    for (let k = 0; k < 3; k++) poses[i + k] = edge * (random() - 0.5);
    let length = 0;
    // Points of a ball in four dimensions, but for its middle, have even directions.
    while (!(length > 0.1 && length < 1)) {
      for (let k = 3; k < 7; k++) poses[i + k] = 2 * random() - 1;
      length = Math.hypot(...poses.subarray(i + 3, i + 7));
    }
    for (let k = 3; k < 7; k++) poses[i + k]! /= length;
  }
  return poses;
}

function measure(
  name: string,
  shapes: readonly [Shape, Shape],
  probability: number,
  count: number,
  repeat: number,
): Row[] {
  const table = new ShapeTable(shapes);
  const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => i);
  const bodies = pairs.map((i) => i % 2);
  const intersecting = (edge: number) => {
    const { status } = queryPairs(table, { poses: posesIn(edge, count), pairs, bodies, kind: 'intersect' });
    return status.reduce((sum, one) => sum + (one === PairStatus.separated ? 0 : 1), 0) / count;
  };
  let [low, high] = [0, 64];
  for (let i = 0; i < HALVINGS; i++) {
    const edge = (low + high) / 2;
    if (intersecting(edge) > probability) low = edge;
    else high = edge;
  }
  const poses = posesIn(high, count);
  const rows: Row[] = [];
  for (const kind of KINDS) {
    for (const algorithm of ALGORITHMS) {
      const query = { poses, pairs, bodies, kind, algorithm, tolerance: TOLERANCE };
      const calls = queryPairs(table, query).iterations.reduce((sum, n) => sum + n, 0);
      let least = Infinity;
      // The time of this process alone: others may be running.
      for (let round = 0; round < repeat; round++) {
        const before = process.cpuUsage();
        queryPairs(table, query);
        const { user, system } = process.cpuUsage(before);
        least = Math.min(least, (user + system) / 1e6);
      }
      const result = { pairsPerSecond: count / least, supportCalls: calls / count };
      rows.push({ shapes: name, kind, algorithm, probability, ...result });
    }
  }
  return rows;
}

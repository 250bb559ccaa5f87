/** What the multipole kernels read, packed in float32 and in the unit frame. */

import type { NearField } from './boundary.ts';
import { coefficientCount, recurrenceFactors } from './harmonics.ts';
import type { EvaluationTree } from './lists.ts';
import { CELL_WORDS, CLUSTER_WORDS, REFINED } from './multipole-layout.ts';
import { conversionTable, derivativeFactors, localTables, momentTables } from './operators.ts';
import { triangleRule } from './quadrature.ts';
import { clusterReaches } from './rounding.ts';
import { type ClusterTree, cellCentre } from './tree.ts';

/** Degrees 0 .. 12; `SIDE` in the WGSL. */
const SIDE = 13;

/** Float32 quads that hold so many numbers. */
function quadCount(numbers: number): number {
  return Math.ceil(numbers / 4);
}

/** Quads of moments of degrees 1 .. degree: there is none of degree 0. */
export function momentQuads(degree: number): number {
  return quadCount(coefficientCount(degree) - 1);
}

/** Quads of local coefficients of degrees 0 .. degree. */
export function localQuads(degree: number): number {
  return quadCount(coefficientCount(degree));
}

/**
 * Adds a matrix, row by row, to `out` as 4 x 4 blocks: all rows of the first four columns, then of the next four.
 * Entries outside the matrix are 0.
 */
function packMatrix(
  matrix: Float64Array,
  shape: { rows: number; columns: number; stride: number; first: number },
  out: Float32Array,
  at: number,
): void {
  const { rows, columns, stride, first } = shape;
  const rowBlocks = quadCount(rows);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const block = (j >> 2) * rowBlocks + (i >> 2);
      out[at + 16 * block + 4 * (j & 3) + (i & 3)] = matrix[first + stride * i + j]!;
    }
  }
}

/** M2M tables of the eight octants, moments of degrees 1 .. degree. */
export function packMomentTables(degree: number): Float32Array<ArrayBuffer> {
  const size = coefficientCount(degree);
  const blocks = momentQuads(degree) ** 2;
  const out = new Float32Array(8 * 16 * blocks);
  // Row and column 0 are left out: double layers have no moment of degree 0.
  const shape = { rows: size - 1, columns: size - 1, stride: size, first: size + 1 };
  momentTables(degree).forEach((table, octant) => {
    packMatrix(table, shape, out, 16 * blocks * octant);
  });
  return out;
}

/** L2L tables of the eight octants. */
export function packLocalTables(degree: number): Float32Array<ArrayBuffer> {
  const size = coefficientCount(degree);
  const blocks = localQuads(degree) ** 2;
  const out = new Float32Array(8 * 16 * blocks);
  const shape = { rows: size, columns: size, stride: size, first: 0 };
  localTables(degree).forEach((table, octant) => {
    packMatrix(table, shape, out, 16 * blocks * octant);
  });
  return out;
}

/** M2L tables of all offsets of a tree. */
export function packConversionTables(p: number, q: number, offsets: Int8Array): Float32Array<ArrayBuffer> {
  const [rows, columns] = [coefficientCount(p), coefficientCount(q) - 1];
  const floats = 16 * localQuads(p) * momentQuads(q);
  const out = new Float32Array((offsets.length / 3) * floats);
  const shape = { rows, columns, stride: columns, first: 0 };
  for (let o = 0; o < offsets.length; o += 3) {
    packMatrix(conversionTable(p, q, [...offsets.subarray(o, o + 3)]), shape, out, (o / 3) * floats);
  }
  return out;
}

/** Factors of R's recurrence, and behind them those of n . grad R, a quad per (n, m). */
export function packFactors(): Float32Array<ArrayBuffer> {
  const factors = new Float32Array(2 * 4 * SIDE * SIDE);
  for (let n = 0; n < SIDE; n++) {
    for (let m = 0; m <= n; m++) {
      factors.set(recurrenceFactors(n, m), 4 * (SIDE * n + m));
      if (n > 0) factors.set(derivativeFactors(n, m), 4 * (SIDE * (SIDE + n) + m));
    }
  }
  // The diagonal's factor stands with degree 0, for all m.
  for (let m = 0; m < SIDE; m++) factors[4 * m + 2] = recurrenceFactors(m, m)[2];
  return factors;
}

/** The rule that P2M of a degree needs: u, v and weights of four points at a time. Points that are too many weigh 0. */
export function packRule(degree: number): Float32Array<ArrayBuffer> {
  const { points } = triangleRule(degree - 1);
  const out = new Float32Array(12 * quadCount(points.length / 3));
  for (let i = 0; i < points.length; i++)
    out[12 * Math.floor(i / 12) + 4 * (i % 3) + (Math.floor(i / 3) % 4)] = points[i]!;
  return out;
}

/** Triangles of a panel at most: enough to share its moments, few enough for threads to take equally long. */
const TRIANGLES_PER_PANEL = 4;

/**
 * Triangles of the finest clusters in panels: first and last triangle, cluster and nothing; and first panel per
 * cluster.
 */
export function packPanels({ depth, levelStarts, firsts, lasts }: ClusterTree) {
  const [first, last] = [levelStarts[depth]!, levelStarts[depth + 1]!];
  const panelStarts = new Uint32Array(last - first + 1);
  for (let c = first; c < last; c++) {
    const count = Math.ceil((lasts[c]! - firsts[c]!) / TRIANGLES_PER_PANEL);
    panelStarts[c - first + 1] = panelStarts[c - first]! + count;
  }
  const panels = new Uint32Array(4 * panelStarts[last - first]!);
  let at = 0;
  for (let c = first; c < last; c++) {
    for (let t = firsts[c]!; t < lasts[c]!; t += TRIANGLES_PER_PANEL) {
      panels.set([t, Math.min(lasts[c]!, t + TRIANGLES_PER_PANEL), c], at);
      at += 4;
    }
  }
  return { panels, panelStarts };
}

/** `SourceCluster`s. @param scale of the unit frame */
export function packClusters(source: ClusterTree, scale: number): Float32Array<ArrayBuffer> {
  const { root, depth, levelStarts, cells, firsts, lasts, childStarts } = source;
  const floats = new Float32Array(CLUSTER_WORDS * firsts.length);
  const words = new Uint32Array(floats.buffer);
  const reaches = clusterReaches(source);
  for (let level = 0; level <= depth; level++) {
    const inverse = 2 ** level / (root.edge * scale);
    for (let c = levelStarts[level]!; c < levelStarts[level + 1]!; c++) {
      const at = CLUSTER_WORDS * c;
      for (let k = 0; k < 3; k++) floats[at + k] = cellCentre(root, level, cells[3 * c + k]!, k) * scale;
      floats[at + 3] = inverse;
      words[at + 4] = firsts[c]!;
      words[at + 5] = lasts[c]!;
      words[at + 6] = childStarts[c]!;
      words[at + 7] = childStarts[c + 1]!;
      // From above.
      floats[at + 8] = reaches[c]! * (1 + 2 ** -20);
    }
  }
  return floats;
}

/** `EvaluationCell`s. */
export function packCells(
  source: ClusterTree,
  tree: EvaluationTree,
  near: NearField,
  scale: number,
): Float32Array<ArrayBuffer> {
  const { levels, cells, firstChildren } = tree;
  const floats = new Float32Array(CELL_WORDS * levels.length);
  const words = new Uint32Array(floats.buffer);
  const { root } = source;
  for (let c = 0; c < levels.length; c++) {
    const at = CELL_WORDS * c;
    const level = levels[c]!;
    for (let k = 0; k < 3; k++) floats[at + k] = cellCentre(root, level, cells[3 * c + k]!, k) * scale;
    floats[at + 3] = 2 ** level / (root.edge * scale);
    words[at + 4] = near.starts[c]!;
    words[at + 5] = near.middles[c]!;
    words[at + 6] = near.starts[c + 1]!;
    words[at + 7] = firstChildren[c]! > 0 ? REFINED : near.directions[c]!;
  }
  return floats;
}

/** The parent of each group of eight siblings. */
export function packParents({ parents }: EvaluationTree): Uint32Array<ArrayBuffer> {
  const groups = new Uint32Array(Math.max(1, (parents.length - 1) / 8));
  for (let g = 0; g < (parents.length - 1) / 8; g++) groups[g] = parents[1 + 8 * g]!;
  return groups;
}

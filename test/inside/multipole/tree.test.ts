import { describe, expect, it } from 'vitest';
import { CELL_RADIUS } from '../../../src/inside/multipole/bounds.ts';
import { MOST_CONVERSION_OFFSET } from '../../../src/inside/multipole/constants.ts';
import {
  buildEvaluationTree,
  type DepthOptions,
  preChosenDepth,
} from '../../../src/inside/multipole/depth.ts';
import { leafOf } from '../../../src/inside/multipole/evaluate.ts';
import { type EvaluationTree, EvaluationTreeBuilder } from '../../../src/inside/multipole/lists.ts';
import {
  buildSourceTree,
  cellCentre,
  type SourceTree,
  truncateSourceTree,
} from '../../../src/inside/multipole/tree.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { boxMesh, joinMeshes, mapMesh } from '../../support/shapes.ts';

const foam = openCellFoam({ triangles: 2000, seed: 4 });
/** A fine sphere in a coarse box that is far longer than wide: triangles of all sizes, empty space. */
const graded = joinMeshes([
  boxMesh([-20, -2, -2], [3, 2, 2]),
  mapMesh(unitSphere(3), (x, y, z) => [0.5 * x, 0.5 * y, 0.5 * z]),
]);
const meshes: [string, TriangleMesh][] = [
  ['a foam', foam],
  ['a sphere', unitSphere(3)],
  ['a graded mesh', graded],
  ['a cube', boxMesh([0, 0, 0], [1, 1, 1])],
];

const options = (depth: DepthOptions['depth'], more: Partial<DepthOptions> = {}): DepthOptions => ({
  depth,
  p: 2,
  q: 2,
  d: 1.3,
  ...more,
});

const levelOf = (tree: SourceTree, cluster: number) =>
  tree.levelStarts.findIndex((start, level) => cluster >= start && cluster < tree.levelStarts[level + 1]!);

describe.each(meshes)('the source tree of %s', (_name, mesh) => {
  const surface = localSurface(mesh);
  const tree = buildSourceTree(surface);

  it('has every triangle once on every level, in the cell that holds its centroid', () => {
    expect([...tree.order].sort((a, b) => a - b)).toEqual([...tree.order.keys()]);
    for (let level = 0; level <= tree.depth; level++) {
      let next = 0;
      let wrong = 0;
      const edge = tree.root.edge * 2 ** -level;
      for (let c = tree.levelStarts[level]!; c < tree.levelStarts[level + 1]!; c++) {
        if (tree.firsts[c] !== next || tree.lasts[c]! <= next) wrong++;
        next = tree.lasts[c]!;
        for (let v = 9 * tree.firsts[c]!; v < 9 * next; v += 9) {
          for (let k = 0; k < 3; k++) {
            const corners = [v, v + 3, v + 6].map((corner) => tree.triangles[corner + k]!);
            const centroid = (corners[0]! + corners[1]! + corners[2]!) / 3;
            const from = cellCentre(tree.root, level, tree.cells[3 * c + k]!, k);
            if (Math.abs(centroid - from) > edge * (0.5 + 1e-9)) wrong++;
          }
        }
      }
      expect(wrong).toBe(0);
      expect(next).toBe(mesh.triangleCount);
    }
  });

  it('divides every cluster into its children', () => {
    for (let c = 0; c < tree.levelStarts[tree.depth]!; c++) {
      const [first, last] = [tree.childStarts[c]!, tree.childStarts[c + 1]!];
      expect(last).toBeGreaterThan(first);
      expect(tree.firsts[first]).toBe(tree.firsts[c]);
      expect(tree.lasts[last - 1]).toBe(tree.lasts[c]);
      for (let child = first; child < last; child++) {
        for (let k = 0; k < 3; k++) expect(tree.cells[3 * child + k]! >> 1).toBe(tree.cells[3 * c + k]);
      }
    }
    for (let c = tree.levelStarts[tree.depth]!; c < tree.firsts.length; c++)
      expect(tree.childStarts[c + 1]).toBe(tree.childStarts[c]);
  });

  it('has radii that reach all corners and no farther', () => {
    for (let c = 0; c < tree.firsts.length; c++) {
      const level = levelOf(tree, c);
      const centre = [0, 1, 2].map((k) => cellCentre(tree.root, level, tree.cells[3 * c + k]!, k));
      let most = 0;
      for (let v = 9 * tree.firsts[c]!; v < 9 * tree.lasts[c]!; v += 3)
        most = Math.max(most, Math.hypot(...centre.map((x, k) => tree.triangles[v + k]! - x)));
      expect(tree.radii[c]! * tree.root.edge * 2 ** -level).toBeCloseTo(most, 10);
    }
  });

  it('cut short is the tree of that depth', () => {
    const depth = Math.max(0, tree.depth - 2);
    const { order: _order, triangles: _triangles, ...expected } = buildSourceTree(surface, depth);
    expect(truncateSourceTree(tree, depth)).toMatchObject(expected);
  });
});

/** How often each triangle is met from a leaf: by the interactions of it and its ancestors, and near it. */
function meetings(source: SourceTree, tree: EvaluationTree, leaf: number): Uint8Array {
  const met = new Uint8Array(source.order.length);
  const add = (first: number, last: number) => {
    for (let t = first; t < last; t++) met[t]!++;
  };
  for (let cell = leaf; ; cell = tree.parents[cell]!) {
    for (let n = tree.interactionStarts[cell]!; n < tree.interactionStarts[cell + 1]!; n++)
      add(source.firsts[tree.sources[n]!]!, source.lasts[tree.sources[n]!]!);
    if (cell === 0) break;
  }
  for (let r = tree.nearStarts[leaf]!; r < tree.nearStarts[leaf + 1]!; r++)
    add(tree.nearRanges[2 * r]!, tree.nearRanges[2 * r + 1]!);
  return met;
}

describe.each(meshes)('the evaluation tree of %s', (_name, mesh) => {
  const surface = localSurface(mesh);
  const source = buildSourceTree(surface);
  const trees: [string, EvaluationTree, number][] = [
    ['auto', buildEvaluationTree(surface, source, options('auto', { points: 1e5 })), 1.3],
    ['well-chosen', buildEvaluationTree(surface, source, options('well-chosen', { points: 1e5 })), 1.3],
    ['pre-chosen', buildEvaluationTree(surface, source, options('pre-chosen', { d: 2 })), 2],
    ['4', buildEvaluationTree(surface, source, options(4, { d: 1.01 })), 1.01],
  ];

  it.each(trees)('%s: every leaf meets every triangle exactly once', (_depth, tree) => {
    let leaves = 0;
    for (let leaf = 0; leaf < tree.levels.length; leaf++) {
      if (tree.firstChildren[leaf]! > 0) {
        expect(tree.nearStarts[leaf + 1]).toBe(tree.nearStarts[leaf]);
        continue;
      }
      if (leaves++ % 5 === 0) expect(meetings(source, tree, leaf).every((times) => times === 1)).toBe(true);
    }
    expect(leaves).toBe(1 + (tree.levels.length - 1) * (7 / 8));
  });

  it.each(trees)('%s: interactions are admissible, eq. 16, and not so for the fathers', (_depth, tree, d) => {
    const isAdmissible = (cell: number, cluster: number) => {
      const offset = (k: number) => tree.cells[3 * cell + k]! - source.cells[3 * cluster + k]!;
      const [i, j, k] = [offset(0), offset(1), offset(2)];
      return (
        Math.sqrt(i * i + j * j + k * k) > (d + 1) * Math.max(CELL_RADIUS, source.radii[cluster]!) &&
        Math.max(Math.abs(i), Math.abs(j), Math.abs(k)) <= MOST_CONVERSION_OFFSET
      );
    };
    const fathers = new Uint32Array(source.firsts.length);
    for (let c = 0; c < source.levelStarts[source.depth]!; c++)
      fathers.fill(c, source.childStarts[c]!, source.childStarts[c + 1]!);
    const levels = source.radii.map((_, cluster) => levelOf(source, cluster));
    let wrong = 0;
    for (let cell = 0; cell < tree.levels.length; cell++) {
      for (let n = tree.interactionStarts[cell]!; n < tree.interactionStarts[cell + 1]!; n++) {
        const cluster = tree.sources[n]!;
        if (levels[cluster] !== tree.levels[cell]) wrong++;
        if (!isAdmissible(cell, cluster)) wrong++;
        if (isAdmissible(tree.parents[cell]!, fathers[cluster]!)) wrong++;
        for (let k = 0; k < 3; k++) {
          const offset = tree.cells[3 * cell + k]! - source.cells[3 * cluster + k]!;
          if (tree.offsets[3 * tree.tables[n]! + k] !== offset) wrong++;
        }
      }
    }
    expect(wrong).toBe(0);
    // A cube of twelve triangles has no far field.
    if (mesh.triangleCount > 12) expect(tree.sources.length).toBeGreaterThan(1000);
  });

  it.each(trees)('%s: stands level by level, and a point is in its leaf', (_depth, tree) => {
    expect([...tree.levels].every((level, c) => c === 0 || level >= tree.levels[c - 1]!)).toBe(true);
    expect(tree.levels.at(-1)).toBe(tree.depth);
    const random = createRandom(51);
    const { origin, edge } = source.root;
    for (let i = 0; i < 500; i++) {
      const [x, y, z] = [0, 1, 2].map((k) => origin[k]! + edge * random());
      const leaf = leafOf(tree, source.root, x!, y!, z!);
      expect(tree.firstChildren[leaf]).toBe(0);
      [x!, y!, z!].forEach((c, k) => {
        const from = cellCentre(source.root, tree.levels[leaf]!, tree.cells[3 * leaf + k]!, k);
        expect(Math.abs(c - from)).toBeLessThanOrEqual(edge * 2 ** -tree.levels[leaf]! * (0.5 + 1e-9));
      });
    }
    expect(leafOf(tree, source.root, origin[0] - 1e-6 * edge, origin[1], origin[2])).toBe(-1);
  });
});

describe('the depth', () => {
  const surface = localSurface(foam);
  const source = buildSourceTree(surface);
  const nearPerPoint = (tree: EvaluationTree) => {
    let sum = 0;
    for (let leaf = 0; leaf < tree.levels.length; leaf++) {
      for (let r = tree.nearStarts[leaf]!; r < tree.nearStarts[leaf + 1]!; r++)
        sum += (tree.nearRanges[2 * r + 1]! - tree.nearRanges[2 * r]!) * 8 ** -tree.levels[leaf]!;
    }
    return sum;
  };
  const build = (depth: DepthOptions['depth'], points?: number) =>
    buildEvaluationTree(surface, source, options(depth, { points }));

  it('of more points is finer, for auto and well-chosen, and pre-chosen does not know them', () => {
    for (const depth of ['auto', 'well-chosen'] as const) {
      const near = [1e2, 1e4, 1e6].map((points) => nearPerPoint(build(depth, points)));
      expect(near, depth).toEqual([...near].sort((a, b) => b - a));
      expect(near[2]! / near[0]!, depth).toBeLessThan(0.3);
    }
    expect(build('pre-chosen', 1e8)).toEqual(build('pre-chosen', 10));
  });

  it('as a number is that level, where triangles are near', () => {
    for (const depth of [0, 1, 3]) {
      const tree = build(depth);
      expect(tree.depth).toBe(depth);
      for (let leaf = 0; leaf < tree.levels.length; leaf++) {
        if (tree.firstChildren[leaf]! > 0 || tree.nearStarts[leaf] === tree.nearStarts[leaf + 1]) continue;
        expect(tree.levels[leaf]).toBe(depth);
      }
    }
  });

  it('pre-chosen leaves about log10(N)^2 triangles of a surface in a cell', () => {
    for (const triangles of [8, 32, 128, 512, 2048, 8192, 32768, 131072]) {
      const inCell = triangles / 4 ** preChosenDepth(triangles);
      expect(Math.abs(Math.log2(inCell / Math.log10(triangles) ** 2))).toBeLessThanOrEqual(1.001);
    }
    expect(preChosenDepth(131072)).toBe(6);
    expect(preChosenDepth(0)).toBe(0);
  });

  it('that asks for more than lists may have is refused', () => {
    const tree = buildSourceTree(localSurface(foam));
    const builder = new EvaluationTreeBuilder(tree, 1.3, 10_000);
    expect(() => {
      for (let cell = 0; builder.level(cell) < tree.depth; cell++) builder.refine(cell);
    }).toThrow(/^the evaluation tree has lists of more than 10000 entries, .+ expected a smaller depth/);
  });

  it('of 0 leaves the direct sum', () => {
    const tree = build(0);
    expect([...tree.nearRanges]).toEqual([0, foam.triangleCount]);
    expect(tree.sources.length).toBe(0);
  });
});

it('a mesh without triangles, and one that is a point, have trees too', () => {
  const empty = new TriangleMesh({ positions: new Float32Array(0), indices: new Uint32Array(0) });
  const point = new TriangleMesh({
    positions: Float32Array.of(5, 5, 5),
    indices: Uint32Array.of(0, 0, 0, 0, 0, 0),
  });
  for (const mesh of [empty, point]) {
    const surface = localSurface(mesh);
    const source = buildSourceTree(surface);
    for (const depth of ['auto', 'pre-chosen', 5] as const) {
      const tree = buildEvaluationTree(surface, source, options(depth));
      expect(meetings(source, tree, 0).every((times) => times === 1)).toBe(tree.firstChildren[0] === 0);
    }
    expect(source.root.edge).toBeGreaterThan(0);
  }
});

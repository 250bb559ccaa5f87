import { describe, expect, it } from 'vitest';
import { DeviceError } from '../../../src/errors.ts';
import { NearFieldBuilder, POLYLINE_START } from '../../../src/inside/multipole/boundary.ts';
import { setUpMultipole } from '../../../src/inside/multipole/field.ts';
import { buildPanels, orderedCorners } from '../../../src/inside/multipole/panels.ts';
import { cellCentre } from '../../../src/inside/multipole/tree.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { joinMeshes, mapMesh, voxelMesh } from '../../support/shapes.ts';
import { solidAngle } from '../../support/solid-angle.ts';

const sphere = unitSphere(3);
const cubes = voxelMesh(6, 1 / 6, () => true);
const random = createRandom(81);
const bodies: [string, TriangleMesh][] = [
  ['a foam', openCellFoam({ triangles: 2000, seed: 6 })],
  ['boxes that share a face', joinMeshes([cubes, mapMesh(cubes, (x, y, z) => [x + 1, y, z])])],
  [
    'a torn sphere',
    new TriangleMesh({
      positions: sphere.positions,
      // Holes, doubled faces and faces that were turned.
      indices: Uint32Array.from(
        Array.from({ length: sphere.triangleCount }, (_, t) => t).flatMap((t) => {
          const [a, b, c] = sphere.indices.subarray(3 * t, 3 * t + 3);
          const kind = random();
          if (kind < 0.05) return [];
          if (kind < 0.1) return [a!, b!, c!, a!, b!, c!];
          return kind < 0.15 ? [a!, c!, b!] : [a!, b!, c!];
        }),
      ),
    }),
  ],
];

describe.each(bodies)('the near field of %s', (_name, mesh) => {
  const surface = localSurface(mesh);
  const { source, evaluation } = setUpMultipole(surface, { p: 1, d: 1.6, depth: 2 });
  const panels = buildPanels(surface, source, evaluation);
  const { starts, middles, entries, directions } = new NearFieldBuilder(panels, evaluation).finish();
  const { corners, mates, nearRanges } = panels;
  const trianglesOf = (leaf: number) => {
    const list: number[] = [];
    for (let r = evaluation.nearStarts[leaf]!; r < evaluation.nearStarts[leaf + 1]!; r++)
      for (let t = nearRanges[2 * r]!; t < nearRanges[2 * r + 1]!; t++) list.push(t);
    return list;
  };

  it('has panels that are the triangles of the mesh and pairs that cancel, within their clusters', () => {
    const { depth, levelStarts, firsts, lasts } = panels.source;
    const owners = new Uint32Array(mates.length);
    const own = orderedCorners(surface, source.order);
    let added = 0;
    for (let c = levelStarts[depth]!; c < levelStarts[depth + 1]!; c++) {
      owners.fill(c, firsts[c]!, lasts[c]!);
      // The mesh's triangles come first.
      const triangles = corners.subarray(
        3 * firsts[c]!,
        3 * (firsts[c]! + source.lasts[c]! - source.firsts[c]!),
      );
      expect(triangles).toEqual(own.subarray(3 * source.firsts[c]!, 3 * source.lasts[c]!));
      for (let t = firsts[c]!; t < lasts[c]!; t++) {
        expect(mates[t]! >= 0).toBe(t - firsts[c]! >= triangles.length / 3);
        for (let k = 0; k < 3; k++) {
          // Radii stay what they are.
          expect(triangles).toContain(corners[3 * t + k]!);
          for (let axis = 0; axis < 3; axis++)
            expect(panels.source.triangles[9 * t + 3 * k + axis]).toBe(
              surface.positions[3 * corners[3 * t + k]! + axis],
            );
        }
        if (mates[t]! >= 0) added++;
      }
    }
    expect(panels.source.lasts[levelStarts[depth + 1]! - 1]).toBe(mates.length);
    expect(added).toBeGreaterThan(0);
    for (let t = 0; t < mates.length; t++) {
      const mate = mates[t]!;
      if (mate < 0) continue;
      expect(mates[mate]).toBe(t);
      expect(owners[mate]).not.toBe(owners[t]);
      const turned = [...corners.subarray(3 * mate, 3 * mate + 3)].reverse();
      const first = turned.indexOf(corners[3 * t]!);
      expect([0, 1, 2].map((k) => turned[(first + k) % 3])).toEqual([...corners.subarray(3 * t, 3 * t + 3)]);
    }
  });

  it('has half-edges that are paired one to one, against each other', () => {
    const { twins } = panels;
    for (let h = 0; h < twins.length; h++) {
      const twin = twins[h]!;
      if (twin < 0) continue;
      expect(twins[twin]).toBe(h);
      const ends = (g: number) => [corners[g]!, corners[g % 3 === 2 ? g - 2 : g + 1]!];
      expect(ends(twin)).toEqual(ends(h).reverse());
    }
  });

  it('has the boundary of its triangles, as a chain of edges', () => {
    let edges = 0;
    for (let leaf = 0; leaf < evaluation.levels.length; leaf++) {
      /** Times that an edge is passed forwards less those backwards, by its ends. */
      const chain = new Map<string, number>();
      const add = (a: number, b: number, times: number) => {
        if (a === b) return;
        const key = a < b ? `${a} ${b}` : `${b} ${a}`;
        chain.set(key, (chain.get(key) ?? 0) + (a < b ? times : -times));
      };
      for (const t of trianglesOf(leaf)) {
        const [a, b, c] = corners.subarray(3 * t, 3 * t + 3);
        add(a!, b!, 1);
        add(b!, c!, 1);
        add(c!, a!, 1);
      }
      for (let i = starts[leaf]!; i < middles[leaf]!; i++) {
        if (entries[i]! >= POLYLINE_START) continue;
        edges++;
        add(entries[i - 1]! % POLYLINE_START, entries[i]!, -1);
      }
      expect([...chain.values()].filter((times) => times !== 0)).toEqual([]);
    }
    expect(edges).toBeGreaterThan(0);
  });

  it('and its crossings make up the solid angles of its triangles', () => {
    for (let leaf = 0; leaf < evaluation.levels.length; leaf++) {
      const triangles = trianglesOf(leaf);
      if (evaluation.firstChildren[leaf]! > 0 || triangles.length === 0) continue;
      const edge = source.root.edge * 2 ** -evaluation.levels[leaf]!;
      for (let trial = 0; trial < 4; trial++) {
        const x = [0, 1, 2].map(
          (k) =>
            cellCentre(source.root, evaluation.levels[leaf]!, evaluation.cells[3 * leaf + k]!, k) +
            edge * (random() - 0.5),
        );
        const seen = (v: number) =>
          [0, 1, 2].map((k) => surface.positions[3 * v + k]! - x[k]!) as [number, number, number];
        const exact = triangles.reduce((sum, t) => {
          const [a, b, c] = corners.subarray(3 * t, 3 * t + 3);
          return sum + solidAngle(seen(a!), seen(b!), seen(c!));
        }, 0);
        // The vector k, against the rays.
        const axis = directions[leaf]! >> 1;
        const k: [number, number, number] = [0, 0, 0];
        k[axis] = directions[leaf]! & 1 ? 1 : -1;
        let sum = 0;
        for (let i = starts[leaf]!; i < middles[leaf]!; i++) {
          if (entries[i]! < POLYLINE_START)
            sum += solidAngle(k, seen(entries[i - 1]! % POLYLINE_START), seen(entries[i]!));
        }
        for (let i = middles[leaf]!; i < starts[leaf + 1]!; i += 3) {
          const [a, b, c] = [0, 1, 2].map((j) => seen(entries[i + j]!));
          // -k is in the cone of the three where it is on the same side of all planes through the point.
          const against = k.map((component) => -component) as [number, number, number];
          const volume = determinant(a!, b!, c!);
          const sides = [
            determinant(against, b!, c!),
            determinant(a!, against, c!),
            determinant(a!, b!, against),
          ];
          if (sides.every((side) => side * volume > 0)) sum += 4 * Math.PI * Math.sign(volume);
        }
        expect(Math.abs(sum - exact)).toBeLessThan(1e-9);
      }
    }
  });
});

describe('the near field of many layers', () => {
  const layers = 5;
  const { positions } = sphere;
  const indices = Array.from({ length: layers }, () => [...sphere.indices]).flat();
  const many = new TriangleMesh({ positions, indices: Uint32Array.from(indices) });

  it('has the boundary of each, not all of their edges', () => {
    const edges = [sphere, many].map((mesh) => {
      const surface = localSurface(mesh);
      const { source, evaluation } = setUpMultipole(surface, { p: 1, d: 1.6, depth: 3 });
      const { starts, middles, entries } = new NearFieldBuilder(
        buildPanels(surface, source, evaluation),
        evaluation,
      ).finish();
      let count = 0;
      for (let leaf = 0; leaf < middles.length; leaf++)
        for (let i = starts[leaf]!; i < middles[leaf]!; i++) if (entries[i]! < POLYLINE_START) count++;
      return count;
    });
    expect(edges[0]).toBeGreaterThan(1000);
    expect(edges[1]).toBe(layers * edges[0]!);
  });

  it('says so when it is larger than allowed', () => {
    const surface = localSurface(many);
    const { source, evaluation } = setUpMultipole(surface, { p: 1, d: 1.6, depth: 3 });
    const builder = new NearFieldBuilder(buildPanels(surface, source, evaluation), evaluation, 4000);
    expect(() => builder.work()).toThrow(DeviceError);
    expect(() => builder.work()).toThrow(
      new RegExp(
        String.raw`^multipole near field: needs a buffer of more than \d+ bytes, the device allows 4000 ` +
          String.raw`\(maxStorage\w+\), openDevice\(.*, or use method`,
      ),
    );
  });
});

function determinant(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  return (
    a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) +
    a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) +
    a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!)
  );
}

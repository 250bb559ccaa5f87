import { describe, expect, it } from 'vitest';
import { CellGrid } from '../../src/inside/cell-grid/cell-grid.ts';
import { LOOK_WORK_BEFORE_TREE, TRIANGLE_LOOK_WORK } from '../../src/inside/constants.ts';
import { ExactTest } from '../../src/inside/exact.ts';
import { RayTree } from '../../src/inside/ray-tree.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { exactFlags } from '../support/flags.ts';
import { boxMesh, joinMeshes, mapMesh, randomPoints, stepFloat32, voxelMesh } from '../support/shapes.ts';

const cube = boxMesh([0, 0, 0], [1, 1, 1]);

describe('exact test of a cube', () => {
  const test = new ExactTest(cube);
  const flag = (x: number, y: number, z: number) => test.flag(x, y, z, 'odd');

  it('flags vertices, edges and faces as boundary', () => {
    for (const x of [0, 0.5, 1]) {
      for (const y of [0, 0.5, 1]) {
        for (const z of [0, 0.5, 1]) {
          expect(flag(x, y, z), `${x} ${y} ${z}`).toBe(x === 0.5 && y === 0.5 && z === 0.5 ? 1 : 2);
        }
      }
    }
  });

  it('tells one ulp inside from one ulp outside at every place of the surface', () => {
    for (const [low, high] of [
      [stepFloat32(0, -1), stepFloat32(0, 1)],
      [stepFloat32(1, 1), stepFloat32(1, -1)],
    ]) {
      for (const along of [0, 0.25, 0.5, 1]) {
        for (let axis = 0; axis < 3; axis++) {
          const at = (x: number) => {
            const p = [along, along, along];
            p[axis] = x;
            return flag(p[0]!, p[1]!, p[2]!);
          };
          expect(at(low!)).toBe(0);
          expect(at(high!)).toBe(along === 0 || along === 1 ? 2 : 1);
        }
      }
    }
  });

  it('crosses each edge and vertex once: rays along -x and +x of the same line agree', () => {
    for (const y of [0.25, 0.5]) for (const z of [0.25, 0.5]) expect(flag(-1, y, z)).toBe(0);
    for (const y of [0, 1]) for (const z of [0, 0.5, 1]) expect(flag(-1, y, z)).toBe(0);
  });
});

describe('exact test of windings', () => {
  it('counts a body inside out as inside under nonzero', () => {
    const test = new ExactTest(mapMesh(cube, (x, y, z) => [x, y, z], { flip: true }));
    expect(test.flag(0.5, 0.5, 0.5, 'nonzero')).toBe(1);
    expect(test.flag(1.5, 0.5, 0.5, 'nonzero')).toBe(0);
  });

  it('separates odd from nonzero where two bodies overlap', () => {
    const test = new ExactTest(joinMeshes([cube, mapMesh(cube, (x, y, z) => [x + 0.5, y, z])]));
    expect(test.flag(0.75, 0.4, 0.3, 'odd')).toBe(0);
    expect(test.flag(0.75, 0.4, 0.3, 'nonzero')).toBe(1);
    expect(test.flag(0.25, 0.4, 0.3, 'odd')).toBe(1);
  });
});

describe('exact test of degenerate faces', () => {
  // A cube whose faces x = 1 are split by faces without area along an edge.
  const positions = Float32Array.from([...cube.positions, 1, 0.5, 0]);
  const middle = 8;
  const indices: number[] = [];
  for (let t = 0; t < cube.indices.length; t += 3) indices.push(...cube.indices.subarray(t, t + 3));
  // Vertices 1 (1,0,0) and 3 (1,1,0) with the middle between them: collinear, twice, so that edges stay even.
  indices.push(1, middle, 3, 3, middle, 1);
  const mesh = new TriangleMesh({ positions, indices: Uint32Array.from(indices) });

  it('finds points on a collinear face and ignores it elsewhere', () => {
    const test = new ExactTest(mesh);
    expect(test.flag(1, 0.25, 0, 'odd')).toBe(2);
    expect(test.flag(stepFloat32(1, 1), 0.25, 0, 'odd')).toBe(0);
    expect(test.flag(0.5, 0.25, stepFloat32(0, 1), 'odd')).toBe(1);
    expect(test.flag(0.25, 0.25, 0.25, 'odd')).toBe(1);
  });

  it('finds points on a face without area that stands alone', () => {
    const lonely = new TriangleMesh({
      positions: Float32Array.from([0, 0, 0, 1, 2, 3, 2, 4, 6]),
      indices: Uint32Array.from([0, 1, 2, 2, 1, 0]),
    });
    const test = new ExactTest(lonely);
    expect(test.flag(0.5, 1, 1.5, 'odd')).toBe(2);
    expect(test.flag(0.5, 1, 1.25, 'odd')).toBe(0);
  });
});

/** The same faces in another order. */
function shuffled(mesh: TriangleMesh, seed: number): TriangleMesh {
  const random = createRandom(seed);
  const order = Array.from({ length: mesh.triangleCount }, (_, t) => t);
  for (let t = order.length - 1; t > 0; t--) {
    const other = Math.floor(random() * (t + 1));
    [order[t], order[other]] = [order[other]!, order[t]!];
  }
  const indices = Uint32Array.from(order.flatMap((t) => [...mesh.indices.subarray(3 * t, 3 * t + 3)]));
  return new TriangleMesh({ positions: mesh.positions, indices });
}

it('does not depend on the order of triangles or on the axis of the ray', () => {
  const random = createRandom(5);
  const sphere = unitSphere(3);
  const turned = mapMesh(sphere, (x, y, z) => [y, z, x]);
  const plain = new ExactTest(sphere);
  const other = new ExactTest(shuffled(sphere, 3));
  const across = new ExactTest(turned);
  const points = randomPoints(sphere, 3000, random);
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = points.subarray(i, i + 3);
    const flag = plain.flag(x!, y!, z!, 'odd');
    expect(other.flag(x!, y!, z!, 'odd')).toBe(flag);
    expect(across.flag(y!, z!, x!, 'odd')).toBe(flag);
    if (Math.hypot(x!, y!, z!) > 1) expect(flag).toBe(0);
  }
});

/** Vertices from all over a mesh. */
const verticesOf = ({ positions }: TriangleMesh, count: number) =>
  Float32Array.from({ length: 3 * count }, (_, i) => {
    const vertex = Math.floor(((Math.floor(i / 3) + 0.5) / count) * (positions.length / 3));
    return positions[3 * vertex + (i % 3)]!;
  });

describe('what an exact test looks at', () => {
  /** Looks per point at a body's vertices, and with its points beside them. */
  function looksOf(mesh: TriangleMesh, points: Float32Array) {
    const test = new ExactTest(mesh);
    const flags = Array.from({ length: points.length / 3 }, (_, i) =>
      test.flag(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!, 'odd'),
    );
    const { points: count, boxes, triangles } = test.looks;
    expect(count).toBe(flags.length);
    return { flags, boxes: boxes / count, triangles: triangles / count };
  }
  const detail = mapMesh(unitSphere(5), (x, y, z) => [0.3 + 1e-4 * x, 0.4 + 1e-4 * y, 0.7 + 1e-4 * z]);

  it.each<[string, TriangleMesh, TriangleMesh]>([
    ['a sphere of 131,072 triangles', unitSphere(7), unitSphere(5)],
    ['a small sphere in a large box', joinMeshes([boxMesh([0, 0, 0], [1, 1, 1]), detail]), detail],
  ])('is little, and the same for shuffled faces: %s', (_, mesh, near) => {
    const vertices = verticesOf(near, 500);
    const beside = vertices.map((x) => x * (1 + 1e-5));
    for (const points of [vertices, beside]) {
      const ordered = looksOf(mesh, points);
      const mixed = looksOf(shuffled(mesh, 7), points);
      expect(mixed.flags).toEqual(ordered.flags);
      // The triangles whose box the ray passes are the same ones, but for points that are on one: the first one found
      // ends it.
      expect(mixed.triangles).toBeLessThan(1.3 * ordered.triangles + 1);
      expect(ordered.triangles).toBeLessThan(20);
      expect(mixed.boxes).toBeLessThan(1.3 * ordered.boxes);
      expect(ordered.boxes).toBeLessThan(200);
    }
  });

  it('is a part of the tree for a single point: nodes that no ray passes are not made', () => {
    const sphere = unitSphere(6);
    const tree = new RayTree(sphere);
    const made = () => tree.next.reduce((sum, next) => sum + (next > 0 ? 1 : 0), 0);
    expect(made()).toBe(1);
    tree.part(0);
    tree.part(0);
    expect(made()).toBe(3);
    const large = [...tree.partLarge(sphere.triangleCount / 4)].length;
    expect(large).toBe(7);
    expect(new Set(tree.order).size).toBe(sphere.triangleCount);
    for (let node = 0; node < tree.nodeCount; node++) {
      if (tree.next[node] === 0) continue;
      const box = tree.boxes.subarray(6 * node, 6 * node + 6);
      for (let i = tree.first[node]!; i < tree.endOf(node); i++) {
        for (let corner = 0; corner < 3; corner++) {
          const v = 3 * sphere.indices[3 * tree.order[i]! + corner]!;
          for (let k = 0; k < 3; k++) {
            const x = sphere.positions[v + k]!;
            if (!(x >= box[k]! && x <= box[k + 3]!)) expect.fail(`node ${node}, triangle ${tree.order[i]}`);
          }
        }
      }
    }
  });

  it('is a ray along the axis with the fewest faces: one column of a flat plate, not a row', () => {
    const n = 40;
    const plate = voxelMesh(n, 1, (_i, _j, k) => k === 0);
    const points = Float32Array.from({ length: 300 }, (_, i) => (i % 3 === 2 ? 0.5 : (i % n) + 0.25));
    const { triangles, flags } = looksOf(plate, points);
    expect(flags.every((flag) => flag === 1)).toBe(true);
    expect(triangles).toBeLessThan(4);
  });

  it('is only what a point is in where the question is whether it is on a triangle', () => {
    const test = new ExactTest(unitSphere(6));
    for (let n = 0; n < 100; n++) expect(test.isOn(-0.9 + 0.01 * n, 0.1, 0.2)).toBe(false);
    expect(test.looks.triangles / 100).toBeLessThan(1);
  });
});

describe('settling few points', () => {
  const sphere = unitSphere(4);
  const two = joinMeshes([sphere, mapMesh(sphere, (x, y, z) => [x + 0.5, y, 0.2 * z])]);

  /** A closed mesh with long thin faces, and faces without area along its edges. */
  const slab = boxMesh([-9, 0.1, -0.3], [9, 0.2, 0.4]);
  const long = joinMeshes([
    two,
    new TriangleMesh({
      positions: slab.positions,
      // Each there and back, so that edges stay even.
      indices: Uint32Array.from([...slab.indices, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0]),
    }),
  ]);
  const far = mapMesh(two, (x, y, z) => [1000 + x, y, 2 ** 20 * z]);

  it.each<[string, TriangleMesh]>([
    ['two spheres', two],
    ['shuffled faces', shuffled(two, 11)],
    ['long faces and faces without area', long],
    ['the same in any order', shuffled(long, 12)],
    ['a mesh that tables have in a frame of its own', far],
    ['no more faces than a run has', cube],
  ])('by a look at runs gives the flags of rays through the tree: %s', async (_, source) => {
    const random = createRandom(4);
    const corner = () => 3 * Math.floor((random() * source.positions.length) / 3);
    const { min, max } = source.box;
    const count = 500;
    const points = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) {
      const [a, b, c] = [corner(), corner(), corner()];
      const t = 3 * Math.floor(random() * source.triangleCount);
      for (let k = 0; k < 3; k++) {
        const x = source.positions[a + k]!;
        const alongEdge = [0, 1].map((side) => source.positions[3 * source.indices[t + side]! + k]!);
        points[3 * i + k] = [
          // On corners, beside them, on rays that pass corners, in the middle of edges, and anywhere.
          x,
          stepFloat32(x, k - 1),
          source.positions[(k === i % 3 ? b : c) + k]!,
          (alongEdge[0]! + alongEdge[1]!) / 2,
          min[k]! + (1.2 * random() - 0.1) * (max[k]! - min[k]!),
        ][i % 5]!;
      }
    }
    const numbers = Uint32Array.from({ length: count }, (_, i) => i);
    for (let turn = 0; turn < 3; turn++) {
      const turned = (of: Float32Array) => of.map((_, i) => of[i - (i % 3) + ((i + turn) % 3)]!);
      const mesh = new TriangleMesh({ positions: turned(source.positions), indices: source.indices });
      const { tables } = await CellGrid.create(mesh, undefined);
      for (const runs of [undefined, tables.runs]) {
        for (const rule of ['odd', 'nonzero'] as const) {
          const expected = exactFlags(mesh, turned(points), rule);
          const flags = new Uint8Array(count);
          const test = new ExactTest(mesh, runs);
          await test.writeFlags(turned(points), numbers, flags, rule);
          expect(flags).toEqual(expected);
          expect(new Set(flags).size).toBe(3);
          // One by one as well: no point takes part in what another one's ray passes.
          const alone = new ExactTest(mesh, runs);
          for (let i = 0; i < 20; i++) {
            await alone.writeFlags(turned(points), Uint32Array.of(i), flags.fill(9, i, i + 1), rule);
          }
          expect(alone.looks.boxes).toBe(0);
          expect(flags).toEqual(expected);
        }
      }
    }
  });

  it('looks at few triangles of a mesh whose faces lie in order, and at no box of a tree', async () => {
    const fine = unitSphere(7);
    const test = new ExactTest(fine);
    const flags = new Uint8Array(100);
    const points = verticesOf(fine, 100);
    for (let i = 0; i < 100; i++) await test.writeFlags(points, Uint32Array.of(i), flags, 'odd');
    expect(test.looks.boxes).toBe(0);
    expect(test.looks.points).toBe(100);
    expect(flags.every((flag) => flag === 2)).toBe(true);
    // All runs are compared, and of some five all triangles are read.
    expect(test.looks.runs / 100).toBeLessThan(0.1 * fine.triangleCount);
  });

  it('makes a tree where lists go on to come, or are long', async () => {
    // One point reads every triangle of a mesh in any order, and compares it. Of many, halves find those beside it.
    const mixed = shuffled(sphere, 6);
    const test = new ExactTest(mixed);
    const count = 20_000;
    const points = new Float32Array(3 * count).map(() => 0.01);
    const flags = new Uint8Array(count);
    const lists = Math.floor(LOOK_WORK_BEFORE_TREE / (TRIANGLE_LOOK_WORK + 1)) - 1;
    for (let list = 0; list < lists; list++) {
      await test.writeFlags(points, Uint32Array.of(list), flags, 'odd');
      expect(test.looks.boxes).toBe(0);
    }
    for (let list = 0; list < 2; list++) await test.writeFlags(points, Uint32Array.of(list), flags, 'odd');
    expect(test.looks.boxes).toBeGreaterThan(0);
    const other = new ExactTest(mixed);
    const all = Uint32Array.from(flags.keys());
    const anywhere = randomPoints(sphere, count, createRandom(2));
    await other.writeFlags(anywhere, all, flags, 'odd');
    expect(other.looks.boxes).toBeGreaterThan(0);
    expect(other.looks.points).toBe(count);
    expect(flags).toEqual(exactFlags(mixed, anywhere));
  });

  it('stops at its signal', async () => {
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    const asked = new ExactTest(sphere).writeFlags(
      sphere.positions,
      Uint32Array.of(0),
      new Uint8Array(1),
      'odd',
      {
        signal,
      },
    );
    await expect(asked).rejects.toBe(reason);
  });
});

describe('settling many points', () => {
  const sphere = unitSphere(6);
  const numbers = Uint32Array.from({ length: 20_000 }, (_, i) => i);
  const many = Uint32Array.from({ length: 500_000 }, (_, i) => i % numbers.length);
  const points = randomPoints(sphere, numbers.length, createRandom(9));

  it('gives the flags of single tests, and lets timers in', async () => {
    const test = await ExactTest.create(sphere);
    const flags = new Uint8Array(numbers.length);
    let turns = 0;
    const ticks = setInterval(() => turns++, 0);
    // So many that several slices are due.
    await test.writeFlags(points, many, flags, 'odd');
    clearInterval(ticks);
    expect(flags).toEqual(exactFlags(sphere, points));
    expect(turns).toBeGreaterThan(0);
  });

  it('stops at its signal, in the middle', async () => {
    const test = await ExactTest.create(sphere);
    const cancel = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => cancel.abort(reason), 0);
    const flags = new Uint8Array(numbers.length);
    await expect(test.writeFlags(points, many, flags, 'odd', { signal: cancel.signal })).rejects.toBe(reason);
    expect(test.looks.points).toBeLessThan(many.length);
    await expect(ExactTest.create(sphere, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

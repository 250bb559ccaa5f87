import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { checkMesh, findEdges } from '../../src/mesh/check-mesh.ts';
import { buildEdgeTable } from '../../src/mesh/edges.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { box, boxMesh, joined, meshOf } from './sample-meshes.ts';

describe('checkMesh', () => {
  it('finds nothing wrong with a box', () => {
    expect(checkMesh(boxMesh([0, 0, 0], [1, 2, 3]))).toMatchObject({
      triangles: 12,
      vertices: 8,
      unusedVertices: 0,
      components: 1,
      closed: true,
      manifold: true,
      oriented: true,
      boundaryEdges: { count: 0, examples: [] },
      eulerCharacteristic: 2,
      facesDropped: 0,
      boundingBox: { min: [0, 0, 0], max: [1, 2, 3] },
      area: 22,
    });
  });

  it('names the edges around a missing face', () => {
    const { vertices, triangles } = box();
    const report = checkMesh(meshOf(vertices, triangles.slice(1)));
    expect(report).toMatchObject({ closed: false, manifold: false, oriented: false, components: 1 });
    expect(report.boundaryEdges.count).toBe(3);
    expect(report.boundaryEdges.examples).toContainEqual({
      vertices: [2, 3],
      positions: [
        [0, 1, 0],
        [1, 1, 0],
      ],
      faces: 1,
      triangles: [6],
    });
    expect(report.wronglyOrientedEdges.count).toBe(0);
    expect(report.enclosedVolume).toBeUndefined();
    expect(report.centroid).toBeUndefined();
    expect(report.inertia).toBeUndefined();
    expect(report.area).toBe(5.5);
  });

  it('finds the three edges of a flipped face', () => {
    const { vertices, triangles } = box();
    const report = checkMesh(meshOf(vertices, [triangles[0]!.toReversed(), ...triangles.slice(1)]));
    expect(report).toMatchObject({ closed: true, manifold: true, oriented: false });
    expect(report.wronglyOrientedEdges.count).toBe(3);
    expect(report.wronglyOrientedEdges.examples.every((edge) => edge.triangles.includes(0))).toBe(true);
  });

  it('tells a third face at an edge from a fourth', () => {
    const { vertices, triangles } = box();
    const fin = [...vertices, [2, 2, 2]];
    const three = checkMesh(meshOf(fin, [...triangles, [0, 1, 8]]));
    expect(three.closed).toBe(false);
    expect(three.oddEdges).toEqual({
      count: 1,
      examples: [
        {
          vertices: [0, 1],
          positions: [
            [0, 0, 0],
            [1, 0, 0],
          ],
          faces: 3,
          triangles: expect.arrayContaining([12]),
        },
      ],
    });
    expect(three.boundaryEdges.count).toBe(2);
    expect(three.nonManifoldEdges.count).toBe(1);

    const four = checkMesh(meshOf(fin, [...triangles, [0, 1, 8], [1, 0, 8]]));
    expect(four).toMatchObject({ closed: true, oriented: true, manifold: false });
    expect(four.oddEdges.count).toBe(0);
    expect(four.nonManifoldEdges.count).toBe(1);
    expect(four.duplicateFaces).toMatchObject({
      count: 1,
      examples: [{ triangle: 13, vertices: [1, 0, 8] }],
    });
  });

  it('counts duplicates once each, whatever their order of corners', () => {
    const { vertices, triangles } = box();
    const [a, b, c] = triangles[4]! as [number, number, number];
    const report = checkMesh(meshOf(vertices, [...triangles, [b, c, a], [c, b, a], [a, c, b]]));
    expect(report.duplicateFaces.count).toBe(3);
    expect(report.duplicateFaces.examples.map((face) => face.triangle)).toEqual([12, 13, 14]);
  });

  it('finds the vertex where two boxes touch', () => {
    const { vertices, triangles } = box();
    const other = vertices.slice(1).map((v) => v.map((x) => -x));
    const shared = triangles.map((t) => t.map((v) => (v === 0 ? 0 : v + 7)).toReversed());
    const report = checkMesh(meshOf([...vertices, ...other], [...triangles, ...shared]));
    expect(report).toMatchObject({
      closed: true,
      oriented: true,
      manifold: false,
      components: 1,
      vertices: 15,
    });
    expect(report.extraVertexFans).toEqual({ count: 1, examples: [{ vertex: 0, position: [0, 0, 0] }] });
    expect(report.nonManifoldEdges.count).toBe(0);
    expect(report.enclosedVolume).toBeCloseTo(2, 14);
  });

  it('counts components and unused vertices', () => {
    const { vertices, triangles } = box();
    expect(checkMesh(joined(boxMesh(), boxMesh(), boxMesh())).components).toBe(3);
    const report = checkMesh(
      meshOf(
        [[9, 9, 9], ...vertices, [8, 8, 8]],
        triangles.map((t) => t.map((v) => v + 1)),
      ),
    );
    expect(report).toMatchObject({ vertices: 8, unusedVertices: 2, eulerCharacteristic: 2, manifold: true });
    expect(report.boundingBox.max).toEqual([1, 1, 1]);
  });

  it('recognises collinear float32 corners exactly', () => {
    // Corners at 1, 2 and 4 times a direction are exactly collinear; one unit in the last place is not.
    const direction = new Float32Array([0.1, 0.7, 1e-20]);
    const at = (factor: number) => Array.from(direction, (x) => x * factor);
    expect(checkMesh(meshOf([at(1), at(2), at(4)], [[0, 1, 2]])).degenerateFaces.count).toBe(1);
    const [x, y, z] = at(4) as [number, number, number];
    const nudged = x * (1 + 2 ** -23);
    expect(checkMesh(meshOf([at(1), at(2), [nudged, y, z]], [[0, 1, 2]])).degenerateFaces.count).toBe(0);
    expect(
      checkMesh(
        meshOf(
          [
            [1e-45, 0, 0],
            [0, 1e-45, 0],
            [0, 0, 1e-45],
          ],
          [[0, 1, 2]],
        ),
      ).degenerateFaces.count,
    ).toBe(0);
    expect(
      checkMesh(
        meshOf(
          [
            [3e38, 0, 0],
            [-3e38, 0, 0],
            [0, 1e-45, 0],
          ],
          [[0, 1, 2]],
        ),
      ).degenerateFaces.count,
    ).toBe(0);
    expect(
      checkMesh(
        meshOf(
          [
            [1, 1, 1],
            [1, 1, 1],
            [0, 3, 0],
          ],
          [[0, 1, 2]],
        ),
      ).degenerateFaces,
    ).toMatchObject({
      count: 1,
      examples: [{ triangle: 0 }],
    });
  });

  it('gives as many examples as asked for, five by default', () => {
    const { vertices, triangles } = box();
    const open = meshOf(vertices, triangles.slice(6));
    const { count } = checkMesh(open).boundaryEdges;
    expect(count).toBeGreaterThan(5);
    expect(checkMesh(open).boundaryEdges.examples).toHaveLength(5);
    expect(checkMesh(open, { examples: 2 }).boundaryEdges.examples).toHaveLength(2);
    expect(checkMesh(open, { examples: 0 }).boundaryEdges).toEqual({ count, examples: [] });
    expect(checkMesh(open, { examples: 100 }).boundaryEdges.examples).toHaveLength(count);
  });

  it('refuses a number of examples that is none', () => {
    expect(() => checkMesh(boxMesh(), { examples: -1 })).toThrow(InputError);
    expect(() => checkMesh(boxMesh(), { examples: 1.5 })).toThrow(
      'examples is 1.5, expected an integer of 0 or more',
    );
  });

  it('takes an empty mesh', () => {
    expect(checkMesh(meshOf([], []))).toMatchObject({
      triangles: 0,
      vertices: 0,
      components: 0,
      closed: true,
      area: 0,
    });
  });

  it('never throws, and its findings agree with its verdicts, for any triangles', () => {
    const coordinate = fc.float({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 4, maxLength: 9 }),
        fc.array(fc.tuple(...[0, 1, 2].map(() => fc.nat({ max: 3 }))), { maxLength: 12 }),
        (vertices, triangles) => {
          const report = checkMesh(meshOf(vertices, triangles));
          expect(report.closed).toBe(report.boundaryEdges.count + report.oddEdges.count === 0);
          expect(report.oriented).toBe(report.closed && report.wronglyOrientedEdges.count === 0);
          if (report.manifold) expect(report.closed).toBe(true);
          const distinct = triangles.filter((t) => new Set(t).size === 3).map((t) => t.toSorted().join());
          expect(report.duplicateFaces.count).toBe(distinct.length - new Set(distinct).size);
          expect(report.vertices + report.unusedVertices).toBe(vertices.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('takes an edge with ten thousand faces and a fan around one vertex', () => {
    const count = 10_000;
    const vertices = [
      [0, 0, 0],
      [0, 0, 1],
      ...Array.from({ length: count }, (_, k) => [k + 1, (k % 7) - 3, 0]),
    ];
    const book = Array.from({ length: count }, (_, k) => [0, 1, k + 2]);
    const report = checkMesh(meshOf(vertices, book));
    expect(report.nonManifoldEdges).toMatchObject({
      count: 1,
      examples: [{ vertices: [0, 1], faces: count }],
    });
    expect(report.nonManifoldEdges.examples[0]!.triangles).toHaveLength(5);
    expect(report.boundaryEdges.count).toBe(2 * count);
    expect(report.extraVertexFans.count).toBe(0);
  });

  it('reports what the reader dropped', () => {
    const origin = { format: 'obj', fileVertices: 8, fileTriangles: 15, facesDropped: 3 };
    const { positions, indices } = boxMesh();
    expect(checkMesh(new TriangleMesh({ positions, indices, origin })).facesDropped).toBe(3);
  });

  it('gives spheres the Euler characteristic 2', () => {
    for (const refinements of [0, 3, 5])
      expect(checkMesh(unitSphere(refinements)).eulerCharacteristic).toBe(2);
  });
});

// Once a face of 16.7 million corners at three places took 44 s: to name ten triangles of an edge, all were put into a
// set.
it('looks only at the triangles of an edge that it names', () => {
  const mesh = meshOf(
    [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ],
    Array.from({ length: 1000 }, () => [0, 1, 2]),
  );
  const edges = buildEdgeTable(mesh.indices, mesh.vertexCount);
  let reads = 0;
  const watched = (array: Uint32Array): Uint32Array =>
    new Proxy(array, {
      get(of, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        if (key === 'subarray') return (from: number, to: number) => watched(of.subarray(from, to));
        if (key === Symbol.iterator) reads += of.length;
        const value: unknown = Reflect.get(of, key, of);
        return typeof value === 'function' ? value.bind(of) : value;
      },
    });
  const found = findEdges(mesh, { ...edges, halfEdges: watched(edges.halfEdges) }, 10, () => true);
  expect(found.count).toBe(3);
  for (const { faces, triangles } of found.examples) {
    expect(faces).toBe(1000);
    expect(triangles).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  }
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThan(100);
});

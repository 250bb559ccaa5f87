import { describe, expect, it } from 'vitest';
import { quatd, vec3d } from 'wgpu-matrix';
import { nodesInside } from '../../src/contacts/nodes-inside.ts';
import { InputError } from '../../src/errors.ts';
import { exactFlags } from '../../src/inside/exact-flags.ts';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import { randomRock } from '../../src/mesh/generate-rock.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';

const meshes = [
  randomRock({ seed: 3, convex: false, triangles: 200 }),
  randomRock({ seed: 5, convex: false, triangles: 72, roughness: 0.5 }),
  unitSphere(2),
];
const polyhedra = await Promise.all(meshes.map((mesh) => Polyhedron.create(undefined, mesh, { threads: 1 })));

function randomPoses(count: number, width: number, seed: number): Float64Array {
  const random = createRandom(seed);
  const poses = new Float64Array(7 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) poses[7 * i + k] = width * random();
    poses.set(quatd.normalize([0, 0, 0, 0].map(() => random() - 0.5) as never), 7 * i + 3);
  }
  return poses;
}

/** Node by node, pair by pair, with another library's rotations and exact predicates alone. */
function byBruteForce(poses: Float64Array, shapes: Uint32Array, pairs: Uint32Array, nodes?: Float32Array[]) {
  const found: number[][] = [];
  for (let p = 0; p < pairs.length / 2; p++) {
    const [a, b] = [pairs[2 * p]!, pairs[2 * p + 1]!];
    const pose = (body: number) => ({
      position: [...poses.subarray(7 * body, 7 * body + 3)],
      turn: [...poses.subarray(7 * body + 3, 7 * body + 7)] as never,
    });
    const shift = vec3d.subtract(pose(a).position, pose(b).position);
    const own = nodes?.[shapes[a]!] ?? meshes[shapes[a]!]!.positions;
    const points = new Float32Array(own.length);
    for (let n = 0; n < own.length; n += 3) {
      const turned = vec3d.transformQuat([...own.subarray(n, n + 3)], pose(a).turn);
      points.set(vec3d.transformQuat(vec3d.add(turned, shift), quatd.conjugate(pose(b).turn)), n);
    }
    exactFlags(meshes[shapes[b]!]!, points).forEach((flag, n) => {
      if (flag !== 0) found.push([p, n, flag]);
    });
  }
  return found;
}

it('reads the arrays of its callers before its first pause alone', async () => {
  const poses = randomPoses(8, 1, 3);
  const shapes = Uint32Array.from({ length: 8 }, (_, body) => body % 3);
  const pairs = Uint32Array.from({ length: 56 }, (_, i) => (i % 2 === 0 ? i % 8 : (i + 2) % 8));
  const nodes = meshes.map((mesh) => mesh.positions.slice());
  const expected = rows(await nodesInside(polyhedra, { poses, shapes, pairs, nodes }));
  const calling = nodesInside(polyhedra, { poses, shapes, pairs, nodes });
  pairs.fill(1000);
  poses.fill(NaN);
  for (const own of nodes) own.fill(NaN);
  expect(rows(await calling)).toEqual(expected);
  expect(expected.length).toBeGreaterThan(100);
});

function rows({ starts, nodes, flags }: Awaited<ReturnType<typeof nodesInside>>): number[][] {
  const found: number[][] = [];
  for (let p = 0; p + 1 < starts.length; p++) {
    for (let i = starts[p]!; i < starts[p + 1]!; i++) found.push([p, nodes[i]!, flags[i]!]);
  }
  return found;
}

describe('nodesInside', () => {
  it('finds the nodes that exact predicates find, pair by pair', async () => {
    const count = 20;
    const poses = randomPoses(count, 4, 11);
    const shapes = Uint32Array.from({ length: count }, (_, i) => i % 3);
    const random = createRandom(2);
    const pairs = new Uint32Array(600).map(() => Math.floor(count * random()));
    for (let p = 0; p < 600; p += 2) if (pairs[p] === pairs[p + 1]) pairs[p] = (pairs[p]! + 1) % count;
    const result = await nodesInside(polyhedra, { poses, shapes, pairs });
    const expected = byBruteForce(poses, shapes, pairs);
    expect(expected.length).toBeGreaterThan(600);
    expect(rows(result)).toEqual(expected);
    expect(result.tested).toBeLessThan(300 * 60);

    const own = [Float32Array.of(0, 0, 0), undefined, Float32Array.of(0, 0, 0.5, 0, 0, 2)];
    const some = own.map((one, i) => one ?? meshes[i]!.positions);
    const asked = await nodesInside(polyhedra, { poses, shapes, pairs, nodes: own });
    expect(rows(asked)).toEqual(byBruteForce(poses, shapes, pairs, some));
  });

  it('gives the same far from the origin: positions are subtracted first', async () => {
    const pairs = Uint32Array.of(0, 1, 1, 0, 2, 1, 1, 2);
    const poses = randomPoses(3, 1, 5).map((x, i) => (i % 7 < 3 ? Math.round(2 ** 20 * x) / 2 ** 20 : x));
    const far = poses.map((x, i) => (i % 7 < 3 ? x + 2 ** 30 : x));
    const [here, there] = [
      await nodesInside(polyhedra, { poses, pairs }),
      await nodesInside(polyhedra, { poses: far, pairs }),
    ];
    expect(here.nodes.length).toBeGreaterThan(50);
    expect(there).toEqual(here);
  });

  it('tells nodes on the surface from those inside', async () => {
    const corners = [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].map((z) => [x, y, z])));
    const faces = [
      [0, 1, 3, 2],
      [4, 6, 7, 5],
      [0, 4, 5, 1],
      [2, 3, 7, 6],
      [0, 2, 6, 4],
      [1, 5, 7, 3],
    ];
    const mesh = new TriangleMesh({
      positions: Float32Array.from(corners.flat()),
      indices: Uint32Array.from(faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d] as number[])),
    });
    const cube = await Polyhedron.create(undefined, mesh, { threads: 1 });
    // Moved by half an edge along x, and by a quarter along y: two corners touch a face, and two are inside none.
    const poses = Float32Array.of(0, 0, 0, 0, 0, 0, 1, 0.5, 0.25, 0, 0, 0, 0, 1, 0.5, 0.5, 0.5, 0, 0, 0, 1);
    const shapes = new Uint32Array(3);
    const result = await nodesInside([cube], { poses, shapes, pairs: Uint32Array.of(1, 0, 2, 0, 0, 2) });
    expect(rows(result)).toEqual([
      [0, 0, 2],
      [0, 1, 2],
      [1, 0, 1],
      [2, 7, 1],
    ]);
  });

  it('takes no pairs and no bodies', async () => {
    const none = await nodesInside(polyhedra, {
      poses: new Float32Array(0),
      shapes: new Uint32Array(0),
      pairs: new Uint32Array(0),
    });
    expect(none).toEqual({
      starts: Uint32Array.of(0),
      nodes: new Uint32Array(0),
      flags: new Uint8Array(0),
      tested: 0,
    });
  });

  it('stops at its signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const poses = randomPoses(3, 0.1, 1);
    await expect(nodesInside(polyhedra, { poses, pairs: Uint32Array.of(0, 1), signal })).rejects.toThrow(
      'enough',
    );
  });

  const poses = randomPoses(3, 1, 1);
  const pairs = Uint32Array.of(0, 1);
  const bad: [query: object, message: string][] = [
    [
      { pairs },
      'nodesInside: poses: found undefined, expected a Float32Array or Float64Array of seven numbers per body',
    ],
    [
      { poses: poses.subarray(7), pairs },
      'nodesInside: poses: 14 numbers found, expected 21: 7 for each of 3 bodies',
    ],
    [
      { poses: poses.map((x, i) => (i === 1 ? Number.NaN : x)), pairs },
      'poses: pose 0: position is [0.6957482290454209,NaN,0.35103498841635883], ' +
        'expected three numbers of at most 1e+30',
    ],
    [
      { poses: poses.map((x, i) => (i > 16 ? 0 : x)), pairs },
      'poses: pose 2: rotation is [0,0,0,0] of length 0, expected a quaternion x, y, z, w of length 1',
    ],
    [{ poses, pairs: Uint32Array.of(0) }, 'nodesInside: pairs: 1 numbers found, expected an even number'],
    [
      { poses, pairs: Uint32Array.of(0, 1, 2, 2) },
      'nodesInside: pairs: pair 1 is 2, 2, expected two bodies with numbers below 3',
    ],
    [
      { poses, pairs, shapes: Uint32Array.of(0, 3, 0) },
      'nodesInside: shapes: body 1 has the polyhedron 3, expected a number below 3',
    ],
    [
      { poses, pairs, nodes: [new Float32Array(3)] },
      'nodesInside: nodes: found an array of length 1, expected an entry for each of 3 polyhedra',
    ],
    [
      { poses, pairs, node: [] },
      'nodesInside: unknown option "node", expected poses, shapes, pairs, nodes, rule, backend, signal; ' +
        'did you mean nodes?',
    ],
  ];
  it.each(bad.map(([query, message]) => ({ query, message })))('$message', async ({ query, message }) => {
    const error = await nodesInside(polyhedra, query as never).catch((e) => e);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe(message);
  });

  it('refuses what is no polyhedron', async () => {
    await expect(nodesInside(meshes as never, { poses, pairs })).rejects.toThrow(
      'nodesInside: polyhedra: found an array of length 3, expected a list of Polyhedron',
    );
  });
});

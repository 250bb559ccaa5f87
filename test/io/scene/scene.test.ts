import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DEGREE } from '../../../src/constants.ts';
import { InputError } from '../../../src/errors.ts';
import { Polyhedron } from '../../../src/inside/polyhedron.ts';
import { convexScene } from '../../../src/io/scene/convex-scene.ts';
import { type ParseSceneOptions, parseScene, readScene } from '../../../src/io/scene/scene.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { encodeMesh } from '../../../src/mesh/write-mesh.ts';
import { temporaryFolder } from '../../cli/scree.ts';

const parse = (scene: object, options?: ParseSceneOptions) => parseScene(JSON.stringify(scene), options);
const box = { kind: 'box', halfExtents: [1, 1, 1] };
const meshOf = (shape: unknown) => (shape as { mesh: TriangleMesh }).mesh;

describe('shapes of a scene', () => {
  it('are convex shapes, planes, and polyhedra from files, generators and lists', async () => {
    const rock = randomRock({ seed: 4, convex: false, triangles: 80 });
    const saved = await (await Polyhedron.create(undefined, rock, { threads: 1 })).save();
    const files: Record<string, Uint8Array> = { 'rock.ply': encodeMesh(rock, 'ply'), 'rock.body': saved };
    const asked: string[] = [];
    const scene = {
      shapes: {
        box,
        ground: { kind: 'plane' },
        file: {
          kind: 'polyhedron',
          file: 'rock.ply',
          scale: 0.1,
          nodeSpacing: 0.2,
          reach: 0.3,
          sharpAngle: 40,
        },
        body: { kind: 'polyhedron', file: 'rock.body' },
        small: { kind: 'polyhedron', file: 'rock.body', scale: 0.5 },
        made: { kind: 'polyhedron', generate: { kind: 'rock', seed: 4, triangles: 80 } },
        ball: { kind: 'polyhedron', generate: { kind: 'sphere', refinements: 1 } },
        foam: { kind: 'polyhedron', generate: { kind: 'foam', triangles: 1000, cells: 1 } },
        hull: { kind: 'mesh', generate: { kind: 'rock', convex: true, triangles: 20 }, margin: 0.5 },
        given: {
          kind: 'polyhedron',
          vertices: [
            [0, 0, 0],
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
          triangles: [
            [0, 2, 1],
            [0, 1, 3],
            [0, 3, 2],
            [1, 2, 3],
          ],
        },
      },
      bodies: [],
    };
    const readFile = (name: string) => {
      asked.push(name);
      return files[name]!;
    };
    const { shapes, names } = await parse(scene, { name: 'a.json', readFile });
    expect(asked).toEqual(['rock.ply', 'rock.body', 'rock.body']);
    const [, plane, file, body, small, made, ball, foam, hull, given] = shapes;
    expect(shapes[0]).toEqual(box);
    expect(plane).toEqual({ kind: 'plane' });
    expect(names.shapes.slice(0, 2)).toEqual(['a.json: shapes.box', 'a.json: shapes.ground']);
    const tenth = rock.positions.map((x) => x * 0.1);
    expect(file).toMatchObject({ kind: 'polyhedron', nodeSpacing: 0.2, reach: 0.3, sharpAngle: 40 * DEGREE });
    expect(meshOf(file).positions).toEqual(tenth);
    // A saved body stays what it is, unless it is scaled.
    expect(meshOf(body)).toMatchObject({ rules: ['odd', 'nonzero'], tables: expect.anything() });
    expect(meshOf(small).positions).toEqual(rock.positions.map((x) => x / 2));
    expect(meshOf(made).positions).toEqual(rock.positions);
    expect(meshOf(ball).positions).toEqual(unitSphere(1).positions);
    expect(meshOf(foam).triangleCount).toBeGreaterThan(900);
    expect(hull).toMatchObject({ kind: 'polytope', margin: 0.5 });
    expect([...meshOf(given).indices]).toEqual([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
  });

  it.each([
    [{ kind: 'polyhedron' }, 'has no mesh, expected one of file, generate, or vertices with triangles'],
    [
      { kind: 'polyhedron', file: 'a.stl', generate: { kind: 'rock' } },
      'has file and generate, expected one of file, generate, or vertices with triangles',
    ],
    [
      { kind: 'mesh', file: 'a.stl', triangles: [] },
      /has file and triangles, expected triangles with vertices/,
    ],
    [
      { kind: 'polyhedron', file: 'a.stl' },
      '.file: a.stl: no file can be read, expected the option readFile',
    ],
    [
      { kind: 'polyhedron', generate: { kind: 'cube' } },
      '.generate.kind is "cube", expected rock, foam, sphere, extrusion, revolution, drum, thread',
    ],
    [
      { kind: 'polyhedron', generate: { kind: 'rock', colour: 1 } },
      '.generate: unknown field "colour", expected kind, seed, triangles, roughness, convex',
    ],
    [
      { kind: 'polyhedron', generate: { kind: 'sphere', refinements: 9 } },
      '.generate: unitSphere: refinements is 9, expected an integer from 0 to 8',
    ],
    [
      { kind: 'polyhedron', generate: { kind: 'rock' }, scale: -1 },
      '.scale is -1, expected a number above 0',
    ],
    [{ kind: 'polyhedron', generate: { kind: 'rock' }, reach: 'far' }, '.reach is "far", expected a number'],
    [
      { kind: 'polyhedron', generate: { kind: 'rock' }, sharpAngle: 181 },
      '.sharpAngle is 181, expected degrees from 0 to 180',
    ],
    [{ kind: 'polyhedron', vertices: [[0, 0, 0]] }, '.triangles is missing, expected a list'],
    [
      { kind: 'polyhedron', vertices: [[0, 0, 0]], triangles: [[0, 0, -1]] },
      '.triangles[0][2] is -1, expected the number of a vertex, from 0',
    ],
    [
      { kind: 'polyhedron', vertices: [0, 0, null], triangles: [] },
      '.vertices[2] is null, expected a number',
    ],
    [
      { kind: 'polyhedron', vertices: [[0, 0, 0]], triangles: [[0, 0, 1]] },
      /^[^:]*: shapes\.x: triangle 0 refers to vertex 1, expected less than 1$/,
    ],
    [
      { kind: 'parts', parts: [{ shape: { kind: 'plane' } }] },
      '.parts[0].shape is a plane, expected a convex shape: "mesh" is the hull of a mesh',
    ],
    [{ kind: 'plane', normal: [0, 0, 1] }, ': unknown field "normal", expected kind'],
  ])('%j is refused', async (shape, message) => {
    const error = await parse({ shapes: { x: shape }, bodies: [] }).catch((e) => e);
    expect(error).toBeInstanceOf(InputError);
    if (typeof message !== 'string') expect(error.message).toMatch(message);
    else expect(error.message).toBe(`scene: shapes.x${/^[.:]/.test(message) ? '' : ' '}${message}`);
  });
});

describe('bodies of a scene', () => {
  const shapes = { box, ball: { kind: 'sphere', radius: 1 }, ground: { kind: 'plane' } };

  it('stand or move, and are in groups by name', async () => {
    const scene = await parse({
      ...{ shapes, margin: 0.25 },
      bodies: [
        { shape: 'ground' },
        { shape: 'box', group: 'rocks', mask: ['rocks', 'default'] },
        {
          shape: 'ball',
          static: true,
          group: ['rocks', 'light'],
          mask: 'light',
          position: [1, 2, 3],
          rotation: [0, 0, 1, 0],
        },
        { name: 'ghost', shape: 'ball', static: false, mask: [] },
      ],
    });
    const { bodies } = scene;
    expect([...bodies.shapes]).toEqual([2, 0, 1, 1]);
    expect([...bodies.isStatic]).toEqual([1, 0, 1, 0]);
    expect([...bodies.groups]).toEqual([1, 2, 6, 1]);
    expect([...bodies.masks]).toEqual([2 ** 32 - 1, 3, 4, 0]);
    expect([...scene.poses.subarray(14, 21)]).toEqual([1, 2, 3, 0, 0, 1, 0]);
    expect(scene.names.bodies).toEqual(['0', '1', '2', 'ghost']);
    expect([scene.margin, scene.pairs]).toEqual([0.25, 'all']);
  });

  it('may have 32 groups, and no more', async () => {
    const bodies = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ shape: 'box', group: `g${i}` }));
    const { groups } = (await parse({ shapes, bodies: bodies(31) })).bodies;
    expect([groups[0], groups[30]]).toEqual([2, 2 ** 31]);
    await expect(parse({ shapes, bodies: bodies(32) })).rejects.toThrow(
      'scene: bodies[31].group is "g31", group number 33, expected at most 32, "default" among them',
    );
  });

  it('come in grids, moved and turned at random, the same for the same seed', async () => {
    const grid = { counts: [3, 2, 2], spacing: 2 };
    const rocks = { name: 'rock', shape: ['box', 'ball'], position: [10, 0, 0], grid };
    const plain = await parse({ shapes, bodies: [{ shape: 'ground' }, rocks] });
    expect([...plain.bodies.shapes]).toEqual([2, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
    expect(plain.names.bodies.slice(0, 3)).toEqual(['0', 'rock 0', 'rock 1']);
    const poses = (scene: { poses: Float64Array }, body: number) => [
      ...scene.poses.subarray(7 * body, 7 * body + 7),
    ];
    expect(poses(plain, 1)).toEqual([8, -1, -1, 0, 0, 0, 1]);
    expect(poses(plain, 2)).toEqual([10, -1, -1, 0, 0, 0, 1]);
    expect(poses(plain, 12)).toEqual([12, 1, 1, 0, 0, 0, 1]);

    const loose = (seed: number) =>
      parse({ shapes, bodies: [{ ...rocks, rotation: 'random', grid: { ...grid, jitter: 0.5, seed } }] });
    const [first, again, other] = [await loose(3), await loose(3), await loose(4)];
    expect(again.poses).toEqual(first.poses);
    expect(other.poses).not.toEqual(first.poses);
    for (let i = 0; i < 12; i++) {
      const [moved, still] = [poses(first, i), poses(plain, i + 1)];
      for (let k = 0; k < 3; k++) expect(Math.abs(moved[k]! - still[k]!)).toBeLessThanOrEqual(0.5);
      expect(Math.hypot(...moved.slice(3))).toBeCloseTo(1, 14);
    }
    // Turned all ways: the mean of many rotations' w^2 is 1/4.
    const many = await parse({
      shapes,
      bodies: [{ shape: 'box', rotation: 'random', grid: { counts: [20, 20, 10], spacing: 1 } }],
    });
    let squares = 0;
    for (let i = 0; i < 4000; i++) squares += many.poses[7 * i + 6]! ** 2 / 4000;
    expect(squares).toBeCloseTo(0.25, 1.5);
  });

  it.each([
    [{ shape: 'box', static: 1 }, 'static is 1, expected true or false'],
    [{ shape: 'box', group: '' }, 'group is "", expected a text'],
    [{ shape: 'box', group: 3 }, 'group is 3, expected the name of a group, or a list of names'],
    [{ shape: 'box', group: [3] }, 'group[0] is 3, expected a text'],
    [
      { shape: 'box', mask: ['rocks'] },
      'mask[0] is "rocks", a group that no body is in, expected one of default',
    ],
    [{ shape: ['box'] }, 'shape is ["box"], expected a text'],
    [
      { shape: ['box', 'bax'], grid: { counts: [1, 1, 1], spacing: 1 } },
      /^shape\[1\] is "bax", expected one of box/,
    ],
    [{ shape: 'box', rotation: 'random' }, 'rotation is "random", expected 4 numbers'],
    [
      { shape: 'box', grid: { counts: [1, 0, 1], spacing: 1 } },
      /^grid\.counts is \[1,0,1\], expected three whole/,
    ],
    [{ shape: 'box', grid: { counts: [300, 300, 300], spacing: 1 } }, /, 10000000 bodies at most$/],
    [
      { shape: 'box', grid: { counts: [1, 1, 1], spacing: 0 } },
      'grid.spacing is 0, expected a number above 0',
    ],
    [
      { shape: 'box', grid: { counts: [1, 1, 1], spacing: 1, jitter: -1 } },
      'grid.jitter is -1, expected a length of 0 or more',
    ],
    [
      { shape: 'box', grid: { counts: [1, 1, 1], spacing: 1, seed: 0.5 } },
      'grid.seed: seed is 0.5, expected an integer from 0 to 4294967295',
    ],
    [
      { shape: 'box', grid: { counts: [1, 1, 1], spacing: 1, seed: null } },
      'grid.seed: seed is null, expected an integer from 0 to 4294967295',
    ],
    [{ shape: 'box', group: null }, 'group is null, expected the name of a group, or a list of names'],
    [
      { shape: 'box', grid: { counts: [1, 1, 1], spacing: 1, size: 2 } },
      'grid: unknown field "size", expected counts, spacing, jitter, seed',
    ],
  ])('%j is refused', async (body, message) => {
    const error = await parse({ shapes, bodies: [body] }).catch((e) => e);
    expect(error).toBeInstanceOf(InputError);
    const found = error.message.replace(/^scene: bodies\[0\]\./, '');
    if (typeof message === 'string') expect(found).toBe(message);
    else expect(found).toMatch(message);
  });

  it('a margin below 0 is refused', async () => {
    await expect(parse({ shapes, bodies: [], margin: -1 })).rejects.toThrow(
      'scene: margin is -1, expected a length of 0 or more',
    );
  });
});

describe('readScene', () => {
  it('takes a path or a file URL; files lie beside the scene', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'meshes'));
    writeFileSync(join(folder, 'meshes', 'ball.ply'), encodeMesh(unitSphere(0), 'ply'));
    const path = join(folder, 'scene.json');
    writeFileSync(
      path,
      JSON.stringify({
        shapes: { x: { kind: 'polyhedron', file: 'meshes/ball.ply' } },
        bodies: [{ shape: 'x' }],
      }),
    );
    for (const source of [path, pathToFileURL(path)]) {
      const { shapes, name } = await readScene(source);
      expect(meshOf(shapes[0]).triangleCount).toBe(8);
      expect(name).toBe(`${source}`);
    }
    await expect(readScene(join(folder, 'gone.json'))).rejects.toThrow(/gone\.json/);
  });
});

describe('convexScene', () => {
  it('is what ConvexBatch takes', async () => {
    const bodies = [{ shape: 'box' }, { shape: 'box', position: [3, 0, 0] }, { shape: 'box' }];
    const all = convexScene(await parse({ shapes: { box }, bodies }));
    expect(all.shapes).toEqual([box]);
    expect([...all.query.pairs]).toEqual([0, 1, 0, 2, 1, 2]);
    expect([...all.query.shapes]).toEqual([0, 0, 0]);
    const listed = convexScene(await parse({ shapes: { box }, bodies, pairs: [[2, '0']] }));
    expect([...listed.query.pairs]).toEqual([2, 0]);
  });

  it('refuses planes and polyhedra', async () => {
    const scene = await parse({ shapes: { box, floor: { kind: 'plane' } }, bodies: [] });
    expect(() => convexScene(scene)).toThrow(
      'scene: shapes.floor.kind is "plane", expected a convex shape or parts: "mesh" is the hull of a mesh',
    );
  });
});

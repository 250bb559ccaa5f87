import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
writeFileSync(join(folder, 'other.json'), '{}');

function write(name: string, scene: unknown): string {
  writeFileSync(join(folder, name), typeof scene === 'string' ? scene : JSON.stringify(scene));
  return name;
}

const box = { kind: 'box', halfExtents: [1, 1, 1] };

describe('a scene that cannot be used ends in one line that names file and place', () => {
  const good = {
    shapes: { box },
    bodies: [{ shape: 'box' }, { shape: 'box', position: [3, 0, 0] }],
    pairs: 'all',
  };
  const bad: [what: unknown, message: string | RegExp][] = [
    ['{"shapes": ', /^is no JSON \(.*\), expected a scene$/],
    [[], 'the scene is [], expected an object'],
    [
      { ...good, pose: 1 },
      'unknown field "pose", expected shapes, bodies, pairs, margin, materials, materialPairs, gravity, ' +
        'removal, bounds, box, timeStep, duration, response, substeps, iterations, shocks, narrowPhase, monitors, ' +
        'joints, elements',
    ],
    [{ ...good, shapes: {} }, 'shapes is {}, expected at least one shape'],
    [{ bodies: [] }, 'shapes is missing, expected an object'],
    [{ ...good, shapes: { box: 'crate' } }, 'shapes.box is "crate", expected an object'],
    [
      { ...good, shapes: { box: { kind: 'blob' } } },
      /^shapes\.box\.kind is "blob", expected point, segment, .*, mesh$/,
    ],
    [
      { ...good, shapes: { box: { kind: 'sphere', raduis: 1 } } },
      'shapes.box: unknown field "raduis", expected kind, radius, margin; did you mean radius?',
    ],
    [
      { ...good, shapes: { box: { kind: 'sphere', radius: -1 } } },
      'shapes.box: radius is -1, expected 0 or a length from 1e-30 to 1e+30',
    ],
    [
      { ...good, shapes: { box: { kind: 'parts', parts: [{ shape: 'bxo' }] } } },
      'shapes.box.parts[0].shape is "bxo", expected one of box',
    ],
    [
      {
        ...good,
        shapes: { box: { kind: 'sum', a: 'ball', b: 'ball' }, ball: { kind: 'hull', a: 'box', b: 'box' } },
      },
      'shapes.ball.a is "box", which consists of itself: box -> ball -> box',
    ],
    [
      {
        ...good,
        shapes: {
          box: {
            kind: 'polytope',
            vertices: [
              [0, 0, 0],
              [1, 2],
            ],
          },
        },
      },
      'shapes.box.vertices[1] is [1,2], expected 3 numbers',
    ],
    [
      { ...good, shapes: { box: { kind: 'mesh', file: 'gone.stl' } } },
      /^shapes\.box\.file: .*gone\.stl: no such file$/,
    ],
    [{ ...good, shapes: { box: { kind: 'mesh', file: 'other.json' } } }, /^shapes\.box\.file: other\.json: /],
    [{ ...good, bodies: [{ shape: 'ball' }] }, 'bodies[0].shape is "ball", expected one of box'],
    [
      { ...good, bodies: [{ shape: 'box', position: [0, 0] }] },
      'bodies[0].position is [0,0], expected 3 numbers',
    ],
    [
      { ...good, bodies: [{ shape: 'box', position: [0, -1e31, 0] }] },
      'bodies[0].position is [0,-1e+31,0], expected three numbers of at most 1e+30',
    ],
    [
      '{"shapes":{"box":{"kind":"point"}},"bodies":[{"shape":"box","position":[0,0,1e999]}]}',
      'bodies[0].position is [0,0,Infinity], expected 3 numbers',
    ],
    [
      { ...good, bodies: [{ shape: 'box', rotation: [0, 0, 0, 2] }] },
      'bodies[0].rotation is [0,0,0,2] of length 2, expected a quaternion x, y, z, w of length 1',
    ],
    [
      { ...good, bodies: [{ shape: 'box', name: '1' }, { shape: 'box' }] },
      'bodies[1].name is "1", as bodies[0] is called; expected names of their own',
    ],
    [{ ...good, pairs: 'some' }, 'pairs is "some", expected "all" or a list of pairs of bodies'],
    [
      { ...good, bodies: Array(6400).fill({ shape: 'box' }) },
      'pairs is "all" of 6400 bodies, 20476800 pairs, expected at most 20000000: list those that are near',
    ],
    [{ ...good, pairs: [[0]] }, 'pairs[0] is [0], expected two bodies'],
    [
      {
        ...good,
        pairs: [
          [0, 1],
          [0, 2],
        ],
      },
      'pairs[1][1] is 2, expected the name of a body or a whole number below 2',
    ],
    [{ ...good, pairs: [['crate', 1]] }, 'pairs[0][0] is "crate", expected one of 0, 1'],
    [{ ...good, pairs: [[1, '1']] }, 'pairs[0] is [1,"1"], a body with itself, expected two bodies'],
  ];
  it.each(bad.map(([scene, message]) => ({ scene, message })))('$message', async ({ scene, message }) => {
    const { code, stdout, stderr } = await scree(
      ['pairs', write('bad.json', scene), '--out', 'never.csv', '--quiet', '--backend', 'cpu'],
      {
        cwd: folder,
      },
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const [, found] = /^scree: bad\.json: ([^\n]*)\n$/.exec(stderr) ?? [stderr, stderr];
    if (typeof message === 'string') expect(found).toBe(message);
    else expect(found).toMatch(message);
    expect(readdirSync(folder).filter((name) => name.includes('never'))).toEqual([]);
  });
});

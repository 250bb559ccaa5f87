import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { convexScene } from '../../../src/io/scene/convex-scene.ts';
import { parseScene, readScene } from '../../../src/io/scene/scene.ts';
import { multibodyScene, simulationScene } from '../../../src/io/scene/simulation-scene.ts';
import { Multibody } from '../../../src/multibody/multibody.ts';
import { NO_SHAPE } from '../../../src/multibody/scene/multibody-scene.ts';
import { SQUEEZER_END, SQUEEZER_START } from '../../../src/validate/mechanism-scenes.ts';

const folder = resolve(import.meta.dirname, '../../../demos/scenes');
const ball = { kind: 'sphere', radius: 0.1 };
const hinge = { kind: 'revolute', a: 'world', b: 'arm', point: [-1, 0, 0], axis: [0, 1, 0] };
const arm = { name: 'arm', position: [1, 0, 2], mass: { mass: 2, inertia: [1, 1, 1] } };
const scene = (more: object = {}) => ({ shapes: { ball }, bodies: [arm], joints: [hinge], ...more });
const parse = (value: object) => parseScene(JSON.stringify(value), { name: 'scene.json' });
const messageOf = async (work: () => unknown) => {
  try {
    await work();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

it('a scene with joints becomes what Multibody takes; bodies with parents are placed in the world', async () => {
  const half = Math.SQRT1_2;
  const read = await parse(
    scene({
      bodies: [
        { name: 'tip', shape: 'ball', parent: 'pin', position: [0, 0, 1], mass: 0, mask: [] },
        { ...arm, rotation: [0, half, 0, half], velocity: [0, 0, 3], angularVelocity: [0, -3, 0] },
        { name: 'pin', parent: 'arm', position: [0.5, 0, 0] },
      ],
      elements: [{ kind: 'spring', a: 'world', b: 'tip', stiffness: 2, length: 1 }],
    }),
  );
  const own = multibodyScene(read);
  expect(Array.from(own.bodies.shapes)).toEqual([0, NO_SHAPE, NO_SHAPE]);
  expect(Array.from(own.bodies.parents!)).toEqual([2, -1, 1]);
  expect(own.joints).toEqual([{ ...hinge, b: 1 }]);
  expect(own.elements).toEqual([{ kind: 'spring', a: 'world', b: 0, stiffness: 2, length: 1 }]);
  // The arm turns x to -z and z to x.
  const at = (poses: Float64Array, body: number) => Array.from(poses.subarray(7 * body, 7 * body + 3));
  const places = [
    [2, 0, 1.5],
    [1, 0, 2],
    [1, 0, 1.5],
  ];
  const system = await Multibody.create(own);
  const poses = await system.read('poses');
  places.forEach((want, body) => {
    for (const found of [at(read.poses, body), at(poses, body)])
      want.forEach((x, k) => {
        expect(found[k]!).toBeCloseTo(x, 12);
      });
  });
  // The joint is at x -1 of the turned arm: a height of 3, from which the arm hangs down.
  expect(Array.from(await system.read('rates'))).toEqual([-3]);
});

it('scenes that ship are mechanisms, and the squeezer of its file is where it belongs', async () => {
  for (const name of ['slider-crank', 'squeezer', 'bricard']) {
    const read = await readScene(join(folder, `${name}.json`));
    const system = await Multibody.create(multibodyScene(read), { relativeTolerance: 1e-10 });
    expect(system.statistics.degreesOfFreedom).toBe(1);
    if (name !== 'squeezer') continue;
    await system.advance(read.simulation.duration!);
    (await system.read('coordinates')).forEach((angle, i) => {
      expect(Math.abs(angle + SQUEEZER_START[i]! - SQUEEZER_END[i]!)).toBeLessThan(1e-5);
    });
  }
});

it('a scene without joints is one of free bodies, for Multibody as well', async () => {
  const text = await readFile(join(folder, 'cradle.json'), 'utf8');
  const own = multibodyScene(await parseScene(text));
  expect(own.joints).toBeUndefined();
  expect((await Multibody.create(own)).statistics.degreesOfFreedom).toBe(30);
});

it('simulations and queries of pairs refuse them, and name what takes them', async () => {
  const read = await parse(scene());
  expect(await messageOf(() => simulationScene(read))).toMatch(/^scene\.json: it has joints.*Multibody/);
  expect(await messageOf(() => convexScene(read))).toMatch(/^scene\.json: arm has no shape/);
});

it.each([
  [
    'unknown parent',
    { bodies: [{ ...arm, parent: 'nobody' }] },
    'bodies[0].parent is "nobody", expected one of arm',
  ],
  [
    'itself as parent',
    { bodies: [{ ...arm, parent: 'arm' }] },
    'bodies[0].parent is arm, which leads around',
  ],
  [
    'unknown body',
    { joints: [{ ...hinge, a: 'floor' }] },
    'joints[0].a is "floor", expected "world" or one of arm',
  ],
  [
    'an axis of two numbers',
    { joints: [{ ...hinge, axis: [0, 1] }] },
    'joints[0].axis is [0,1], expected 3 numbers',
  ],
  [
    'an inertia',
    { bodies: [{ ...arm, mass: { mass: 1, inertia: [1, 1, 9] } }] },
    'bodies[0].mass.inertia is [1,1,9]',
  ],
  ['an element', { elements: [{ kind: 'rope' }] }, 'elements[0].kind is "rope", expected spring or force'],
  [
    'a joint with one end',
    { joints: [{ kind: 'spherical', b: 'arm' }] },
    'joints[0].a is missing, expected "world" or one of arm',
  ],
  ['a joint of one body', { joints: [{ ...hinge, a: 'arm', b: 'arm' }] }, 'joints[0].b is "arm", as a is;'],
  ['a force on none', { elements: [{ kind: 'force' }] }, 'elements[0].body is missing, expected one of arm'],
  ['a mass below 0', { bodies: [{ ...arm, mass: -1 }] }, 'bodies[0].mass is -1, expected'],
  ['a drive', { joints: [{ ...hinge, drive: 'fast' }] }, 'joints[0].drive is "fast", expected an object'],
])('%s', async (_, more, message) => {
  expect(await messageOf(() => parse(scene(more)))).toContain(`scene.json: ${message}`);
});

it('a mass in a scene without joints is refused', async () => {
  const bodies = [{ shape: 'ball', mass: 1 }];
  expect(await messageOf(() => parse({ shapes: { ball }, bodies }))).toContain('bodies[0].mass is there');
});

/** Whatever a field of a scene has, it is taken, or refused in one line that names the file. */
import { expect, it } from 'vitest';
import { Simulation } from '../../../src/dem/simulation/simulation.ts';
import { InputError } from '../../../src/errors.ts';
import { parseScene } from '../../../src/io/scene/scene.ts';
import { simulationScene } from '../../../src/io/scene/simulation-scene.ts';

const octahedron = { kind: 'polyhedron', generate: { kind: 'sphere', refinements: 0 }, scale: 0.2 };
const ball = { kind: 'sphere', radius: 0.1 };
const box = { kind: 'box', halfExtents: [0.1, 0.1, 0.1] };
/** With a field of each kind that `scree simulate` reads. */
const scene = {
  shapes: {
    ground: { kind: 'plane' },
    wall: {
      ...{ kind: 'polyhedron', nodeSpacing: 0.5, reach: 0.1, sharpAngle: 20 },
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
    rock: octahedron,
    ...{ ball, box },
    pair: { kind: 'parts', parts: [{ shape: 'box', position: [-0.3, 0, 0], rotation: [0, 0, 0, 1] }] },
  },
  materials: {
    soft: { density: 1000, youngsModulus: 1e6 },
    hard: { density: 1000, youngsModulus: 1e7, cohesion: 1 },
  },
  materialPairs: [{ materials: ['soft', 'hard'], friction: 0.1 }],
  bodies: [
    { shape: 'ground' },
    { shape: 'wall', static: true, position: [4, 0, 0], group: 'walls', mask: ['default'] },
    {
      shape: 'rock',
      position: [0, 0, 1],
      motion: { velocity: [0, 0, 1], about: [0, 0, 0], frequency: 2, until: 3 },
    },
    {
      shape: ['rock', 'pair'],
      position: [0, 4, 1],
      velocity: [0, 0, -1],
      grid: { counts: [2, 1, 1], spacing: 1 },
    },
    {
      ...{
        name: 'some',
        shape: 'rock',
        rotation: 'random',
        sizes: { kind: 'uniform', from: 0.8, to: 1.2, count: 2 },
      },
      random: { count: 2, region: { low: [-1, -4, 3], high: [1, -2, 5] }, seed: 2 },
    },
    {
      ...{ name: 'rain', shape: 'ball', material: 'hard', velocity: [0, 0, -3] },
      source: { count: 4, batch: 2, every: 0.5, region: { base: [0, 0, 6], radius: 1, height: 1 } },
    },
  ],
  gravity: [0, 0, -9.81],
  removal: [{ point: [0, 0, -5], normal: [0, 0, -1] }],
  bounds: { low: [-50, -50, -50], high: [50, 50, 50] },
  box: { low: [-20, -20, -20], high: [20, 20, 20], periodic: [false, false, false] },
  timeStep: 1e-5,
};
const VALUES = [null, -1, 1e300, Infinity, 'text', [], {}];

type Path = readonly (string | number)[];
type Inner = Record<string | number, unknown>;
const at = (value: unknown, path: Path) => path.reduce((inner, key) => (inner as Inner)[key], value) as Inner;

/** Of the first entry of lists. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? [...value.keys()].slice(0, 1) : Object.keys(value);
  return [path, ...keys.flatMap((key) => pathsOf(at(value, [key]), [...path, key]))];
}

/** The scene with another value at a place, as JSON. */
function changed(path: Path, value: unknown): string {
  const copy = structuredClone(scene);
  at(copy, path.slice(0, -1))[path.at(-1)!] = value;
  // JSON has no Infinity, but 1e999 is read as that.
  return JSON.stringify(copy, (_, x) => (x === Infinity ? 'endless' : x)).replaceAll('"endless"', '1e999');
}

/** What a scene is refused with, or nothing. */
async function refusalOf(text: string): Promise<unknown> {
  try {
    const own = simulationScene(await parseScene(text, { name: 'scene.json' }));
    const simulation = await Simulation.create(undefined, own, { threads: 1, timeStep: 1e-5 });
    simulation.destroy();
    return undefined;
  } catch (error) {
    return error;
  }
}

it('takes or refuses any value of any field, in one line', async () => {
  expect(await refusalOf(JSON.stringify(scene))).toBe(undefined);
  const wrong: string[] = [];
  let refused = 0;
  for (const path of pathsOf(scene).slice(1)) {
    for (const value of VALUES) {
      const error = await refusalOf(changed(path, value));
      if (error === undefined) continue;
      refused++;
      const { message } = error as Error;
      const isGood =
        error instanceof InputError && !/\n|undefined|NaN|\[object/.test(message) && message.length < 500;
      if (!isGood) wrong.push(`${path.join('.')} = ${JSON.stringify(value)}: ${(error as Error).stack}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(400);
});

/** Sweeps that cannot be used, and the schema that ships beside the reader. */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parseSweep } from '../../src/sweep/parse-sweep.ts';

const root = resolve(import.meta.dirname, '../..');
const schema = JSON.parse(readFileSync(resolve(root, 'schema/sweep.schema.json'), 'utf8'));
const validate = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(schema);

const path = '/materials/soft/friction';
const scene = {
  shapes: { ball: { kind: 'sphere', radius: 1 } },
  materials: { soft: { density: 1, youngsModulus: 1 } },
  bodies: [{ shape: 'ball' }, { shape: 'ball', source: {} }],
};
const sweep = (fields: object) => ({ scene, ...fields });
const parameter = (fields: object) => sweep({ parameters: { p: { path, ...fields } } });
const at = (path: unknown) => sweep({ parameters: { p: { path, values: [1] } } });
function refusal(value: unknown): string {
  try {
    parseSweep(value, 's.json');
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

it('examples of the docs, and those that ship, are valid', () => {
  const read = (...path: string[]) => readFileSync(resolve(root, ...path), 'utf8');
  const inDocs = [...read('docs/cluster.md').matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text!);
  const shipped = readdirSync(resolve(root, 'demos/scenes')).filter((file) => file.endsWith('-sweep.json'));
  const sweeps = [...inDocs, ...shipped.map((file) => read('demos/scenes', file))];
  expect(sweeps.length).toBeGreaterThan(0);
  for (const text of sweeps) {
    const one = JSON.parse(text);
    expect(validate(one) ? [] : validate.errors).toEqual([]);
    const scene = typeof one.scene === 'string' ? JSON.parse(read('demos/scenes', one.scene)) : one.scene;
    expect(refusal({ ...one, scene })).toBe('');
  }
});

describe('both the reader and the schema', () => {
  it.each<[string, unknown]>([
    ['a scene alone', sweep({})],
    ['a list', parameter({ values: ['a', { b: 1 }, null] })],
    ['a range', parameter({ from: 2, to: 1, count: 2 })],
    ['samples', { ...parameter({ from: 1, to: 2, scale: 'log' }), samples: 1 }],
    ['seeds', parameter({ seeds: 3 })],
    ['several paths', at([path, '/bodies/1/source/seed'])],
    ['repetitions', sweep({ repetitions: { count: 2, path: '/bodies/1/source/seed' }, seed: 0 })],
    ['options', sweep({ simulate: { duration: 1, timeStep: 1, frames: 1, series: true, laws: 'a.js' } })],
    ['columns', sweep({ $schema: '../sweep.schema.json', collect: ['kinetic last'] })],
  ])('take %s', (_, value) => {
    expect(refusal(value)).toBe('');
    expect(validate(value) ? [] : validate.errors).toEqual([]);
  });

  it.each<[unknown, string | RegExp]>([
    [[], 'the sweep is [], expected an object'],
    [{}, 'scene is missing, expected an object'],
    [
      sweep({ parameter: {} }),
      'unknown field "parameter", expected scene, parameters, samples, repetitions, seed, simulate, ' +
        'collect; did you mean parameters?',
    ],
    [sweep({ parameters: [] }), 'parameters is [], expected an object'],
    [sweep({ parameters: { p: 1 } }), 'parameters.p is 1, expected an object'],
    [
      sweep({ parameters: { seed: { path, values: [1] } } }),
      'parameters has "seed", expected another name than task, state, repetition, seed',
    ],
    [
      parameter({ value: 1 }),
      'parameters.p: unknown field "value", expected path, values, from, to, count, scale, seeds; did you mean values?',
    ],
    [parameter({}), 'parameters.p has no values, expected one of values, seeds, or from and to'],
    [
      parameter({ values: [1], from: 1, to: 2 }),
      'parameters.p has values, from, to, expected one of values, seeds, or from and to',
    ],
    [parameter({ values: 3 }), 'parameters.p.values is 3, expected a list'],
    [parameter({ values: [] }), 'parameters.p.values is [], expected one value or more'],
    [parameter({ seeds: 0 }), 'parameters.p.seeds is 0, expected a whole number from 1 to 1000000'],
    [parameter({ from: 1, count: 2 }), 'parameters.p.to is missing, expected a number'],
    [parameter({ from: '1', to: 2, count: 2 }), 'parameters.p.from is "1", expected a number'],
    [
      parameter({ from: 1, to: 2, count: 1 }),
      'parameters.p.count is 1, expected a whole number from 2 to 1000000',
    ],
    [parameter({ from: 1, to: 2, scale: 'ln' }), 'parameters.p.scale is "ln", expected linear or log'],
    [at(undefined), 'parameters.p.path is missing, expected a text'],
    [at([]), 'parameters.p.path is [], expected one path or more'],
    [
      at('materials'),
      'parameters.p.path is "materials", expected a JSON Pointer such as /materials/rock/friction',
    ],
    [
      at([path, '/a~2']),
      'parameters.p.path[1] is "/a~2", expected a JSON Pointer such as /materials/rock/friction',
    ],
    [{ ...sweep({}), samples: 0.5 }, /^samples is there, expected a parameter .* that is sampled$/],
    [
      { ...parameter({ from: 1, to: 2 }), samples: 0 },
      'samples is 0, expected a whole number from 1 to 1000000',
    ],
    [sweep({ repetitions: 0 }), 'repetitions is 0, expected a whole number from 1 to 1000000'],
    [sweep({ repetitions: { count: 2 } }), 'repetitions.path is missing, expected a text'],
    [
      sweep({ repetitions: { path: '/bodies/1/source/seed' } }),
      'repetitions.count is missing, expected a whole number from 1 to 1000000',
    ],
    [sweep({ seed: -1 }), 'seed is -1, expected a whole number from 0 to 4294967295'],
    [sweep({ simulate: { duration: 0 } }), 'simulate.duration is 0, expected a number above 0'],
    [sweep({ simulate: { timeStep: -1 } }), 'simulate.timeStep is -1, expected a number above 0'],
    [
      sweep({ simulate: { response: 'x' } }),
      'simulate.response is "x", expected forces, impulses, olvang, complementarity, bilateral',
    ],
    [sweep({ simulate: { frames: 0 } }), 'simulate.frames is 0, expected a whole number from 1 to 1000000'],
    [sweep({ simulate: { series: 1 } }), 'simulate.series is 1, expected true or false'],
    [sweep({ simulate: { picture: 'yes' } }), 'simulate.picture is "yes", expected true or false'],
    [sweep({ simulate: { film: null } }), 'simulate.film is null, expected true or false'],
    [sweep({ simulate: { laws: '' } }), 'simulate.laws is "", expected a text'],
    [
      sweep({ simulate: { step: 1 } }),
      'simulate: unknown field "step", expected duration, timeStep, response, frames, series, picture, film, laws',
    ],
    [sweep({ collect: 'kinetic' }), 'collect is "kinetic", expected a list'],
    [sweep({ collect: [1] }), 'collect[0] is 1, expected a text'],
  ])('refuse %j', (value, message) => {
    if (typeof message === 'string') expect(refusal(value)).toBe(`s.json: ${message}`);
    else expect(refusal(value).replace('s.json: ', '')).toMatch(message);
    // That samples need a parameter that is sampled is more than the schema says.
    if (!refusal(value).includes('samples is there')) expect(validate(value)).toBe(false);
  });
});

it.each<[unknown, string | RegExp]>([
  [parameter({ from: 1, to: 1, count: 2 }), 'parameters.p.to is 1, as from is, expected another number'],
  [
    parameter({ from: 0, to: 1, count: 2, scale: 'log' }),
    'parameters.p.from is 0, expected a number above 0',
  ],
  [
    parameter({ from: 1, to: 2 }),
    'samples is missing, expected how many there are of the parameters with from and to, without count',
  ],
  [
    at('/rocks/1'),
    'parameters.p.path is "/rocks/1": no rocks in the scene, expected shapes, materials, bodies',
  ],
  [
    at('/materials/sfot/friction'),
    'parameters.p.path is "/materials/sfot/friction": no sfot in /materials, expected soft',
  ],
  [at('/bodies/2/source'), 'parameters.p.path is "/bodies/2/source": no 2 in /bodies, expected 0 to 1'],
  [at('/bodies/-'), 'parameters.p.path is "/bodies/-": no - in /bodies, expected 0 to 1'],
  [at('/bodies/01/shape'), 'parameters.p.path is "/bodies/01/shape": no 01 in /bodies, expected 0 to 1'],
  [
    at('/materials/soft/density/x'),
    'parameters.p.path is "/materials/soft/density/x": no x in /materials/soft/density, ' +
      'expected an object there, found 1',
  ],
  [at('/materials/__proto__'), /no __proto__ in \/materials/],
  // Text that a pattern could try in 2^40 ways.
  [at(`${'/'.repeat(40)}~`), /expected a JSON Pointer/],
  [
    parameter({ values: [1, { a: [Infinity] }] }),
    'parameters.p.values[1] is {"a":[Infinity]}, expected finite numbers',
  ],
  [
    parameter({ from: -1.7e308, to: 1.7e308, count: 3 }),
    'parameters.p.to is 1.7e+308, from is -1.7e+308, expected ends less far apart',
  ],
  [sweep({ parameters: { 'a\nb': { path, values: [1] } } }), /has a line break or the like in its name/],
  [at('/materials/constructor/name'), /no constructor in \/materials, expected soft/],
  [at([path, path]), 'parameters.p twice set "/materials/soft/friction", expected one of them to'],
  [
    sweep({ parameters: { a: { path: '/bodies/1', values: [{}] } }, repetitions: 2 }),
    'parameters.a and repetitions set "/bodies/1/source/seed", expected one of them to',
  ],
  [
    sweep({ parameters: { t: { path: '/duration', values: [1] } }, simulate: { duration: 2 } }),
    /^(simulate.duration and parameters.t|parameters.t and simulate.duration) set "\/duration"/,
  ],
  [
    { ...sweep({ repetitions: 2 }), scene: { ...scene, bodies: [{ shape: 'ball' }] } },
    /^repetitions is 2, but no body of the scene has grid, random or source: expected \{ count, path \}/,
  ],
  [
    sweep({
      parameters: { a: { path, seeds: 2000 }, b: { path: '/gravity', seeds: 2000 } },
    }),
    'it has 4000000 tasks, expected at most 1000000',
  ],
])('the reader refuses %j', (value, message) => {
  if (typeof message === 'string') expect(refusal(value)).toBe(`s.json: ${message}`);
  else expect(refusal(value).replace('s.json: ', '')).toMatch(message);
});

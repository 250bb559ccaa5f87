/** The schema that ships says the same as the reader, as far as a schema can. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parseScene } from '../../../src/io/scene/scene.ts';

const root = resolve(import.meta.dirname, '../../..');
const json = (...path: string[]) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));
const schema = json('schema', 'scene.schema.json');
const validate = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(schema);
const reads = (scene: unknown) =>
  parseScene(JSON.stringify(scene), {
    readFile: () => new TextEncoder().encode('size,share\n1,0.5\n2;0.5\n'),
  }).then(
    () => '',
    (error) => error.message as string,
  );

const scenes = readdirSync(join(root, 'demos/scenes')).filter((file) => /(?<!-sweep)\.json$/.test(file));
it.each(scenes)('demos/scenes/%s is valid', (file) => {
  expect(validate(json('demos/scenes', file)) ? [] : validate.errors).toEqual([]);
  expect(json('demos/scenes', file).$schema).toBe('../../schema/scene.schema.json');
});

it('examples of the docs are valid', () => {
  const blocks = [...readFileSync(join(root, 'docs/scene.md'), 'utf8').matchAll(/```json\n([\s\S]*?)```/g)];
  expect(blocks.length).toBeGreaterThan(0);
  for (const scene of [...blocks.map(([, text]) => JSON.parse(text!)), json('docs/pairs-example.json')]) {
    expect(validate(scene) ? [] : validate.errors).toEqual([]);
  }
});

const box = { kind: 'box', halfExtents: [1, 1, 1] };
const material = { density: 1, youngsModulus: 1 };
const region = { low: [0, 0, 0], high: [9, 9, 9] };
const outline = [
  [1, 0],
  [2, 0],
  [2, 1],
];
const rock = { kind: 'polyhedron', generate: { kind: 'rock', triangles: 8 } };
const good = { shapes: { box }, bodies: [{ shape: 'box' }], materials: { one: material } };
const withShape = (shape: object) => ({ ...good, shapes: { box, other: shape } });
const withBody = (body: object) => ({ ...good, bodies: [{ shape: 'box', ...body }] });
const hinge = { kind: 'revolute', a: 'world', b: '0', axis: [0, 0, 1] };
const withJoints = (joint: object) => ({ ...good, joints: [joint] });
const withElement = (element: object) => ({ ...good, elements: [element] });
const generated = (kind: string, options: object = {}) =>
  withShape({ kind: 'polyhedron', generate: { kind, ...options } });

/** A scene with every object that the format has: where it is, and a scene that may say anything in its place. */
const OBJECTS: readonly (readonly [place: string, of: (more: object) => object])[] = [
  ['', (more) => ({ ...good, ...more })],
  ['shapes.other', (more) => withShape({ ...rock, ...more })],
  ['shapes.other', (more) => withShape({ kind: 'plane', ...more })],
  ['shapes.other', (more) => withShape({ ...rock, kind: 'mesh', ...more })],
  ...Object.entries({
    point: {},
    segment: { halfLength: 1 },
    rectangle: { halfExtents: [1, 1] },
    box,
    disc: { radius: 1 },
    sphere: { radius: 1 },
    ellipse: { radii: [1, 1] },
    ellipsoid: { radii: [1, 1, 1] },
    capsule: { halfLength: 1, radius: 1 },
    lozenge: { halfExtents: [1, 1], radius: 1 },
    'round-box': { halfExtents: [1, 1, 1], radius: 1 },
    cylinder: { radius: 1, halfHeight: 1 },
    cone: { radius: 1, height: 1 },
    wheel: { radius: 1, tubeRadius: 1 },
    frustum: { bottom: [1, 1], top: [1, 1], height: 1 },
    polytope: { vertices: [[0, 0, 0]] },
    sum: { a: box, b: 'box' },
    hull: { a: box, b: 'box', place: { position: [0, 0, 1] } },
    parts: { parts: [{ shape: 'box' }] },
  }).map(
    ([kind, sizes]) => ['shapes.other', (more: object) => withShape({ kind, ...sizes, ...more })] as const,
  ),
  ['shapes.other.place', (more) => withShape({ kind: 'sum', a: box, b: box, place: more })],
  ['shapes.other.parts[0]', (more) => withShape({ kind: 'parts', parts: [{ shape: box, ...more }] })],
  ...Object.entries({
    rock: {},
    sphere: {},
    foam: { triangles: 1000, cells: 1 },
    extrusion: { outline, height: 1 },
    revolution: { profile: outline },
    drum: { radius: 1, length: 1, thickness: 0.1, opening: 0.1 },
    thread: { radius: 1, depth: 0.2, pitch: 0.5, length: 1 },
  }).map(
    ([kind, sizes]) =>
      ['shapes.other.generate', (more: object) => generated(kind, { ...sizes, ...more })] as const,
  ),
  ['bodies[0]', withBody],
  ['bodies[0].grid', (more) => withBody({ grid: { counts: [1, 1, 1], spacing: 1, ...more } })],
  ['bodies[0].random', (more) => withBody({ random: { count: 1, region, ...more } })],
  ['bodies[0].source', (more) => withBody({ source: { count: 1, region, batch: 1, every: 1, ...more } })],
  ['bodies[0].random.region', (more) => withBody({ random: { count: 1, region: { ...region, ...more } } })],
  [
    'bodies[0].random.region',
    (more) => withBody({ random: { count: 1, region: { base: [0, 0, 0], radius: 9, height: 9, ...more } } }),
  ],
  ...Object.entries({
    uniform: { from: 1, to: 2 },
    normal: { mean: 1, deviation: 1, from: 1, to: 2 },
    lognormal: { median: 1, deviation: 1, from: 1, to: 2 },
    sieves: { sizes: [1], shares: [1] },
  }).map(
    ([kind, fields]) =>
      [
        'bodies[0].sizes',
        (more: object) =>
          withBody({ grid: { counts: [1, 1, 1], spacing: 1 }, sizes: { kind, ...fields, ...more } }),
      ] as const,
  ),
  [
    'bodies[0].sizes',
    (more) =>
      withBody({
        grid: { counts: [1, 1, 1], spacing: 1 },
        sizes: { kind: 'sieves', file: 'sizes.csv', ...more },
      }),
  ],
  ['bodies[0].motion', (more) => withBody({ motion: more })],
  ['bodies[0].servo', (more) => withBody({ servo: { direction: [0, 0, -1], force: 1, speed: 1, ...more } })],
  ['materials.one', (more) => ({ ...good, materials: { one: { ...material, ...more } } })],
  ['materialPairs[0]', (more) => ({ ...good, materialPairs: [{ materials: ['one', 'one'], ...more }] })],
  ['removal[0]', (more) => ({ ...good, removal: [{ point: [0, 0, 0], normal: [0, 0, 1], ...more }] })],
  ['bounds', (more) => ({ ...good, bounds: { ...region, ...more } })],
  ...Object.entries({
    load: { bodies: '0' },
    mass: { point: [0, 0, 0], normal: [0, 0, 1] },
    coordination: {},
    stress: { region },
  }).map(
    ([kind, fields]) =>
      [
        'monitors.one',
        (more: object) => ({ ...good, monitors: { one: { kind, ...fields, ...more } } }),
      ] as const,
  ),
  [
    'monitors.one.region',
    (more) => ({ ...good, monitors: { one: { kind: 'stress', region: { ...region, ...more } } } }),
  ],
  ['box', (more) => ({ ...good, box: { ...region, periodic: [true, false, true], ...more } })],
  [
    'narrowPhase',
    (more) => ({
      ...good,
      response: 'olvang',
      narrowPhase: { algorithm: 'gjk', manifold: 'clipped', ...more },
    }),
  ],
  ['joints[0]', (more) => withJoints({ ...hinge, ...more })],
  ['joints[0].drive', (more) => withJoints({ ...hinge, drive: { angularVelocity: [0, 0, 1], ...more } })],
  [
    'elements[0]',
    (more) => withElement({ kind: 'spring', a: 'world', b: '0', stiffness: 1, length: 1, ...more }),
  ],
  ['elements[0]', (more) => withElement({ kind: 'force', body: '0', force: [0, 0, 1], ...more })],
  ['bodies[0].mass', (more) => ({ ...withJoints(hinge), bodies: [{ mass: { mass: 1, ...more } }] })],
];

/** All lists of fields in the schema, each sorted: an object may have these and no others. */
function fieldsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties, additionalProperties } = node as Record<string, object>;
  const own =
    properties && (additionalProperties as unknown) === false ? [listOf(Object.keys(properties))] : [];
  return [...own, ...Object.values(node).flatMap(fieldsIn)];
}
const listOf = (fields: readonly string[]) =>
  fields
    .filter((field) => field !== '$schema')
    .sort()
    .join(' ');

describe('the schema and the reader have the same fields', () => {
  const seen = new Set<string>();
  it.each(OBJECTS.map(([place, of], i) => [`${i}: ${place || 'the scene'}`, place, of] as const))(
    'of %s',
    async (_, place, of) => {
      expect(await reads(of({}))).toBe('');
      expect(validate(of({})) ? [] : validate.errors).toEqual([]);
      const wrong = of({ wrong: 1 });
      const message = await reads(wrong);
      const at = place === '' ? '' : `${place}: `;
      expect(message.startsWith(`scene: ${at}unknown field "wrong", expected `)).toBe(true);
      expect(validate(wrong)).toBe(false);
      const fields = listOf(message.split(', expected ')[1]!.split(', '));
      expect(fieldsIn(schema)).toContain(fields);
      seen.add(fields);
    },
  );

  it('and no object of the schema was forgotten here', () => {
    expect([...new Set(fieldsIn(schema))].filter((fields) => !seen.has(fields))).toEqual([]);
  });
});

it.each([
  ['no shapes', { ...good, shapes: {} }],
  ['bodies that are no list', { ...good, bodies: {} }],
  ['a shape of no kind', withShape({ kind: 'blob' })],
  ['a plane in a sum', withShape({ kind: 'sum', a: box, b: { kind: 'plane' } })],
  ['two meshes', withShape({ ...rock, file: 'a.stl' })],
  ['no mesh', withShape({ kind: 'polyhedron' })],
  ['triangles without vertices', withShape({ ...rock, triangles: [] })],
  ['a scale of 0', withShape({ ...rock, scale: 0 })],
  ['a generator of no kind', generated('cube')],
  ['too many refinements', generated('sphere', { refinements: 9 })],
  ['an outline of two corners', generated('extrusion', { outline: outline.slice(1), height: 1 })],
  ['a seed that is no whole number', generated('rock', { seed: 0.5 })],
  ['a position of two numbers', withBody({ position: [0, 0] })],
  ['one body at random angles', withBody({ rotation: 'random' })],
  ['one body of many shapes', withBody({ shape: ['box'] })],
  ['one body of many sizes', withBody({ sizes: { kind: 'uniform', from: 1, to: 2 } })],
  ['two insertions', withBody({ grid: { counts: [1, 1, 1], spacing: 1 }, random: { count: 1, region } })],
  ['a position beside a region', withBody({ random: { count: 1, region }, position: [0, 0, 0] })],
  ['a grid without spacing', withBody({ grid: { counts: [1, 1, 1] } })],
  ['a source without times', withBody({ source: { count: 1, region, batch: 1 } })],
  ['half a region', withBody({ random: { count: 1, region: { low: [0, 0, 0] } } })],
  ['a group that is no name', withBody({ group: 3 })],
  ['static as a number', withBody({ static: 1 })],
  ['a density of 0', { ...good, materials: { one: { ...material, density: 0 } } }],
  ['no stiffness', { ...good, materials: { one: { density: 1 } } }],
  ['a restitution above 1', { ...good, materials: { one: { ...material, restitution: 2 } } }],
  ['friction below 0', { ...good, materialPairs: [{ materials: ['one', 'one'], friction: -1 }] }],
  ['three materials of a pair', { ...good, materialPairs: [{ materials: ['one', 'one', 'one'] }] }],
  ['a swing of a frequency below 0', withBody({ motion: { frequency: -1 } })],
  ['a servo without a speed', withBody({ servo: { direction: [0, 0, -1], force: 1 } })],
  ['a servo of a pressure alone', withBody({ servo: { direction: [0, 0, -1], pressure: 1, speed: 1 } })],
  ['a motion and a servo', withBody({ motion: {}, servo: { direction: [1, 0, 0], force: 1, speed: 1 } })],
  ['gravity as a number', { ...good, gravity: 9.81 }],
  ['gravity over time without a time', { ...good, gravity: [[0, 0, -9.81]] }],
  ['a duration of 0', { ...good, duration: 0 }],
  ['a monitor of no kind', { ...good, monitors: { one: { kind: 'flow' } } }],
  ['a monitor with a blank in its name', { ...good, monitors: { 'a b': { kind: 'coordination' } } }],
  ['a margin below 0', { ...good, margin: -1 }],
  ['pairs of one body', { ...good, pairs: [[0]] }],
  ['no shape', { ...good, bodies: [{ name: 'frame' }] }],
  ['a joint of no kind', withJoints({ ...hinge, kind: 'hinge' })],
  ['a mass below 0', { ...withJoints(hinge), bodies: [{ mass: -1 }] }],
])('both refuse %s', async (_, scene) => {
  expect(await reads(scene)).toMatch(/^scene: .*(expected|read)/);
  expect(validate(scene)).toBe(false);
});

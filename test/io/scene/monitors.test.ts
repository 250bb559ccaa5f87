/** What a scene says of monitors and of tables of sizes in files, and what of it is refused. */
import { describe, expect, it } from 'vitest';
import { parseScene } from '../../../src/io/scene/scene.ts';

const box = { kind: 'box', halfExtents: [1, 1, 1] };
const scene = (more: object, body: object = {}) =>
  JSON.stringify({
    shapes: { box },
    bodies: [
      { name: 'floor', shape: 'box' },
      { shape: 'box', ...body },
    ],
    ...more,
  });

describe('monitors of a scene', () => {
  it('name bodies', async () => {
    const monitors = { lid: { kind: 'load', bodies: ['floor', '1'] }, all: { kind: 'coordination' } };
    const read = await parseScene(scene({ monitors }));
    expect(read.monitors).toEqual({
      lid: { kind: 'load', bodies: [0, 1] },
      all: { kind: 'coordination', region: undefined },
    });
    expect((await parseScene(scene({}))).monitors).toEqual({});
  });

  it.each([
    [{ lid: { kind: 'load', bodies: 'roof' } }, 'lid.bodies is "roof", expected one of floor, 1'],
    [{ lid: { kind: 'load', bodies: [] } }, 'lid.bodies is [], expected names of bodies'],
    [{ lid: { kind: 'flow' } }, 'lid.kind is "flow", expected load, mass, coordination, stress'],
    [
      { out: { kind: 'mass', point: [0, 0, 0], normal: [0, 0, 0] } },
      'out.normal is [0,0,0], expected a vector longer',
    ],
    [{ s: { kind: 'stress' } }, 's.region is missing, expected an object'],
    [
      { s: { kind: 'stress', region: { low: [0, 0, 0], high: [1, 1, 0] } } },
      's.region.high[2] is 0, expected more',
    ],
  ])('%j is refused', async (monitors, message) => {
    await expect(parseScene(scene({ monitors }))).rejects.toThrow(`scene: monitors.${message}`);
  });

  it.each([
    [{ 'a b': { kind: 'coordination' } }, 'monitors has "a b", expected a name of letters, digits, _ and -'],
  ])('%j is refused for its name', async (monitors, message) => {
    await expect(parseScene(scene({ monitors }))).rejects.toThrow(`scene: ${message}`);
  });
});

it('a mechanism has none', async () => {
  const mechanism = { monitors: { all: { kind: 'coordination' } }, joints: [] };
  await expect(parseScene(scene(mechanism))).rejects.toThrow('scene: monitors is there, expected none');
});

describe('a table of sizes in a file', () => {
  const many = { grid: { counts: [10, 1, 1], spacing: 9 }, sizes: { kind: 'sieves', file: 'sizes.csv' } };
  const of = (text: string) => ({ readFile: () => new TextEncoder().encode(text) });

  it('is as one in the scene', async () => {
    const own = await parseScene(
      scene({}, { ...many, sizes: { kind: 'sieves', sizes: [1, 2], shares: [1, 3] } }),
    );
    for (const text of ['size,share\n1,1\n2,3\n', '# mm\n1; 1\r\n2 ; 3', '\uFEFF1 1\n\n2\t3']) {
      expect((await parseScene(scene({}, many), of(text))).bodies.shapes).toEqual(own.bodies.shapes);
    }
  });

  it.each([
    ['1,1\n2\n', 'sizes.csv: line 2 is "2", expected a size and a share above 0'],
    ['1,1\nsize,share\n', 'sizes.csv: line 2 is "size,share", expected a size and a share above 0'],
    ['1,0\n', 'sizes.csv: line 1 is "1,0", expected a size and a share above 0'],
    ['', 'sizes has 0 sizes, expected 1 to 100'],
  ])('%j is refused', async (text, message) => {
    await expect(parseScene(scene({}, many), of(text))).rejects.toThrow(
      `bodies[1].sizes${message.startsWith('sizes.csv') ? ': ' : '.'}${message}`,
    );
  });
});

import { describe, expect, it } from 'vitest';
import { checkMesh } from '../../src/mesh/check-mesh.ts';
import { drum, extrusion, revolution } from '../../src/mesh/generate-solids.ts';
import { thread } from '../../src/mesh/generate-thread.ts';

const square = [
  [0, 0],
  [2, 0],
  [2, 1],
  [0, 1],
] as const;
/** Area of a regular polygon with n corners over that of the circle around it. */
const share = (n: number) => (n / (2 * Math.PI)) * Math.sin((2 * Math.PI) / n);

describe('bodies with plane faces are closed and have the volume of what they are', () => {
  const cases = [
    ['a plate', extrusion({ outline: square, height: 3 }), 6, 1],
    // An L, given clockwise: its outline is concave.
    [
      'an angle',
      extrusion({
        outline: [
          [0, 0],
          [0, 2],
          [1, 2],
          [1, 1],
          [2, 1],
          [2, 0],
        ],
        height: 0.5,
      }),
      1.5,
      1,
    ],
    [
      'a tube',
      revolution({ profile: square.map(([x, z]) => [x + 1, z] as const), segments: 48 }),
      Math.PI * 8 * share(48),
      0,
    ],
    ['a disk', revolution({ profile: square, segments: 16 }), Math.PI * 4 * share(16), 1],
    [
      'a cone',
      revolution({
        profile: [
          [0, 0],
          [1, 0],
          [0, 1],
        ],
      }),
      (Math.PI / 3) * share(32),
      1,
    ],
    [
      'a drum',
      drum({ radius: 1, length: 2, thickness: 0.5, opening: 0.25, segments: 40 }),
      Math.PI * (1.5 ** 2 * 3 - 2 - 0.25 ** 2) * share(40),
      0,
    ],
  ] as const;

  it.each(cases)('%s', (_, mesh, volume, parts) => {
    const report = checkMesh(mesh);
    expect(report).toMatchObject({ manifold: true, oriented: true, components: 1, unusedVertices: 0 });
    expect(report.degenerateFaces.count).toBe(0);
    expect(report.eulerCharacteristic).toBe(2 * parts);
    expect(report.enclosedVolume! / volume).toBeCloseTo(1, 6);
  });

  it('bolts and nuts have the volume under their thread, and fill each other but for the play', () => {
    const sizes = { depth: 0.3, pitch: 0.8, length: 1.6, segments: 96 };
    const bolt = checkMesh(thread({ ...sizes, radius: 1 }));
    const nut = checkMesh(thread({ ...sizes, radius: 1, nutRadius: 1.5 }));
    expect(bolt).toMatchObject({ manifold: true, oriented: true, eulerCharacteristic: 2 });
    expect(nut).toMatchObject({ manifold: true, oriented: true, eulerCharacteristic: 0 });
    const round = Math.PI * sizes.length * share(96);
    // The mean of the squared radius.
    expect(bolt.enclosedVolume! / (round * (1 + 0.3 ** 2 / 8))).toBeCloseTo(1, 4);
    expect((bolt.enclosedVolume! + nut.enclosedVolume!) / (round * 1.5 ** 2)).toBeCloseTo(1, 4);
  });

  it('lifters stand into a drum, and their volume is that of their trapezia', () => {
    const sizes = { radius: 1, length: 2, thickness: 0.1, opening: 0.3 };
    const mesh = drum({ ...sizes, lifters: 6, lifterHeight: 0.2, segments: 5 });
    expect(checkMesh(mesh)).toMatchObject({ manifold: true, oriented: true, eulerCharacteristic: 0 });
    const radii = new Set<string>();
    for (let i = 0; i < mesh.positions.length; i += 3) {
      if (Math.abs(mesh.positions[i + 2]!) !== 1) continue;
      radii.add(Math.hypot(mesh.positions[i]!, mesh.positions[i + 1]!).toFixed(3));
    }
    expect([...radii].sort()).toEqual(['0.300', '0.800', '1.000']);
  });
});

describe('what cannot be a body is refused', () => {
  it.each([
    [
      () => extrusion({ outline: square.slice(2), height: 1 }),
      /^extrusion: outline: found an array of length 2/,
    ],
    [() => extrusion({ outline: square, height: 0 }), 'extrusion: height is 0, expected a length above 0'],
    [
      () => extrusion({ outline: square } as never),
      'extrusion: height is missing, expected a length above 0',
    ],
    [() => extrusion({ outline: square.map(([x]) => [x, x] as const), height: 1 }), /without area/],
    [
      () => revolution({ profile: square.map(([x, y]) => [x - 1, y] as const) }),
      'revolution: profile[0] has the radius -1, expected 0 or more',
    ],
    [
      () => revolution({ profile: square, segments: 2 }),
      /segments is 2, expected a whole number from 3 to 4096/,
    ],
    [
      () => drum({ radius: 1, length: 1, thickness: 0.1, opening: 0.9, lifters: 4 }),
      'drum: opening is 0.9, expected less than 0.9, the radius inside the lifters',
    ],
  ])('%s', (make, message) => {
    expect(make).toThrow(message);
  });
});

import { describe, expect, it } from 'vitest';
import type { ContactShape } from '../../src/contacts/bodies/contact-shape.ts';
import { massOfShape } from '../../src/dem/mass/mass-of-shape.ts';
import { principalAxes } from '../../src/mesh/principal-axes.ts';
import { boxMesh } from '../../src/validate/scenes.ts';

type Solid = Exclude<ContactShape, { readonly kind: 'plane' }>;

/** A dense lattice of points in a shape that turns about z, as a check of formulas. */
function sums(inside: (r: number, z: number) => boolean, reach: number) {
  const n = 500;
  const h = (2 * reach) / n;
  let [volume, height, across, along] = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const z = -reach + (i + 0.5) * h;
    for (let j = 0; j < n; j++) {
      const r = (j + 0.5) * (reach / n);
      if (!inside(r, z)) continue;
      const ring = 2 * Math.PI * r * (reach / n) * h;
      volume += ring;
      height += ring * z;
      across += ring * (r * r * 0.5 + z * z);
      along += ring * r * r;
    }
  }
  return { volume, height: height / volume, across: across - height ** 2 / volume, along };
}

describe('masses of shapes', () => {
  it.each<[string, Solid, (r: number, z: number) => boolean]>([
    ['sphere', { kind: 'sphere', radius: 0.7, margin: 0.1 }, (r, z) => r * r + z * z < 0.64],
    ['cylinder', { kind: 'cylinder', radius: 0.5, halfHeight: 0.8 }, (r, z) => r < 0.5 && Math.abs(z) < 0.8],
    ['cone', { kind: 'cone', radius: 0.6, height: 1.2 }, (r, z) => z > -0.3 && r < 0.6 * (0.75 - z / 1.2)],
    [
      'ellipsoid',
      { kind: 'ellipsoid', radii: [0.4, 0.4, 0.9] },
      (r, z) => (r / 0.4) ** 2 + (z / 0.9) ** 2 < 1,
    ],
    [
      'round cylinder',
      { kind: 'cylinder', radius: 0.4, halfHeight: 0.5, margin: 0.2 },
      (r, z) => Math.hypot(Math.max(0, r - 0.4), Math.max(0, Math.abs(z) - 0.5)) < 0.2,
    ],
  ])('%s', (name, shape, inside) => {
    const { volume, height, across, along } = sums(inside, 1);
    const found = massOfShape(shape, name);
    const bound = 0.01 + found.error;
    expect(Math.abs(found.volume / volume - 1)).toBeLessThan(bound);
    expect(Math.abs(found.centroid[2] - height)).toBeLessThan(0.01);
    const [least, middle, most] = [...found.moments].sort((a, b) => a - b) as [number, number, number];
    const expected = [across, across, along].sort((a, b) => a - b);
    for (const [k, moment] of [least, middle, most].entries()) {
      expect(Math.abs(moment / expected[k]! - 1)).toBeLessThan(bound);
    }
  });

  it('a capsule along x', () => {
    const inside = (r: number, z: number) => Math.hypot(r, Math.max(0, Math.abs(z) - 0.5)) < 0.3;
    const { volume, across, along } = sums(inside, 1);
    const found = massOfShape({ kind: 'capsule', halfLength: 0.5, radius: 0.3 }, 'capsule');
    expect(found.volume / volume).toBeCloseTo(1, 2);
    expect(found.moments[0] / along).toBeCloseTo(1, 2);
    expect(found.moments[1] / across).toBeCloseTo(1, 2);
  });

  it('a box turned as a part is that box: principal axes find its turn', () => {
    const half = Math.SQRT1_2;
    const plain = massOfShape({ kind: 'polyhedron', mesh: boxMesh(0.5, 1, 1.5) }, 'box');
    const parts = massOfShape(
      {
        kind: 'parts',
        parts: [
          {
            shape: { kind: 'box', halfExtents: [0.5, 1, 0.75] },
            position: [1, 0.75, 0],
            rotation: [half, 0, 0, half],
          },
          {
            shape: { kind: 'box', halfExtents: [0.5, 1, 0.75] },
            position: [1, -0.75, 0],
            rotation: [half, 0, 0, half],
          },
        ],
      },
      'parts',
    );
    expect(parts.volume).toBeCloseTo(plain.volume, 6);
    expect(parts.centroid[0]).toBeCloseTo(1, 6);
    expect([...parts.moments].sort()).toEqual([...plain.moments].sort().map((x) => expect.closeTo(x, 5)));
    expect(parts.error).toBeLessThan(1e-5);
  });

  it('principal axes and moments are those of the tensor', () => {
    const tensor = [
      [3, 0.4, -0.7],
      [0.4, 2, 0.5],
      [-0.7, 0.5, 4],
    ] as const;
    const { moments, rotation } = principalAxes(tensor);
    const [x, y, z, w] = rotation as unknown as [number, number, number, number];
    // Columns: the axes in the frame of the tensor.
    const turn = [
      [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const back = moments.reduce((sum, moment, k) => sum + turn[i]![k]! * moment * turn[j]![k]!, 0);
        expect(back).toBeCloseTo(tensor[i]![j]!, 12);
      }
    }
  });

  it('of parts that overlap counts the overlap once', () => {
    const ball = (x: number) => ({ shape: { kind: 'sphere', radius: 1 }, position: [x, 0, 0] }) as const;
    const two = massOfShape({ kind: 'parts', parts: [ball(-0.5), ball(0.5)] }, 'balls');
    // Two caps of height 1/2.
    const lens = 2 * ((Math.PI * 0.25 * 2.5) / 3);
    const volume = (8 / 3) * Math.PI - lens;
    expect(Math.abs(two.volume / volume - 1)).toBeLessThan(two.error);
    expect(two.error).toBeLessThan(0.02);
    expect(Math.abs(two.volume / volume - 1)).toBeLessThan(1e-3);
    // A bar and one across it, turned so that no ray is along a face.
    const bar = { kind: 'box', halfExtents: [2, 0.5, 0.5] } as const;
    const turned = [0.1, 0.2, 0.3, Math.sqrt(1 - 0.14)] as const;
    const across = [
      Math.SQRT1_2 * (0.1 + 0.2),
      Math.SQRT1_2 * (0.2 - 0.1),
      Math.SQRT1_2 * (0.3 + turned[3]),
      Math.SQRT1_2 * (turned[3] - 0.3),
    ] as const;
    const cross = massOfShape(
      {
        kind: 'parts',
        parts: [
          { shape: bar, rotation: turned },
          { shape: bar, rotation: across },
        ],
      },
      'cross',
    );
    expect(Math.abs(cross.volume / 7 - 1)).toBeLessThan(1e-3);
    // About the axis of both: two bars, less the cube.
    const about = 2 * 4 * ((4 ** 2 + 1) / 12) - 1 / 6;
    expect(Math.max(...cross.moments) / about).toBeCloseTo(1, 3);
  });
});

import { describe, expect, it } from 'vitest';
import { directPotential } from '../../../src/inside/potential/solid-angle.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { exactFlags } from '../../support/flags.ts';
import { boxMesh, mapMesh, pointsOnSurface, randomPoints } from '../../support/shapes.ts';
import { solidAngle } from '../../support/solid-angle.ts';

type Vec3 = [number, number, number];

const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Girard's theorem: the angles between the planes through the origin and the sides, less pi. */
function sphericalExcess(a: Vec3, b: Vec3, c: Vec3): number {
  const angle = (at: Vec3, from: Vec3, to: Vec3) => {
    const [m, n] = [cross(at, from), cross(at, to)];
    return Math.acos(dot(m, n) / Math.sqrt(dot(m, m) * dot(n, n)));
  };
  return angle(a, b, c) + angle(b, c, a) + angle(c, a, b) - Math.PI;
}

describe('the solid angle of a triangle', () => {
  it('is an eighth of the sphere for an octant, seen from its back', () => {
    expect(solidAngle([1, 0, 0], [0, 1, 0], [0, 0, 1])).toBeCloseTo(Math.PI / 2, 14);
    expect(solidAngle([0, 1, 0], [1, 0, 0], [0, 0, 1])).toBeCloseTo(-Math.PI / 2, 14);
    expect(solidAngle([3, 0, 0], [0, 0.1, 0], [0, 0, 70])).toBeCloseTo(Math.PI / 2, 14);
  });

  it('is the spherical excess', () => {
    const random = createRandom(21);
    const corner = (): Vec3 => [random() - 0.5, random() - 0.5, random() - 0.5];
    for (let i = 0; i < 2000; i++) {
      const [a, b, c] = [corner(), corner(), corner()];
      const excess = sphericalExcess(a, b, c) * Math.sign(dot(a, cross(b, c)));
      // acos loses half of the digits near 0 and pi.
      expect(Math.abs(solidAngle(a, b, c) - excess)).toBeLessThan(1e-6);
    }
  });

  it('does not change when the triangle is divided', () => {
    const random = createRandom(22);
    const corner = (): Vec3 => [random() - 0.4, random() - 0.4, random() - 0.4];
    for (let i = 0; i < 500; i++) {
      const [a, b, c] = [corner(), corner(), corner()];
      const s = random();
      const middle = subtract(a, subtract(a, b).map((x) => s * x) as Vec3);
      const parts = solidAngle(a, middle, c) + solidAngle(middle, b, c);
      expect(Math.abs(parts - solidAngle(a, b, c))).toBeLessThan(1e-12);
    }
  });

  it('is half a sphere just behind a triangle, less half a sphere just before it, and 0 on it', () => {
    const seenFrom = (z: number) => solidAngle([-1, -1, -z], [1, -1, -z], [0, 1, -z]);
    expect(seenFrom(-1e-9)).toBeCloseTo(2 * Math.PI, 7);
    expect(seenFrom(1e-9)).toBeCloseTo(-2 * Math.PI, 7);
    expect(seenFrom(0)).toBe(0);
  });
});

describe('the direct potential', () => {
  const cube = localSurface(boxMesh([0, 0, 0], [1, 1, 1]));

  it('is 1 inside, 0 outside, and the angle of the surface on it', () => {
    const points = [
      [0.5, 0.5, 0.5, 1],
      [0.01, 0.99, 0.5, 1],
      [1.5, 0.5, 0.5, 0],
      [-1, -1, -1, 0],
      [0.5, 0.25, 1, 1 / 2],
      [0.5, 1, 1, 1 / 4],
      [1, 1, 1, 1 / 8],
    ];
    const { values, bounds } = directPotential(cube, Float32Array.from(points.flatMap((p) => p.slice(0, 3))));
    points.forEach((point, i) => {
      expect(values[i], `${point}`).toBeCloseTo(point[3]!, 14);
    });
    for (const i of [0, 1, 2, 3]) expect(bounds[i]).toBeLessThan(1e-12);
    for (const i of [4, 5, 6])
      expect(bounds[i], 'on the surface nothing is certain').toBeGreaterThanOrEqual(1);
  });

  it('is a whole number off closed surfaces, within its bound', () => {
    const random = createRandom(23);
    const meshes = [
      unitSphere(3),
      openCellFoam({ triangles: 3000, seed: 5 }),
      mapMesh(unitSphere(2), (x, y, z) => [x, y * 1e-6, z + x]),
    ];
    for (const mesh of meshes) {
      const points = new Float32Array(3 * 2000);
      points.set(randomPoints(mesh, 1000, random));
      points.set(pointsOnSurface(mesh, 1000, random), 3000);
      const flags = exactFlags(mesh, points);
      const { values, bounds } = directPotential(localSurface(mesh), points);
      for (let i = 0; i < flags.length; i++) {
        if (flags[i] === 2) expect(bounds[i]).toBeGreaterThanOrEqual(1);
        else expect(Math.abs(values[i]! - flags[i]!), `${mesh.name}, point ${i}`).toBeLessThan(bounds[i]!);
      }
    }
  });

  it('adds windings: 3 in three spheres, -1 in one that is inside out', () => {
    const sphere = unitSphere(1);
    const thrice = new TriangleMesh({
      positions: sphere.positions,
      indices: Uint32Array.from([...sphere.indices, ...sphere.indices, ...sphere.indices]),
    });
    const points = Float32Array.of(0.1, 0.2, 0.3);
    expect(directPotential(localSurface(thrice), points).values[0]).toBeCloseTo(3, 13);
    const turned = mapMesh(sphere, (x, y, z) => [x, y, z], { flip: true });
    expect(directPotential(localSurface(turned), points).values[0]).toBeCloseTo(-1, 13);
  });

  it('counts hundreds of layers, whose product of angles is far below the least number', () => {
    const sphere = unitSphere(1);
    for (const layers of [300, 1000]) {
      const { positions } = sphere;
      const indices = new Uint32Array(layers * sphere.indices.length);
      for (let i = 0; i < layers; i++) indices.set(sphere.indices, i * sphere.indices.length);
      const surface = localSurface(new TriangleMesh({ positions, indices }));
      const { values, bounds } = directPotential(surface, Float32Array.of(0, 0, 0, 0.3, 0.5, -0.4));
      for (const i of [0, 1]) {
        expect(Math.abs(values[i]! - layers)).toBeLessThanOrEqual(bounds[i]!);
        expect(bounds[i]).toBeLessThan(1e-9);
      }
    }
  });

  it('counts ten thousand equal triangles, wherever they turn the product of angles', () => {
    const positions = Float32Array.of(0.1, 0.2, 0.3, 1, 0, 0.1, 0.3, 1.1, -0.2);
    const equal = (count: number) =>
      localSurface(
        new TriangleMesh({ positions, indices: Uint32Array.from({ length: 3 * count }, (_, i) => i % 3) }),
      );
    const random = createRandom(3);
    const points = Float32Array.from({ length: 600 }, () => 2 * random() - 0.5);
    const [one, many] = [1, 10_000].map((count) => directPotential(equal(count), points));
    many!.values.forEach((value, i) => {
      const most = many!.bounds[i]! + 10_000 * one!.bounds[i]!;
      expect(Math.abs(value - 10_000 * one!.values[i]!), `point ${i}`).toBeLessThanOrEqual(most);
    });
  });

  it('of two triangles that take exactly a quarter of the sphere each, seen from the front, is -1/2', () => {
    // All lengths are 11 and den is exactly 0, so the product of the angles ends at -1, with an imaginary part of -0.
    const positions = Float32Array.of(-9, -6, -2, -9, 6, 2, 9, -6, 2);
    const surface = localSurface(new TriangleMesh({ positions, indices: Uint32Array.of(0, 1, 2, 0, 1, 2) }));
    const { values, bounds } = directPotential(surface, Float32Array.of(0, 0, 0));
    expect(Math.abs(values[0]! + 1 / 2)).toBeLessThanOrEqual(bounds[0]!);
    expect(bounds[0]).toBeLessThan(1e-12);
  });

  it('has a bound where the volume is not 0 and rounds to 0', () => {
    const corners = [-2977141, -2721287, -3549524, -4820858, -6636178, -7253139, -6702135, 350764, -3617508];
    const [a, b, c, d, e, f, g, h, i] = corners.map(BigInt) as [
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    expect(a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)).toBe(1n);
    const mesh = new TriangleMesh({
      positions: Float32Array.from(corners),
      indices: Uint32Array.of(0, 1, 2),
    });
    const { values, bounds } = directPotential(localSurface(mesh), Float32Array.of(0, 0, 0));
    expect(values[0]).toBe(0);
    expect(bounds[0]).toBeGreaterThan(0);
  });

  it('of a cap of the sphere is that of the cone from the centre', () => {
    const sphere = unitSphere(5);
    // All of the sphere above the equator: half of the directions from the centre.
    const kept: number[] = [];
    for (let t = 0; t < sphere.indices.length; t += 3) {
      const corners = sphere.indices.subarray(t, t + 3);
      if (corners.every((v) => sphere.positions[3 * v + 2]! >= 0)) kept.push(...corners);
    }
    const cap = new TriangleMesh({ positions: sphere.positions, indices: Uint32Array.from(kept) });
    const { values } = directPotential(localSurface(cap), Float32Array.of(0, 0, 0, 0, 0, -5));
    expect(values[0]).toBeCloseTo(0.5, 12);
    // From below the back of it is seen, within the equator: a disc, all but for its polygon.
    expect(values[1]).toBeCloseTo((1 - 5 / Math.hypot(5, 1)) / 2, 4);
  });
});

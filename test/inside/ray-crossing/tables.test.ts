import { describe, expect, it } from 'vitest';
import { FLOAT32_SPACING } from '../../../src/constants.ts';
import { frameScale } from '../../../src/inside/frame.ts';
import { mortonCode, sortOrder } from '../../../src/inside/morton.ts';
import { RAY_SLOPE_Y, RAY_SLOPE_Z, STEEP_REGION_BOUND } from '../../../src/inside/ray-crossing/constants.ts';
import { orderPoints, POINTS_PER_THREAD } from '../../../src/inside/ray-crossing/point-order.ts';
import {
  BOX_FLOATS,
  buildRayCrossingTables,
  CLUSTERS_PER_SUPER,
  TRIANGLE_FLOATS,
} from '../../../src/inside/ray-crossing/tables.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { hold } from '../../support/hold.ts';
import { crossingNumbers } from '../../support/ray-crossing-twin.ts';
import { boxMesh, randomPoints } from '../../support/shapes.ts';

const random = createRandom(21);
const f = Math.fround;

/** A soup of triangles of all shapes: sizes over eight decades, needles, slivers, far from the origin. */
function triangleSoup(count: number): TriangleMesh {
  const positions = new Float32Array(9 * count);
  for (let t = 0; t < count; t++) {
    const size = 10 ** (-6 * random());
    const flat = 10 ** (-7 * random() * random());
    const offset = random() < 0.2 ? 1000 : 1;
    const center = [0, 1, 2].map(() => offset * (random() - 0.5));
    const along = [0, 1, 2].map(() => random() - 0.5);
    for (let corner = 0; corner < 3; corner++) {
      const s = random() - 0.5;
      for (let k = 0; k < 3; k++) {
        positions[9 * t + 3 * corner + k] = center[k]! + size * (s * along[k]! + flat * (random() - 0.5));
      }
    }
  }
  return new TriangleMesh({ positions, indices: Uint32Array.from({ length: 3 * count }, (_, i) => i) });
}

/** min(b1, b2, 1 - b1 - b2, t) in float32, with every product and sum rounded, or fused as WGSL allows. */
function marginInFloat32(table: Float32Array, p: readonly number[], fused: boolean): number {
  const d = [0, 1, 2].map((k) => f(p[k]! - table[k]!));
  // Float64 holds a product of two float32 exactly, so rounding the sum once is a fused multiply-add but for ties.
  const add = (x: number, y: number, sum: number) => (fused ? f(x * y + sum) : f(f(x * y) + sum));
  const row = (at: number) => add(table[at]!, d[0]!, add(table[at + 1]!, d[1]!, f(table[at + 2]! * d[2]!)));
  const [b1, b2, t] = [row(3), row(6), row(9)];
  return Math.min(b1, b2, f(f(1 - b1) - b2), t);
}

describe('the error bound', () => {
  const mesh = triangleSoup(4000);
  const tables = buildRayCrossingTables(mesh, { frame: { axes: [0, 1, 2], scale: 1 } });
  const steep = (at: number) => tables.triangles[at + 15] === f(STEEP_REGION_BOUND);

  it('covers float32 rows and arithmetic, fused or not, near and far from the triangle', () => {
    let tightest = 0;
    let tested = 0;
    for (let place = 0; place < tables.triangleCount; place++) {
      const at = place * TRIANGLE_FLOATS;
      if (steep(at)) continue;
      const table = tables.triangles.subarray(at, at + TRIANGLE_FLOATS);
      const triangle = tables.order[place]!;
      for (let n = 0; n < 8; n++) {
        const corners = [0, 1, 2].map((i) =>
          mesh.positions.subarray(9 * triangle + 3 * i, 9 * triangle + 3 * i + 3),
        );
        const reach = n < 4 ? 0.2 * random() : 10 ** (3 * random());
        const weights = [random(), random(), random()].map((w) => w - 0.2);
        const sum = weights.reduce((a, b) => a + b, 0) || 1;
        const p = [0, 1, 2].map((k) => {
          const on = weights.reduce((x, w, i) => x + (w / sum) * corners[i]![k]!, 0);
          return f(on + reach * (corners[1]![k]! - corners[0]![k]!) * (random() - 0.5));
        }) as [number, number, number];
        const numbers = crossingNumbers(mesh, tables.frame, triangle, p);
        if (!numbers) continue;
        // The table's t is scaled by a power of two; its sign is what counts, so scale the twin's alike.
        const scale = Math.max(...[9, 10, 11].map((i) => Math.abs(table[i]!)));
        const corner = [0, 1, 2].map((k) => table[k]! - 0);
        const u = [0, 1, 2].map((k) => corners[1]![k]! - corners[0]![k]!);
        const v = [0, 1, 2].map((k) => corners[2]![k]! - corners[0]![k]!);
        const normal = [
          u[1]! * v[2]! - u[2]! * v[1]!,
          u[2]! * v[0]! - u[0]! * v[2]!,
          u[0]! * v[1]! - u[1]! * v[0]!,
        ];
        const dn = normal[0]! + RAY_SLOPE_Y * normal[1]! + RAY_SLOPE_Z * normal[2]!;
        const unit = scale / (Math.max(...normal.map(Math.abs)) / Math.abs(dn));
        const exact = Math.min(numbers.b0, numbers.b1, numbers.b2, numbers.t * unit);
        const bound = [0, 1, 2].reduce(
          (e, k) => e + table[12 + k]! * Math.abs(p[k]! - corner[k]!),
          Math.abs(table[15]!),
        );
        for (const fused of [false, true]) {
          const error = Math.abs(marginInFloat32(table, p, fused) - exact);
          hold(
            error <= bound,
            () => `triangle ${triangle}, point ${p}: off by ${error}, the bound is ${bound}`,
          );
          tightest = Math.max(tightest, error / bound);
          tested++;
        }
      }
    }
    expect(tested).toBeGreaterThan(10_000);
    // A bound that is never approached within a factor of 20 would send points to the host for nothing.
    expect(tightest).toBeGreaterThan(0.05);
  });

  it('is at most some spacings of the distance in units of the triangle', () => {
    const regular = unitSphere(2);
    const built = buildRayCrossingTables(regular);
    for (let at = 0; at < built.triangles.length; at += TRIANGLE_FLOATS) {
      const rows = built.triangles.subarray(at + 3, at + 9);
      const largest = Math.max(...rows.map(Math.abs));
      for (let k = 0; k < 3; k++)
        expect(built.triangles[at + 12 + k]).toBeLessThan(24 * FLOAT32_SPACING * largest);
    }
  });
});

describe('steep and degenerate triangles', () => {
  it('mark every point on them as uncertain and claim no crossing elsewhere', () => {
    const corners: number[][] = [
      [0, 0, 0, 1, RAY_SLOPE_Y, RAY_SLOPE_Z, 2, 2 * RAY_SLOPE_Y, 2 * RAY_SLOPE_Z],
      [0, 0, 0, 1, RAY_SLOPE_Y, RAY_SLOPE_Z, 0.3, 0.5, 0.7],
      [0.1, 0.2, 0.3, 0.2, 0.4, 0.6, 0.3, 0.6, 0.9],
    ];
    for (const positions of corners) {
      const mesh = new TriangleMesh({
        positions: Float32Array.from(positions),
        indices: Uint32Array.from([0, 1, 2]),
      });
      const { triangles } = buildRayCrossingTables(mesh, { frame: { axes: [0, 1, 2], scale: 1 } });
      expect(triangles[15]).toBe(f(STEEP_REGION_BOUND));
      const corner = (i: number) => mesh.positions.subarray(3 * i, 3 * i + 3);
      // Across the segment that the triangle is along the ray; any direction where it is a point.
      const along = [1, 2].map(
        (k) =>
          corner(2)[k]! -
          corner(0)[k]! -
          [RAY_SLOPE_Y, RAY_SLOPE_Z][k - 1]! * (corner(2)[0]! - corner(0)[0]!),
      );
      const length = Math.hypot(along[0]!, along[1]!);
      const across = length > 1e-6 ? [-along[1]! / length, along[0]! / length] : [1, 0];
      for (let n = 0; n < 500; n++) {
        let w = [random(), random(), random()];
        const sum = w[0]! + w[1]! + w[2]!;
        w = w.map((x) => x / sum);
        const p = [0, 1, 2].map((k) =>
          f(w[0]! * corner(0)[k]! + w[1]! * corner(1)[k]! + w[2]! * corner(2)[k]!),
        );
        expect(Math.abs(marginInFloat32(triangles, p, false))).toBeLessThan(triangles[15]!);
        const side = random() < 0.5 ? -0.01 : 0.01;
        const beside = [p[0]!, p[1]! + side * across[0]!, p[2]! + side * across[1]!];
        expect(marginInFloat32(triangles, beside, false)).toBeLessThan(-triangles[15]!);
      }
    }
  });
});

describe('cluster boxes', () => {
  it('contain the sheared corners of all their triangles, and supers their clusters', () => {
    const mesh = unitSphere(5);
    const tables = buildRayCrossingTables(mesh);
    const { boxes, clusterCount, clusterSize, center, frame } = tables;
    for (let place = 0; place < tables.triangleCount; place++) {
      const cluster = Math.floor(place / clusterSize);
      for (const b of [cluster, clusterCount + Math.floor(cluster / CLUSTERS_PER_SUPER)]) {
        const box = boxes.subarray(b * BOX_FLOATS, (b + 1) * BOX_FLOATS);
        for (let i = 0; i < 3; i++) {
          const v = 3 * mesh.indices[3 * tables.order[place]! + i]!;
          const [x, y, z] = frame.axes.map((k) => mesh.positions[v + k]!);
          const ys = y! - center[1] - RAY_SLOPE_Y * (x! - center[0]);
          const zs = z! - center[2] - RAY_SLOPE_Z * (x! - center[0]);
          const isIn = box[0]! <= ys && ys <= box[1]! && box[2]! <= zs && zs <= box[3]! && x! <= box[4]!;
          hold(isIn, () => `corner ${i} of the triangle at ${place} is outside box ${b}`);
        }
      }
    }
    expect(new Set(tables.order).size).toBe(mesh.triangleCount);
  });
});

describe('the order of points', () => {
  it('keeps each point in the box once, drops the others, and pads whole threads', () => {
    const mesh = boxMesh([-1, -2, -3], [1, 2, 3]);
    const points = randomPoints(mesh, 5003, random, 0.2);
    const frame = { axes: [1, 2, 0] as const, scale: 0.5 };
    const { order, coordinates, stride } = orderPoints(points, 3, 5000, mesh.box, frame);
    expect(stride % POINTS_PER_THREAD).toBe(0);
    const kept = new Set(order);
    expect(kept.size).toBe(order.length);
    for (let i = 0; i < 5000; i++) {
      const [x, y, z] = points.subarray(3 * (3 + i), 3 * (4 + i));
      const inBox = Math.abs(x!) <= 1 && Math.abs(y!) <= 2 && Math.abs(z!) <= 3;
      expect(kept.has(i)).toBe(inBox);
    }
    order.forEach((i, place) => {
      expect(coordinates[place]).toBe(points[3 * (3 + i) + 1]! * 0.5);
      expect(coordinates[2 * stride + place]).toBe(points[3 * (3 + i)]! * 0.5);
    });
    for (let place = order.length; place < stride; place++)
      expect(coordinates[place]).toBe(coordinates[order.length - 1]);
  });

  it('puts neighbours beside each other where all lie in a small part of the box, and some far from the others', () => {
    const box = { min: [0, 0, 0], max: [1, 1, 1] } as const;
    const frame = { axes: [0, 1, 2] as const, scale: 1 };
    const count = 40_000;
    const points = Float32Array.from({ length: 3 * count }, (_, i) =>
      i < 30 ? random() : 0.7 + 1e-3 * random(),
    );
    const { coordinates, stride } = orderPoints(points, 0, count, box, frame);
    const across = (place: number, k: 1 | 2) =>
      coordinates[k * stride + place]! - (k === 1 ? RAY_SLOPE_Y : RAY_SLOPE_Z) * coordinates[place]!;
    const widths: number[] = [];
    for (let first = 0; first < stride; first += POINTS_PER_THREAD) {
      const places = Array.from({ length: POINTS_PER_THREAD }, (_, i) => first + i);
      for (const k of [1, 2] as const) {
        const values = places.map((place) => across(place, k));
        widths.push(Math.max(...values) - Math.min(...values));
      }
    }
    widths.sort((a, b) => a - b);
    // 16 points in a cell 8 times as long as wide: a width of (16 / (8 * 40,000))^(1/3) of the part, a few at most.
    expect(widths[widths.length >> 1]).toBeLessThan(4 * 1e-3 * Math.cbrt(16 / (8 * count)));
  });
});

it('Morton codes interleave bits and the radix sort is stable', () => {
  expect(mortonCode(1, 0, 0)).toBe(1);
  expect(mortonCode(0, 1, 0)).toBe(2);
  expect(mortonCode(0, 0, 1)).toBe(4);
  expect(mortonCode(1023, 1023, 1023)).toBe(2 ** 30 - 1);
  const keys = Uint32Array.from({ length: 5000 }, () => Math.floor(random() * 700) * 1_500_000);
  const order = sortOrder(keys);
  for (let i = 1; i < order.length; i++) {
    const [a, b] = [order[i - 1]!, order[i]!];
    expect(keys[a]! < keys[b]! || (keys[a] === keys[b] && a < b)).toBe(true);
  }
  const backwards = sortOrder(
    keys,
    Uint32Array.from(keys, (_, i) => keys.length - 1 - i),
  );
  for (let i = 1; i < backwards.length; i++) {
    const [a, b] = [backwards[i - 1]!, backwards[i]!];
    expect(keys[a]! < keys[b]! || (keys[a] === keys[b] && a > b)).toBe(true);
  }
});

it('frames are scaled by a power of two only where coordinates are very large or small', () => {
  const scaleOf = (x: number) => frameScale({ min: [0, 0, 0], max: [x, x / 2, 0] });
  expect(scaleOf(1)).toBe(1);
  expect(scaleOf(1000)).toBe(1);
  for (const x of [1e-20, 1e20, 3.4e38, 2 ** -149]) {
    const scale = scaleOf(x);
    expect(Number.isInteger(Math.log2(scale))).toBe(true);
    expect(x * scale).toBeGreaterThanOrEqual(1);
    expect(x * scale).toBeLessThan(2);
  }
});

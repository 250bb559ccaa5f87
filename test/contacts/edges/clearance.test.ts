import { expect, it } from 'vitest';
import { PieceInField } from '../../../src/contacts/edges/piece-in-field.ts';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import { randomRock } from '../../../src/index.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { boxMesh } from '../../support/shapes.ts';
import { nearestOnTriangles, type Vector } from '../nodes/nearest.ts';

const SAMPLES = 200;

it('how far a piece outside is from a concave rock is told to half, and never too far', async () => {
  const mesh = randomRock({ seed: 5, convex: false, triangles: 72, roughness: 0.5 });
  const rock = await makePolyhedron(mesh);
  const random = createRandom(11);
  const piece = new PieceInField();
  const most = 0.25;
  let told = 0;
  for (let i = 0; i < 500; i++) {
    const from = [0, 1, 2].map(() => 2.4 * random() - 1.2) as Vector;
    const to = from.map((x) => x + 0.4 * (random() - 0.5)) as Vector;
    piece.place(rock, Float64Array.of(...from, ...to));
    if (piece.find() > 0) continue;
    let distance = Infinity;
    for (let k = 0; k <= SAMPLES; k++) {
      const place = from.map((x, axis) => x + (k / SAMPLES) * (to[axis]! - x)) as Vector;
      distance = Math.min(distance, nearestOnTriangles(mesh, place).distance);
    }
    const length = Math.hypot(...to.map((x, axis) => x - from[axis]!));
    const clearance = piece.clearance(most);
    expect(clearance).toBeLessThanOrEqual(Math.min(distance, most) + 1e-12);
    // Between samples it may be nearer, by half of the way between them.
    const least = Math.min(distance, most) - length / SAMPLES / 2;
    expect(clearance).toBeGreaterThan(0);
    if (distance > length / 8) expect(clearance).toBeGreaterThan(0.49 * least);
    if (clearance > 0 && distance < length / 4) told++;
  }
  // Those that bounds of both ends alone do not tell.
  expect(told).toBeGreaterThan(10);
});

it('a piece along a face, or askew to it, is as far as its nearer end; one through it is not', async () => {
  const plate = await makePolyhedron(boxMesh([-2, -2, -0.01], [2, 2, 0.01]));
  const piece = new PieceInField();
  const clearanceOf = (from: number, to: number) => {
    piece.place(plate, Float64Array.of(-1, 0.1, 0.01 + from, 1, 0.2, 0.01 + to));
    return { points: piece.find(), clearance: piece.clearance(1) };
  };
  // Tables are in float32.
  for (const [from, to] of [
    [0.4, 0.4],
    [1e-3, 1e-3],
    [0.3, 1e-3],
    [1e-4, 0.9],
  ] as const) {
    const { points, clearance } = clearanceOf(from, to);
    expect(points).toBe(0);
    expect(clearance).toBeGreaterThan(0.9999 * Math.min(from, to));
    expect(clearance).toBeLessThanOrEqual(1.0001 * Math.min(from, to));
  }
  const through = clearanceOf(0.1, -0.1);
  expect(through.points).toBeGreaterThan(0);
  expect(through.clearance).toBeLessThan(1e-12);
});

it('a piece across an edge is measured between its ends', async () => {
  const cube = await makePolyhedron(boxMesh([-1, -1, -1], [1, 1, 1]));
  const piece = new PieceInField();
  for (const gap of [0.2, 0.01, 1e-3]) {
    // Across the cube's edge x = z = 1, and askew to it.
    const ends = Float64Array.of(0.6 + gap, 0.2, 1.4 + gap, 1.3 + gap, -0.1, 0.7 + gap);
    piece.place(cube, ends);
    expect(piece.find()).toBe(0);
    const distance = Math.SQRT2 * gap;
    const clearance = piece.clearance(1);
    expect(clearance).toBeGreaterThan(0.49 * distance);
    expect(clearance).toBeLessThanOrEqual(distance + 1e-7);
  }
});

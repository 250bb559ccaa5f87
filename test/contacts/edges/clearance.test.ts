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
    if (piece.find(rock, Float64Array.of(...from, ...to)) > 0) continue;
    let distance = Infinity;
    for (let k = 0; k <= SAMPLES; k++) {
      const place = from.map((x, axis) => x + (k / SAMPLES) * (to[axis]! - x)) as Vector;
      distance = Math.min(distance, nearestOnTriangles(mesh, place).distance);
    }
    const length = Math.hypot(...to.map((x, axis) => x - from[axis]!));
    const clearance = piece.clearance(0, most);
    expect(clearance).toBeLessThanOrEqual(Math.min(distance, most) + 1e-12);
    // Between samples it may be nearer, by half of the way between them.
    const least = Math.min(distance, most) - length / SAMPLES / 2;
    if (distance > length / 8) expect(clearance).toBeGreaterThan(0.49 * least);
    if (clearance > 0 && distance < length / 4) told++;
    expect(piece.clearance(2 * distance, most)).toBe(0);
  }
  // Those that bounds of both ends alone do not tell.
  expect(told).toBeGreaterThan(10);
});

it('a piece along a face is measured in few looks, or not at all', async () => {
  const plate = await makePolyhedron(boxMesh([-2, -2, -0.01], [2, 2, 0.01]));
  const piece = new PieceInField();
  const clearanceAt = (height: number) => {
    expect(piece.find(plate, Float64Array.of(-1, 0.1, height, 1, 0.2, height))).toBe(0);
    return piece.clearance(0, 1);
  };
  // Tables are in float32.
  expect(clearanceAt(0.01 + 0.4)).toBeGreaterThan(0.199);
  expect(clearanceAt(0.01 + 0.4)).toBeLessThanOrEqual(0.4000001);
  // It would have to be parted into hundreds.
  expect(clearanceAt(0.01 + 1e-3)).toBe(0);
});

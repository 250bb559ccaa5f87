import { describe, expect, it } from 'vitest';
import { DEPTH_TOLERANCE, MOST_SAMPLES } from '../../../src/contacts/edges/constants.ts';
import {
  DeepestPoint,
  type DepthAlong,
  type DepthSample,
} from '../../../src/contacts/edges/deepest-point.ts';
import { randomRock } from '../../../src/index.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { boxMesh } from '../../support/shapes.ts';
import { nearestOnTriangles, type Vector } from '../nodes/nearest.ts';

/** The distance to all triangles along a line, by brute force. */
function along(mesh: { positions: Float32Array; indices: Uint32Array }, from: Vector, to: Vector) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
  let samples = 0;
  let distances = 0;
  const ways = from.map((x, k) => (to[k]! - x) / length);
  const point = (at: number) => from.map((x, k) => x + ways[k]! * at) as Vector;
  const line: DepthAlong = {
    sample(at, out) {
      samples++;
      const found = nearestOnTriangles(mesh, point(at));
      out.at = at;
      out.depth = found.distance;
      out.triangle = found.triangle;
    },
    numbers: new Float64Array(3),
    measure(triangle) {
      distances++;
      const { numbers } = line;
      const from = point(numbers[0]!);
      const found = nearestOnTriangles(mesh, from, triangle);
      numbers[1] = found.distance;
      numbers[2] = from.reduce((sum, x, k) => sum + ((x - found.point[k]!) * ways[k]!) / found.distance, 0);
    },
  };
  return { line, length, samples: () => samples, distances: () => distances };
}

const sampleAt = (line: DepthAlong, at: number): DepthSample => {
  const out = { at: 0, depth: 0, triangle: 0 };
  line.sample(at, out);
  return out;
};

describe('the deepest point of a chord', () => {
  const search = new DeepestPoint();
  const random = createRandom(7);
  const rock = randomRock({ seed: 3, convex: false, triangles: 128, roughness: 0.5 });

  it('is deeper than all others, in any valley of a concave rock', () => {
    let asked = 0;
    for (let i = 0; i < 40; i++) {
      // Star-shaped about the origin, and more than 0.1 wide: these are inside.
      const end = () => [0, 1, 2].map(() => 0.25 * (2 * random() - 1)) as unknown as Vector;
      const { line, length, distances } = along(rock, end(), end());
      const tolerance = DEPTH_TOLERANCE * length;
      const found = search.search(line, sampleAt(line, 0), sampleAt(line, length), tolerance);
      expect(found.isSure).toBe(true);
      asked += distances();
      expect(sampleAt(line, found.at).depth).toBe(found.depth);
      for (let k = 0; k <= 200; k++) {
        expect(sampleAt(line, (k / 200) * length).depth).toBeLessThanOrEqual(found.depth + tolerance + 1e-15);
      }
    }
    // Tangents close a tie in from both sides: with halves in their place it takes 21.
    expect(asked / 40).toBeLessThan(15);
  });

  it('is where two faces tie, which it names, after few looks', () => {
    const box = boxMesh([-1, -1, -1], [1, 1, 1]);
    // Below the edge between x = 1 and z = 1, across it: deepest at x = z = 0.75.
    const { line, length, samples } = along(box, [1, 0.1, 0.5], [0.5, 0.1, 1]);
    const found = search.search(line, sampleAt(line, 0), sampleAt(line, length), DEPTH_TOLERANCE);
    expect(found.depth).toBeCloseTo(0.25, 12);
    for (const triangle of [found.before, found.behind]) {
      line.numbers[0] = found.at;
      line.measure(triangle);
      expect(line.numbers[1]).toBeCloseTo(0.25, 12);
    }
    expect(found.before === found.behind).toBe(false);
    expect(samples()).toBeLessThan(8);
  });

  it('is an end of a chord along a face, whatever triangles that consists of', () => {
    const box = boxMesh([-1, -1, -1], [1, 1, 1]);
    const { line, length, samples } = along(box, [-0.5, 0.1, 0.9], [0.5, 0.2, 0.9]);
    const found = search.search(line, sampleAt(line, 0), sampleAt(line, length), DEPTH_TOLERANCE);
    expect([0, length]).toContain(found.at);
    expect(samples()).toBeLessThan(MOST_SAMPLES / 2);
  });
});

import { describe, expect, it } from 'vitest';
import { DEPTH_TOLERANCE, MOST_SAMPLES, SHALLOW_TOLERANCE } from '../../../src/contacts/edges/constants.ts';
import {
  DeepestPoint,
  type DepthAlong,
  type DepthSample,
} from '../../../src/contacts/edges/deepest-point.ts';
import { NEAREST_FLOATS, nearestOnTriangle } from '../../../src/contacts/field/nearest.ts';
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

  it('is found soon along needles, whose distances are flat and then steep', () => {
    const w = new Float64Array(NEAREST_FLOATS);
    let most = 0;
    for (let i = 0; i < 30000; i++) {
      // Needles along the line, 10^4 times as long as they are wide.
      const count = 2 + Math.floor(12 * random() * random());
      const corners = new Float32Array(9 * count);
      for (let t = 0; t < count; t++) {
        const size = 10 ** (-4 * random());
        const middle = [random(), 1e-4 * (random() - 0.5), 1e-4 * (random() - 0.5)];
        for (let k = 0; k < 9; k++)
          corners[9 * t + k] = middle[k % 3]! + (k % 3 === 0 ? 1 : 1e-4) * size * (random() - 0.5);
      }
      const start = 1e-4 * (random() - 0.5);
      const ways = [1, 1e-4 * (random() - 0.5), 1e-4 * (random() - 0.5)];
      let asked = 0;
      const distanceTo = (at: number, triangle: number) => {
        for (let k = 0; k < 3; k++) w[k] = (k === 1 ? start : 0) + at * ways[k]!;
        nearestOnTriangle(corners, 9 * triangle, w);
        return Math.sqrt(w[6]!);
      };
      const line: DepthAlong = {
        sample(at, out) {
          const all = Array.from({ length: count }, (_, triangle) => distanceTo(at, triangle));
          out.at = at;
          out.depth = Math.min(...all);
          out.triangle = all.indexOf(out.depth);
        },
        numbers: new Float64Array(3),
        measure(triangle) {
          asked++;
          const distance = distanceTo(line.numbers[0]!, triangle);
          const along = ways.reduce((sum, way, k) => sum + way * (w[k]! - w[3 + k]!), 0);
          line.numbers[1] = distance;
          line.numbers[2] = distance > 0 ? along / distance : 0;
        },
      };
      const tolerance = Math.min(DEPTH_TOLERANCE, SHALLOW_TOLERANCE * sampleAt(line, 0.5).depth);
      const found = search.search(line, sampleAt(line, 0), sampleAt(line, 1), tolerance);
      expect(found.isSure).toBe(true);
      most = Math.max(most, asked);
    }
    // Where tangents alone stall, a search asks for thousands.
    expect(most).toBeLessThan(400);
  });

  it('is an end of a chord along a face, whatever triangles that consists of', () => {
    const box = boxMesh([-1, -1, -1], [1, 1, 1]);
    const { line, length, samples } = along(box, [-0.5, 0.1, 0.9], [0.5, 0.2, 0.9]);
    const found = search.search(line, sampleAt(line, 0), sampleAt(line, length), DEPTH_TOLERANCE);
    expect([0, length]).toContain(found.at);
    expect(samples()).toBeLessThan(MOST_SAMPLES / 2);
  });
});

/** The farthest vertex, also of polytopes whose vertices crowd: along edges of 1e-9 of the size. */
import { it } from 'vitest';
import { PairSolver } from '../../../src/convex/cpu/pair-solver.ts';
import { PairStatus } from '../../../src/convex/pair/status.ts';
import { CELLS, middleOfCell } from '../../../src/convex/shapes/cells.ts';
import { writeRotation } from '../../../src/convex/shapes/pose.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import { coreSupport } from '../../../src/convex/shapes/support.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { hold } from '../../support/hold.ts';
import { dot, type Vector } from '../shapes-of-all-kinds.ts';

const DEPTH = 1e-11;

/** Six polygons in the planes of a cube's faces, each with one of its corners blunted by many tiny edges. */
function bluntedHull(seed: number): number[] {
  const random = createRandom(seed);
  const even = () => 2 * random() - 1;
  const vertices: number[] = [];
  const edge = 10 ** (-9 + 2 * random());
  for (let face = 0; face < 6; face++) {
    const axis = face >> 1;
    const corners = Array.from({ length: 4 }, () => {
      const angle = 2 * Math.PI * random();
      return [0.5 * Math.cos(angle), 0.5 * Math.sin(angle)] as const;
    });
    const [x, y] = corners[Math.floor(4 * random())]!;
    for (let i = 0; i < 8; i++) corners.push([x + edge * even(), y + edge * even()]);
    for (const [p, q] of corners) {
      const vertex = [0, 0, 0];
      vertex[axis] = face & 1 ? -1 : 1;
      vertex[(axis + 1) % 3] = p;
      vertex[(axis + 2) % 3] = q;
      vertices.push(...vertex);
    }
  }
  return vertices;
}

/** Directions within 1e-6 of the normals of the cube's faces. */
function nearAxes(count: number, seed: number): Vector[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, i) => {
    const tilt = 10 ** (-6 - 4 * random());
    const direction = [0, 1, 2].map(() => tilt * (2 * random() - 1));
    direction[i % 3] = random() < 0.5 ? -1 : 1;
    return direction as unknown as Vector;
  });
}

/** Value of the farthest of all vertices, and of the one that is found. */
function values(table: ShapeTable, direction: Vector): readonly [number, number] {
  const found = new Float64Array(3);
  coreSupport(table, 0, ...direction, found, 0);
  let most = -Infinity;
  for (let i = 0; i < table.vertices.length; i += 3) {
    most = Math.max(most, dot(direction, table.vertices.subarray(i, i + 3)));
  }
  return [most, dot(direction, found)];
}

it('finds a vertex that is as far as any', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const table = new ShapeTable([{ kind: 'polytope', vertices: bluntedHull(seed) }]);
    for (const direction of nearAxes(300, seed)) {
      const [most, found] = values(table, direction);
      hold(found >= most - 2 ** -50, () => `seed ${seed}, along ${direction}: ${found}, expected ${most}`);
    }
  }
});

it('finds it in the middle of cells of directions, and where they meet', () => {
  const random = createRandom(4);
  const n = new Float64Array(3);
  for (const count of [16, 50, 300]) {
    const vertices = Array.from({ length: 3 * count }, () => random() + random() + random() - 1.5);
    const table = new ShapeTable([{ kind: 'polytope', vertices }]);
    for (let cell = 0; cell < CELLS; cell++) {
      for (let k = 0; k < 9; k++) {
        middleOfCell(cell, n, (k % 3) - 1, Math.floor(k / 3) - 1);
        for (const noise of [0, 1e-16, 1e-3]) {
          const direction = [...n].map((x) => x + noise * (2 * random() - 1)) as unknown as Vector;
          const [most, found] = values(table, direction);
          hold(
            found >= most - 2 ** -50,
            () => `${count}, cell ${cell}, along ${direction}: ${found}, ${most}`,
          );
        }
      }
    }
  }
});

it('does not take a hull for separated from a plate that one of its vertices is 1e-11 deep in', () => {
  const plate = { kind: 'box', halfExtents: [3, 3, 0.5] } as const;
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const placed = [new Float64Array(12), new Float64Array(12)] as const;
  for (let seed = 1; seed <= 200; seed++) {
    const table = new ShapeTable([{ kind: 'polytope', vertices: bluntedHull(seed) }, plate]);
    const options = { algorithm: 'gjk', tolerance: 2 ** -36, sweepRadius: 0 } as const;
    const intersect = new PairSolver(table, { ...options, kind: 'intersect' });
    const distance = new PairSolver(table, { ...options, kind: 'signed-distance' });
    const centre = table.parameters.subarray(17, 20);
    for (const direction of nearAxes(300, seed)) {
      const [most] = values(table, direction);
      const length = Math.hypot(...direction);
      const n = direction.map((x) => x / length);
      // Turns z to n. The plate's centre is along n from the hull's, so that n is the first direction that GJK asks in.
      const turn = [-n[1]!, n[0]!, 0, 1 + n[2]!];
      const norm = Math.hypot(...turn);
      if (norm < 1e-3) continue;
      const [x, y, z, w] = turn.map((t) => t / norm) as [number, number, number, number];
      placed[0].set(identity);
      writeRotation(x, y, z, w, placed[1], 0);
      for (let k = 0; k < 3; k++) placed[1][9 + k] = centre[k]! + (most / length + 0.5 - DEPTH) * n[k]!;
      for (const { pair } of [intersect, distance])
        pair.place({ record: 0, frames: placed[0], at: 0 }, { record: 1, frames: placed[1], at: 0 });
      const where = () => `seed ${seed}, along ${direction}: distance ${distance.pair.distance}`;
      hold(intersect.solve() === PairStatus.converged, where);
      hold(distance.solve() === PairStatus.converged, where);
      hold(Math.abs(distance.pair.distance + DEPTH) < 2 ** -36 * distance.pair.size, where);
    }
  }
});

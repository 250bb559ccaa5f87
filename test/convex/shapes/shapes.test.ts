import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pair } from '../../../src/convex/pair/pair.ts';
import { PARAMETERS } from '../../../src/convex/shapes/records.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import type { ConvexShape, Shape } from '../../../src/convex/shapes/shapes.ts';
import { coreSupport } from '../../../src/convex/shapes/support.ts';
import { InputError } from '../../../src/errors.ts';
import { hold } from '../../support/hold.ts';
import {
  arbitraryShape,
  directions,
  dot,
  kinds,
  sizeOf,
  supportValue,
  type Vector,
} from '../shapes-of-all-kinds.ts';

/** Support point of a whole shape in its own frame. */
function supportPoint(table: ShapeTable, n: Vector): Vector {
  const out = new Float64Array(3);
  coreSupport(table, 0, n[0], n[1], n[2], out, 0);
  const margin = table.parameters[12]!;
  return [0, 1, 2].map((k) => out[k]! + margin * n[k]! + table.parameters[17 + k]!) as unknown as Vector;
}

const direction = fc.oneof(
  fc.constantFrom<Vector>([1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]),
  fc
    .tuple(...[0, 1, 2].map(() => fc.double({ min: -1, max: 1, noNaN: true })))
    .filter((n) => Math.hypot(...n) > 0.01)
    .map((n) => n.map((x) => x / Math.hypot(...n)) as unknown as Vector),
);

describe.each(kinds)('support mapping of a %s', (kind) => {
  it('reaches as far as the support function and stays in the shape', () => {
    fc.assert(
      fc.property(
        arbitraryShape(kind),
        fc.array(direction, { minLength: 1, maxLength: 5 }),
        (shape, asked) => {
          const table = new ShapeTable([shape]);
          const rounding = 1e-13 * (sizeOf(shape) + 1);
          for (const n of asked) {
            const p = supportPoint(table, n);
            expect(Math.abs(dot(n, p) - supportValue(shape, n))).toBeLessThan(rounding);
            for (const m of directions) {
              const beyond = dot(m, p) - supportValue(shape, m);
              hold(beyond < rounding, () => `${p} is ${beyond} outside along ${m}`);
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('lies within its bounding radius of its centre', () => {
    fc.assert(
      fc.property(arbitraryShape(kind), (shape) => {
        const table = new ShapeTable([shape]);
        const centre = table.parameters.subarray(17, 20);
        for (const n of directions) {
          const p = supportPoint(table, n);
          const far = Math.hypot(p[0] - centre[0]!, p[1] - centre[1]!, p[2] - centre[2]!);
          const radius = table.boundingRadius(0);
          hold(far < radius * (1 + 1e-12) + 1e-300, () => `${far} along ${n}, the radius is ${radius}`);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('centres', () => {
  /** Monte Carlo would need millions of points for what thin slabs along z give: cross sections by hand. */
  it('of a frustum and a cone are their centroids: moments of slabs about them vanish', () => {
    const area: [Shape, (z: number) => number, number][] = [
      [{ kind: 'cone', radius: 2, height: 3 }, (s) => (1 - s) ** 2, 3],
      [{ kind: 'frustum', bottom: [1, 2], top: [0.5, 3], height: 2 }, (s) => (1 - 0.5 * s) * (2 + s), 2],
      [{ kind: 'frustum', bottom: [1, 1], top: [0, 0], height: 4 }, (s) => (1 - s) ** 2, 4],
    ];
    for (const [shape, section, height] of area) {
      const table = new ShapeTable([shape]);
      const bottom = shape.kind === 'cone' ? table.parameters[1]! : table.parameters[2]!;
      let moment = 0;
      for (let i = 0; i < 1000; i++) {
        const s = (i + 0.5) / 1000;
        moment += (section(s) * (bottom + s * height)) / 1000;
      }
      expect(Math.abs(moment)).toBeLessThan(1e-5 * height);
    }
  });

  it('of polytopes are centroids of the volume, wherever they lie', () => {
    const cut = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1].map((x) => x + 1e6);
    const { parameters } = new ShapeTable([{ kind: 'polytope', vertices: cut }]);
    for (let k = 0; k < 3; k++) expect(parameters[17 + k]).toBeCloseTo(1e6 + 0.25, 8);
  });

  it('of hulls lie inside: a cone as hull of a disc and a point has the centroid of the cone', () => {
    const table = new ShapeTable([
      { kind: 'hull', a: { kind: 'disc', radius: 1 }, b: { kind: 'point' }, place: { position: [0, 0, 4] } },
    ]);
    expect(table.parameters[19]).toBeCloseTo(1, 1);
    expect(Math.hypot(table.parameters[17]!, table.parameters[18]!)).toBeLessThan(0.02);
  });
});

describe('descriptions', () => {
  it('that cannot be used are refused with one line that names the shape and the field', () => {
    const bad: [unknown, string][] = [
      [{ kind: 'box', halfExtents: [1, 1] }, 'shape 0: halfExtents is [1,1], expected an array of 3 numbers'],
      [{ kind: 'box', halfExtents: [1, -1, 1] }, 'shape 0: halfExtents[1] is -1, expected 0 or a length'],
      [{ kind: 'sphere', radius: Number.NaN }, 'shape 0: radius is NaN'],
      [{ kind: 'sphere' }, 'shape 0: radius is missing'],
      [{ kind: 'sphere', radius: 1, margin: Infinity }, 'shape 0: margin is Infinity'],
      [{ kind: 'blob' }, 'shape 0: kind is "blob", expected point, segment'],
      [{}, 'shape 0: kind is missing, expected point, segment'],
      [
        { kind: 'polytope', vertices: [] },
        'shape 0: vertices has 0 numbers, expected a positive multiple of 3',
      ],
      [{ kind: 'polytope', vertices: [0, 0, Number.NaN] }, 'shape 0: vertex 0 has the coordinate NaN'],
      [null, 'shape 0 is null, expected an object with the kind of a shape'],
      [{ kind: 'toString' }, 'shape 0: kind is "toString", expected point, segment'],
      [{ kind: 'sphere', radius: '1' }, 'shape 0: radius is "1", expected 0 or a length'],
      [{ kind: 'polytope', vertices: [0, 0, '1'] }, 'shape 0: vertex 0 has the coordinate "1"'],
      [{ kind: 'parts', parts: [] }, 'shape 0: no parts found'],
      [{ kind: 'polytope' }, 'shape 0: vertices is missing, expected a list of numbers'],
      [{ kind: 'parts', parts: [{}] }, 'shape 0, the shape of part 0 is missing, expected an object'],
      [
        { kind: 'parts', parts: [{ shape: { kind: 'parts', parts: [] } }] },
        'shape 0, the shape of part 0: kind is "parts", expected point, segment',
      ],
      [
        { kind: 'parts', parts: [{ shape: { kind: 'point' }, position: ['0', 0, 0] }] },
        'shape 0, part 0: position is ["0",0,0], expected three numbers',
      ],
      [{ kind: 'sum', a: { kind: 'sum' }, b: { kind: 'point' } }, 'shape 0, a of the sum: kind is "sum"'],
      [
        { kind: 'hull', a: { kind: 'point' }, b: { kind: 'point' }, place: { rotation: [1, 1, 0, 0] } },
        'shape 0: rotation is [1,1,0,0], expected a quaternion',
      ],
    ];
    for (const [shape, message] of bad) {
      expect(() => new ShapeTable([shape as Shape])).toThrow(InputError);
      expect(() => new ShapeTable([shape as Shape])).toThrow(message);
    }
    expect(() => new ShapeTable([])).toThrow('shapes: none found');
  });
});

describe('hill climbing', () => {
  it('finds as far a vertex as looking at all of them, from any start, with flat facets and common edges', () => {
    const onSphere: number[] = [];
    for (let i = 0; i < 1000; i++) onSphere.push(...directions[i % 300]!.map((x) => x * (i < 300 ? 1 : 0.9)));
    const grid: number[] = [];
    for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) for (let k = 0; k < 6; k++) grid.push(i, j, k);
    for (const vertices of [onSphere, grid]) {
      const shape: ConvexShape = { kind: 'polytope', vertices };
      const table = new ShapeTable([shape]);
      fc.assert(
        fc.property(direction, (n) => {
          expect(dot(n, supportPoint(table, n))).toBeCloseTo(supportValue(shape, n), 12);
        }),
        { numRuns: 500 },
      );
    }
  });
});

describe('pairs', () => {
  it('ask for the difference in the frame of A: w = a - b, B rotated and moved', () => {
    const table = new ShapeTable([
      { kind: 'box', halfExtents: [1, 2, 3] },
      { kind: 'box', halfExtents: [0.5, 0.25, 0.125] },
    ]);
    expect(table.parameters.length).toBe(2 * PARAMETERS);
    const pair = new Pair(table);
    const quarter = [0, -1, 0, 1, 0, 0, 0, 0, 1];
    const placed = Float64Array.from([...quarter, 10, 20, 30, 1, 0, 0, 0, 1, 0, 0, 0, 1, 10, 24, 30]);
    pair.place({ record: 0, frames: placed, at: 0 }, { record: 1, frames: placed, at: 12 });
    const out = new Float64Array(9);
    pair.core(1, 1, 1, out, 0);
    // B lies at +4 along the world's y, which is A's x; its own x is along A's -y.
    expect([...out]).toEqual([1 - (4 - 0.25), 2 + 0.5, 3 + 0.125, 1, 2, 3, 4 - 0.25, -0.5, -0.125]);
  });
});

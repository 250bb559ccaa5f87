import fc from 'fast-check';
import * as d from 'typegpu/data';
import { describe, expect, it } from 'vitest';
import { pairTables } from '../../../src/convex/gpu/pair-layout.ts';
import { shapeParts } from '../../../src/convex/gpu/shape-parts.ts';
import { shapeBuffers } from '../../../src/convex/gpu/tables.ts';
import { Pair, POINT } from '../../../src/convex/pair/pair.ts';
import { placements } from '../../../src/convex/shapes/pose.ts';
import { ShapeTable } from '../../../src/convex/shapes/shape-table.ts';
import { bind } from '../../../src/gpu/bind.ts';
import { BufferPool, readBack } from '../../../src/gpu/buffers.ts';
import { compileKernel, kernelSource } from '../../../src/gpu/kernel.ts';
import { Recorder } from '../../../src/gpu/recorder.ts';
import { useDevice } from '../../support/device.ts';
import { BODY_WORDS, BodyWord, placeBodies } from '../../support/pair-sorting-twin.ts';
import pairSupportWgsl from '../../support/pair-support.wgsl';
import { arbitraryPlaced, directions, kinds, type Placed } from '../shapes-of-all-kinds.ts';

const device = useDevice();
const source = kernelSource(pairSupportWgsl, {
  ...pairTables,
  directions: { storage: d.arrayOf(d.vec4f) },
  results: { storage: d.arrayOf(d.vec4f), access: 'mutable' },
});

/** Support points of the kernels for pairs 2 i, 2 i + 1 of bodies; direction i. */
async function kernelSupports(bodies: readonly Placed[]) {
  const table = new ShapeTable(bodies.map(({ shape }) => shape));
  const poses = Float64Array.from(bodies.flatMap(({ position, rotation }) => [...position, ...rotation]));
  const placed = placements(poses);
  const shapes = Uint32Array.from(bodies, (_, i) => i);
  const own = placeBodies(shapeParts(table), poses, shapes);
  const buffers = shapeBuffers(table);
  const pairCount = shapes.length / 2;
  const pairs = Uint32Array.from({ length: 4 * pairCount }, (_, i) =>
    i % 4 < 2 ? (i >> 2) * 2 + (i % 4) : 0,
  );
  const asked = new Float32Array(4 * pairCount);
  for (let i = 0; i < pairCount; i++) asked.set(directions[(7 * i) % directions.length]!, 4 * i);
  const pool = new BufferPool(device());
  try {
    const kernel = await compileKernel(device(), source);
    const read = await device().checked('testing supports', () => {
      const results = pool.reserve(
        'results',
        64 * pairCount,
        GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
      );
      const bound = bind(device(), kernel, {
        bodies: pool.upload('bodies', own.bodies),
        pairs: pool.upload('pairs', pairs),
        records: pool.upload('records', buffers.records),
        vertices: pool.upload('vertices', buffers.vertices),
        neighbours: pool.upload('neighbours', buffers.neighbours),
        directions: pool.upload('directions', asked),
        results,
      });
      const recorder = new Recorder(device());
      recorder.run(bound, { threads: pairCount });
      recorder.submit();
      return results;
    });
    const [bytes] = await readBack(device(), pool, [{ buffer: read, bytes: 64 * pairCount }]);
    const results = new Float32Array(bytes!.buffer, bytes!.byteOffset, 16 * pairCount);
    const centres = Float64Array.from({ length: 3 * bodies.length }, (_, i) => {
      const at = BODY_WORDS * Math.floor(i / 3) + (i % 3);
      return own.bodies[at + BodyWord.centre]! + own.bodies[at + BodyWord.centreRest]!;
    });
    return { table, placed, asked, results, centres };
  } finally {
    pool.destroy();
  }
}

/** 20 roundings of float32 on coordinates up to the size; see docs/convex.md, "In float32". */
const ROUNDING = 2 ** -19;

describe('support points of the kernels', () => {
  it.each(kinds)('%s: as far as those in float64, and of the same difference', async (kind) => {
    const bodies = fc.sample(
      fc.tuple(arbitraryPlaced(kind), fc.constantFrom(...kinds).chain(arbitraryPlaced)),
      { numRuns: 100, seed: 11 },
    );
    const { table, placed, asked, results, centres } = await kernelSupports(bodies.flat());
    const pair = new Pair(table);
    for (let i = 0; i < bodies.length; i++) {
      pair.place(
        { record: 2 * i, frames: placed, at: 24 * i },
        { record: 2 * i + 1, frames: placed, at: 24 * i + 12 },
      );
      const [x, y, z] = [asked[4 * i]!, asked[4 * i + 1]!, asked[4 * i + 2]!];
      pair.core(x, y, z, pair.points, 4 * POINT);
      const w = pair.points.subarray(4 * POINT);
      const exact = x * w[0]! + y * w[1]! + z * w[2]!;
      const r = results.subarray(16 * i, 16 * i + 16);
      const unit = r[3]!;
      const tolerance = ROUNDING * pair.size;
      expect(Math.abs(r[7]! * unit - pair.size)).toBeLessThan(tolerance);
      expect(Math.abs(unit * (x * r[0]! + y * r[1]! + z * r[2]!) - exact)).toBeLessThan(tolerance);
      expect(Math.abs(unit * r[11]! - exact)).toBeLessThan(tolerance);
      expect(Math.abs(unit * r[14]! - exact)).toBeLessThan(tolerance);
      expect(Math.abs(unit * r[12]! - pair.marginA)).toBeLessThan(tolerance);
      expect(Math.abs(unit * r[13]! - pair.marginB)).toBeLessThan(tolerance);
      // Points of both shapes in the world: their difference is w, turned by A's rotation, and A's lies in A.
      const f = pair.frame;
      for (let k = 0; k < 3; k++) {
        const turned = f[3 * k]! * r[0]! + f[3 * k + 1]! * r[1]! + f[3 * k + 2]! * r[2]!;
        expect(Math.abs(unit * (r[4 + k]! - r[8 + k]! - turned))).toBeLessThan(4 * tolerance);
        expect(centres[6 * i + k]).toBeCloseTo(f[9 + k]!, 12);
      }
    }
  });

  it.each([1e-6, 1e6])('%s times the size: the same in units of it', async (scale) => {
    const bodies = fc.sample(fc.tuple(arbitraryPlaced('ellipsoid'), arbitraryPlaced('box')), {
      numRuns: 20,
      seed: 5,
    });
    const grown = bodies.flat().map(({ shape, position, rotation }) => {
      const lengths = Object.fromEntries(
        Object.entries(shape).map(([key, value]) => [
          key,
          typeof value === 'number'
            ? value * scale
            : Array.isArray(value)
              ? value.map((v) => v * scale)
              : value,
        ]),
      );
      return {
        shape: lengths as unknown as Placed['shape'],
        position: position.map((v) => v * scale) as unknown as Placed['position'],
        rotation,
      };
    });
    const [plain, large] = [await kernelSupports(bodies.flat()), await kernelSupports(grown)];
    for (let i = 0; i < bodies.length; i++) {
      const [p, q] = [plain.results.subarray(16 * i), large.results.subarray(16 * i)];
      const size = p[3]! * p[7]!;
      for (let k = 0; k < 3; k++) {
        expect(Math.abs((q[3]! * q[k]!) / scale - p[3]! * p[k]!)).toBeLessThan(2 * ROUNDING * size);
      }
    }
  });
});

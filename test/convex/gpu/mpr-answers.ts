/** Answers of MPR's kernels for pairs of bodies, as they come from the device. */
import { LEAST_GAP_32 } from '../../../src/constants.ts';
import { type MprKind, MprParams, mprKernel } from '../../../src/convex/gpu/mpr.ts';
import { bodyBuffer, shapeBuffers } from '../../../src/convex/gpu/tables.ts';
import { placements } from '../../../src/convex/pose.ts';
import type { ShapeTable } from '../../../src/convex/shape-table.ts';
import { BufferPool, readBack, UniformBuffer } from '../../../src/gpu/buffers.ts';
import type { Device } from '../../../src/gpu/device.ts';
import { bindBuffers, encodePass } from '../../../src/gpu/passes.ts';

export interface KernelAnswers {
  readonly status: Uint8Array;
  readonly calls: Uint32Array;
  readonly distance: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly normal: Float64Array;
  readonly pointA: Float64Array;
  readonly pointB: Float64Array;
}

export interface PairsOfBodies {
  readonly table: ShapeTable;
  /** `[n * 7]`. */
  readonly poses: Float32Array | Float64Array;
  /** Shape of each body. */
  readonly bodies: Uint32Array;
  readonly pairs: Uint32Array;
}

export async function kernelAnswers(
  device: Device,
  { table, poses, bodies, pairs }: PairsOfBodies,
  kind: MprKind,
  tolerance = LEAST_GAP_32,
): Promise<KernelAnswers> {
  const centres = new Float64Array(3 * bodies.length);
  const buffers = shapeBuffers(table);
  const quaternions = { values: poses, first: 3, stride: 7 };
  const count = pairs.length / 2;
  const pool = new BufferPool(device);
  const params = new UniformBuffer(device, MprParams);
  try {
    const kernel = await mprKernel(device, kind);
    const read = await device.checked('testing MPR', () => {
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
      const results = pool.reserve('results', 48 * count, usage);
      params.write({ first: 0, end: count, tolerance });
      const group = bindBuffers(device, kernel, {
        bodies: pool.upload('bodies', bodyBuffer(table, placements(poses), quaternions, bodies, centres)),
        pairs: pool.upload('pairs', pairs as Uint32Array<ArrayBuffer>),
        records: pool.upload('records', buffers.records),
        vertices: pool.upload('vertices', buffers.vertices),
        neighbours: pool.upload('neighbours', buffers.neighbours),
        results,
        params: params.buffer,
      });
      const encoder = device.handle.createCommandEncoder();
      encodePass(device, encoder, kernel, group, Math.ceil(count / 64));
      device.handle.queue.submit([encoder.finish()]);
      return results;
    });
    const [bytes] = await readBack(device, pool, [{ buffer: read, bytes: 48 * count }]);
    const floats = new Float32Array(bytes!.buffer, bytes!.byteOffset, 12 * count);
    const words = new Uint32Array(bytes!.buffer, bytes!.byteOffset, 12 * count);
    const answers = {
      status: new Uint8Array(count),
      calls: new Uint32Array(count),
      distance: new Float64Array(count),
      lower: new Float64Array(count),
      upper: new Float64Array(count),
      normal: new Float64Array(3 * count),
      pointA: new Float64Array(3 * count),
      pointB: new Float64Array(3 * count),
    };
    for (let i = 0; i < count; i++) {
      const o = 12 * i;
      answers.status[i] = words[o + 3]! & 255;
      answers.calls[i] = words[o + 3]! >>> 8;
      answers.distance[i] = floats[o]!;
      answers.lower[i] = floats[o + 1]!;
      answers.upper[i] = floats[o + 2]!;
      for (let k = 0; k < 3; k++) {
        const normal = floats[o + 4 + k]!;
        const point = centres[3 * pairs[2 * i]! + k]! + floats[o + 8 + k]!;
        answers.normal[3 * i + k] = normal;
        answers.pointA[3 * i + k] = point;
        answers.pointB[3 * i + k] = point + floats[o]! * normal;
      }
    }
    return answers;
  } finally {
    params.destroy();
    pool.destroy();
  }
}

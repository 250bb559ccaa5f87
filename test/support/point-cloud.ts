/** A point cloud that a kernel makes: neither its points nor their number pass the host. */
import * as d from 'typegpu/data';
import { bind } from '../../src/gpu/bind.ts';
import type { BufferPool } from '../../src/gpu/buffers.ts';
import type { Device } from '../../src/gpu/device.ts';
import { compileKernel, kernelSource } from '../../src/gpu/kernel.ts';
import type { Recorder } from '../../src/gpu/recorder.ts';
import type { Box } from '../../src/mesh/triangle-mesh.ts';

const CloudParams = d
  .struct({ min: d.vec3f, count: d.u32, size: d.vec3f, steps: d.f32, told: d.u32, seed: d.u32 })
  .$name('CloudParams');

const cloudSource = kernelSource(
  {
    name: 'make-cloud.wgsl',
    code: `
fn random(seed: u32) -> f32 {
  var x = seed * 747796405u + 2891336453u;
  x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u;
  return f32(((x >> 22u) ^ x) >> 8u) / 16777216.0;
}

// Even points lie anywhere, odd ones on a lattice.
@compute @workgroup_size(GROUP)
fn makeCloud(@builtin(global_invocation_id) id: vec3u) {
  if (id.x == 0u) {
    counts[1] = params.told;
  }
  if (id.x >= params.count) {
    return;
  }
  for (var k = 0u; k < 3u; k++) {
    let place = random(params.seed + 3u * id.x + k) * 1.25 - 0.125;
    let onLattice = round(place * params.steps) / params.steps;
    points[3u * id.x + k] = params.min[k] + select(place, onLattice, id.x % 2u == 1u) * params.size[k];
  }
}`,
  },
  {
    params: { uniform: CloudParams },
    points: { storage: d.arrayOf(d.f32), access: 'mutable' },
    /** The number of points, behind a word that is none. */
    counts: { storage: d.arrayOf(d.u32), access: 'mutable' },
  },
);

export interface Cloud {
  readonly points: GPUBuffer;
  readonly count: { readonly buffer: GPUBuffer; readonly offset: number };
  /** Records that points are made in and around a box. */
  make(recorder: Recorder, box: Box, count: number, options?: { told?: number; seed?: number }): void;
}

/** Room for a cloud of so many points. */
export async function openCloud(device: Device, pool: BufferPool, most: number): Promise<Cloud> {
  const kernel = await compileKernel(device, cloudSource);
  const { STORAGE, COPY_SRC } = GPUBufferUsage;
  const points = pool.reserve('cloud', 12 * most, STORAGE | COPY_SRC);
  const counts = pool.reserve('cloud size', 8, STORAGE | COPY_SRC);
  return {
    points,
    count: { buffer: counts, offset: 4 },
    make(recorder, { min, max }, count, { told = count, seed = 1 } = {}) {
      const size = d.vec3f(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
      const params = { min: d.vec3f(...min), count, size, steps: 16, told, seed };
      recorder.run(bind(device, kernel, { points, counts }), { threads: Math.max(1, count), params });
    },
  };
}

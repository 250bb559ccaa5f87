import { openDevice, Polyhedron, unitSphere } from 'scree';

const device = await openDevice();
const gpu = device.handle; // a GPUDevice
const body = await Polyhedron.create(device, unitSphere(4));
const mostPoints = 100_000;
const { COPY_DST, COPY_SRC, MAP_READ, STORAGE } = GPUBufferUsage;
const points = gpu.createBuffer({ size: 12 * mostPoints, usage: STORAGE | COPY_SRC });
const count = gpu.createBuffer({ size: 4, usage: STORAGE | COPY_SRC });

// Stands for a simulation: a kernel that writes points, here a lattice, and how many they are.
const code = `
@group(0) @binding(0) var<storage, read_write> points: array<f32>;
@group(0) @binding(1) var<storage, read_write> count: u32;
@compute @workgroup_size(40) fn step(@builtin(global_invocation_id) id: vec3u) {
  let n = (id.z * 40u + id.y) * 40u + id.x;
  for (var k = 0u; k < 3u; k++) {
    points[3u * n + k] = f32(id[k]) / 16.0 - 1.25;
  }
  if (n == 0u) {
    count = 64000u;
  }
}`;
const layout = 'auto';
const pipeline = gpu.createComputePipeline({ layout, compute: { module: gpu.createShaderModule({ code }) } });
const group = gpu.createBindGroup({
  layout: pipeline.getBindGroupLayout(0),
  entries: [points, count].map((buffer, binding) => ({ binding, resource: { buffer } })),
});

const inside = await body.onDevice({ mostPoints }); // once

const encoder = gpu.createCommandEncoder();
const pass = encoder.beginComputePass();
pass.setPipeline(pipeline);
pass.setBindGroup(0, group);
pass.dispatchWorkgroups(1, 40, 40);
pass.end();
inside.encode(encoder, { points, count: { buffer: count } });
gpu.queue.submit([encoder.finish()]); // inside.flags and inside.doubtful are there for the next kernels

// Exact flags on the host, where they are wanted.
const copy = gpu.createBuffer({ size: points.size, usage: MAP_READ | COPY_DST });
const commands = gpu.createCommandEncoder();
commands.copyBufferToBuffer(points, 0, copy, 0, points.size);
gpu.queue.submit([commands.finish()]);
await copy.mapAsync(GPUMapMode.READ);
const { flags, doubtful } = await inside.read();
const settled = await inside.settle({ points: new Float32Array(copy.getMappedRange()), flags, doubtful });
console.log(settled, flags.subarray(0, 64_000).filter((flag) => flag === 1).length);
inside.destroy();
device.destroy();

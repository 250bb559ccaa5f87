import { ConvexBatch, openDevice } from 'scree';

const device = await openDevice();
const gpu = device.handle; // a GPUDevice
const mostBodies = 1000;
const mostPairs = 2000;
const sizes = [28 * mostBodies, 4 * mostBodies, 8 * mostPairs, 4];
const [poses, shapes, pairs, count] = sizes.map((size) =>
  gpu.createBuffer({ size, usage: GPUBufferUsage.STORAGE }),
);

// Stands for a simulation: a kernel that writes a row of bodies, the pairs of neighbours, and how many these are.
const code = `
@group(0) @binding(0) var<storage, read_write> poses: array<f32>;
@group(0) @binding(1) var<storage, read_write> shapes: array<u32>;
@group(0) @binding(2) var<storage, read_write> pairs: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> count: u32;
@compute @workgroup_size(100) fn step(@builtin(global_invocation_id) id: vec3u) {
  let body = id.x;
  poses[7u * body] = 1.75 * f32(body); // x; y, z and the vector part of the quaternion are 0
  poses[7u * body + 6u] = 1.0;
  shapes[body] = body % 2u;
  if (body > 0u) {
    pairs[body - 1u] = vec2u(body - 1u, body);
  }
  if (body == 0u) {
    count = 999u;
  }
}`;
const layout = 'auto';
const pipeline = gpu.createComputePipeline({ layout, compute: { module: gpu.createShaderModule({ code }) } });
const group = gpu.createBindGroup({
  layout: pipeline.getBindGroupLayout(0),
  entries: [poses, shapes, pairs, count].map((made, binding) => ({ binding, resource: { buffer: made } })),
});

const batch = await ConvexBatch.create(device, [
  { kind: 'box', halfExtents: [1, 1, 1] },
  { kind: 'sphere', radius: 1 },
]);
const contacts = await batch.onDevice({ kind: 'manifold', mostBodies, mostPairs }); // once

const encoder = gpu.createCommandEncoder();
const pass = encoder.beginComputePass();
pass.setPipeline(pipeline);
pass.setBindGroup(0, group);
pass.dispatchWorkgroups(10);
pass.end();
contacts.encode(encoder, { poses, shapes, pairs, count: { buffer: count } });
gpu.queue.submit([encoder.finish()]); // contacts.results and contacts.contacts are there for the next kernels

// All of it on the host, where that is wanted.
const found = await contacts.read();
console.log(found.count, found.distance[0], found.contactCounts[0], found.open.length);
contacts.destroy();
batch.destroy();
device.destroy();

import { ContactPipeline, openDevice } from 'scree';

const device = await openDevice();
const gpu = device.handle; // a GPUDevice
const balls = 1000;
const bodies = { shapes: new Uint32Array(1 + balls).fill(1, 1) }; // the ground is body 0
const pipeline = await ContactPipeline.create(device, [{ kind: 'plane' }, { kind: 'sphere', radius: 0.5 }], {
  bodies,
});
const contacts = await pipeline.onDevice({ mostPairs: 4000, mostContacts: 4000 }); // once

const places = gpu.createBuffer({ size: 48 * (1 + balls), usage: GPUBufferUsage.STORAGE });

// Stands for a simulation: a kernel that writes where bodies are, here the ground and a row of balls on it.
const code = `
struct Body {
  cell: vec3i,
  isStatic: u32,
  fraction: vec3u, // 2^-32 of a cell
  rotation: vec4f,
}
@group(0) @binding(0) var<storage, read_write> bodies: array<Body>;
@compute @workgroup_size(64) fn step(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&bodies)) {
    return;
  }
  let isGround = id.x == 0u;
  let position = select(vec3f(0.75 * f32(id.x), 0.0, 0.375), vec3f(0.0), isGround) / CELL;
  let cell = floor(position);
  let fraction = vec3u((position - cell) * 4294967296.0);
  bodies[id.x] = Body(vec3i(cell), u32(isGround), fraction, vec4f(0.0, 0.0, 0.0, 1.0));
}`.replace('CELL', `f32(${contacts.cell})`); // edge of a cell, a power of two
const layout = 'auto';
const step = gpu.createComputePipeline({ layout, compute: { module: gpu.createShaderModule({ code }) } });
const group = gpu.createBindGroup({
  layout: step.getBindGroupLayout(0),
  entries: [{ binding: 0, resource: { buffer: places } }],
});

const encoder = gpu.createCommandEncoder();
const pass = encoder.beginComputePass();
pass.setPipeline(step);
pass.setBindGroup(0, group);
pass.dispatchWorkgroups(Math.ceil((1 + balls) / 64));
pass.end();
contacts.encode(encoder, { bodies: places });
gpu.queue.submit([encoder.finish()]); // contacts.contacts and contacts.header are there for the next kernels

// All of it on the host, where that is wanted; now and then, to see whether lists had room.
const found = await contacts.read();
if (found.short.length > 0) throw new Error(`found ${found.short[0].needed} ${found.short[0].list}`);
const last = found.count - 1;
console.log(found.count, found.pairs, found.bodies[2 * last + 1], found.distances[last]);
contacts.destroy();
pipeline.destroy();
device.destroy();

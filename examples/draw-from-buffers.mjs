import { writeFile } from 'node:fs/promises';
import { encodePng, openDevice, Simulation, unitSphere } from 'scree';

const device = await openDevice();
const gpu = device.handle; // a GPUDevice
const balls = 100;
const poses = [];
for (let i = 0; i < balls; i++) poses.push(i % 10, 0.1 * (i % 7), 1 + Math.floor(i / 10), 0, 0, 0, 1);
poses.push(0, 0, 0, 0, 0, 0, 1); // the ground is the last body
const simulation = await Simulation.create(
  device,
  {
    shapes: [{ kind: 'sphere', radius: 0.5 }, { kind: 'plane' }],
    materials: [{ density: 2500, youngsModulus: 1e7, restitution: 0.3, friction: 0.5 }],
    bodies: {
      shapes: new Uint32Array(balls + 1).fill(1, balls),
      poses: Float64Array.from(poses),
    },
  },
  { backend: 'gpu' },
);
await simulation.step(200);

if (!simulation.buffers) throw new Error('not on the GPU');
const { bodies, cell } = simulation.buffers; // a GPUBuffer, and the edge of a cell
const focus = [4.5, 0, 4.5]; // what the picture shows in its middle: whole cells, and the rest
const focusCell = focus.map((x) => Math.floor(x / cell));
const focusRest = focus.map((x, k) => x - cell * focusCell[k]);
const places = `
struct Body {
  cell: vec3i,
  flags: u32, // bit 0: static, bit 1: absent
  fraction: vec3u, // 2^-32 of a cell
  spare: u32,
  rotation: vec4f, // unit quaternion x, y, z, w
}
@group(0) @binding(0) var<storage, read> bodies: array<Body>;

fn turned(v: vec3f, q: vec4f) -> vec3f {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

// Place of a point of a body, less the focus. Cells are subtracted as integers: exact far from the origin, too.
fn placeOf(point: vec3f, body: Body) -> vec3f {
  let cells = vec3f(body.cell - vec3i(${focusCell})) + vec3f(body.fraction) * 0x1p-32f;
  return ${cell} * cells - vec3f(${focusRest}) + turned(point, body.rotation);
}`;

const code = `${places}
struct Vertex {
  @builtin(position) clip: vec4f,
  @location(0) normal: vec3f,
}
@vertex fn place(@location(0) normal: vec3f, @builtin(instance_index) i: u32) -> Vertex {
  let isAbsent = (bodies[i].flags & 2u) != 0u;
  let place = placeOf(select(0.5 * normal, vec3f(0.0), isAbsent), bodies[i]); // radius 0.5
  // Seen along y, 12 units across and as deep.
  return Vertex(vec4f(place.x / 6.0, place.z / 6.0, 0.5 + place.y / 12.0, 1.0), turned(normal, bodies[i].rotation));
}
@fragment fn shade(vertex: Vertex) -> @location(0) vec4f {
  let light = 0.3 + 0.7 * max(0.0, dot(normalize(vertex.normal), vec3f(-0.48, -0.64, 0.6)));
  return vec4f(light * vec3f(0.9, 0.7, 0.5), 1.0);
}`;
const module = gpu.createShaderModule({ code });
const pipeline = gpu.createRenderPipeline({
  layout: 'auto',
  vertex: {
    module,
    buffers: [{ arrayStride: 12, attributes: [{ shaderLocation: 0, offset: 0, format: 'float32x3' }] }],
  },
  fragment: { module, targets: [{ format: 'rgba8unorm' }] },
  depthStencil: { format: 'depth24plus', depthWriteEnabled: true, depthCompare: 'less' },
});
const group = gpu.createBindGroup({
  layout: pipeline.getBindGroupLayout(0),
  entries: [{ binding: 0, resource: { buffer: bodies } }],
});
const mesh = unitSphere(3);
const { COPY_DST, INDEX, MAP_READ, VERTEX } = GPUBufferUsage;
const vertices = gpu.createBuffer({ size: mesh.positions.byteLength, usage: VERTEX | COPY_DST });
const indices = gpu.createBuffer({ size: mesh.indices.byteLength, usage: INDEX | COPY_DST });
gpu.queue.writeBuffer(vertices, 0, mesh.positions.slice());
gpu.queue.writeBuffer(indices, 0, mesh.indices.slice());

const [width, height] = [512, 512];
const size = [width, height];
const { RENDER_ATTACHMENT, COPY_SRC } = GPUTextureUsage;
// A page takes context.getCurrentTexture() in place of this.
const texture = gpu.createTexture({ size, format: 'rgba8unorm', usage: RENDER_ATTACHMENT | COPY_SRC });
const depth = gpu.createTexture({ size, format: 'depth24plus', usage: RENDER_ATTACHMENT });

const encoder = gpu.createCommandEncoder();
const pass = encoder.beginRenderPass({
  colorAttachments: [
    { view: texture.createView(), loadOp: 'clear', storeOp: 'store', clearValue: [0.2, 0.2, 0.22, 1] },
  ],
  depthStencilAttachment: {
    view: depth.createView(),
    depthLoadOp: 'clear',
    depthStoreOp: 'discard',
    depthClearValue: 1,
  },
});
pass.setPipeline(pipeline);
pass.setBindGroup(0, group);
pass.setVertexBuffer(0, vertices);
pass.setIndexBuffer(indices, 'uint32');
pass.drawIndexed(mesh.indices.length, balls); // an instance for each ball, straight from the simulation's buffer
pass.end();
const copy = gpu.createBuffer({ size: 4 * width * height, usage: COPY_DST | MAP_READ });
encoder.copyTextureToBuffer({ texture }, { buffer: copy, bytesPerRow: 4 * width }, size);
gpu.queue.submit([encoder.finish()]);

await copy.mapAsync(GPUMapMode.READ);
const pixels = new Uint8Array(copy.getMappedRange().slice());
await writeFile('balls.png', await encodePng({ width, height, pixels }));
const [background, ...others] = new Uint32Array(pixels.buffer);
console.log(others.filter((pixel) => pixel !== background).length); // pixels that show balls
simulation.destroy();
device.destroy();

/**
 * Bodies and a list of pairs made by a kernel, with the number of pairs in a buffer: queried where they are, then read
 * back and queried as arrays. Runs in Node and in a page: it takes the library that it tests.
 */
import type * as scree from '../../src/index.ts';

/**
 * Places bodies at numbers mixed of their own, every fifth turned by nothing; pairs neighbours in a ring, and counts
 * the pairs.
 */
const MAKE = `
@group(0) @binding(0) var<storage, read_write> poses: array<f32>;
@group(0) @binding(1) var<storage, read_write> shapes: array<u32>;
@group(0) @binding(2) var<storage, read_write> pairs: array<u32>;
@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;
override BODIES: u32;
override PAIRS: u32;
override SHAPES: u32;

fn mixed(n: u32) -> f32 {
  var h = n * 0x9e3779b1u;
  h = (h ^ (h >> 15u)) * 0x85ebca6bu;
  h = (h ^ (h >> 13u)) * 0xc2b2ae35u;
  return f32((h ^ (h >> 16u)) >> 8u) * 0x1p-24;
}

@compute @workgroup_size(64)
fn make(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i < BODIES) {
    for (var k = 0u; k < 3u; k++) {
      poses[7u * i + k] = 3.0 * mixed(8u * i + k);
    }
    let q = vec4f(mixed(8u * i + 3u), mixed(8u * i + 4u), mixed(8u * i + 5u), mixed(8u * i + 6u)) * 2.0 - 1.0;
    let turn = select(normalize(q), vec4f(0.0, 0.0, 0.0, 1.0), i % 5u == 0u);
    for (var k = 0u; k < 4u; k++) {
      poses[7u * i + 3u + k] = turn[k];
    }
    shapes[i] = i % SHAPES;
  }
  if (i < PAIRS) {
    let place = atomicAdd(&counts[3], 1u);
    pairs[2u * place] = i % BODIES;
    pairs[2u * place + 1u] = (i % BODIES + 1u + i / BODIES) % BODIES;
  }
}
`;

export interface MadeOnDevice {
  readonly kind: scree.PairKind;
  readonly pairs: number;
  /** Names of arrays that differ in pairs that are not open. */
  readonly different: string[];
  /** Pairs that were settled, and names of arrays that differ then. */
  readonly settled: number;
  readonly differentSettled: string[];
  readonly count: number;
  readonly needed: number;
  readonly open: number[];
  /** What the query with the same arrays had redone. */
  readonly redone: number;
  readonly overlapping: number;
  /** What WebGPU complained of. */
  readonly complaints: string[];
}

export async function queryPairsMadeOnDevice(
  library: Pick<typeof scree, 'ConvexBatch'>,
  device: scree.Device,
  shapes: readonly scree.Shape[],
  kind: scree.PairKind,
  { bodies = 120, pairs = 700, room = 1000 } = {},
): Promise<MadeOnDevice> {
  const { handle } = device;
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
  const buffer = (size: number) => handle.createBuffer({ size, usage });
  const made = [buffer(28 * bodies), buffer(4 * bodies), buffer(8 * pairs), buffer(64)] as const;
  const complaints: string[] = [];
  const onError = (event: GPUUncapturedErrorEvent) => void complaints.push(event.error.message);
  handle.addEventListener('uncapturederror', onError);
  const batch = await library.ConvexBatch.create(device, shapes, { threads: 1 });
  const resident = await batch.onDevice({ kind, mostBodies: bodies, mostPairs: room });
  const pipeline = handle.createComputePipeline({
    layout: 'auto',
    compute: {
      module: handle.createShaderModule({ code: MAKE }),
      constants: { BODIES: bodies, PAIRS: pairs, SHAPES: shapes.length },
    },
  });
  const entries = made.map((own, binding) => ({ binding, resource: { buffer: own } }));
  // Everything in one submission: the host sees nothing of it before it reads.
  const encoder = handle.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, handle.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(Math.ceil(Math.max(bodies, pairs) / 64));
  pass.end();
  const [poses, ofBodies, list, counts] = made;
  resident.encode(encoder, { poses, shapes: ofBodies, pairs: list, count: { buffer: counts, offset: 12 } });
  handle.queue.submit([encoder.finish()]);
  const found = await resident.read();

  const [poseBytes, shapeBytes, pairBytes] = await Promise.all(
    [poses, ofBodies, list].map(async (own) => {
      const staging = handle.createBuffer({
        size: own.size,
        usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
      });
      const copying = handle.createCommandEncoder();
      copying.copyBufferToBuffer(own, 0, staging, 0, own.size);
      handle.queue.submit([copying.finish()]);
      await staging.mapAsync(GPUMapMode.READ);
      const bytes = staging.getMappedRange().slice(0);
      staging.destroy();
      return bytes;
    }),
  );
  const onHost = {
    poses: new Float32Array(poseBytes!),
    shapes: new Uint32Array(shapeBytes!),
    pairs: new Uint32Array(pairBytes!),
  };
  const asked = { ...onHost, pairs: onHost.pairs.slice(0, 2 * found.count) };
  const expected = await batch.query({ ...asked, kind, backend: 'gpu' });
  const open = new Set(found.open);
  const names = [
    'distance',
    'lower',
    'upper',
    'normal',
    'pointA',
    'pointB',
    'status',
    'contactCounts',
  ] as const;
  const differentBut = (left: ReadonlySet<number>) =>
    [...names, 'contacts', 'contactNormals', 'iterations'].filter((name) => {
      const [mine, theirs] = [found[name as 'distance'], expected[name as 'distance']];
      const each = mine.length / found.count;
      const isSame = (x: number, i: number) => left.has(Math.floor(i / each)) || Object.is(x, theirs[i]);
      return mine.length !== theirs.length || !mine.every(isSame);
    });
  const different = differentBut(open);
  // Those that found no room are of no use to it.
  const settled = await resident.settle({ ...found, ...onHost, needed: found.count });
  const differentSettled = differentBut(new Set());
  resident.destroy();
  batch.destroy();
  for (const own of made) own.destroy();
  await handle.queue.onSubmittedWorkDone();
  handle.removeEventListener('uncapturederror', onError);
  return {
    ...{
      kind,
      pairs,
      different,
      settled,
      differentSettled,
      count: found.count,
      needed: found.needed,
      open: [...open],
      complaints,
    },
    redone: expected.redone,
    overlapping: kind === 'intersect' ? 0 : Float32Array.from(expected.distance).filter((x) => x < 0).length,
  };
}

/** Boxes and spheres alone; with a polytope beside its origin and an ellipsoid; and with concave bodies. */
export const shapesMadeOnDevice: Readonly<Record<string, readonly scree.Shape[]>> = {
  'boxes and spheres': [
    { kind: 'box', halfExtents: [0.8, 0.5, 0.6] },
    { kind: 'sphere', radius: 0.7 },
  ],
  'several kinds': [
    { kind: 'box', halfExtents: [0.8, 0.5, 0.6] },
    { kind: 'ellipsoid', radii: [1, 0.5, 0.7] },
    { kind: 'polytope', vertices: [1, 0, 0, -1, 0.3, 0, 0, 2, 0, 0.1, 0.2, 1.5, 0.4, 0.5, -1] },
  ],
  'concave bodies': [
    { kind: 'box', halfExtents: [0.8, 0.5, 0.6] },
    {
      kind: 'parts',
      parts: [
        { shape: { kind: 'box', halfExtents: [0.2, 0.8, 0.8] }, position: [-0.7, 0, 0] },
        { shape: { kind: 'sphere', radius: 0.5 }, position: [0.7, 0, 0] },
        {
          shape: { kind: 'polytope', vertices: [1, 0, 0, -1, 0.3, 0, 0, 2, 0, 0.1, 0.2, 1.5, 0.4, 0.5, -1] },
          position: [0.3, 0.1, 0],
          rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2],
        },
      ],
    },
  ],
};

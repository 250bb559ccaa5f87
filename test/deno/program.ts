/**
 * What Deno does with the library as it is built: kernels on wgpu beside the CPU's results, files and worker threads.
 * Argument: a folder for its files. Lines of standard input name the parts that are asked for, and each has a line of
 * JSON as its answer. Parts share a device, and with it the kernels that are compiled.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, stdin } from 'node:process';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import type { ContactShape, Device, RenderedScene, SimulationScene } from '../../src/index.ts';

export const scree: typeof import('../../src/index.ts') = await import(
  /* @vite-ignore */ new URL('../../dist/index.js', import.meta.url).href
);

/** What the compiler says about modules of a file. Those that need subgroups are left out on a device without. */
async function modules({ handle, features }: Device, folder: string) {
  const [complaints, leftOut]: string[][] = [[], []];
  const all = JSON.parse(readFileSync(join(folder, 'modules.json'), 'utf8')) as {
    name: string;
    code: string;
  }[];
  for (const { name, code } of all) {
    if (/^enable subgroups;/m.test(code) && !features.has('subgroups')) {
      leftOut!.push(name);
      continue;
    }
    handle.pushErrorScope('validation');
    const module = handle.createShaderModule({ label: name, code });
    const error = await handle.popErrorScope();
    const { messages } = await module.getCompilationInfo();
    if (error || messages.length > 0) complaints!.push(`${name}: ${error?.message}, ${messages[0]?.message}`);
  }
  return { complaints, leftOut };
}

/** How many flags of each method on the GPU differ from those of exact predicates. */
async function flags(device: Device) {
  const mesh = scree.openCellFoam({ triangles: 2000, seed: 7 });
  const points = scree.gridPoints(mesh.box, 16);
  const expected = scree.exactFlags(mesh, points);
  const body = await scree.Polyhedron.create(device, mesh);
  const different: Record<string, number> = {};
  for (const method of scree.METHODS) {
    const { flags } = await body.classify(points, { method, backend: 'gpu' });
    different[method] = flags.filter((flag, i) => flag !== expected[i]).length;
  }
  body.destroy();
  return { different, inside: expected.filter((flag) => flag === scree.INSIDE).length };
}

const { positions: vertices } = scree.randomRock({ seed: 4, triangles: 28, convex: true });
/** Of each kind that moves, about 1 in radius. */
const shapes: readonly ContactShape[] = [
  { kind: 'polyhedron', mesh: scree.randomRock({ seed: 3, triangles: 80, convex: false }) },
  { kind: 'polytope', vertices },
  { kind: 'polytope', vertices, margin: 0.05 },
  { kind: 'sphere', radius: 0.9 },
  { kind: 'ellipsoid', radii: [0.9, 0.8, 0.7] },
  { kind: 'box', halfExtents: [0.8, 0.7, 0.6] },
  { kind: 'round-box', halfExtents: [0.7, 0.6, 0.5], radius: 0.1 },
  { kind: 'capsule', halfLength: 0.5, radius: 0.5 },
  { kind: 'cylinder', radius: 0.8, halfHeight: 0.6 },
  { kind: 'cone', radius: 0.8, height: 1.2 },
];

const TURNED = [0.2, 0.4, 0.4, 0.8];

/** Two bodies of each kind, one above the other, above the ground, which is the last body. */
function towers(low: number, high: number): RenderedScene {
  const poses = shapes.flatMap((_, kind) => [4 * kind, 0, low, ...TURNED, 4 * kind, 0.1, high, ...TURNED]);
  return {
    shapes: [...shapes, { kind: 'plane' }],
    bodies: { shapes: Uint32Array.from([...shapes.flatMap((_, kind) => [kind, kind]), shapes.length]) },
    poses: Float64Array.from([...poses, 0, 0, 0, 0, 0, 0, 1]),
  };
}

/** All bodies touch what is below them, or nearly. */
const standing = () => towers(0.6, 1.75);

/** The largest difference; infinite where the numbers of entries differ. */
const largest = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce(
    (most, x, i) => Math.max(most, Math.abs(x - b[i]!)),
    a.length === b.length ? 0 : Infinity,
  );

/** Signed distances of convex bodies in a cloud, on the GPU and on worker threads. */
async function pairs(device: Device) {
  const convex = shapes.slice(1) as Parameters<typeof scree.ConvexBatch.create>[1];
  const random = scree.createRandom(1);
  const numbers = Array.from({ length: 10 * convex.length }, (_, i) => i);
  const place = () => Array.from({ length: 3 }, () => 4 * random());
  const query = {
    poses: Float64Array.from(numbers.flatMap(() => [...place(), ...TURNED])),
    pairs: Uint32Array.from(numbers.flatMap((b) => numbers.slice(0, b).flatMap((a) => [a, b]))),
    shapes: Uint32Array.from(numbers, (i) => i % convex.length),
    kind: 'signed-distance',
  } as const;
  const batch = await scree.ConvexBatch.create(device, convex, { threads: 2 });
  const found = await batch.query({ ...query, backend: 'gpu' });
  const { distance, threads } = await batch.query({ ...query, backend: 'cpu' });
  batch.destroy();
  const overlapping = distance.filter((x) => x < 0).length;
  return { count: distance.length, overlapping, threads, off: largest(found.distance, distance) };
}

/** Lists of contacts, by kernels and in float64. */
async function contacts(device: Device) {
  const { poses, ...scene } = standing();
  const pipeline = await scree.ContactPipeline.create(device, scene.shapes, {
    bodies: scene.bodies,
    threads: 2,
  });
  const found = await pipeline.detect({ poses, backend: 'gpu' });
  const expected = await pipeline.detect({ poses, backend: 'cpu' });
  pipeline.destroy();
  const touching = Array.from(expected.kinds, (_, i) => expected.bodies.slice(2 * i, 2 * i + 2).join());
  return {
    pairs: new Set(touching).size,
    different: largest(found.bodies, expected.bodies) + largest(found.features, expected.features),
    off: largest(found.distances, expected.distances),
  };
}

/** A simulation on the GPU and on the CPU, each resumed from a checkpoint that has no contacts. */
async function steps(device: Device) {
  const { poses, ...scene } = towers(1.2, 3.3);
  const velocities = Float64Array.from(poses, (_, i) => [0, 0, -1, 0, 0, -2][i % 6]!).subarray(
    0,
    (3 * poses.length) / 7,
  );
  velocities.fill(0, -3);
  const falling: SimulationScene = {
    shapes: scene.shapes,
    materials: [{ density: 1000, youngsModulus: 1e6, friction: 0.5, restitution: 0.5 }],
    bodies: { ...scene.bodies, poses, velocities },
  };
  const run = async (where: Device | undefined, backend: 'gpu' | 'cpu') => {
    const options = { backend, threads: 2 };
    const fresh = await scree.Simulation.create(where, falling, options);
    const simulation = await scree.Simulation.resume(where, falling, await fresh.checkpoint(), options);
    const before = simulation.monitors.contacts;
    await simulation.step(200);
    const { monitors } = simulation;
    const after = await simulation.read('poses');
    for (const one of [fresh, simulation]) one.destroy();
    return { before, monitors, poses: after };
  };
  const [gpu, cpu] = [await run(device, 'gpu'), await run(undefined, 'cpu')];
  const energies = (['kinetic', 'gravity', 'elastic', 'balance'] as const).map((name) => [
    gpu.monitors[name],
    cpu.monitors[name],
  ]);
  return {
    before: [gpu.before, cpu.before],
    contacts: [gpu.monitors.contacts, cpu.monitors.contacts],
    moved: largest(cpu.poses, poses),
    off: largest(gpu.poses, cpu.poses),
    scale: cpu.monitors.kinetic + Math.abs(cpu.monitors.gravity) + cpu.monitors.elastic,
    energiesOff: Math.max(...energies.map(([a, b]) => Math.abs(a! - b!))),
  };
}

/** Red, green, blue and alpha of a picture. */
export async function picture(device: Device): Promise<number[]> {
  return [...(await scree.drawPicture(device, standing(), { width: 120, height: 90, sky: 2 })).pixels];
}

/** Two balls alone: there is nothing in the tables of planes, of meshes and of most else. */
async function balls(device: Device) {
  const shapes: ContactShape[] = [{ kind: 'sphere', radius: 0.5 }];
  const bodies = { shapes: new Uint32Array(2) };
  const poses = Float64Array.of(0, 0, 0, ...TURNED, 0.98, 0, 0, ...TURNED);
  const { pixels } = await scree.drawPicture(device, { shapes, bodies, poses }, { width: 40, height: 30 });
  const materials = [{ density: 1000, youngsModulus: 1e6 }];
  const scene: SimulationScene = { shapes, materials, gravity: [0, 0, 0], bodies: { ...bodies, poses } };
  const simulation = await scree.Simulation.create(device, scene, { backend: 'gpu' });
  const before = simulation.monitors.contacts;
  await simulation.step(100);
  const after = simulation.monitors.contacts;
  simulation.destroy();
  return { colors: new Set(pixels).size, contacts: [before, after] };
}

/** What is said about a law of a user that does not compile. */
async function law(device: Device): Promise<string> {
  const wgsl = 'fn broken(depth: f32, area: f32, p: LawParameters) -> vec3f {\n  return depth;\n}';
  const scene: SimulationScene = {
    shapes: [{ kind: 'sphere', radius: 1 }],
    materials: [{ density: 1000, youngsModulus: 1e6 }],
    pairs: [{ materials: [0, 0], law: { name: 'broken', wgsl, twin: () => [0, 0, 0] } }],
    bodies: { shapes: new Uint32Array(1), poses: Float64Array.of(0, 0, 0, ...TURNED) },
  };
  const made = scree.Simulation.create(device, scene, { backend: 'gpu' });
  return made.then(
    () => 'nothing',
    (error: Error) => error.message,
  );
}

/** A mesh out of a packed file, and flags of points that come from a file, chunk after chunk. */
async function files(_device: Device, folder: string) {
  const [meshFile, pointFile] = [join(folder, 'ball.obj.gz'), join(folder, 'points.npy')];
  writeFileSync(meshFile, gzipSync(scree.encodeMesh(scree.unitSphere(3), 'obj')));
  const mesh = await scree.readMesh(meshFile);
  const points = scree.gridPoints(mesh.box, 10);
  writeFileSync(pointFile, scree.encodeNpy(points, [points.length / 3, 3]));
  const body = await scree.Polyhedron.create(undefined, mesh);
  const flags: number[] = [];
  for await (const chunk of body.classifyStream(await scree.openPoints(pointFile, { chunkPoints: 300 })))
    flags.push(...chunk.flags);
  body.destroy();
  return {
    triangles: mesh.triangleCount,
    points: flags.length,
    off: largest(flags, scree.exactFlags(mesh, points)),
  };
}

/** What can be asked for. */
const parts = { modules, flags, pairs, contacts, steps, balls, law, picture, files };
export type Parts = typeof parts;

if ('Deno' in globalThis) {
  const device = await scree.openDevice();
  for await (const part of createInterface({ input: stdin })) {
    const answer = parts[part as keyof Parts](device, argv[2]!);
    console.log(
      JSON.stringify(
        await answer.then(
          (value: unknown) => ({ value }),
          (error: Error) => ({ error: error.stack ?? error.message }),
        ),
      ),
    );
  }
  device.destroy();
}

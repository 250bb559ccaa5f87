/** What callers pass by mistake: each call of the public API says in one line what it found and what it expected. */
import { afterAll, describe, expect, it } from 'vitest';
import { copyOf } from '../src/arguments.ts';
import * as scree from '../src/index.ts';

const { ContactPipeline, ConvexBatch, InputError, Polyhedron, Simulation, TriangleMesh } = scree;

/** An array whose memory was transferred to someone else. */
function detached<A extends Float32Array | Float64Array | Uint8Array | Uint32Array>(array: A): A {
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
  return array;
}

function detachedMesh() {
  const { positions, indices } = scree.unitSphere(0);
  const mesh = new TriangleMesh({ positions, indices, name: 'gone' });
  detached(positions);
  return mesh;
}

const mesh = scree.unitSphere(1);
const points = Float32Array.from([0, 0, 0, 3, 0, 0]);
const flags = Uint8Array.of(1, 0);
const bytes = scree.encodeMesh(mesh, 'stl');
const npy = scree.encodeNpy(points, [2, 3]);
const body = await Polyhedron.create(undefined, mesh, { threads: 1 });
const saved = await body.save();
const batch = await ConvexBatch.create(undefined, [{ kind: 'point' }, { kind: 'sphere', radius: 1 }], {
  threads: 1,
});
const query = {
  poses: Float64Array.from([0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 1, 0, 0, 0]),
  pairs: Uint32Array.of(0, 1),
  kind: 'distance',
} as const;
const answers = await batch.query(query);
const pipeline = await ContactPipeline.create(undefined, [{ kind: 'sphere', radius: 1 }], {
  bodies: { shapes: Uint32Array.of(0, 0) },
  threads: 1,
});
const contacts = await pipeline.detect({ poses: query.poses });
const sceneText = JSON.stringify({
  shapes: { ball: { kind: 'sphere', radius: 1 } },
  bodies: [{ shape: 'ball' }],
});
const scene = await scree.parseScene(sceneText, {});
const materials = { glass: { density: 2500, youngsModulus: 1e7 } };
const moving = await scree.parseScene(JSON.stringify({ ...JSON.parse(sceneText), materials }), {});
const falling = {
  shapes: [{ kind: 'sphere', radius: 1 }, { kind: 'plane' }],
  materials: [{ density: 1, youngsModulus: 1e3 }],
  bodies: {
    shapes: Uint32Array.of(0, 1),
    poses: Float64Array.from([0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]),
  },
} as const;
const simulation = await Simulation.create(undefined, falling, { threads: 1 });
const mechanism = await scree.Multibody.create(falling);
const checkpoint = await simulation.checkpoint();
const touching = scree.touchingPairs(await simulation.contacts(), await simulation.contactForces());
const monitors = { weight: { kind: 'load', bodies: [1] } } as const;
const state = {
  centroids: await simulation.read('centroids'),
  masses: await simulation.read('masses'),
  statuses: await simulation.read('statuses'),
};
const outline = [
  [0, 0],
  [1, 0],
  [0, 1],
] as const;
const threadSizes = { radius: 1, depth: 0.2, pitch: 0.5, length: 1 };
const drumSizes = { radius: 1, length: 1, thickness: 0.1, opening: 0.5 };
const surfaces = scree.surfacesOf(falling.shapes);
const trees = { a: scree.BoundingTree.create(mesh), b: scree.BoundingTree.create(mesh) };
const twoPoses = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 9, 0, 0, 0, 0, 0, 1);
const grid = scree.gridPoints(mesh.box, 2);
const slice = { mesh, points: grid, flags: new Uint8Array(8), n: 2, title: 'a slice' };
const device = await scree.openDevice();
const drawn = {
  shapes: falling.shapes,
  bodies: { shapes: falling.bodies.shapes },
  poses: falling.bodies.poses,
};
const renderer = await scree.Renderer.create(device, drawn, { sky: 0 });
const texture = device.handle.createTexture({
  label: 'a picture',
  size: [16, 16],
  format: 'rgba8unorm',
  usage: GPUTextureUsage.RENDER_ATTACHMENT,
});
afterAll(() => {
  device.destroy();
  body.destroy();
  batch.destroy();
  pipeline.destroy();
  simulation.destroy();
});

const MISTAKES: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'a text': 'text',
  'a long text': 'text '.repeat(500),
  'a number': 7.5,
  'not a number': Number.NaN,
  'an object': {},
  'a list': ['text'],
  'a function': () => {},
  'another array': Int16Array.of(1, 2, 3),
  'a detached Float32Array': detached(Float32Array.of(0, 0, 0)),
  'a detached Float64Array': detached(Float64Array.of(0, 0, 0)),
  'a detached Uint8Array': detached(Uint8Array.of(0)),
  'a detached Uint32Array': detached(Uint32Array.of(0, 1)),
  'a mesh that is gone': detachedMesh(),
};
type Mistake = keyof typeof MISTAKES;

interface Case {
  // biome-ignore lint/suspicious/noExplicitAny: what JavaScript would pass.
  readonly call: (...args: any[]) => unknown;
  /** Right ones. */
  readonly args: readonly unknown[];
  /** Per argument, what is not a mistake there. */
  readonly fine?: Readonly<Record<number, readonly Mistake[]>>;
  /** Rejects rather than throws. */
  readonly rejects?: boolean;
}

const OPTIONS = ['nothing', 'an object'];
/** A path is read by the platform, which has messages of its own. */
const SOURCE = ['a long text'];

async function useUp(stream: AsyncIterable<unknown>) {
  for await (const _ of stream);
}

const CASES: Readonly<Record<string, Case>> = {
  angleOfRepose: { call: scree.angleOfRepose, args: [Float64Array.of(0, 0, 0), {}], fine: { 1: OPTIONS } },
  openDevice: { call: scree.openDevice, args: [{}], fine: { 0: OPTIONS }, rejects: true },
  'Polyhedron.create': {
    call: Polyhedron.create,
    args: [undefined, mesh, {}],
    fine: { 0: ['nothing'], 2: OPTIONS },
    rejects: true,
  },
  'Polyhedron.load': {
    call: Polyhedron.load,
    args: [undefined, saved, {}],
    fine: { 0: ['nothing'], 1: SOURCE, 2: OPTIONS },
    rejects: true,
  },
  'Polyhedron.save': {
    call: (options) => body.save(options),
    args: [{}],
    fine: { 0: OPTIONS },
    rejects: true,
  },
  'Polyhedron.classify': {
    call: (...args) => body.classify(...(args as [never])),
    args: [points, {}],
    fine: { 1: OPTIONS },
    rejects: true,
  },
  'Polyhedron.classifyStream': {
    call: async (...args) => useUp(body.classifyStream(...(args as [never]))),
    args: [[points], {}],
    fine: { 1: OPTIONS },
    rejects: true,
  },
  'Polyhedron.windingNumber': {
    call: (...args) => body.windingNumber(...(args as [never])),
    args: [points, {}],
    fine: { 1: OPTIONS },
    rejects: true,
  },
  'ConvexBatch.create': {
    call: ConvexBatch.create,
    args: [undefined, [{ kind: 'point' }], {}],
    fine: { 0: ['nothing'], 2: OPTIONS },
    rejects: true,
  },
  'ConvexBatch.query': {
    call: (asked) => batch.query(asked),
    args: [query],
    rejects: true,
  },
  'ContactPipeline.create': {
    call: ContactPipeline.create,
    args: [undefined, [{ kind: 'plane' }], { bodies: { shapes: Uint32Array.of(0) } }],
    fine: { 0: ['nothing'] },
    rejects: true,
  },
  'ContactPipeline.detect': {
    call: (asked) => pipeline.detect(asked),
    args: [{ poses: query.poses }],
    rejects: true,
  },
  'Simulation.create': {
    call: Simulation.create,
    args: [undefined, falling, {}],
    fine: { 0: ['nothing'], 2: OPTIONS },
    rejects: true,
  },
  'Multibody.create': {
    call: scree.Multibody.create,
    args: [falling, {}],
    fine: { 1: OPTIONS },
    rejects: true,
  },
  'Multibody.advance': {
    call: (...args) => mechanism.advance(...(args as [never])),
    args: [0.001, {}],
    fine: { 0: ['a number'], 1: OPTIONS },
    rejects: true,
  },
  'Multibody.read': { call: (quantity) => mechanism.read(quantity), args: ['coordinates'], rejects: true },
  'Simulation.resume': {
    call: Simulation.resume,
    args: [undefined, falling, checkpoint, {}],
    fine: { 0: ['nothing'], 3: OPTIONS },
    rejects: true,
  },
  'Simulation.step': {
    call: (...args) => simulation.step(...(args as [never])),
    args: [1, {}],
    fine: { 0: ['nothing'], 1: OPTIONS },
    rejects: true,
  },
  'Simulation.read': { call: (quantity) => simulation.read(quantity), args: ['poses'], rejects: true },
  'Simulation.write': {
    call: (...args) => simulation.write(...(args as [never, never])),
    args: ['velocities', new Float64Array(6)],
    rejects: true,
  },
  touchingPairs: {
    call: scree.touchingPairs,
    args: [await simulation.contacts(), await simulation.contactForces()],
  },
  coordinationNumbers: { call: scree.coordinationNumbers, args: [touching, 2] },
  encodeForces: { call: scree.encodeForces, args: [touching] },
  monitorColumns: { call: scree.monitorColumns, args: [monitors], fine: { 0: ['an object'] } },
  monitorValues: {
    call: scree.monitorValues,
    args: [monitors, touching, state, undefined],
    fine: { 0: ['an object'], 3: ['nothing'] },
  },
  surfacesOf: { call: scree.surfacesOf, args: [falling.shapes] },
  encodeBodySurfaces: {
    call: scree.encodeBodySurfaces,
    args: [surfaces, falling.bodies.shapes, falling.bodies.poses, []],
    fine: { 3: ['nothing'] },
  },
  'Renderer.create': {
    call: scree.Renderer.create,
    args: [device, drawn, { sky: 0 }],
    fine: { 2: OPTIONS },
    rejects: true,
  },
  'Renderer.draw': {
    call: (...args) => renderer.draw(...(args as [never])),
    args: [texture, {}],
    fine: { 1: OPTIONS },
  },
  'Renderer.picture': {
    call: (...args) => renderer.picture(...(args as [never])),
    args: [{ width: 16, height: 16 }],
    fine: { 0: OPTIONS },
    rejects: true,
  },
  drawPicture: {
    call: scree.drawPicture,
    args: [device, drawn, { width: 16, height: 16, sky: 0 }],
    fine: { 2: OPTIONS },
    rejects: true,
  },
  encodePng: {
    call: scree.encodePng,
    args: [{ width: 1, height: 1, pixels: new Uint8Array(4) }],
    rejects: true,
  },
  simulationScene: { call: scree.simulationScene, args: [moving] },
  multibodyScene: { call: scree.multibodyScene, args: [moving] },
  nodesInside: {
    call: scree.nodesInside,
    args: [[body, body], { poses: query.poses, pairs: query.pairs }],
    rejects: true,
  },
  contactTables: { call: scree.contactTables, args: [mesh, {}], fine: { 1: OPTIONS }, rejects: true },
  encodeContacts: { call: scree.encodeContacts, args: [contacts, 'csv', {}], fine: { 2: OPTIONS } },
  parseScene: {
    call: scree.parseScene,
    args: [sceneText, {}],
    fine: { 1: OPTIONS },
    rejects: true,
  },
  readScene: {
    call: scree.readScene,
    args: [new URL('../demos/scenes/hulls.json', import.meta.url), {}],
    fine: { 0: SOURCE, 1: OPTIONS },
    rejects: true,
  },
  convexScene: { call: scree.convexScene, args: [scene] },
  intersects: { call: scree.intersects, args: [answers, 0] },
  polytopeOf: { call: scree.polytopeOf, args: [mesh, {}], fine: { 1: OPTIONS } },
  isBodyFile: { call: scree.isBodyFile, args: [saved] },
  readBody: { call: scree.readBody, args: [saved, {}], fine: { 0: SOURCE, 1: OPTIONS }, rejects: true },
  estimateCellGrid: { call: scree.estimateCellGrid, args: [mesh, {}], fine: { 1: OPTIONS } },
  exactFlags: { call: scree.exactFlags, args: [mesh, points, {}], fine: { 2: OPTIONS } },
  encodeCsv: { call: scree.encodeCsv, args: [{ points, flags }] },
  encodeNpy: { call: scree.encodeNpy, args: [points, [2, 3]] },
  encodeNpyHeader: { call: scree.encodeNpyHeader, args: ['f4', [2, 3]] },
  parseNpy: { call: scree.parseNpy, args: [npy, 'p.npy'], fine: { 1: ['a text', 'a long text'] } },
  openPoints: { call: scree.openPoints, args: [npy, {}], fine: { 0: SOURCE, 1: OPTIONS }, rejects: true },
  gridPoints: { call: scree.gridPoints, args: [mesh.box, 2, {}], fine: { 2: OPTIONS } },
  parsePoints: { call: scree.parsePoints, args: [npy, { name: 'p.npy' }], rejects: true },
  readPoints: { call: scree.readPoints, args: [npy, {}], fine: { 0: SOURCE, 1: OPTIONS }, rejects: true },
  sliceSvg: { call: scree.sliceSvg, args: [slice] },
  encodeVtp: { call: scree.encodeVtp, args: [{ points, flags }] },
  encodeVtpSurface: { call: scree.encodeVtpSurface, args: [mesh] },
  checkMesh: { call: scree.checkMesh, args: [mesh, {}], fine: { 1: OPTIONS } },
  openCellFoam: { call: scree.openCellFoam, args: [{ triangles: 1000 }] },
  randomRock: { call: scree.randomRock, args: [{ seed: 1, convex: true }] },
  unitSphere: { call: scree.unitSphere, args: [1] },
  extrusion: { call: scree.extrusion, args: [{ outline, height: 1 }] },
  revolution: { call: scree.revolution, args: [{ profile: outline }] },
  drum: { call: scree.drum, args: [drumSizes] },
  thread: { call: scree.thread, args: [threadSizes] },
  formatMeshReport: {
    call: scree.formatMeshReport,
    args: [scree.checkMesh(mesh), 'a sphere'],
    fine: { 1: ['a text', 'a long text'] },
  },
  createRandom: { call: scree.createRandom, args: [1] },
  parseMesh: { call: scree.parseMesh, args: [bytes, { name: 'a.stl' }], rejects: true },
  readMesh: { call: scree.readMesh, args: [bytes, {}], fine: { 0: SOURCE, 1: OPTIONS }, rejects: true },
  TriangleMesh: { call: (options) => new TriangleMesh(options), args: [mesh && { ...arraysOf() }] },
  encodeMesh: { call: scree.encodeMesh, args: [mesh, 'obj'] },
  'BoundingTree.create': { call: scree.BoundingTree.create, args: [mesh, {}], fine: { 1: OPTIONS } },
  meshDistance: { call: scree.meshDistance, args: [trees, {}], fine: { 1: OPTIONS }, rejects: true },
  meshesMeet: { call: scree.meshesMeet, args: [trees, {}], fine: { 1: OPTIONS }, rejects: true },
  meshCollision: {
    call: scree.meshCollision,
    args: [{ ...trees, from: twoPoses, to: twoPoses }, {}],
    fine: { 1: OPTIONS },
    rejects: true,
  },
  gravityAt: { call: scree.gravityAt, args: [[0, 0, -9.81], 0], fine: { 1: ['a number'] } },
  cullBoxes: { call: scree.cullBoxes, args: [Float64Array.of(0, 0, 0, 1, 1, 1), {}], fine: { 1: OPTIONS } },
  bodyBoxes: {
    call: scree.bodyBoxes,
    args: [[mesh.box], twoPoses.slice(0, 7), twoPoses.slice(0, 7)],
    fine: { 2: ['nothing'] },
  },
};

function arraysOf() {
  const { positions, indices } = mesh;
  return { positions, indices };
}

/** What nobody calls with arguments of their own: made by scree, or right for whatever they get. */
const LEFT_OUT = ['Device', 'DeviceError', 'InputError', 'ScreeError', 'SimulationError', 'pairStatusName'];

it('every public function is tried here', () => {
  const functions = Object.entries(scree).filter(([, value]) => typeof value === 'function');
  const tried = new Set(Object.keys(CASES).map((name) => name.split('.')[0]));
  const missing = functions.map(([name]) => name).filter((name) => !tried.has(name));
  expect(missing.sort()).toEqual([...LEFT_OUT].sort());
});

/** The error of a call; a promise-returning function must not throw it at once. */
async function errorOf({ call, rejects = false }: Case, args: readonly unknown[]): Promise<unknown> {
  let result: unknown;
  try {
    result = call(...args);
  } catch (error) {
    return rejects && (error as Error).name === 'InputError' ? new Error(`thrown: ${error}`) : error;
  }
  if (!rejects) return undefined;
  return Promise.resolve(result).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe.each(Object.entries(CASES))('%s', (_, tested) => {
  it('works as it should be called', async () => {
    expect(await errorOf(tested, tested.args)).toBeUndefined();
  });

  it('says what is wrong with each argument, in one short line', async () => {
    for (const position of tested.args.keys()) {
      for (const [mistake, value] of Object.entries(MISTAKES)) {
        if (tested.fine?.[position]?.includes(mistake)) continue;
        const args = tested.args.with(position, value);
        const error = (await errorOf(tested, args)) as Error;
        const place = `${mistake} as argument ${position}`;
        if (!(error instanceof InputError)) throw new Error(`${place}: ${error}`, { cause: error });
        expect(error.message, place).toMatch(/^[^\n]{10,300}$/);
        expect(error.message, place).toMatch(/expected|no such file/);
      }
    }
  });

  it('needs its arguments', async () => {
    const least = [...tested.args.keys()].findIndex((i) => !tested.fine?.[i]?.includes('nothing'));
    if (least < 0) return;
    expect(await errorOf(tested, [])).toBeInstanceOf(InputError);
  });
});

describe('an option that is not known', () => {
  const base = { poses: query.poses, pairs: query.pairs, kind: query.kind };
  const typos: Readonly<
    Record<string, readonly [call: (options: object) => unknown, typo: string, key: string]>
  > = {
    openDevice: [(o) => scree.openDevice(o), 'adaptor', 'adapter'],
    'Polyhedron.create': [(o) => Polyhedron.create(undefined, mesh, o), 'cellsPerAxes', 'cellsPerAxis'],
    'Polyhedron.load': [(o) => Polyhedron.load(undefined, saved, o), 'thread', 'threads'],
    save: [(o) => body.save(o), 'signals', 'signal'],
    classify: [(o) => body.classify(points, o), 'metod', 'method'],
    classifyStream: [(o) => useUp(body.classifyStream([points], o)), 'chunksinflight', 'chunksInFlight'],
    windingNumber: [(o) => body.windingNumber(points, o), 'tolerence', 'tolerance'],
    'ConvexBatch.create': [(o) => ConvexBatch.create(undefined, [{ kind: 'point' }], o), 'thread', 'threads'],
    query: [(o) => batch.query({ ...base, ...o }), 'algoritm', 'algorithm'],
    exactFlags: [(o) => scree.exactFlags(mesh, points, o), 'rules', 'rule'],
    estimateCellGrid: [(o) => scree.estimateCellGrid(mesh, o), 'cellPerAxis', 'cellsPerAxis'],
    polytopeOf: [(o) => scree.polytopeOf(mesh, o), 'margins', 'margin'],
    readBody: [(o) => scree.readBody(saved, o), 'nam', 'name'],
    openPoints: [(o) => scree.openPoints(npy, o), 'chunkPoint', 'chunkPoints'],
    parsePoints: [(o) => scree.parsePoints(npy, { name: 'p', ...o }), 'Name', 'name'],
    readPoints: [(o) => scree.readPoints(npy, o), 'names', 'name'],
    gridPoints: [(o) => scree.gridPoints(mesh.box, 2, o), 'margins', 'margin'],
    sliceSvg: [(o) => scree.sliceSvg({ ...slice, ...o }), 'axes', 'axis'],
    checkMesh: [(o) => scree.checkMesh(mesh, o), 'example', 'examples'],
    openCellFoam: [(o) => scree.openCellFoam({ triangles: 1000, ...o }), 'cell', 'cells'],
    randomRock: [(o) => scree.randomRock({ seed: 1, convex: true, ...o }), 'roughnes', 'roughness'],
    extrusion: [(o) => scree.extrusion({ outline, height: 1, ...o }), 'heights', 'height'],
    revolution: [(o) => scree.revolution({ profile: outline, ...o }), 'segment', 'segments'],
    drum: [(o) => scree.drum({ ...drumSizes, ...o }), 'lifter', 'lifters'],
    thread: [(o) => scree.thread({ ...threadSizes, ...o }), 'segment', 'segments'],
    parseMesh: [(o) => scree.parseMesh(bytes, { name: 'm', ...o }), 'wield', 'weld'],
    readMesh: [(o) => scree.readMesh(bytes, o), 'welds', 'weld'],
    TriangleMesh: [(o) => new TriangleMesh({ ...arraysOf(), ...o }), 'origins', 'origin'],
  };

  it.each(Object.entries(typos))(
    'of %s is named, with the one that was meant',
    async (name, [call, typo, key]) => {
      const error = (await errorOf({ call, args: [], rejects: true }, [{ [typo]: 1 }])) as Error;
      const line = error.message.replace(/^thrown: InputError: /, '');
      expect(line).toMatch(
        new RegExp(`^${name}: unknown option "${typo}", expected .*${key}.*; did you mean ${key}\\?$`),
      );
    },
  );

  it('is no guess where nothing is near', async () => {
    await expect(body.classify(points, { colour: 'red' } as never)).rejects.toThrow(
      'classify: unknown option "colour", expected method, backend, rule, cull, timestamps, signal, onProgress, ' +
        'degree, separation, depth',
    );
    await expect(body.classify(points, { colour: 'red' } as never)).rejects.not.toThrow(/mean/);
  });

  it('may have the name of something that every object has', async () => {
    for (const text of ['{"toString":1}', '{"constructor":1}', '{"__proto__":1}']) {
      const [name] = Object.keys(JSON.parse(text));
      await expect(body.classify(points, JSON.parse(text))).rejects.toThrow(`unknown option "${name}"`);
    }
  });

  it('is no fault where a prototype has it, but one that is read from there is checked', async () => {
    expect((await body.classify(points, Object.create({ colour: 'red' }))).counts.inside).toBe(1);
    await expect(body.classify(points, Object.create({ cull: 'yes' }))).rejects.toThrow('cull: found "yes"');
  });

  it('or of another type gets one line too', async () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{ cull: 'yes' }, 'classify: cull: found "yes", expected true or false'],
      [{ signal: {} }, 'classify: signal: found an object, expected an AbortSignal'],
      [{ signal: { throwIfAborted() {} } }, 'classify: signal: found an object, expected an AbortSignal'],
      [{ onProgress: 3 }, 'classify: onProgress: found 3, expected a function'],
      [{ method: 'direct', degree: '2' }, 'classify: degree: found "2", expected a number'],
      [{ rule: null }, 'rule null: expected one of odd, nonzero, winding'],
      [
        { method: {} },
        'method an object: expected one of auto, cell-grid, ray-crossing, multipole, clusters, direct',
      ],
    ];
    for (const [options, line] of wrong) {
      await expect(body.classify(points, options)).rejects.toThrow(line);
    }
    // Left open is left open.
    const open = { cull: undefined, signal: undefined } as never;
    expect((await body.classify(points, open)).counts.inside).toBe(1);
  });

  it('of a shape is named with its place', async () => {
    const shapes: readonly (readonly [object, string])[] = [
      [
        { kind: 'sphere', radius: 1, radus: 2 },
        'shape 0: unknown field of kind sphere: "radus", expected kind, radius, margin; did you mean radius?',
      ],
      [{ kind: 'point', size: 1 }, 'shape 0: unknown field of kind point: "size", expected kind, margin'],
      [
        { kind: 'sum', a: { kind: 'point', x: 1 }, b: { kind: 'point' } },
        'shape 0, a of the sum: unknown field of kind point: "x"',
      ],
      [
        { kind: 'parts', parts: [{ shape: { kind: 'point' }, pos: [0, 0, 0] }] },
        'shape 0, part 0: unknown field "pos", expected shape, position, rotation',
      ],
    ];
    for (const [shape, line] of shapes) {
      await expect(ConvexBatch.create(undefined, [shape as never])).rejects.toThrow(line);
    }
  });
});

describe('likely mistakes', () => {
  it('are told apart', async () => {
    const { create } = Polyhedron;
    await expect((create as (mesh: unknown) => Promise<unknown>)(mesh)).rejects.toThrow(
      'Polyhedron.create: device: found a TriangleMesh, expected one of openDevice(), or undefined for the CPU alone',
    );
    await expect(create(undefined, 'rock.stl' as never)).rejects.toThrow(
      'Polyhedron.create: mesh: found "rock.stl", expected a TriangleMesh: readMesh() reads files',
    );
    await expect(scree.parseMesh('text' as never, { name: 'a' })).rejects.toThrow(
      'parseMesh: bytes: found "text", expected a Uint8Array of the bytes of a file (readMesh() reads files)',
    );
    expect(() => scree.randomRock(undefined as never)).toThrow(
      'randomRock: options: found undefined, expected an object with seed, convex, triangles, roughness',
    );
    await expect(body.classify(detached(points.slice()))).rejects.toThrow(
      'points: found a detached Float32Array, expected a Float32Array of [x, y, z] per point',
    );
    expect(() => scree.checkMesh(detachedMesh())).toThrow(
      /^checkMesh: mesh: found arrays that were detached .*, expected the 6 vertices and 8 triangles of the mesh$/,
    );
  });
});

it('a copy has nothing that callers may change, and takes what it cannot copy as it is', () => {
  const bare = Object.assign(Object.create(null), { list: [Uint8Array.of(1)] });
  const kept = { view: new DataView(new ArrayBuffer(8)), gone: detached(Uint8Array.of(1)), mesh };
  const copy = copyOf({ ...kept, bare });
  bare.list[0][0] = 2;
  expect(copy.bare.list).toEqual([Uint8Array.of(1)]);
  for (const name of ['view', 'gone', 'mesh'] as const) expect(copy[name]).toBe(kept[name]);
});

describe('memory that goes during a call', () => {
  const many = Float32Array.from({ length: 3 * 60_000 }, (_, i) => Math.sin(12.9898 * i));

  it('is an error, or makes no difference', async () => {
    const expected = (await body.classify(many)).flags;
    const calls: Readonly<Record<string, (given: Float32Array) => Promise<unknown>>> = {
      classify: async (given) => (await body.classify(given)).flags,
      'classify by direct sums': async (given) => (await body.classify(given, { method: 'direct' })).flags,
      classifyStream: async (given) => {
        for await (const { flags } of body.classifyStream([given])) return flags;
        return undefined;
      },
      windingNumber: async (given) => (await body.windingNumber(given)).values,
    };
    for (const [name, call] of Object.entries(calls)) {
      const right = name === 'windingNumber' ? (await body.windingNumber(many)).values : expected;
      for (const turns of [0, 1, 3]) {
        const given = many.slice();
        const running = call(given);
        running.catch(() => {});
        for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
        detached(given);
        const found = await running.catch((error: unknown) => error);
        if (found instanceof Error) {
          expect(found, name).toBeInstanceOf(InputError);
          expect(found.message, name).toMatch(
            /^points: (.*detached during the call.*found 0 numbers, expected 180000|found a detached)/,
          );
        } else expect(found, name).toEqual(right);
        if (turns === 0) expect(found, name).toBeInstanceOf(InputError);
      }
      // Memory that can shrink is copied.
      const buffer = new (ArrayBuffer as unknown as ResizableConstructor)(many.byteLength, {
        maxByteLength: many.byteLength,
      });
      const shrinking = new Float32Array(buffer);
      shrinking.set(many);
      const running = call(shrinking);
      buffer.resize(16);
      const found = await running.catch((error: unknown) => error);
      // A stream takes a chunk when it comes to it.
      if (name === 'classifyStream') expect(found).toBeInstanceOf(InputError);
      else expect(found, name).toEqual(right);
    }
  });

  it('of a query is copied when the call is made', async () => {
    const expected = await batch.query(query);
    const own = { poses: query.poses.slice(), pairs: query.pairs.slice(), shapes: Uint32Array.of(0, 1) };
    const running = batch.query({ ...own, kind: 'distance', previous: expected });
    for (const array of Object.values(own)) detached(array);
    const { distance, pairs } = await running;
    expect({ distance, pairs }).toEqual({ distance: expected.distance, pairs: expected.pairs });
  });

  it('of the mesh ends the body', async () => {
    const { positions, indices } = scree.unitSphere(3);
    const own = await Polyhedron.create(undefined, new TriangleMesh({ positions, indices, name: 'gone' }), {
      threads: 1,
    });
    const running = own.classify(many);
    running.catch(() => {});
    detached(positions);
    for (const call of [running, own.classify(points), own.save(), own.windingNumber(points)]) {
      await expect(call).rejects.toThrow(/^gone: this polyhedron: found arrays that were detached/);
    }
    expect(() => own.classifyStream([points])).toThrow(InputError);
    own.destroy();
  });
});

type ResizableConstructor = new (
  size: number,
  options: { maxByteLength: number },
) => ArrayBuffer & { resize(size: number): void };

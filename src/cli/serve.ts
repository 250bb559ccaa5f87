/**
 * `scree serve`: answers calls over standard input and output, for programs in other languages. Bodies and tables stay
 * between calls. docs/guide.md, "From Python", has the calls.
 */
import type { Command } from 'commander';
import type {
  ContactPipeline,
  Device,
  NpyData,
  Polyhedron,
  Quantity,
  Scene,
  Simulation,
  WritableQuantity,
} from '../index.ts';
import { openIfNeeded } from './device.ts';
import { inputError } from './files.ts';
import { nameOf, readBytes } from './input.ts';
import { interruptSignal, orInterrupted } from './interrupt.ts';
import {
  adapterOption,
  backendOption,
  type DeviceFlags,
  wantedBackend,
  withCommonOptions,
} from './options.ts';
import { readSceneFile } from './scene.ts';

/** Of the head of a call. */
const LONGEST_LINE = 1 << 26;
/** Of all arrays of a call. */
const MOST_BYTES = 2 ** 31 - 1;
const NEWLINE = 10;

type Fields = Readonly<Record<string, unknown>>;
type Arrays = Readonly<Record<string, NpyData>>;
/** What a call gives: numbers and texts, and arrays with their shapes. */
interface Answer {
  readonly fields?: Fields;
  readonly arrays?: Readonly<
    Record<string, readonly [Parameters<typeof import('../index.ts').encodeNpy>[0], number[]]>
  >;
}
/** What was opened. */
type Served =
  | { readonly kind: 'contacts'; readonly pipeline: ContactPipeline }
  | { readonly kind: 'simulation'; readonly simulation: Simulation }
  | { readonly kind: 'polyhedron'; readonly polyhedron: Polyhedron };

interface ServeFlags extends DeviceFlags {}

export function addServe(program: Command): void {
  const command = program
    .command('serve')
    .summary('answer calls of another program over standard input and output')
    .description(
      'Answer calls over standard input and output: a line of JSON, then the bytes of .npy arrays that it names; the ' +
        'answer alike. Bodies and their tables stay between calls. It ends when its input ends (docs/guide.md).',
    )
    .addOption(backendOption())
    .addOption(adapterOption())
    .addHelpText(
      'after',
      `
Examples:
  echo '{"call":"contacts","scene":"scene.json"}' | scree serve
  python3 examples/python/scree.py scene.json`,
    )
    .action(serve);
  withCommonOptions(command);
}

async function serve(flags: ServeFlags): Promise<void> {
  const signal = interruptSignal();
  const choice = { adapter: flags.adapter, backend: wantedBackend(flags) };
  const { device } = await openIfNeeded(choice);
  const server = new Server(device, choice.backend, signal);
  const input = new Input(process.stdin, signal);
  try {
    for (let line = await input.line(); line !== undefined; line = await input.line()) {
      if (line.trim() === '') continue;
      await answer(line, server, input);
    }
  } finally {
    server.destroy();
    device?.destroy();
  }
}

/** Answers a call. What is wrong with it is one line, and the next call is read. */
async function answer(line: string, server: Server, input: Input): Promise<void> {
  const { encodeNpy, parseNpy } = await import('../index.ts');
  let tag: Fields = {};
  let bytes: Uint8Array[] = [];
  try {
    const head = await headOf(line);
    // Calls may be numbered by who makes them.
    if (head.tag !== undefined) tag = { tag: head.tag };
    const lists = await listsOf(head);
    // All of them, before anything can be wrong with the first one: the next call follows the last one.
    for (const [, size] of lists) bytes.push(await input.bytes(size));
    const arrays: Arrays = Object.fromEntries(
      lists.map(([name], i) => [name, parseNpy(bytes[i]!, name).data]),
    );
    const { fields = {}, arrays: given = {} } = await server.call(head, arrays);
    const named = Object.entries(given).map(
      ([name, [data, shape]]) => [name, encodeNpy(data, shape)] as const,
    );
    bytes = named.map(([, array]) => array);
    const list = named.map(([name, array]) => [name, array.length]);
    await write(`${JSON.stringify({ ...tag, ...fields, arrays: list })}\n`, bytes);
  } catch (error) {
    if (input.hasEnded) throw error;
    const { message, exitCode } = error as Error & { readonly exitCode?: number };
    if (exitCode === undefined) throw error;
    await write(`${JSON.stringify({ ...tag, error: message, arrays: [] })}\n`, []);
  }
}

async function headOf(line: string): Promise<Fields> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // Said below.
  }
  throw await inputError(`found ${JSON.stringify(line.slice(0, 60))}, expected a JSON object with a call`);
}

/** Names of the arrays behind a line, and their bytes. */
async function listsOf({ arrays = [] }: Fields): Promise<readonly (readonly [string, number])[]> {
  const isList =
    Array.isArray(arrays) &&
    arrays.every(
      (one) =>
        Array.isArray(one) &&
        one.length === 2 &&
        typeof one[0] === 'string' &&
        Number.isSafeInteger(one[1]) &&
        one[1] >= 0,
    );
  const list = arrays as readonly (readonly [string, number])[];
  if (isList && list.reduce((sum, [, size]) => sum + size, 0) <= MOST_BYTES) return list;
  throw await inputError(
    `arrays is ${JSON.stringify(arrays).slice(0, 60)}, expected a list of [name, bytes] of at most ${MOST_BYTES} bytes`,
  );
}

/** Writes the line of an answer and its arrays, and waits while nobody reads. */
async function write(line: string, arrays: readonly Uint8Array[]): Promise<void> {
  for (const piece of [line, ...arrays]) {
    if (!process.stdout.write(piece)) await new Promise((done) => process.stdout.once('drain', done));
  }
}

class Server {
  readonly #device: Device | undefined;
  readonly #backend: ReturnType<typeof wantedBackend>;
  readonly #signal: AbortSignal;
  readonly #served = new Map<number, Served>();
  #last = 0;

  constructor(device: Device | undefined, backend: ReturnType<typeof wantedBackend>, signal: AbortSignal) {
    this.#device = device;
    this.#backend = backend;
    this.#signal = signal;
  }

  destroy(): void {
    for (const id of [...this.#served.keys()]) this.#close(id);
  }

  /** @throws InputError for a call that there is not, or that misses something */
  async call(head: Fields, arrays: Arrays): Promise<Answer> {
    switch (head.call) {
      case 'contacts':
        return this.#openContacts(head);
      case 'simulation':
        return this.#openSimulation(head);
      case 'polyhedron':
        return this.#openPolyhedron(head, arrays);
      case 'detect':
        return this.#detect(await this.#of(head, 'contacts'), arrays);
      case 'step':
        return this.#step(await this.#of(head, 'simulation'), head, arrays);
      case 'classify':
        return this.#classify(await this.#of(head, 'polyhedron'), arrays);
      case 'close':
        await this.#find(head);
        this.#close(head.id as number);
        return {};
    }
    const calls = 'contacts, simulation, polyhedron, detect, step, classify, close';
    throw await inputError(`call is ${JSON.stringify(head.call) ?? 'missing'}, expected ${calls}`);
  }

  async #openContacts(head: Fields): Promise<Answer> {
    const scene = await this.#scene(head);
    const { ContactPipeline } = await import('../index.ts');
    const { bodies, margin, names } = scene;
    const pipeline = await ContactPipeline.create(this.#device, scene.shapes, { bodies, margin, names });
    return this.#keep({ kind: 'contacts', pipeline }, scene);
  }

  async #openSimulation(head: Fields): Promise<Answer> {
    const scene = await this.#scene(head);
    const { Simulation, simulationScene } = await import('../index.ts');
    const { timeStep } = scene.simulation;
    const simulation = await Simulation.create(this.#device, simulationScene(scene), {
      ...{ backend: this.#backend, timeStep },
    });
    const { fields, ...rest } = this.#keep({ kind: 'simulation', simulation }, scene);
    return { ...rest, fields: { ...fields, timeStep: simulation.timeStep } };
  }

  async #openPolyhedron({ file }: Fields, { vertices, triangles }: Arrays): Promise<Answer> {
    const { Polyhedron, readMesh, TriangleMesh } = await import('../index.ts');
    if (file === undefined && !(vertices && triangles)) {
      throw await inputError(
        'polyhedron: file is missing, expected a mesh, or arrays vertices and triangles',
      );
    }
    const mesh =
      file === undefined
        ? new TriangleMesh({
            positions: Float32Array.from(vertices as Float64Array),
            indices: Uint32Array.from(triangles as Uint32Array, Number),
          })
        : await readMesh(await textOf(file, 'file'));
    const polyhedron = await Polyhedron.create(this.#device, mesh);
    const { fields } = this.#keep({ kind: 'polyhedron', polyhedron });
    return { fields: { ...fields, triangles: mesh.triangleCount } };
  }

  async #detect({ pipeline }: Extract<Served, { kind: 'contacts' }>, arrays: Arrays): Promise<Answer> {
    const poses = await floatsOf(arrays, 'poses');
    const found = await pipeline.detect({ poses, backend: this.#backend, signal: this.#signal });
    const { count, bodies, parts, kinds, statuses, normals, points, distances, areas, features } = found;
    const pair = (array: Uint32Array<ArrayBuffer>) => [array, [count, 2]] as const;
    const vector = (array: Float64Array<ArrayBuffer>) => [array, [count, 3]] as const;
    return {
      fields: { count },
      arrays: shaped({
        ...{ bodies: pair(bodies), parts: pair(parts), normals: vector(normals), points: vector(points) },
        ...{ kinds: [kinds, [count]], statuses: [statuses, [count]], features: [features, [count]] },
        ...{ distances: [distances, [count]], areas: [areas, [count]] },
      }),
    };
  }

  async #step(
    { simulation }: Extract<Served, { kind: 'simulation' }>,
    { count = 1, read = [], forces = false }: Fields,
    arrays: Arrays,
  ): Promise<Answer> {
    if (!Array.isArray(read))
      throw await inputError(`step: read is ${JSON.stringify(read)}, expected a list`);
    for (const name of Object.keys(arrays))
      await simulation.write(name as WritableQuantity, await floatsOf(arrays, name));
    if (count === 0 && Object.keys(arrays).length > 0) await simulation.evaluate();
    await simulation.step(count as number, { signal: this.#signal });
    const given: Record<string, readonly [Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>, number[]]> =
      {};
    for (const name of read as Quantity[]) {
      const values = await simulation.read(name);
      given[name] = [values, [simulation.bodyCount, values.length / simulation.bodyCount]];
    }
    if (forces === true) {
      const { touchingPairs } = await import('../index.ts');
      const pairs = touchingPairs(await simulation.contacts(), await simulation.contactForces());
      given.pairs = [pairs.bodies, [pairs.count, 2]];
      given.pairPoints = [pairs.points, [pairs.count, 3]];
      given.pairForces = [pairs.forces, [pairs.count, 3]];
    }
    const { time, monitors } = simulation;
    const { momentum: _, angularMomentum: __, ...numbers } = monitors;
    return { fields: { time, monitors: numbers }, arrays: shaped(given) };
  }

  async #classify({ polyhedron }: Extract<Served, { kind: 'polyhedron' }>, arrays: Arrays): Promise<Answer> {
    const points = Float32Array.from(await floatsOf(arrays, 'points'));
    const { flags, counts } = await polyhedron.classify(points, {
      ...{ backend: this.#backend, signal: this.#signal },
    });
    return { fields: { counts }, arrays: shaped({ flags: [flags, [flags.length]] }) };
  }

  /** A scene in the call, or the name of its file. */
  async #scene({ scene }: Fields): Promise<Scene> {
    if (typeof scene === 'string') return readSceneFile(scene, this.#signal);
    const { parseScene } = await import('../index.ts');
    if (typeof scene !== 'object' || scene === null) {
      throw await inputError(
        `scene is ${JSON.stringify(scene) ?? 'missing'}, expected a scene or the name of its file`,
      );
    }
    return parseScene(JSON.stringify(scene), {
      ...{ name: 'scene', readFile: (file) => readBytes(file, this.#signal) },
    });
  }

  #keep(served: Served, scene?: Scene): Answer {
    const id = ++this.#last;
    this.#served.set(id, served);
    if (scene === undefined) return { fields: { id } };
    const { poses, names } = scene;
    const count = names.bodies.length;
    return {
      fields: { id, bodies: count, names: names.bodies },
      arrays: shaped({ poses: [poses, [count, 7]] }),
    };
  }

  async #find({ id }: Fields): Promise<Served> {
    const found = this.#served.get(id as number);
    if (found !== undefined) return found;
    throw await inputError(`id is ${JSON.stringify(id) ?? 'missing'}, expected one that was opened`);
  }

  async #of<K extends Served['kind']>(head: Fields, kind: K): Promise<Extract<Served, { kind: K }>> {
    const found = await this.#find(head);
    if (found.kind === kind) return found as Extract<Served, { kind: K }>;
    throw await inputError(`${head.call}: id ${head.id} is of ${found.kind}, expected one of ${kind}`);
  }

  #close(id: number): void {
    const served = this.#served.get(id)!;
    this.#served.delete(id);
    if (served.kind === 'contacts') served.pipeline.destroy();
    else if (served.kind === 'simulation') served.simulation.destroy();
    else served.polyhedron.destroy();
  }
}

const shaped = (arrays: unknown) => arrays as NonNullable<Answer['arrays']>;

async function textOf(value: unknown, field: string): Promise<string> {
  if (typeof value === 'string') return value;
  throw await inputError(`${field} is ${JSON.stringify(value)}, expected a text`);
}

async function floatsOf(arrays: Arrays, name: string): Promise<Float32Array | Float64Array> {
  const array = arrays[name];
  if (array instanceof Float32Array || array instanceof Float64Array) return array;
  const found = array === undefined ? 'missing' : array.constructor.name;
  throw await inputError(`${name} is ${found}, expected an array of float32 or float64`);
}

/** Standard input by lines and by numbers of bytes. */
class Input {
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #signal: AbortSignal;
  #rest: Uint8Array = new Uint8Array(0);
  hasEnded = false;

  constructor(stream: NodeJS.ReadStream, signal: AbortSignal) {
    this.#pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    this.#signal = signal;
  }

  /** The next line. Undefined at the end. */
  async line(): Promise<string | undefined> {
    const held: Uint8Array[] = [];
    for (let length = 0; ; ) {
      const at = this.#rest.indexOf(NEWLINE);
      held.push(at < 0 ? this.#rest : this.#rest.subarray(0, at));
      length += held.at(-1)!.length;
      this.#rest = at < 0 ? new Uint8Array(0) : this.#rest.subarray(at + 1);
      if (at >= 0) return Buffer.concat(held).toString('utf8');
      if (length > LONGEST_LINE) {
        this.hasEnded = true;
        throw await inputError(
          `${nameOf('-')}: a line of more than ${LONGEST_LINE} bytes found, expected a call`,
        );
      }
      if (await this.#more()) continue;
      return length === 0 ? undefined : Buffer.concat(held).toString('utf8');
    }
  }

  /** @throws InputError where the input ends before */
  async bytes(count: number): Promise<Uint8Array> {
    const out = new Uint8Array(count);
    for (let at = 0; at < count; ) {
      if (this.#rest.length === 0 && !(await this.#more())) {
        throw await inputError(`${nameOf('-')}: ended after ${at} of ${count} bytes of an array`);
      }
      const piece = this.#rest.subarray(0, count - at);
      out.set(piece, at);
      at += piece.length;
      this.#rest = this.#rest.subarray(piece.length);
    }
    return out;
  }

  async #more(): Promise<boolean> {
    const { value, done } = await orInterrupted(this.#pieces.next(), this.#signal);
    if (done) this.hasEnded = true;
    else this.#rest = value;
    return !done;
  }
}

/** Forces on the GPU beside their float64 twin: both get the same numbers, which float32 holds. */
import { readFromArrayBuffer, writeToArrayBuffer } from 'typegpu';
import * as d from 'typegpu/data';
import { ContactRecord } from '../../../src/contacts/bodies/device-layout.ts';
import { stageSinks } from '../../../src/contacts/cpu/host-stages.ts';
import { type ContactArrays, ContactKind, FEATURE_OF_B } from '../../../src/contacts/list/contact-arrays.ts';
import { type ContactEngine, makeContactEngine } from '../../../src/contacts/pipeline/contact-engine.ts';
import { listContacts } from '../../../src/contacts/pipeline/list-contacts.ts';
import type { StoredArrays } from '../../../src/dem/checkpoint/checkpoint.ts';
import { EDGE_WIDTH_SHARE } from '../../../src/dem/constants.ts';
import { BODY_LOADS, BodyLoad } from '../../../src/dem/forces/body-loads.ts';
import { ContactForces, type PosedContacts } from '../../../src/dem/forces/contact-forces.ts';
import {
  firstColliders,
  halfPiece,
  type SurfaceLengths,
  surfaceLengths,
} from '../../../src/dem/forces/surface-lengths.ts';
import type { ForceInputs } from '../../../src/dem/gpu/device-response.ts';
import { ForcesOnDevice } from '../../../src/dem/gpu/forces/forces-on-device.ts';
import {
  BodyConstants,
  BodyFlag,
  ForceSums,
  MotionBody,
  StepControl,
} from '../../../src/dem/gpu/step-layout.ts';
import { PAIR_NUMBERS, PairNumber } from '../../../src/dem/materials/materials.ts';
import { angularVelocity, BodyStatus, type Loads, writePoses } from '../../../src/dem/motion/motion.ts';
import { modelOf, placeAtFirst, type SimulationModel } from '../../../src/dem/scene/model.ts';
import type { SimulationScene } from '../../../src/dem/scene/simulation-scene.ts';
import type { Device } from '../../../src/gpu/device.ts';
import { Bench } from '../../support/blocks.ts';

/** Edge of cells: a power of two above all bodies of these scenes. */
const CELL = 4;
const UNIT = CELL * 2 ** -32;
export const ROOM = 4096;

/** What a step comes to; the twin counts no groups. */
export interface Evaluated {
  readonly loads: Loads;
  readonly sums: Readonly<Record<SumName, number>>;
}
type SumName = keyof d.Infer<typeof ForceSums>;

/** Amounts that rounding is relative to. */
export interface Scales {
  /** Per body: of forces, and of torques. */
  readonly forces: Float64Array;
  readonly torques: Float64Array;
  readonly energy: number;
  readonly power: number;
}

export class ForceBench {
  readonly model: SimulationModel;
  readonly forces: ForcesOnDevice;
  readonly twin: ContactForces;
  contacts: ContactArrays | undefined;
  /** The same, pair by pair. */
  #staged: PosedContacts | undefined;
  readonly #bench: Bench;
  readonly #engine: ContactEngine;
  readonly #lengths: SurfaceLengths;
  #current = 0;
  /** Pairs of the last step, and how many lists of them there were. */
  #listed = '';
  #lists = 0;

  private constructor(device: Device, model: SimulationModel, engine: ContactEngine, forces: ForcesOnDevice) {
    const { table, polyhedra } = engine;
    this.#bench = new Bench(device);
    this.model = model;
    this.forces = forces;
    this.#engine = engine;
    this.#lengths = surfaceLengths(table.colliders, polyhedra);
    this.twin = new ContactForces({
      ...{ bodies: { ...model.laws, lengths: this.#lengths }, inertia: model.inertia },
      ...{ colliders: table.colliders, pool: () => undefined },
    });
  }

  static async create(device: Device, scene: SimulationScene): Promise<ForceBench> {
    const count = scene.bodies.shapes.length;
    const names = (length: number) => Array.from({ length }, (_, i) => `${i}`);
    const model = modelOf(scene, { shapes: names(scene.shapes.length), bodies: names(count) });
    const { poses, angularVelocities: turns } = scene.bodies;
    await placeAtFirst(model, new Float64Array(poses), turns && new Float64Array(turns), async () => {});
    const engine = await makeContactEngine(undefined, scene.shapes, {
      ...{ bodies: model.contactBodies, margin: 0.1, threads: 1 },
    });
    const { table, polyhedra } = engine;
    const forces = await ForcesOnDevice.create(device, {
      ...{
        model,
        colliders: table.colliders,
        polyhedra,
        capacity: { contacts: ROOM, rows: ROOM, touching: ROOM },
      },
    });
    return new ForceBench(device, model, engine, forces);
  }

  /** Rounds the state to what the device holds. */
  round(): void {
    const { positions, rotations, velocities, momenta } = this.model.state;
    positions.forEach((x, i) => {
      positions[i] = Math.round(x / UNIT) * UNIT;
    });
    for (const array of [rotations, velocities, momenta]) array.set(Float32Array.from(array));
  }

  /** Finds contacts, and rounds them. */
  async detect(): Promise<void> {
    const { model } = this;
    const poses = new Float64Array(7 * model.count);
    writePoses(model.state, model, poses);
    const found = await this.#engine.cpu.detect({ poses }, { sinks: stageSinks() });
    for (const { values } of found.rows) values.set(Float32Array.from(values));
    this.contacts = listContacts(this.#engine, found, poses, { backend: 'cpu', reason: '', started: 0 });
    this.#staged = { ...found, poses };
  }

  /** Forces on the GPU: the step under way, from half `current` on. A step that is taken turns the halves over. */
  async onDevice(time: number, isTaken = true): Promise<Evaluated> {
    const bench = this.#bench;
    const { count } = this.model;
    const own = this.#bodies();
    const control = {
      ...{ timeStep: time, cell: CELL, count, zero: 0, current: this.#current, stop: 0 },
    };
    const written = (label: string, schema: d.AnyWgslData, value: object) =>
      bench.buffer(label, bytesOf(schema, value));
    const inputs = {
      state: written('state', d.arrayOf(MotionBody, 2 * count), [...own, ...own]),
      constants: written('constants', d.arrayOf(BodyConstants, count), this.#constants()),
      control: written('control', StepControl, { ...zeroOf(StepControl), ...control }),
      bodies: bench.buffer('bodies', new Uint32Array(16)),
      contacts: written('contacts', d.arrayOf(ContactRecord, ROOM), this.#records()),
      ...this.#rows(),
    };
    await bench.submit((recorder) => {
      this.forces.record(recorder, inputs);
      this.forces.recordSums(recorder, inputs);
    });
    const loads = await bench.floats(this.forces.loads, 8 * count);
    const words = await bench.words(this.forces.sums, d.sizeOf(ForceSums) / 4);
    if (isTaken) this.#current = 1 - this.#current;
    const part = (at: number) =>
      Float64Array.from({ length: 3 * count }, (_, i) => loads[8 * Math.floor(i / 3) + at + (i % 3)]!);
    return {
      loads: { forces: part(0), torques: part(4) },
      sums: readFromArrayBuffer(words.slice().buffer, ForceSums),
    };
  }

  /** A row for each pair that touches: the list of pairs is another one when these are others. */
  #rows(): Pick<ForceInputs, 'rows' | 'places'> {
    const contacts = this.contacts!;
    const bench = this.#bench;
    const classOf = (kind: number) => Math.max(0, kind - ContactKind.edge);
    const pairs = new Map<string, { readonly order: readonly number[]; readonly counts: [number, number] }>();
    for (let i = 0; i < contacts.count; i++) {
      const [kind, a, b] = [contacts.kinds[i]!, contacts.bodies[2 * i]!, contacts.bodies[2 * i + 1]!];
      const order = [classOf(kind), a, contacts.parts[2 * i]!, b, contacts.parts[2 * i + 1]!];
      const pair = pairs.get(order.join()) ?? { order, counts: [0, 0] };
      pair.counts[kind === ContactKind.edge ? 1 : 0]++;
      pairs.set(order.join(), pair);
    }
    const rows = [...pairs.values()].sort(({ order: one }, { order: other }) => {
      const k = one.findIndex((x, at) => x !== other[at]);
      return k < 0 ? 0 : one[k]! - other[k]!;
    });
    const names = JSON.stringify(rows.map(({ order }) => order));
    if (names !== this.#listed) this.#lists++;
    this.#listed = names;
    const sizes = [0, 1, 2, 3].map((kind) => rows.filter(({ order }) => order[0] === kind).length);
    const [polyhedra, patches, convex] = sizes as [number, number, number, number];
    const nodes = rows.map(({ counts }) => counts[0]);
    const edges = rows.slice(0, polyhedra).map(({ counts }) => counts[1]);
    let before = 0;
    const offsets = [...nodes.slice(0, polyhedra), ...edges, ...nodes.slice(polyhedra), 0].map((count) => {
      before += count;
      return before - count;
    });
    const entries = rows
      .flatMap(({ order }, row) => [
        { body: order[1]!, partner: order[3]!, entry: 2 * row },
        { body: order[3]!, partner: order[1]!, entry: 2 * row + 1 },
      ])
      .sort((one, other) => one.body - other.body || one.entry - other.entry);
    const begins = entries.map(
      ({ body, partner }, i) =>
        body !== entries[i - 1]?.body || partner >> 1 !== entries[i - 1]!.partner >> 1,
    );
    const identity = bench.buffer(
      'firsts',
      Uint32Array.from({ length: rows.length + 1 }, (_, i) => i),
    );
    const patchesAt = 2 * polyhedra;
    return {
      rows: {
        table: bench.buffer('table', Uint32Array.of(...sizes, rows.length, this.#lists, 0, 0)),
        entries: bench.buffer(
          'entries',
          Uint32Array.from(entries, ({ entry }, i) => (begins[i] ? 2 ** 31 : 0) + entry),
        ),
        starts: bench.buffer(
          'starts',
          Uint32Array.from(
            { length: this.model.count + 1 },
            (_, body) => entries.filter((one) => one.body < body).length,
          ),
        ),
        ...{ perRow: { threads: Math.max(1, rows.length) }, perEntry: { threads: entries.length } },
      },
      places: {
        ...{
          offsets: bench.buffer('offsets', Uint32Array.from(offsets)),
          nodeFirsts: identity,
          edgeFirsts: identity,
        },
        ...{
          nodesAt: 0,
          edgesAt: polyhedra,
          clusters: polyhedra,
          edgeClusters: polyhedra,
          patchesAt,
          convexAt: patchesAt + patches,
        },
        ...{ planesAt: patchesAt + patches + convex, all: offsets.length - 1 },
      },
    };
  }

  /** What contacts remember on the GPU. */
  stored(): Promise<StoredArrays> {
    return this.forces.store(this.#current);
  }

  restored(stored: StoredArrays): Promise<void> {
    return this.forces.restore(stored, this.#current);
  }

  /** Takes state and contacts from another one of the same scene. */
  takeFrom(other: ForceBench): void {
    const { model, contacts } = other;
    const { state } = this.model;
    const { positions, rotations, velocities, momenta } = model.state;
    state.positions.set(positions);
    state.rotations.set(rotations);
    state.velocities.set(velocities);
    state.momenta.set(momenta);
    this.contacts = contacts;
    this.#staged = other.#staged;
  }

  /** The same by the twin. */
  async onHost(time: number) {
    const { model, twin } = this;
    const sums = await twin.add(this.#staged!, model.state, time);
    const part = (first: number): Loads => {
      const of = (from: number) =>
        Float64Array.from(
          { length: 3 * model.count },
          (_, i) => twin.loads.sums[BODY_LOADS * Math.floor(i / 3) + from + (i % 3)]!,
        );
      return { forces: of(first), torques: of(first + 3) };
    };
    const loads = part(0);
    const rolling = twin.loads.rolling ?? new Float64Array(3 * model.count);
    const spin = new Float64Array(3);
    const power = ({ forces, torques }: Loads) => {
      let lost = 0;
      for (let body = 0; body < model.count; body++) {
        angularVelocity(model.state, model.inertia, body, spin);
        for (let k = 0; k < 3; k++) {
          const at = 3 * body + k;
          lost -= forces[at]! * model.state.velocities[at]! + torques[at]! * spin[k]!;
        }
      }
      return lost;
    };
    return {
      loads,
      sums: {
        ...sums,
        contacts: this.contacts!.count,
        dashpots: power(part(BodyLoad.dashpots)),
        friction: power(part(BodyLoad.friction)),
        rolling: power({ forces: new Float64Array(3 * model.count), torques: rolling }),
      },
    };
  }

  /** Amounts of all that is added up for a body, from what contacts have, without the cap of friction. */
  scales(time: number): Scales {
    const { model } = this;
    const contacts = this.contacts!;
    const firsts = firstColliders(this.#engine.table.colliders);
    const { pairs, materials, radii, curvatures } = model.laws;
    const { inverseMasses, inverseMoments } = model.inertia;
    const { positions, velocities } = model.state;
    const forces = new Float64Array(model.count);
    const torques = new Float64Array(model.count);
    let [energy, power] = [0, 0];
    const lengthOf = (v: ArrayLike<number>) => Math.hypot(v[0]!, v[1]!, v[2]!);
    const spins = Array.from({ length: model.count }, (_, body) => {
      const out = new Float64Array(3);
      angularVelocity(model.state, model.inertia, body, out);
      return lengthOf(out);
    });
    /** By pairs of bodies: stiffness, to be shared. */
    const each = Array.from({ length: contacts.count }, (_, i) => {
      const [a, b] = [contacts.bodies[2 * i]!, contacts.bodies[2 * i + 1]!];
      const depth = -contacts.distances[i]!;
      const [kind, area, feature] = [contacts.kinds[i]!, contacts.areas[i]!, contacts.features[i]!];
      const at = PAIR_NUMBERS * (materials[a]! * pairs.count + materials[b]!);
      const number = (name: keyof typeof PairNumber) => pairs.numbers[at + PairNumber[name]]!;
      const [layerA, layerB] = [radii[a]! || radii[b]!, radii[b]! || radii[a]!];
      const perArea =
        1 / (layerA / pairs.planeModuli[materials[a]!]! + layerB / pairs.planeModuli[materials[b]!]!);
      let stiffness: number;
      let pull: number;
      if (kind === ContactKind.edge || area > 0) {
        const isB = feature >= FEATURE_OF_B;
        const half =
          kind === ContactKind.edge
            ? halfPiece(
                this.#lengths,
                firsts.get(isB ? b : a)! + contacts.parts[isB ? 2 * i + 1 : 2 * i]!,
                (feature % FEATURE_OF_B) >>> 1,
              )
            : 1;
        const width =
          kind === ContactKind.edge
            ? EDGE_WIDTH_SHARE * Math.min(layerA, layerB) * Math.max(area, (area * area) / half)
            : area;
        stiffness = perArea * width;
        pull = number('cohesion') * area;
      } else {
        const curvature =
          1 / ((curvatures[a] ? 1 / curvatures[a]! : 0) + (curvatures[b] ? 1 / curvatures[b]! : 0));
        stiffness = 2 * number('modulus') * Math.sqrt(curvature * depth);
        pull = number('cohesion') * Math.PI * curvature * depth;
      }
      const arms = [a, b].map((body) =>
        lengthOf([0, 1, 2].map((k) => contacts.points[3 * i + k]! - positions[3 * body + k]!)),
      );
      return { a, b, number, stiffness, pull, depth, arms };
    });
    for (const { a, b, number, stiffness, pull, depth, arms } of each) {
      const speed = [a, b].reduce(
        (sum, body, n) =>
          sum + lengthOf(velocities.subarray(3 * body, 3 * body + 3)) + spins[body]! * arms[n]!,
        0,
      );
      const masses = [a, b].reduce((sum, body, n) => {
        const most = Math.max(...inverseMoments.subarray(3 * body, 3 * body + 3));
        return sum + inverseMasses[body]! + most * arms[n]! ** 2;
      }, 0);
      const least = inverseMasses[a]! + inverseMasses[b]!;
      // f (m* / 2 U)^0.5, with U that of the contact alone or more.
      const damping = 2 * number('damping') * Math.sqrt(stiffness / (least || 1));
      const ratio = number('tangential');
      const spring = stiffness * ratio * speed * time;
      const force =
        (stiffness * depth + pull + damping * speed) * (1 + number('friction')) +
        damping * Math.sqrt(ratio) * speed +
        spring;
      const most = Math.max(radii[a]!, radii[b]!);
      const turns = spins[a]! + spins[b]!;
      let rolling = 0;
      for (const name of ['rollingFriction', 'torsionalFriction'] as const) {
        const k = 2.25 * (number(name) * most) ** 2 * stiffness;
        rolling += number(name) * most * force + k * time * turns + Math.sqrt(k / masses || 0) * most * turns;
      }
      [a, b].forEach((body, n) => {
        forces[body]! += force;
        torques[body]! += force * arms[n]! + rolling;
      });
      energy += (stiffness * depth + pull) * depth + force * depth;
      power += force * speed + rolling * turns;
    }
    return { forces, torques, energy, power };
  }

  destroy(): void {
    this.#bench.destroy();
    this.forces.destroy();
  }

  #bodies() {
    const { count, state } = this.model;
    const { positions, rotations, velocities, momenta } = state;
    return Array.from({ length: count }, (_, body) => {
      const own = (array: Float64Array, size: number) =>
        Array.from(array.subarray(size * body, size * (body + 1)));
      const cells = own(positions, 3).map((x) => Math.floor(x / CELL));
      const fractions = own(positions, 3).map((x, k) => (x - CELL * cells[k]!) / UNIT);
      return {
        ...zeroOf(MotionBody),
        cell: d.vec3i(...(cells as Vector)),
        status: BodyStatus.present,
        fraction: d.vec3u(...(fractions as Vector)),
        rotation: d.vec4f(...(own(rotations, 4) as [number, number, number, number])),
        velocity: d.vec3f(...(own(velocities, 3) as Vector)),
        momentum: d.vec3f(...(own(momenta, 3) as Vector)),
      };
    });
  }

  #constants() {
    const { count, inertia, laws, centroids, principal } = this.model;
    return Array.from({ length: count }, (_, body) => {
      const own = (array: Float64Array) => Array.from(array.subarray(3 * body, 3 * body + 3)) as Vector;
      const [x, y, z, w] = principal.subarray(4 * body, 4 * body + 4);
      return {
        ...zeroOf(BodyConstants),
        centroid: d.vec3f(...own(centroids)),
        inverseMass: inertia.inverseMasses[body]!,
        inverseMoments: d.vec3f(...own(inertia.inverseMoments)),
        radius: laws.radii[body]!,
        shapeToPrincipal: d.vec4f(-x!, -y!, -z!, w!),
        material: laws.materials[body]!,
        curvature: laws.curvatures[body]!,
        flags: (inertia.isDriven[body] && BodyFlag.isDriven) | (laws.haveParts[body] && BodyFlag.hasParts),
        appearsAt: 0,
        ...{ appliedForce: d.vec3f(), spare: 0, appliedTorque: d.vec3f(), spare2: 0 },
      };
    });
  }

  #records() {
    const contacts = this.contacts!;
    const { count, bodies, parts, features, normals, distances, areas, triangles, kinds, statuses } =
      contacts;
    const poses = new Float64Array(7 * this.model.count);
    writePoses(this.model.state, this.model, poses);
    return Array.from({ length: ROOM }, (_, i) => {
      if (i >= count) return zeroOf(ContactRecord);
      const [a, b] = [bodies[2 * i]!, bodies[2 * i + 1]!];
      const offset = [0, 1, 2].map((k) => contacts.points[3 * i + k]! - poses[7 * a + k]!);
      return {
        bodyA: a,
        bodyB: b,
        parts: parts[2 * i]! + parts[2 * i + 1]! * 2 ** 16,
        feature: features[i]!,
        normal: d.vec3f(...(Array.from(normals.subarray(3 * i, 3 * i + 3)) as Vector)),
        distance: distances[i]!,
        offset: d.vec3f(...(offset as Vector)),
        area: areas[i]!,
        triangle: triangles[i]!,
        kindAndStatus: kinds[i]! + statuses[i]! * 2 ** 8,
        spare: d.vec2u(),
      };
    });
  }
}

type Vector = [number, number, number];

/** A value of zeros. */
function zeroOf<Schema extends d.AnyWgslStruct>(schema: Schema): d.Infer<Schema> {
  return schema() as d.Infer<Schema>;
}

function bytesOf(schema: d.AnyWgslData, value: object): Uint32Array<ArrayBuffer> {
  const bytes = new ArrayBuffer(d.sizeOf(schema));
  writeToArrayBuffer(bytes, schema, value as never);
  return new Uint32Array(bytes);
}

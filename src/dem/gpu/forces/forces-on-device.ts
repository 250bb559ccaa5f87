/**
 * Forces of contacts on the GPU: what the kernels of the contact pipeline have found becomes loads of bodies. It
 * records kernels into a command encoder, and nothing in it waits. docs/dem.md, "Forces on the GPU". Twin:
 * `ContactForces`.
 */
import { sizeOf, vec4f } from 'typegpu/data';
import type { Colliders } from '../../../contacts/bodies/colliders.ts';
import type { PolyhedronArrays } from '../../../contacts/field/field-arrays.ts';
import { bind } from '../../../gpu/bind.ts';
import { threadsOver } from '../../../gpu/blocks/form.ts';
import { BufferPool } from '../../../gpu/buffers.ts';
import type { Device } from '../../../gpu/device.ts';
import { compileKernels, type KernelsOf } from '../../../gpu/kernel.ts';
import { type Owner, owned } from '../../../gpu/owned.ts';
import type { BufferPlace, Recorder } from '../../../gpu/recorder.ts';
import { WORD } from '../../../gpu/words.ts';
import type { StoredArrays } from '../../checkpoint/checkpoint.ts';
import { lawCases } from '../../forces/law-cases.ts';
import type { PairForces } from '../../forces/pair-forces.ts';
import { PAIR_NUMBERS, PairNumber } from '../../materials/materials.ts';
import type { NormalLaw } from '../../materials/normal-law.ts';
import type { SimulationModel } from '../../scene/model.ts';
import { ContactMemory, contactsIn, KEY } from '../contact-memory.ts';
import type { DeviceResponse, ForceInputs, ResponseCapacity } from '../device-response.ts';
import { LoadSums, SUM_THREADS } from '../load-sums.ts';
import { FULL_MEMORY, SHORT_MEMORY, sumGroupsSource } from './force-kernels.ts';
import { type ForceTables, packForceTables } from './force-tables.ts';
import { sourcesWithLaws, tryLawsOnDevice } from './own-laws.ts';

export interface ForcesOptions {
  readonly model: Pick<SimulationModel, 'count' | 'laws' | 'removal'>;
  /** Of the contact pipeline. */
  readonly colliders: Colliders;
  readonly polyhedra: readonly PolyhedronArrays[];
  /** As the pipeline has it. */
  readonly capacity: ResponseCapacity;
}

/** Buffers and kernels that stay. */
interface Parts {
  readonly pool: BufferPool;
  readonly tables: GPUBuffer;
  readonly places: Omit<ForceTables, 'words'>;
  readonly owner: Owner;
  readonly kernels: KernelsOf<ReturnType<typeof kernelsFor>>;
  readonly memory: ContactMemory;
  readonly added: LoadSums;
}

export class ForcesOnDevice implements DeviceResponse {
  readonly isByImpulses = false;
  readonly historyWords: number;
  readonly loads: GPUBuffer;
  readonly sums: GPUBuffer;
  readonly #device: Device;
  readonly #laws: ForcesOptions['model'];
  /** vec4f of a contact's history. */
  readonly #memory: number;
  readonly #parts: Parts;
  #touchingRoom: number;

  private constructor(device: Device, { model, capacity }: ForcesOptions, parts: Parts) {
    this.#touchingRoom = capacity.touching;
    this.#device = device;
    this.#laws = model;
    this.#memory = memoryFor(model);
    this.historyWords = (sizeOf(vec4f) / WORD) * this.#memory;
    this.#parts = parts;
    this.loads = parts.added.loads;
    this.sums = parts.added.sums;
  }

  /** Compiles the kernels, if nobody did before, and makes room. @throws DeviceError `limits` if there is none */
  static create(device: Device, options: ForcesOptions): Promise<ForcesOnDevice> {
    const { model, colliders, polyhedra, capacity } = options;
    return owned(async (owner) => {
      const pool = owner.keep(new BufferPool(device));
      const { words, ...places } = packForceTables(model.laws.pairs, colliders, polyhedra);
      const tables = await device.checked('uploading materials', () => pool.upload('forces: tables', words));
      const { laws } = model.laws.pairs;
      await tryLawsOnDevice(device, laws, lawCases(model.laws));
      const kernels = await compileKernels(device, kernelsFor(laws));
      const memory = owner.keep(
        await ContactMemory.create(
          device,
          { label: 'forces', size: sizeOf(vec4f) * memoryFor(model), parts: 2 },
          capacity,
        ),
      );
      const added = owner.keep(await LoadSums.create(device, model.count, capacity));
      const parts = { owner, pool, tables, places, kernels, memory, added };
      return new ForcesOnDevice(device, options, parts);
    });
  }

  /** Bytes of its buffers, less those of building blocks. */
  get bytes(): number {
    const { pool, memory, added } = this.#parts;
    return pool.bytes + memory.bytes + added.bytes;
  }

  /** Makes room, never less than there is. What is remembered stays. */
  async grow({ contacts, rows, touching }: ResponseCapacity): Promise<void> {
    const { memory, added } = this.#parts;
    await memory.grow(contacts, rows);
    this.#touchingRoom = Math.max(this.#touchingRoom, touching);
    await added.grow({ rows: memory.capacity.rows, touching: this.#touchingRoom });
  }

  get touching(): BufferPlace {
    return { buffer: this.#parts.memory.ranges, offset: WORD };
  }

  /** Records the forces of the step under way: `loads`. Speeds are those of its bodies: at half the step. */
  record(recorder: Recorder, inputs: ForceInputs): void {
    const { state, constants, control, contacts, rows } = inputs;
    const { kernels, tables, memory, added } = this.#parts;
    const { history, ranges } = memory;
    memory.record(recorder, inputs);
    const found = { control, records: contacts, ranges, state, constants, tables, history };
    recorder.run(bind(this.#device, kernels.groupForces, { ...found, loads: added.pairs }), {
      ...{ ...threadsOver(this.#device, memory.capacity.rows), params: this.#params() },
    });
    added.recordLoads(recorder, rows, this.#places);
  }

  /** Records what all forces come to: `sums`. Powers are at the velocities that bodies have now. */
  recordSums(
    recorder: Recorder,
    {
      state,
      constants,
      control,
      contacts: records,
    }: Pick<ForceInputs, 'state' | 'constants' | 'control' | 'contacts'>,
  ): void {
    const { kernels, memory, added } = this.#parts;
    const { keys, history } = memory;
    const inputs = { control, records, loads: added.pairs, state, constants, keys, history };
    const [threads, { contacts: contactRoom }] = [SUM_THREADS, memory.capacity];
    recorder.run(bind(this.#device, kernels.sumGroups, { ...inputs, sums: added.partial }), {
      ...{ threads, params: { threads, width: 0, contactRoom, memory: this.#memory } },
    });
    added.recordSums(recorder);
  }

  contactForces(): Promise<PairForces> {
    return this.#parts.added.contactForces(this.#places);
  }

  /** Reads the memory of contacts of the last whole step, which is in half `current`: keys, and their history. */
  store(current: number): Promise<StoredArrays> {
    return this.#parts.memory.store(current);
  }

  /** Puts what `store` gave into half `current`, and makes room for it. */
  async restore(stored: StoredArrays, current: number): Promise<void> {
    const { memory } = this.#parts;
    const count = contactsIn(stored);
    if (count > memory.capacity.contacts) {
      await this.grow({ contacts: count, rows: memory.capacity.rows, touching: this.#touchingRoom });
    }
    memory.restore(stored, current);
  }

  destroy(): void {
    this.#parts.owner.destroy();
  }

  get #places() {
    const { capacity, ranges } = this.#parts.memory;
    return { buffer: ranges, at: (KEY / WORD) * (2 * capacity.rows + 1) };
  }

  #params() {
    const { contacts, rows } = this.#parts.memory.capacity;
    const { count: bodies, laws } = this.#laws;
    return {
      ...{ contactRoom: contacts, rowRoom: rows, bodies, materials: laws.pairs.count },
      ...{ memory: this.#memory, touchingRoom: this.#touchingRoom },
      ...this.#parts.places,
    };
  }
}

/** Of a scene that nothing rolls in against friction, and nothing is removed from, contacts remember less. */
function memoryFor({ laws, removal }: ForcesOptions['model']): number {
  const { numbers } = laws.pairs;
  const { rollingFriction, torsionalFriction } = PairNumber;
  const rolls = numbers.some(
    (number, i) => number > 0 && [rollingFriction, torsionalFriction].some((at) => i % PAIR_NUMBERS === at),
  );
  return rolls || removal.length > 0 ? FULL_MEMORY : SHORT_MEMORY;
}

const kernelsFor = (laws: readonly NormalLaw[]) => ({
  groupForces: sourcesWithLaws(laws).groupForces,
  sumGroups: sumGroupsSource,
});

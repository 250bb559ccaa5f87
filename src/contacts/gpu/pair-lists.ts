import { HeaderWord } from '../../broadphase/broad-phase-layout.ts';
import { GpuBroadPhase } from '../../broadphase/gpu/gpu-broad-phase.ts';
import { bind } from '../../gpu/bind.ts';
import { type Compaction, createCompaction } from '../../gpu/blocks/compaction.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { type BufferCount, IndirectSizes } from '../../gpu/indirect.ts';
import { compileKernels, type KernelsOf } from '../../gpu/kernel.ts';
import { type Owner, owned } from '../../gpu/owned.ts';
import type { Extent, Recorder } from '../../gpu/recorder.ts';
import { WORD } from '../../gpu/words.ts';
import { mayTouch, type ResolvedBodies } from '../bodies/check-bodies.ts';
import { ColliderKind, type Colliders, NO_POLYHEDRON } from '../bodies/colliders.ts';
import { makeEntries } from '../bodies/entries.ts';
import { classifyPairsSource, EntryKind, gatherPairsSource, PairClass } from './sources.ts';

export interface GpuPairListsOptions {
  readonly colliders: Colliders;
  readonly bodies: ResolvedBodies;
  readonly cell: number;
  readonly margin: number;
  /** Pairs that there is room for. */
  readonly capacity: number;
}

/** The pairs of a class. */
export interface PairsOfClass {
  /** Two u32 per pair: colliders A and B. With the usages STORAGE and COPY_SRC. */
  readonly pairs: GPUBuffer;
  readonly count: BufferCount & { readonly buffer: GPUBuffer };
  /** Size of a dispatch over them: made with the list. */
  readonly perPair: Extent;
}

const KERNELS = { classifyPairs: classifyPairsSource, gatherPairs: gatherPairsSource };

interface Parts {
  readonly owner: Owner;
  /** Colliders of the entries. */
  readonly names: Uint32Array;
  readonly classes: readonly PairClass[];
  readonly broadPhase: GpuBroadPhase;
  readonly kernels: KernelsOf<typeof KERNELS>;
  readonly compaction: Compaction;
  readonly sizes: IndirectSizes;
  readonly pool: BufferPool;
}

export class GpuPairLists {
  readonly broadPhase: GpuBroadPhase;
  readonly classes: Readonly<Partial<Record<PairClass, PairsOfClass>>>;
  readonly #device: Device;
  readonly #parts: Parts;
  readonly #entries: GPUBuffer;
  readonly #flags: GPUBuffer;

  private constructor(device: Device, parts: Parts, { capacity, colliders }: GpuPairListsOptions) {
    const { pool } = parts;
    this.#device = device;
    this.broadPhase = parts.broadPhase;
    this.#parts = parts;
    this.#entries = pool.upload('entries: colliders and kinds', kindsOf(parts.names, colliders));
    const { STORAGE, COPY_SRC } = GPUBufferUsage;
    const { classes } = parts;
    this.#flags = pool.reserve('pairs: classes', classes.length > 1 ? WORD * capacity : 0, STORAGE);
    const { header, pairs: all, perPair } = parts.broadPhase;
    this.classes = Object.fromEntries(
      classes.map((name, place): [PairClass, PairsOfClass] => {
        // A class that is the only one has the pairs of the broad phase.
        if (classes.length === 1) {
          return [name, { pairs: all, count: { buffer: header }, perPair: perPair.extent }];
        }
        const list = pool.reserve(`pairs: ${name}`, WORD * (capacity + 1), STORAGE | COPY_SRC);
        const pairs = pool.reserve(`colliders: ${name}`, 2 * WORD * capacity, STORAGE | COPY_SRC);
        return [name, { pairs, count: { buffer: list }, perPair: parts.sizes.at(place) }];
      }),
    );
  }

  /** @throws DeviceError `limits` where the device allows no buffer so large */
  static create(device: Device, options: GpuPairListsOptions): Promise<GpuPairLists> {
    const { colliders, bodies, cell, margin, capacity } = options;
    const { colliders: names, places } = makeEntries(colliders);
    const of = (array: Uint32Array) => Uint32Array.from(places.bodies, (body) => array[body]!);
    const filtered = {
      ...{ count: places.count, bodies: places.bodies, groups: of(bodies.groups), masks: of(bodies.masks) },
      isStatic: Uint8Array.from(places.bodies, (body) => bodies.isStatic[body]!),
      apart: Uint8Array.from(places.bodies, (body) => bodies.apart[body]!),
    };
    const classes = classesOf(colliders, bodies);
    return owned(async (owner) => {
      const broadPhase = owner.keep(
        await GpuBroadPhase.create(device, {
          ...{ places, bodyCount: bodies.count, cell, margin, capacity, entries: filtered },
          // Several classes are gathered from entries.
          names: classes.length === 1 ? names : undefined,
        }),
      );
      const kernels = await compileKernels(device, KERNELS);
      const compaction = owner.keep(
        await createCompaction(device, { most: classes.length > 1 ? capacity : 1 }),
      );
      const sizes = owner.keep(await IndirectSizes.create(device, 3));
      const pool = owner.keep(new BufferPool(device));
      const parts = { owner, names, classes, broadPhase, kernels, compaction, sizes, pool };
      return device.checked('making room for pairs', () => new GpuPairLists(device, parts, options));
    });
  }

  get bytes(): number {
    return this.#parts.pool.bytes + this.broadPhase.bytes;
  }

  /** Records that pairs are found and sorted out. @param isKept the list is to serve on: nothing is made anew */
  record(recorder: Recorder, bodies: GPUBuffer, isKept = false): void {
    if (isKept) {
      this.broadPhase.recordKept(recorder, bodies);
      return;
    }
    this.broadPhase.record(recorder, bodies);
    if (this.#parts.classes.length < 2) return;
    const { header, pairs, capacity, sizes, perFreshPair } = this.broadPhase;
    const count = { buffer: header, offset: WORD * HeaderWord.count };
    const entries = this.#entries;
    // Pairs keep their classes while the list serves.
    const { classifyPairs, gatherPairs } = this.#parts.kernels;
    const flags = this.#flags;
    const classified = { sizes, entries, pairs, flags };
    recorder.run(bind(this.#device, classifyPairs, classified), {
      ...{ ...perFreshPair.extent, params: { sizeAt: perFreshPair.place } },
    });
    for (const [place, name] of this.#parts.classes.entries()) {
      const list = this.classes[name]!;
      this.#parts.compaction.record(recorder, {
        flags,
        count,
        list: list.count.buffer,
        mask: PairClass[name],
      });
      const all = this.#parts.sizes.record(recorder, list.count, { place, most: capacity });
      const bound = bind(this.#device, gatherPairs, {
        ...{ sizes: this.#parts.sizes.buffer, entries, pairs },
        list: list.count.buffer,
        gathered: list.pairs,
      });
      recorder.run(bound, { ...all, params: { sizeAt: place } });
    }
  }

  destroy(): void {
    this.#parts.owner.destroy();
  }
}

function kindOf({ kinds, polyhedra }: Colliders, collider: number): number {
  if (kinds[collider] === ColliderKind.polyhedron) return EntryKind.polyhedron;
  // A convex shape that has no mesh to stand in for it meets no polyhedron, or is a ball.
  return polyhedra[collider] === NO_POLYHEDRON ? EntryKind.ball : EntryKind.convex;
}

/** Collider and kind of each entry. */
function kindsOf(entries: Uint32Array, colliders: Colliders): Uint32Array<ArrayBuffer> {
  return Uint32Array.from({ length: 2 * entries.length }, (_, i) => {
    const collider = entries[i >> 1]!;
    return i % 2 === 0 ? collider : kindOf(colliders, collider);
  });
}

/** Kinds of bodies in groups beyond which all classes are taken to occur: each is compared with each. */
const MOST_COMPARED = 4096;

/** Classes of the pairs of colliders whose bodies may touch. */
export function classesOf(colliders: Colliders, bodies: ResolvedBodies): PairClass[] {
  const { isStatic, groups, masks, apart } = bodies;
  // Colliders that differ in nothing that matters here stand for each other, but two bodies of a kind may touch.
  const kinds = new Map<string, { readonly kind: number; readonly bodies: Set<number> }>();
  for (let c = 0; c < colliders.count; c++) {
    if (colliders.kinds[c] === ColliderKind.plane) continue;
    const [kind, body] = [kindOf(colliders, c), colliders.bodies[c]!];
    const key = `${kind} ${isStatic[body]} ${groups[body]} ${masks[body]} ${apart[body]}`;
    const known = kinds.get(key) ?? { kind, bodies: new Set() };
    if (known.bodies.size < 2) known.bodies.add(body);
    kinds.set(key, known);
  }
  const areMany = kinds.size > MOST_COMPARED;
  const ofKind = new Map([...kinds.values()].map((one) => [one.kind, one]));
  const all = [...(areMany ? ofKind : kinds).values()];
  const found = new Set<PairClass>();
  for (const [i, a] of all.entries()) {
    for (const b of all.slice(i)) {
      const name = classOf(a.kind, b.kind);
      if (found.has(name)) continue;
      const mayMeet = () =>
        [...a.bodies].some((x) => [...b.bodies].some((y) => x !== y && mayTouch(bodies, x, y)));
      if (areMany || mayMeet()) found.add(name);
    }
  }
  return (['convex', 'polyhedra', 'patches'] as const).filter((name) => found.has(name));
}

/** As classify-pairs.wgsl has it. */
function classOf(a: number, b: number): PairClass {
  if (a !== EntryKind.polyhedron && b !== EntryKind.polyhedron) return 'convex';
  return a === EntryKind.ball || b === EntryKind.ball ? 'patches' : 'polyhedra';
}

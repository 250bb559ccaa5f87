/**
 * A step on the GPU: bodies to pairs to contacts. It records kernels into a command encoder, and nothing in it waits.
 */
import * as d from 'typegpu/data';
import { HeaderWord } from '../../broadphase/broad-phase-layout.ts';
import { OpenWord } from '../../convex/gpu/pair-layout.ts';
import { createScan, type Scan } from '../../gpu/blocks/scan.ts';
import { BufferPool, writeBuffer } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { type Owner, owned } from '../../gpu/owned.ts';
import type { Recorder } from '../../gpu/recorder.ts';
import { WORD } from '../../gpu/words.ts';
import { packAtlas, requireAtlasRoom } from '../atlas/pack-atlas.ts';
import { areBalls } from '../bodies/ball.ts';
import type { ResolvedBodies } from '../bodies/check-bodies.ts';
import { ContactRecord } from '../bodies/device-layout.ts';
import { possiblePlanePairs } from '../bodies/plane-pairs.ts';
import { ClustersOnDevice } from '../clusters/clusters-on-device.ts';
import { BallsOnDevice } from '../convex/balls-on-device.ts';
import { ConvexOnDevice } from '../convex/convex-on-device.ts';
import { edgeKernels } from '../edges/edge-kernels.ts';
import type { FacedColliders } from '../faces/face-table.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { nodeKernels } from '../nodes/node-kernels.ts';
import { PatchesOnDevice } from '../patches/patches-on-device.ts';
import { PlanesOnDevice } from '../planes/planes-on-device.ts';
import { ContactHeader, HEADER_WORDS } from './header.ts';
import { classesOf, GpuPairLists, type PairsOfClass } from './pair-lists.ts';
import { PairRows, type RowsOnDevice } from './pair-rows.ts';

/** Offsets in a `FieldTally`: the number of clusters, of nodes that were looked up, and of those of them near. */
const TALLY_ITEMS = WORD;
const TALLY_TESTED = 2 * WORD;
const TALLY_NEAR = 3 * WORD;

/** Room for lists. */
export interface GpuCapacity {
  /** Pairs of colliders. */
  readonly pairs: number;
  /** Clusters of nodes near a partner, and of edges. */
  readonly clusters: number;
  readonly edgeClusters: number;
  /** Clusters of polyhedra whose ball reaches below a plane; at most those of all pairs with planes. */
  readonly planeClusters: number;
  /** Triangles of polyhedra near balls. */
  readonly triangles: number;
  readonly contacts: number;
  /** Pairs that touch at once, where pairs own rows. */
  readonly touching: number;
}

export interface GpuContactsOptions {
  readonly table: FacedColliders;
  readonly polyhedra: readonly PolyhedronArrays[];
  readonly bodies: ResolvedBodies;
  readonly cell: number;
  readonly margin: number;
  readonly capacity: GpuCapacity;
  /** Pairs own rows, for bodies of so many copies each: what forces are summed up by. */
  readonly rows?: { readonly bodies: number; readonly copies: number } | undefined;
}

/** Buffers and places that lead to each pair's contacts, after `record`. */
export interface ContactPlaces {
  /** Contacts before those of each cluster, or pair. */
  readonly offsets: GPUBuffer;
  /** First clusters of nodes and of edges of each pair of polyhedra. */
  readonly nodeFirsts: GPUBuffer;
  readonly edgeFirsts: GPUBuffer;
  /** Places in `offsets`: of the first number of each kind, and of the number of all. `NO_EDGES`: there are none. */
  readonly nodesAt: number;
  readonly edgesAt: number;
  readonly patchesAt: number;
  readonly convexAt: number;
  readonly planesAt: number;
  readonly all: number;
  /** Room for clusters of nodes, and of edges. */
  readonly clusters: number;
  readonly edgeClusters: number;
}
const NO_EDGES = 2 ** 32 - 1;

/** A narrow phase: pairs are recorded, then their contacts are counted, then these are written. */
interface DeviceStage<Inputs = StageInputs> {
  /** Clears and copies alone, before what `record` records: they stand between passes. */
  begin(recorder: Recorder, inputs: Inputs): void;
  record(recorder: Recorder, inputs: Inputs): void;
  countContacts(recorder: Recorder, counts: GPUBuffer, countsAt: number): void;
  writeContacts(recorder: Recorder, offsets: GPUBuffer, countsAt: number, records: GPUBuffer): void;
  destroy(): void;
}

interface StageInputs extends PairsOfClass {
  /** `ContactBody` each. */
  readonly bodies: GPUBuffer;
  readonly isKept: boolean;
}

/** A stage, how it is given its pairs, and where its numbers of contacts are. */
interface PlacedStage {
  readonly stage: Omit<DeviceStage, 'begin' | 'record'>;
  readonly begin: (recorder: Recorder, bodies: GPUBuffer, isKept: boolean) => void;
  readonly record: (recorder: Recorder, bodies: GPUBuffer, isKept: boolean) => void;
  readonly countsAt: number;
}

/** Parts that are made for a capacity. */
interface Parts {
  readonly owner: Owner;
  readonly lists: GpuPairLists;
  readonly nodes: ClustersOnDevice | undefined;
  readonly edges: ClustersOnDevice | undefined;
  readonly patches: PatchesOnDevice | undefined;
  readonly convex: ConvexOnDevice | BallsOnDevice | undefined;
  readonly planes: PlanesOnDevice | undefined;
  readonly scan: Scan;
  readonly rows: PairRows | undefined;
  readonly pool: BufferPool;
}

/** Balls need no solver: if all shapes are balls, none is recorded. */
function createConvex(
  device: Device,
  { table, cell, capacity }: GpuContactsOptions,
): Promise<ConvexOnDevice | BallsOnDevice> {
  const { colliders, convex: shapes, faces } = table;
  const common = { table: shapes!, colliders, cell, mostPairs: capacity.pairs };
  return areBalls(shapes!, colliders)
    ? BallsOnDevice.create(device, common)
    : ConvexOnDevice.create(device, { ...common, faces: faces! });
}

export class GpuContacts {
  readonly lists: GpuPairLists;
  /** Undefined where no pair is of two convex shapes. */
  readonly convex: ConvexOnDevice | BallsOnDevice | undefined;
  readonly capacity: GpuCapacity;
  /** `ContactRecord` for each contact, in the order of the list. */
  readonly records: GPUBuffer;
  /** `ContactHeader` says what its words are. */
  readonly header: GPUBuffer;
  /** Undefined where pairs own none. */
  readonly rows: RowsOnDevice | undefined;
  readonly places: ContactPlaces;
  readonly #parts: Parts;
  /** In the order of the kinds of their contacts. */
  readonly #stages: readonly PlacedStage[];
  readonly #countWords: number;
  /** Numbers of contacts, then of those before them. */
  readonly #counts: GPUBuffer;

  private constructor(device: Device, parts: Parts, capacity: GpuCapacity) {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const { lists, nodes, edges, patches, convex, planes, pool } = parts;
    this.lists = lists;
    this.rows = parts.rows;
    this.convex = convex;
    this.capacity = capacity;
    this.#parts = parts;
    const { polyhedra: meshes, patches: onPatches, convex: shapes } = lists.classes;
    let words = 0;
    const placed = (stage: DeviceStage | undefined, pairs: PairsOfClass | undefined, countWords: number) => {
      if (stage === undefined || pairs === undefined) return [];
      const countsAt = words;
      words += countWords;
      const begin = (recorder: Recorder, bodies: GPUBuffer, isKept: boolean) =>
        stage.begin(recorder, { bodies, isKept, ...pairs });
      const record = (recorder: Recorder, bodies: GPUBuffer, isKept: boolean) =>
        stage.record(recorder, { bodies, isKept, ...pairs });
      return [{ stage, begin, record, countsAt }];
    };
    this.#stages = [
      ...placed(nodes, meshes, capacity.clusters),
      ...placed(edges, meshes, capacity.edgeClusters),
      ...placed(patches, onPatches, capacity.pairs),
      ...placed(convex, shapes, capacity.pairs),
    ];
    if (planes) {
      const begin = (recorder: Recorder) => planes.begin(recorder);
      const record = (recorder: Recorder, bodies: GPUBuffer) => planes.record(recorder, { bodies });
      this.#stages = [...this.#stages, { stage: planes, begin, record, countsAt: words }];
      words += planes.countWords;
    }
    this.#countWords = words;
    const bytes = d.sizeOf(ContactRecord) * capacity.contacts;
    this.records = pool.reserve('contacts', bytes, STORAGE | COPY_SRC);
    this.header = pool.reserve('contacts: header', WORD * HEADER_WORDS, STORAGE | COPY_SRC | COPY_DST);
    // With one more for the sum of all.
    this.#counts = pool.reserve('numbers of contacts', WORD * (words + 1), STORAGE | COPY_DST);
    const placeOf = (stage: object | undefined, otherwise = 0) =>
      this.#stages.find((one) => one.stage === stage)?.countsAt ?? otherwise;
    this.places = {
      offsets: this.#counts,
      ...{ nodeFirsts: nodes?.firsts ?? this.#counts, edgeFirsts: edges?.firsts ?? this.#counts },
      ...{ nodesAt: placeOf(nodes), edgesAt: placeOf(edges, NO_EDGES), patchesAt: placeOf(patches) },
      ...{ convexAt: placeOf(convex), planesAt: placeOf(planes), all: words },
      ...{ clusters: capacity.clusters, edgeClusters: capacity.edgeClusters },
    };
    const header = new Uint32Array(HEADER_WORDS);
    header[ContactHeader.pairCapacity] = capacity.pairs;
    header[ContactHeader.clusterCapacity] = capacity.clusters;
    header[ContactHeader.triangleCapacity] = capacity.triangles;
    header[ContactHeader.contactCapacity] = capacity.contacts;
    header[ContactHeader.touchingCapacity] = capacity.touching;
    header[ContactHeader.edgeClusterCapacity] = capacity.edgeClusters;
    header[ContactHeader.planeClusterCapacity] = planes?.room ?? 0;
    writeBuffer(device, this.header, header);
  }

  /**
   * Compiles all kernels, if nobody did before, and makes room.
   *
   * @throws DeviceError `limits` where the device allows no buffer so large
   */
  static create(device: Device, options: GpuContactsOptions): Promise<GpuContacts> {
    const { table, bodies, cell, margin, capacity, polyhedra } = options;
    const { colliders, convex: shapes, faces } = table;
    const { pairs, clusters: items, edgeClusters, triangles } = capacity;
    return owned(async (owner) => {
      const pool = owner.keep(new BufferPool(device));
      const classes = classesOf(colliders, bodies);
      const onPlanes = possiblePlanePairs(colliders, bodies);
      const [areMet, areBallsMet] = [classes.includes('polyhedra'), classes.includes('patches')];
      let atlas: GPUBuffer | undefined;
      if (areMet || areBallsMet || (onPlanes.length > 0 && polyhedra.length > 0)) {
        requireAtlasRoom(device, polyhedra);
        const packed = packAtlas(polyhedra);
        atlas = await device.checked('uploading polyhedra', () => pool.upload('atlas of polyhedra', packed));
      }
      const clusters = { colliders, polyhedra, atlas: atlas!, cell, pairs, items };
      const hasEdges = polyhedra.some(({ surface }) => surface.edges.length > 0);
      const areConvex = classes.includes('convex');
      const counted =
        items * Number(areMet) +
        edgeClusters * Number(areMet && hasEdges) +
        pairs * (Number(areBallsMet) + Number(areConvex));
      const ofNodes = areMet
        ? owner.keepOnce(ClustersOnDevice.create(device, nodeKernels, clusters))
        : undefined;
      // Only kernels that the scene needs are compiled, all at once.
      const [lists, nodes, edges, patches, convex, planes, scan] = await Promise.all([
        owner.keepOnce(GpuPairLists.create(device, { colliders, bodies, cell, margin, capacity: pairs })),
        ofNodes,
        areMet && hasEdges
          ? owner.keepOnce(
              ClustersOnDevice.create(device, edgeKernels, {
                ...clusters,
                items: edgeClusters,
                before: ofNodes,
              }),
            )
          : undefined,
        areBallsMet
          ? owner.keepOnce(
              PatchesOnDevice.create(device, {
                ...{ colliders, shapes: shapes!, polyhedra, atlas: atlas!, cell, pairs, triangles },
              }),
            )
          : undefined,
        areConvex ? owner.keepOnce(createConvex(device, options)) : undefined,
        onPlanes.length > 0
          ? owner.keepOnce(
              PlanesOnDevice.create(device, {
                ...{ colliders, table: shapes, faces, polyhedra, atlas, pairs: onPlanes, cell },
                room: capacity.planeClusters,
              }),
            )
          : undefined,
        owner.keepOnce(createScan(device, { most: counted + onPlanes.length / 2 + 1 })),
      ]);
      const rows =
        options.rows &&
        owner.keep(
          await PairRows.create(device, {
            ...{
              ...options.rows,
              lists,
              colliders,
              pairs,
              planes: planes?.pairs,
              planePairs: onPlanes.length / 2,
            },
          }),
        );
      const parts = { owner, lists, nodes, edges, patches, convex, planes, scan, rows, pool };
      return device.checked('making room for contacts', () => new GpuContacts(device, parts, capacity));
    });
  }

  /** Rows of pairs that there is room for. */
  get rowRoom(): number {
    return this.capacity.pairs + (this.#parts.planes?.countWords ?? 0);
  }

  get bytes(): number {
    const { lists, nodes, edges, patches, convex, planes, rows, pool } = this.#parts;
    const optional = [
      nodes?.bytes,
      edges?.bytes,
      patches?.bytes,
      convex?.gpuBytes,
      planes?.bytes,
      rows?.bytes,
    ];
    return optional.reduce<number>((sum, bytes) => sum + (bytes ?? 0), pool.bytes + lists.bytes);
  }

  /**
   * @param bodies `ContactBody` for each body
   * @param isKept the list of pairs is to serve on. Where a body has moved too far for that, the step's contacts are
   *   wrong, and the header of pairs says so
   */
  record(recorder: Recorder, bodies: GPUBuffer, isKept = false): void {
    const { header, records } = this;
    const { lists, nodes, edges, patches, convex, planes, scan, rows } = this.#parts;
    const counts = this.#counts;
    const copyWord = (buffer: GPUBuffer, offset: number, to: number) =>
      recorder.copy({ buffer, offset }, { buffer: header, offset: WORD * to }, WORD);
    recorder.clear(counts);
    lists.record(recorder, bodies, isKept);
    if (!isKept) rows?.record(recorder);
    for (const { begin } of this.#stages) begin(recorder, bodies, isKept);
    for (const { stage, record, countsAt } of this.#stages) {
      record(recorder, bodies, isKept);
      stage.countContacts(recorder, counts, countsAt);
    }
    scan.record(recorder, { numbers: counts, count: this.#countWords + 1 });
    for (const { stage, countsAt } of this.#stages) stage.writeContacts(recorder, counts, countsAt, records);
    copyWord(scan.total.buffer, scan.total.offset, ContactHeader.contacts);
    copyWord(lists.broadPhase.header, WORD * HeaderWord.needed, ContactHeader.pairs);
    if (nodes) {
      copyWord(nodes.tally, TALLY_ITEMS, ContactHeader.clusters);
      copyWord(nodes.tally, TALLY_TESTED, ContactHeader.nodesTested);
      copyWord(nodes.tally, TALLY_NEAR, ContactHeader.nodesNear);
    }
    if (edges) copyWord(edges.tally, TALLY_ITEMS, ContactHeader.edgeClusters);
    if (patches) copyWord(patches.tally, TALLY_ITEMS, ContactHeader.triangles);
    if (convex) copyWord(convex.open, WORD * OpenWord.listed, ContactHeader.open);
    if (planes) {
      copyWord(planes.tally, 0, ContactHeader.planePairs);
      copyWord(planes.tally, WORD, ContactHeader.planeClusters);
    }
  }

  destroy(): void {
    this.#parts.owner.destroy();
  }
}

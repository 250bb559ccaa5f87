/**
 * Builds the cell grid of a body on the GPU: the same tables as cell-grid/build.ts makes, bit for bit, by kernels that
 * calculate in float64 of 32-bit integers. They stay there for classification. See docs/cell-grid.md, "Building on the
 * GPU".
 */
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { lapClock } from '../../gpu/lap-clock.ts';
import { pauses } from '../../workers/slices.ts';
import { orAborted } from '../stream/pipeline.ts';
import type { Surface } from '../surface.ts';
import { type RefinedCell, refineCells } from './blocks.ts';
import type { BuildOptions } from './build.ts';
import { countMeetings, crowdedCells, isCrowded } from './crowded-cells.ts';
import { LIST_ENTRY_BYTES, LIST_HEAD_BYTES, TRIANGLE_BOX_BYTES, TRIANGLE_PLANE_BYTES } from './gpu-layout.ts';
import { buildNumbers } from './gpu-numbers.ts';
import { BuildPasses, compileBuild, reserveIn } from './gpu-passes.ts';
import { settleCrossing } from './gpu-settle.ts';
import { type GpuBuildSeconds, GpuCellGrid, type GpuGridBuffers, wordCount } from './gpu-tables.ts';
import { notClosed } from './statuses.ts';
import { type GridShape, gridOver, PAIR_FLOATS, REFERENCE_FLOATS } from './tables.ts';

/** Pairs per triangle that the list has room for at first where the resolution does not tell; more take a second run. */
const PAIRS_PER_TRIANGLE = 6;
/** Unsettled crossings that there is room for at first. */
const UNSETTLED_ROOM = 1 << 12;
/** Marks of crossings, as in common/placed-crossing.wgsl. */
const CROSSING_TAKES = 0x80000000;
const CROSSING_NEAR = 0x40000000;
/** No row is open. */
const NO_ROW = 0xffffffff;

/**
 * Builds the tables of a surface on a device.
 *
 * @param resolution edge of a cell, and the pairs to expect where they are known
 * @param refine whether the host makes blocks for cells that many triangles meet. Default true
 * @throws InputError where the surface turns out not to be closed, DeviceError `limits` for tables beyond the device's
 *   buffers, the signal's reason once it is aborted.
 */
export async function buildCellGridOnGpu(
  device: Device,
  surface: Surface,
  resolution: { readonly cell: number; readonly expectedPairs?: number },
  { refine = true }: BuildOptions = {},
  signal?: AbortSignal,
): Promise<GpuCellGrid> {
  const lap = lapClock();
  // Seconds on a software adapter. It goes on without who waits for it, and is kept for the next build.
  const compiling = compileBuild(device);
  const kernels = await (signal === undefined ? compiling : orAborted(compiling, signal));
  const grid = gridOver(surface, resolution.cell);
  const seconds: GpuBuildSeconds = {
    compile: lap(),
    triangles: 0,
    overlaps: 0,
    pairs: 0,
    statuses: 0,
    blocks: 0,
  };
  const passes = new BuildPasses(device, kernels, surface, grid.counts, signal);
  const results = new BufferPool(device);
  try {
    const build = new GpuBuild(passes, results, surface, grid);
    await build.prepareTriangles();
    seconds.triangles = lap();
    await build.findOverlaps(resolution.expectedPairs ?? PAIRS_PER_TRIANGLE * surface.triangleCount);
    seconds.overlaps = lap();
    await build.fillPairs();
    await build.findCrossings();
    seconds.pairs = lap();
    await build.fillStatuses();
    seconds.statuses = lap();
    const refined = refine ? await build.refineCells(signal) : [];
    seconds.blocks = lap();
    const { buffers, mixedCount, pairCount, settledExactly, settledOnHost } = build;
    const scratchBytes = passes.peakBytes;
    const counts = { mixedCount, pairCount, settledExactly, settledOnHost };
    return new GpuCellGrid(device, results, { grid, buffers, ...counts, refined, seconds, scratchBytes });
  } catch (error) {
    results.destroy();
    throw error;
  } finally {
    passes.destroy();
  }
}

/** The build, stage by stage. */
class GpuBuild {
  readonly #passes: BuildPasses;
  readonly #results: BufferPool;
  readonly #surface: Surface;
  readonly #grid: GridShape;
  readonly #words: number;
  readonly #rows: number;
  #mesh!: { numbers: GPUBuffer; positions: GPUBuffer; indices: GPUBuffer };
  #triangles!: Record<'boxes' | 'planes' | 'overlapItems' | 'rowItems', GPUBuffer>;
  #itemCounts = { overlaps: 0, rows: 0 };
  #pairs!: GPUBuffer;
  /** Cells by number, and (triangle, number of the cell) by cell and triangle. */
  #groups!: { cells: GPUBuffer; sorted: GPUBuffer };
  #crossings!: { placed: GPUBuffer; count: number };
  mixedCount = 0;
  pairCount = 0;
  settledExactly = 0;
  settledOnHost = 0;
  buffers!: GpuGridBuffers;

  constructor(passes: BuildPasses, results: BufferPool, surface: Surface, grid: GridShape) {
    this.#passes = passes;
    this.#results = results;
    this.#surface = surface;
    this.#grid = grid;
    this.#words = wordCount(grid);
    this.#rows = grid.counts[1] * grid.counts[2];
  }

  async prepareTriangles(): Promise<void> {
    const { triangleCount: count, positions, indices } = this.#surface;
    const passes = this.#passes;
    this.#mesh = {
      numbers: passes.upload('numbers', buildNumbers(this.#grid)),
      positions: passes.upload('positions', Float64Array.from(positions)),
      indices: passes.upload('indices', indices as Uint32Array<ArrayBuffer>),
    };
    // One more number behind those of the triangles becomes their sum.
    this.#triangles = {
      boxes: passes.reserve('boxes', TRIANGLE_BOX_BYTES * count),
      planes: passes.reserve('planes', TRIANGLE_PLANE_BYTES * count),
      overlapItems: passes.reserve('items of overlaps', 4 * (count + 1)),
      rowItems: passes.reserve('items of rows', 4 * (count + 1)),
    };
    const { overlapItems, rowItems } = this.#triangles;
    const buffers = { ...this.#mesh, ...this.#triangles };
    await passes.run('triangleBoxes', buffers, count);
    await passes.run('trianglePlanes', buffers, count);
    await passes.scan(overlapItems, count + 1);
    await passes.scan(rowItems, count + 1);
    const [overlaps, rows] = await passes.read([overlapItems, count], [rowItems, count]);
    this.#itemCounts = { overlaps: overlaps!, rows: rows! };
  }

  /** The list of pairs, in no order, and the words that tell mixed cells. */
  async findOverlaps(expected: number): Promise<void> {
    const passes = this.#passes;
    const words = this.#words;
    const mixed = passes.reserve('mixed cells', 4 * words);
    // One more for the sum.
    const bases = passes.reserve('bases', 4 * (words + 1));
    let room = Math.ceil(1.1 * expected) + 1024;
    for (;;) {
      this.#pairs = passes.list('pairs', room);
      const { boxes, overlapItems: items } = this.#triangles;
      const buffers = { ...this.#mesh, boxes, items, mixed, pairs: this.#pairs };
      await passes.runItems('overlaps', buffers, this.#itemCounts.overlaps, room);
      [this.pairCount] = (await passes.read([this.#pairs, 0])) as [number];
      if (this.pairCount <= room) break;
      room = this.pairCount;
    }
    await passes.run('countMixed', { mixed, bases }, words);
    await passes.scan(bases, words + 1);
    [this.mixedCount] = (await passes.read([bases, words])) as [number];
    const odd = reserveIn(this.#results, 'cell grid words, odd', 8 * words);
    await passes.run('packWords', { mixed, bases, words: odd }, words);
    passes.release('mixed cells', 'bases', 'items of overlaps');
    this.buffers = {
      odd,
      nonzero: reserveIn(this.#results, 'cell grid words, nonzero', 8 * words),
      references: reserveIn(this.#results, 'cell grid references', 4 * REFERENCE_FLOATS * this.mixedCount),
      starts: reserveIn(this.#results, 'cell grid starts', 4 * (this.mixedCount + 1)),
      pairs: reserveIn(this.#results, 'cell grid pairs', 4 * PAIR_FLOATS * this.pairCount),
    };
  }

  /** Triangles of every mixed cell in order, references and rows. */
  async fillPairs(): Promise<void> {
    const passes = this.#passes;
    const { odd: words, references, starts, pairs: pairRows } = this.buffers;
    const { pairCount, mixedCount } = this;
    const cells = passes.reserve('cells', 4 * mixedCount);
    const ranks = passes.reserve('ranks', 8 * pairCount);
    const grouped = passes.reserve('grouped pairs', 8 * pairCount);
    await passes.run('rankPairs', { pairs: this.#pairs, words, counts: starts, cells, ranks }, pairCount);
    await passes.scan(starts, mixedCount + 1);
    await passes.run('groupPairs', { pairs: this.#pairs, ranks, starts, grouped }, pairCount);
    passes.release('pairs', 'ranks');
    const sorted = passes.reserve('sorted pairs', 8 * pairCount);
    await passes.run('sortGroups', { grouped, starts, sorted }, pairCount);
    const { planes } = this.#triangles;
    const places = { ...this.#mesh, planes, starts, cells, sorted, references };
    await passes.run('referencePlaces', places, mixedCount);
    await passes.run('segmentRows', { ...this.#mesh, sorted, references, pairRows }, pairCount);
    passes.release('grouped pairs');
    this.#groups = { cells, sorted };
  }

  /** Crossings of the rows' lines with the triangles, each with its place. */
  async findCrossings(): Promise<void> {
    const passes = this.#passes;
    const { boxes, planes, rowItems: items } = this.#triangles;
    const { odd: words, references } = this.buffers;
    // A crossing lies in a cell that knows the triangle, so there are no more of them than pairs.
    let [room, unsettledRoom] = [this.pairCount, UNSETTLED_ROOM];
    for (;;) {
      const crossings = passes.list('crossings', room);
      const unsettled = passes.list('unsettled crossings', unsettledRoom);
      const placed = passes.reserve('placed crossings', 8 * (room + unsettledRoom));
      const buffers = {
        ...this.#mesh,
        boxes,
        items,
        planes,
        crossings,
        unsettled,
        words,
        references,
        placed,
      };
      await passes.runItems('rowCrossings', buffers, this.#itemCounts.rows, room);
      await passes.run('placeCrossings', buffers, room);
      await passes.run('nearCrossings', buffers, room);
      const [count, open, near] = (await passes.read([crossings, 0], [unsettled, 0], [unsettled, 1])) as [
        number,
        number,
        number,
      ];
      if (count <= room && open <= unsettledRoom) {
        this.settledExactly = near;
        this.settledOnHost = open;
        this.#crossings = { placed, count };
        await this.#settle(unsettled, open);
        break;
      }
      room = Math.max(room, count);
      unsettledRoom = Math.max(unsettledRoom, open);
    }
    passes.release('crossings', 'unsettled crossings', 'boxes', 'planes', 'items of rows');
  }

  /** Settles on the host what the kernels' bounds left open, and appends it. */
  async #settle(unsettled: GPUBuffer, count: number): Promise<void> {
    if (count === 0) return;
    const passes = this.#passes;
    const list = await passes.readWords(unsettled, (LIST_HEAD_BYTES + LIST_ENTRY_BYTES * count) / 4);
    const words = await passes.readWords(this.buffers.odd, 2 * this.#words);
    const references = await this.#readReferences();
    const settled: number[] = [];
    for (let entry = 0; entry < count; entry++) {
      const triangle = list[LIST_HEAD_BYTES / 4 + 2 * entry]!;
      const mark = list[LIST_HEAD_BYTES / 4 + 2 * entry + 1]!;
      const row = mark & (CROSSING_NEAR - 1);
      const found = settleCrossing(this.#surface, this.#grid, triangle, row, { words, references });
      if (found === undefined) continue;
      // Those that a kernel found near a reference are counted already.
      if (found.near && (mark & CROSSING_NEAR) === 0) this.settledExactly++;
      settled.push(row, found.behind + (found.change < 0 ? CROSSING_TAKES : 0));
    }
    const { placed } = this.#crossings;
    passes.write(placed, 8 * this.#crossings.count, Uint32Array.from(settled));
    this.#crossings.count += settled.length / 2;
  }

  async #readReferences(): Promise<Float32Array> {
    const words = await this.#passes.readWords(this.buffers.references, REFERENCE_FLOATS * this.mixedCount);
    return new Float32Array(words.buffer, words.byteOffset, words.length);
  }

  /** Sums crossings along every row. @throws InputError for a row that does not end outside. */
  async fillStatuses(): Promise<void> {
    const passes = this.#passes;
    const { placed, count } = this.#crossings;
    const { odd: words, nonzero, references } = this.buffers;
    // One more for the sum.
    const rowStarts = passes.reserve('starts of rows', 4 * (this.#rows + 1));
    const slots = passes.reserve('slots of crossings', 4 * count);
    const ofRows = passes.reserve('crossings by row', 4 * count);
    const firstOpenRow = passes.reserve('first open row', 4);
    passes.write(firstOpenRow, 0, new Uint32Array([NO_ROW]));
    await passes.run('countCrossings', { placed, counts: rowStarts, slots }, count);
    await passes.scan(rowStarts, this.#rows + 1);
    await passes.run('groupCrossings', { placed, rowStarts, slots, ofRows }, count);
    const buffers = { rowStarts, ofRows, words, nonzero, references, firstOpenRow };
    await passes.run('fillStatuses', buffers, this.#words);
    const [row] = (await passes.read([firstOpenRow, 0])) as [number];
    if (row !== NO_ROW) throw notClosed(this.#surface, this.#grid, row);
  }

  /** Blocks of cells that many triangles meet. Most bodies have no such cells: then only `starts` is read. */
  async refineCells(signal: AbortSignal | undefined): Promise<RefinedCell[]> {
    const { mixedCount, pairCount } = this;
    const starts = await this.#passes.readWords(this.buffers.starts, mixedCount + 1);
    if (!starts.some((start, m) => m > 0 && isCrowded(start - starts[m - 1]!))) return [];
    const cellOf = await this.#passes.readWords(this.#groups.cells, mixedCount);
    const sorted = await this.#passes.readWords(this.#groups.sorted, 2 * pairCount);
    const grouped = Uint32Array.from({ length: pairCount }, (_, p) => sorted[2 * p]!);
    const all = { firstMixed: 0, endMixed: mixedCount, firstPair: 0, endPair: pairCount };
    const references = await this.#readReferences();
    const meetings = countMeetings([{ triangles: grouped, count: pairCount }], this.#surface.triangleCount);
    const shareOf = (t: number) => 1 / meetings[t]!;
    const refined: RefinedCell[] = [];
    const pauseWhenDue = pauses();
    for (const cell of crowdedCells(this.#surface, { cellOf, grouped }, all, starts, shareOf)) {
      await pauseWhenDue();
      signal?.throwIfAborted();
      refined.push(...refineCells(this.#grid, [cell], references));
    }
    return refined;
  }
}

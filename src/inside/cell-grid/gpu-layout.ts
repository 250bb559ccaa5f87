/** Structs and bindings of the kernels that build a cell grid, for the host and for WGSL alike. float64 is a vec2u. */
import tgpu, { type TgpuBindGroupLayout } from 'typegpu';
import * as d from 'typegpu/data';

export const BuildParams = d
  .struct({
    /** Threads to run: `first .. end`. */
    first: d.u32,
    end: d.u32,
    triangles: d.u32,
    /** Entries that the list written to has room for; numbers of a scan. */
    capacity: d.u32,
    /** Cells along x, y and z. */
    counts: d.vec3u,
  })
  .$name('BuildParams');

const float64 = d.vec2u;
const float64s = (n: number) => d.arrayOf(float64, n);

/** The host's constants of the build and how many float64 each is; they lie in memory in this order, then the lines. */
export const NUMBER_SIZES = {
  origin: 3,
  cell: 1,
  /** Cells per unit of length. */
  inverse: 1,
  /** CELL_MARGIN. */
  margin: 1,
  /** Half a cell and its margin. */
  half: 1,
  normalRounding: 1,
  /** Where in a cell its row's line lies; 0 along x. */
  line: 3,
  /** Clearance of a reference that ends the search. */
  enough: 1,
  /** Most that a point in a cell is away from its reference, per axis. */
  reach: 3,
  leastDeterminant: 1,
  largestRow: 1,
  /** Error of a segment's test per unit of the rows' sums, and its constant part. */
  error: 1,
  constant: 1,
  placeRounding: 1,
  leastNormal: 1,
  placeError: 1,
  twicePlaceError: 1,
  /** Relative bounds of the determinants of orient2d and orient3d. */
  orient2d: 1,
  orient3d: 1,
} as const;

/**
 * The constants; then coordinates of the rows' lines, y per cell along y and z per cell along z, the seven places of a
 * reference per cell along x, and the middle per cell along x.
 */
const Numbers = (n: number) =>
  d
    .struct({
      ...(Object.fromEntries(
        Object.entries(NUMBER_SIZES).map(([name, size]) => [name, size === 1 ? float64 : float64s(size)]),
      ) as Record<keyof typeof NUMBER_SIZES, typeof float64>),
      lines: float64s(n),
    })
    .$name('Numbers');

/** First and number, in halves of a word: cells along x, y and z, rows along y and z. */
const TriangleBox = d
  .struct({ x: d.u32, y: d.u32, z: d.u32, rowsY: d.u32, rowsZ: d.u32 })
  .$name('TriangleBox');
export const TRIANGLE_BOX_BYTES = 20;

const TrianglePlane = d
  .struct({ normal: float64s(3), size: float64, corner: float64s(3), terms: float64s(3) })
  .$name('TrianglePlane');
export const TRIANGLE_PLANE_BYTES = 80;

/** A list that threads append to: entries beyond its room are counted but not there. */
const Appended = (n: number) =>
  d
    .struct({ count: d.atomic(d.u32), near: d.atomic(d.u32), entries: d.arrayOf(d.vec2u, n) })
    .$name('Appended');
/** The same, once it is complete. */
const Listed = (n: number) =>
  d.struct({ count: d.u32, near: d.u32, entries: d.arrayOf(d.vec2u, n) }).$name('Listed');
/** Bytes before the entries of a list, and per entry. */
export const LIST_HEAD_BYTES = 8;
export const LIST_ENTRY_BYTES = 8;

const words = d.arrayOf(d.u32);
const pairsOfWords = d.arrayOf(d.vec2u);
const atomics = (n: number) => d.arrayOf(d.atomic(d.u32), n);

const read = <S>(storage: S) => ({ storage });
const write = <S>(storage: S) => ({ storage, access: 'mutable' as const });

const params = { uniform: BuildParams };
const numbers = read(Numbers);
const positions = read((n: number) => float64s(n));
const indices = read(words);
const boxes = read((n: number) => d.arrayOf(TriangleBox, n));
const planes = read((n: number) => d.arrayOf(TrianglePlane, n));
const listed = read(Listed);
const appended = write(Appended);

function layout(name: string, entries: Record<string, unknown>): TgpuBindGroupLayout {
  return tgpu
    .bindGroupLayout({ params, ...entries } as never)
    .$idx(0)
    .$name(`${name}Layout`) as TgpuBindGroupLayout;
}

/** Bindings by kernel. */
export const buildLayouts = {
  triangleBoxes: layout('triangleBoxes', {
    numbers,
    positions,
    indices,
    boxes: { ...boxes, access: 'mutable' },
    overlapItems: write(words),
    rowItems: write(words),
  }),
  trianglePlanes: layout('trianglePlanes', {
    positions,
    indices,
    planes: { ...planes, access: 'mutable' },
  }),
  scanSums: layout('scanSums', { numbersToScan: read(words), sums: write(words) }),
  scanOffsets: layout('scanOffsets', { numbersToScan: write(words), sums: read(words) }),
  overlaps: layout('overlaps', {
    numbers,
    positions,
    indices,
    boxes,
    items: read(words),
    mixed: write(atomics),
    pairs: appended,
  }),
  countMixed: layout('countMixed', { mixed: read(words), bases: write(words) }),
  packWords: layout('packWords', { mixed: read(words), bases: read(words), words: write(pairsOfWords) }),
  rankPairs: layout('rankPairs', {
    pairs: listed,
    words: read(pairsOfWords),
    counts: write(atomics),
    cells: write(words),
    ranks: write(pairsOfWords),
  }),
  groupPairs: layout('groupPairs', {
    pairs: listed,
    ranks: read(pairsOfWords),
    starts: read(words),
    grouped: write(pairsOfWords),
  }),
  sortGroups: layout('sortGroups', {
    grouped: read(pairsOfWords),
    starts: read(words),
    sorted: write(pairsOfWords),
  }),
  referencePlaces: layout('referencePlaces', {
    numbers,
    planes,
    starts: read(words),
    cells: read(words),
    sorted: read(pairsOfWords),
    references: write(words),
  }),
  segmentRows: layout('segmentRows', {
    numbers,
    positions,
    indices,
    sorted: read(pairsOfWords),
    references: read(words),
    pairRows: write(words),
  }),
  rowCrossings: layout('rowCrossings', {
    numbers,
    positions,
    indices,
    boxes,
    items: read(words),
    crossings: appended,
    unsettled: appended,
  }),
  placeCrossings: layout('placeCrossings', {
    numbers,
    planes,
    crossings: listed,
    words: read(pairsOfWords),
    references: read(words),
    placed: write(pairsOfWords),
  }),
  nearCrossings: layout('nearCrossings', {
    numbers,
    positions,
    indices,
    crossings: listed,
    words: read(pairsOfWords),
    references: read(words),
    placed: write(pairsOfWords),
    unsettled: appended,
  }),
  countCrossings: layout('countCrossings', {
    placed: read(pairsOfWords),
    counts: write(atomics),
    slots: write(words),
  }),
  groupCrossings: layout('groupCrossings', {
    placed: read(pairsOfWords),
    rowStarts: read(words),
    slots: read(words),
    ofRows: write(words),
  }),
  fillStatuses: layout('fillStatuses', {
    rowStarts: read(words),
    ofRows: read(words),
    words: write(pairsOfWords),
    nonzero: write(pairsOfWords),
    references: write(words),
    firstOpenRow: { storage: d.atomic(d.u32), access: 'mutable' },
  }),
};

export type BuildKernel = keyof typeof buildLayouts;

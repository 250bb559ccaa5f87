/** Bodies of the suites. */
import { createRandom, openCellFoam, TriangleMesh, unitSphere } from '../../index.ts';
import type { BodyReport, PointSet } from '../report.ts';

/** Cells along an edge of the benchmark's foams: at every number of triangles the same body, finer or coarser. */
const FOAM_CELLS = 2;
const TEAR_SEED = 20240605;
/** Cube of edge 1: corner number i has the bits of i as x, y, z. */
const BOX_SIDES = [
  ...[0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4],
  ...[2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5],
];

/** A body that is made when its turn comes. */
export interface BodySource {
  /** For progress; the report names the triangles that there are in the end. */
  readonly name: string;
  readonly series: BodyReport['series'];
  /** Before the number of triangles in the report; default the series. */
  readonly label?: string;
  /** Its surface is not closed: answers are held against direct sums of a sample, as there are no exact flags. */
  readonly isOpen?: boolean;
  /** Ways by their keys and sets, where it is asked about fewer than the suite has. */
  readonly only?: { readonly ways: readonly string[]; readonly sets: readonly PointSet[] };
  make(): TriangleMesh;
}

/** @param refinements of the octahedron: 8 * 4^refinements triangles */
export const sphereBody = (refinements: number): BodySource => ({
  name: `sphere of ${(8 * 4 ** refinements).toLocaleString('en-US')} triangles`,
  series: 'sphere',
  make: () => unitSphere(refinements),
});

/** @param triangles wanted; the foam has that many within a percent or so */
export const foamBody = (triangles: number, cells = FOAM_CELLS): BodySource => ({
  name: `foam of about ${triangles.toLocaleString('en-US')} triangles`,
  series: 'foam',
  make: () => openCellFoam({ triangles, cells }),
});

/** A body without a share of its faces, here and there: as open as a scan. */
export const tornBody = (source: BodySource, share: number): BodySource => ({
  name: `${source.name}, ${100 * share} % missing`,
  ...{ series: 'other', label: `${source.series}, ${100 * share} % missing:`, isOpen: true },
  make() {
    const { positions, indices } = source.make();
    const random = createRandom(TEAR_SEED);
    const isKept = Uint8Array.from({ length: indices.length / 3 }, () => (random() < share ? 0 : 1));
    const kept = indices.filter((_, i) => isKept[Math.floor(i / 3)] === 1);
    return new TriangleMesh({ positions, indices: kept, name: `${source.name}, torn` });
  },
});

/**
 * A body, scaled, in the middle of a box of edge 1, whose twelve triangles are more than a thousand times as long as
 * the body's: what one cell size for all is worst at.
 */
export const inBox = ({ name, series, make }: BodySource, scale: number): BodySource => ({
  ...{ name: `${name} in a box`, series: 'other', label: `${series} in a box` },
  make() {
    const { positions, indices } = make();
    const box = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) => [corner & 1, (corner >> 1) & 1, corner >> 2]);
    return new TriangleMesh({
      positions: Float32Array.from([...box, ...Array.from(positions, (x) => 0.5 + scale * x)]),
      indices: Uint32Array.from([...BOX_SIDES, ...Array.from(indices, (i) => 8 + i)]),
      name: `${name} in a box`,
    });
  },
});

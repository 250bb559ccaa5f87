/** Bodies of the suites. */
import { openCellFoam, type TriangleMesh, unitSphere } from '../index.ts';
import type { BodyReport } from './report.ts';

/** Cells along an edge of the benchmark's foams: at every number of triangles the same body, finer or coarser. */
const FOAM_CELLS = 2;

export function benchFoam(triangles: number, cells = FOAM_CELLS): TriangleMesh {
  return openCellFoam({ triangles, cells });
}

/** A body that is made when its turn comes. */
export interface BodySource {
  /** For progress; the report names the triangles that there are in the end. */
  readonly name: string;
  readonly series: BodyReport['series'];
  make(): TriangleMesh;
}

/** @param refinements of the octahedron: 8 * 4^refinements triangles */
export function sphereBody(refinements: number): BodySource {
  return {
    name: `sphere of ${(8 * 4 ** refinements).toLocaleString('en-US')} triangles`,
    series: 'sphere',
    make: () => unitSphere(refinements),
  };
}

/** @param triangles wanted; the foam has that many within a percent or so */
export function foamBody(triangles: number, cells?: number): BodySource {
  return {
    name: `foam of about ${triangles.toLocaleString('en-US')} triangles`,
    series: 'foam',
    make: () => benchFoam(triangles, cells),
  };
}

/** The signed distance of a polyhedron, as tables. docs/contacts.md, "Signed distance". */
import type { GridShape } from '../../inside/cell-grid/tables.ts';
import type { LocalFrame } from '../../inside/surface.ts';
import type { Box } from '../../mesh/triangle-mesh.ts';
import type { SurfaceArrays } from '../surface/surface-arrays.ts';
import type { TriangleTree } from '../surface/triangle-tree.ts';

/** The highest two bits of a cell's word. */
export const CellCode = {
  /** Outside. The low byte is a bound of the distance, in cells. */
  outside: 0,
  /** Inside, within reach. The rest is the place of its list. */
  inside: 1,
  /** The surface passes. The rest is the place of its list. */
  mixed: 2,
  /** Inside, beyond reach. The rest is a triangle that is nearest to a point near by. */
  deep: 3,
} as const;

/** The rest of a cell's word. */
export const CELL_REST = 2 ** 30 - 1;
/** Words of a list before its candidates: how many they are, the least distance, and rank or level. */
export const LIST_HEADER = 3;

/** The field of a polyhedron. Plain arrays, which threads may share. All coordinates in it are of the local frame. */
export interface FieldArrays {
  /** Local coordinates are `scale * x - shift`: those of the mesh but where its coordinates are extreme. */
  readonly frame: LocalFrame;
  readonly box: Box;
  /** Depth to which cells have candidates, in the mesh's unit. */
  readonly reach: number;
  /** Cells of the body's box. The counts are not padded. */
  readonly grid: GridShape;
  /** `[cells]`: `CellCode << 30`, and the rest. */
  readonly cells: Uint32Array;
  /**
   * Lists of candidates: of a mixed cell, or of a block of 2^level cells along each axis, all inside. Header: how many;
   * the distance from the middle to the nearest, rounded down, in units of 2^-16 of the cell or block; a mixed cell's
   * rank, or the level. Then per candidate `triangle << 8 | bound`: its distance from the middle is at least that of
   * the nearest and `bound * BOUND_STEP` cells or blocks. Bounds ascend.
   */
  readonly lists: Uint32Array;
  /** `[triangles * 9]`: corners. */
  readonly corners: Float32Array;
  /** Per mixed cell, as in `CellGridTables`: a point and its winding number. */
  readonly references: Float32Array;
  readonly starts: Uint32Array;
  readonly pairs: Float32Array;
  /** `[pairs]`: the triangle of each. */
  readonly pairTriangles: Uint32Array;
  /** Bytes of all tables. */
  readonly bytes: number;
}

/** All that contacts need of one polyhedron. Plain arrays, which threads may share. */
export interface PolyhedronArrays {
  /** For messages. */
  readonly name: string;
  /** The mesh, in its own frame. */
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  readonly box: Box;
  readonly surface: SurfaceArrays;
  readonly field: FieldArrays;
  /** Over the triangles of `field.corners`. */
  readonly tree: TriangleTree;
}

/** Tables of a polyhedron in a saved body, beside the mesh. */
export interface SavedTables {
  /** Degrees, as in all files. */
  readonly sharpAngle: number;
  readonly surface: SurfaceArrays;
  readonly field: Omit<FieldArrays, 'bytes'>;
  readonly tree: TriangleTree;
}

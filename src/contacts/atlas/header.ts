/**
 * Places of the tables of a polyhedron in the atlas: words, in this order, in shaders/contacts/field/shape.wgsl too.
 */
import * as d from 'typegpu/data';
import { struct } from '../../gpu/struct.ts';

/** Numbers of the tables' first words, but for those that say otherwise. Coordinates and lengths are local. */
export const PolyhedronHeader = struct('PolyhedronHeader', {
  /** As in `FieldArrays`. */
  cells: d.u32,
  lists: d.u32,
  corners: d.u32,
  /** As in `SurfaceArrays`. */
  normals: d.u32,
  /** As in `FieldArrays`. */
  references: d.u32,
  starts: d.u32,
  pairs: d.u32,
  pairTriangles: d.u32,
  /** Place and weight of each node. */
  nodes: d.u32,
  nodeTree: d.u32,
  nodeCount: d.u32,
  /** Both ends of each piece of an edge. */
  pieces: d.u32,
  pieceTree: d.u32,
  pieceCount: d.u32,
  /** Cells along x, y and z. */
  countX: d.u32,
  countY: d.u32,
  countZ: d.u32,
  /** Edge of a cell. */
  cellSize: d.f32,
  originX: d.f32,
  originY: d.f32,
  originZ: d.f32,
  boxMinX: d.f32,
  boxMinY: d.f32,
  boxMinZ: d.f32,
  boxMaxX: d.f32,
  boxMaxY: d.f32,
  boxMaxZ: d.f32,
  /** Steps of a candidate's bound in a cell, and units of a list's least distance. */
  boundSteps: d.f32,
  leastUnits: d.f32,
  /** -1 where the mesh is inside out, else 1. */
  turn: d.f32,
  /** A box and its links each, as in `TriangleTree`. */
  triangleTree: d.u32,
  triangleOrder: d.u32,
  /** Patch of each triangle, and the ranks in that tree of its neighbours over ab, bc, ca. */
  facets: d.u32,
  patchCount: d.u32,
  /** As in `SurfaceArrays`. */
  support: d.u32,
});

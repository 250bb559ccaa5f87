import { expect, it } from 'vitest';
import { buildCellGrid, releaseTables } from '../../src/inside/cell-grid/build.ts';
import { localSurface } from '../../src/inside/surface.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { takeMemory } from '../../src/workers/spare-memory.ts';
import { boxMesh, joinMeshes, mapMesh } from '../support/shapes.ts';

it('the memory of all tables goes round, that of blocks too', () => {
  const small = mapMesh(unitSphere(3), (x, y, z) => [x, y, z].map((c) => 0.5 + 0.02 * c));
  const surface = localSurface(joinMeshes([boxMesh([0, 0, 0], [4, 4, 4]), small]));
  const { blocks, odd, nonzero, bases, references, starts, pairs, runs, ...rest } = buildCellGrid(
    surface,
    0.5,
  );
  expect(blocks.length).toBeGreaterThan(0);
  const tables = [odd, nonzero, bases, references, starts, pairs, blocks, runs];
  releaseTables({ ...rest, blocks, odd, nonzero, bases, references, starts, pairs, runs });
  // More than there is to be had: what is left is fresh.
  const taken = new Set<unknown>(
    tables.flatMap(({ byteLength }) =>
      Array.from({ length: 64 }, () => takeMemory(Uint8Array, byteLength, false).buffer),
    ),
  );
  expect(tables.map(({ buffer }) => taken.has(buffer))).toEqual(tables.map(() => true));
});

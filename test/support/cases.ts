/** Bodies and points that every exact method has to get right. Each is a test of its own for each method. */
import { RAY_SLOPE_Y, RAY_SLOPE_Z } from '../../src/inside/ray-crossing/constants.ts';
import { openCellFoam } from '../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import {
  boxMesh,
  joinMeshes,
  latticePoints,
  mapMesh,
  pointsOnSurface,
  randomPoints,
  voxelMesh,
} from './shapes.ts';

export interface Case {
  readonly name: string;
  readonly mesh: TriangleMesh;
  readonly points: readonly Float32Array[];
}

const sphere = unitSphere(3);
const cube = boxMesh([0, 0, 0], [1, 1, 1], 'cube');

/** Vertices, edges, faces, and one ulp beside them. */
export function surfaceCases(): Case[] {
  const random = createRandom(11);
  const meshes: [string, TriangleMesh][] = [
    ['a cube', cube],
    ['a sphere', sphere],
    ['a flat box', boxMesh([-0.1, 0.3, 1e-3], [0.7, 0.35, 2])],
    ['a sheared sphere', mapMesh(sphere, (x, y, z) => [x * 0.1 + y, y * 3 - z, z + x * 0.2])],
    ['a foam', openCellFoam({ triangles: 3000, seed: 9 })],
  ];
  return meshes.map(([name, mesh]) => ({ name, mesh, points: [pointsOnSurface(mesh, 3000, random)] }));
}

/** Grids that are aligned with axis-parallel faces and with voxels. */
export function alignedCases(): Case[] {
  const sponge = voxelMesh(9, 1 / 8, (i, j, k) => [i, j, k].filter((x) => x % 3 === 1).length < 2);
  const meshes: [string, TriangleMesh][] = [
    ['a cube', cube],
    ['a sponge of voxels', sponge],
    ['a box', boxMesh([0.25, 0.25, 0.25], [0.75, 0.5, 1])],
  ];
  return meshes.map(([name, mesh]) => ({ name, mesh, points: [latticePoints(41, -0.125, 1.125)] }));
}

/** Needles, slivers, faces parallel to the common ray. */
export function thinCases(): Case[] {
  const random = createRandom(12);
  const needle = boxMesh([0, 0, 0], [1, 1e-6, 1e-7]);
  const meshes: [string, TriangleMesh][] = [
    // The shear maps the x axis exactly to the ray, so that sides of the cube are parallel to it.
    ['sides along the ray', mapMesh(cube, (x, y, z) => [x, y + RAY_SLOPE_Y * x, z + RAY_SLOPE_Z * x])],
    ['a needle', needle],
    ['a needle across', mapMesh(needle, (x, y, z) => [y, z, x])],
    ['a sliver', mapMesh(sphere, (x, y, z) => [x, y * 1e-6, z + x])],
  ];
  return meshes.map(([name, mesh]) => ({
    name,
    mesh,
    points: [randomPoints(mesh, 3000, random), pointsOnSurface(mesh, 3000, random)],
  }));
}

/** Coordinates from the smallest to the largest floats, and far from the origin. */
export function extremeCases(): Case[] {
  const random = createRandom(13);
  const maps: [string, (x: number, y: number, z: number) => number[]][] = [
    ['1e-20', (x, y, z) => [x * 1e-20, y * 1e-20, z * 1e-20]],
    ['1e20', (x, y, z) => [x * 1e20, y * 1e20, z * 1e20]],
    ['3e38', (x, y, z) => [x * 3e38, y * 3e38, z * 3e38]],
    ['1e-42', (x, y, z) => [x * 1e-42, y * 1e-42, z * 1e-42]],
    ['1e6 off the origin', (x, y, z) => [x + 1e6, y - 1e6, z + 3e5]],
    ['far off, and small against it', (x, y, z) => [0.01 * x + 3e4, 100 * y - 7e5, z + 1e5]],
    ['1e-20 by 1e20 by 1', (x, y, z) => [x * 1e-20, y * 1e20, z]],
  ];
  return maps.map(([name, map]) => {
    const mesh = mapMesh(sphere, map);
    return { name, mesh, points: [randomPoints(mesh, 1500, random, 0), pointsOnSurface(mesh, 1500, random)] };
  });
}

/** Fine bodies far from the origin, where float32 is coarse: many cells would be small against its spacing. */
export function farCases(): Case[] {
  const random = createRandom(15);
  const foam = openCellFoam({ triangles: 3000, seed: 2 });
  return [3e5, -1e6, 4e6].map((by) => {
    const mesh = mapMesh(foam, (x, y, z) => [x + by, 10 * y + by, 100 * z - by]);
    const points = [randomPoints(mesh, 1500, random, 0), pointsOnSurface(mesh, 1000, random)];
    return { name: `a foam at ${by}`, mesh, points };
  });
}

/** Faces without area: pairs of collinear triangles, along edges, across faces, and through the body. */
export function zeroAreaCases(): Case[] {
  const random = createRandom(16);
  const lines = [
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
    [-0.3, 0.11, 0.52, 0.2, 0.36, 0.27, 0.7, 0.61, 0.02],
    [1, 0.25, 0, 1, 0.5, 0, 1, 0.75, 0],
  ];
  return lines.map((corners, i) => {
    const line = new TriangleMesh({
      positions: Float32Array.from(corners),
      indices: Uint32Array.from([0, 1, 2, 2, 1, 0]),
    });
    const mesh = joinMeshes([cube, line]);
    const on = pointsOnSurface(line, 200, random);
    return { name: `a cube and line ${i}`, mesh, points: [on, randomPoints(mesh, 500, random)] };
  });
}

/** Inside out, nested, overlapping, and many times the same body. */
export function windingCases(): Case[] {
  const random = createRandom(14);
  const flipped = mapMesh(sphere, (x, y, z) => [0.5 * x, 0.5 * y, 0.5 * z], { flip: true });
  const nested = Array.from({ length: 16 }, (_, i) =>
    mapMesh(unitSphere(1), (x, y, z) => [x, y, z].map((c) => c * (1 + i / 32))),
  );
  const meshes: [string, TriangleMesh][] = [
    ['inside out', flipped],
    ['a hollow ball', joinMeshes([sphere, flipped])],
    ['two that overlap', joinMeshes([sphere, mapMesh(sphere, (x, y, z) => [x + 0.5, y, z])])],
    // More layers than small counters can count. They must notice and not wrap around.
    ['sixteen shells', joinMeshes(nested)],
    ['sixty times the same cube', joinMeshes(Array.from({ length: 60 }, () => cube))],
  ];
  return meshes.map(([name, mesh]) => ({ name, mesh, points: [randomPoints(mesh, 2000, random)] }));
}

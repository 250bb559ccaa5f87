import { describe, expect, it } from 'vitest';
import {
  CELL_REST,
  CellCode,
  LIST_HEADER,
  type PolyhedronArrays,
} from '../../../src/contacts/field/field-arrays.ts';
import { makePolyhedron } from '../../../src/contacts/field/polyhedron.ts';
import {
  DistanceStatus,
  SignedDistance,
  signedDistance,
} from '../../../src/contacts/field/signed-distance.ts';
import { exactFlags } from '../../../src/inside/exact-flags.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { hold } from '../../support/hold.ts';
import {
  boxMesh,
  joinMeshes,
  latticePoints,
  mapMesh,
  pointsOnSurface,
  randomPoints,
  voxelMesh,
} from '../../support/shapes.ts';
import { bruteDistance } from './brute-force.ts';

const out = new SignedDistance();

/** Bound of the depth's float64 rounding in these tests, of the box's size: their triangles are no slivers. */
const ROUNDING = 2 ** -36;

function sizeOf({ box }: TriangleMesh): number {
  return Math.hypot(...[0, 1, 2].map((k) => box.max[k]! - box.min[k]!));
}

/** Holds the distance at points against exact flags and every triangle. Returns how often each status came. */
function holdAgainstAll(mesh: TriangleMesh, poly: PolyhedronArrays, points: Float32Array): number[] {
  const flags = exactFlags(mesh, points);
  const size = sizeOf(mesh);
  const seen = [0, 0, 0];
  for (let i = 0; i < flags.length; i++) {
    const p = [points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!] as const;
    signedDistance(poly, Float64Array.from(p), out);
    const words = () => `${mesh.name}: point ${p.join(', ')}: ${JSON.stringify(out)}, flag ${flags[i]}`;
    const sign = flags[i] === 2 ? 0 : flags[i] === 1 ? 1 : -1;
    seen[out.status]!++;
    const distance = bruteDistance(mesh, p);
    if (out.status === DistanceStatus.far) {
      hold(
        sign === -1 && -out.depth <= distance * (1 + 1e-12) + 1e-44 && out.depth <= 0,
        () => `${words()}, distance ${distance}`,
      );
      continue;
    }
    hold(sign === 0 ? out.depth === 0 : Math.sign(out.depth) === sign, words);
    hold(Math.abs(Math.hypot(out.nx, out.ny, out.nz) - 1) < 1e-6, words);
    if (out.status === DistanceStatus.deep) {
      hold(
        distance > poly.field.reach && out.depth >= distance * (1 - 1e-12),
        () => `${words()}, distance ${distance}`,
      );
      continue;
    }
    hold(
      Math.abs(Math.abs(out.depth) - distance) <= ROUNDING * size,
      () => `${words()}, distance ${distance}`,
    );
    const back = [out.px + out.nx * -out.depth, out.py + out.ny * -out.depth, out.pz + out.nz * -out.depth];
    hold(Math.hypot(...back.map((x, k) => x - p[k]!)) <= 1e-6 * Math.abs(out.depth) + ROUNDING * size, words);
  }
  return seen;
}

const sphere = unitSphere(2);
const lPrism = voxelMesh(2, 0.5, (i, j, k) => k === 0 && i + j < 2);
const meshes: [string, TriangleMesh][] = [
  ['a box', boxMesh([-1, -0.5, 0.25], [1, 0.75, 0.5])],
  ['a rock', randomRock({ seed: 3, convex: false, triangles: 320 })],
  ['a convex rock', randomRock({ seed: 4, convex: true, triangles: 80 })],
  ['a sphere', sphere],
  ['an L of voxels', lPrism],
  ['a thin plate', boxMesh([0, 0, 0], [1, 1, 0.01])],
  ['two spheres', joinMeshes([sphere, mapMesh(sphere, (x, y, z) => [x + 2.5, y, z])])],
  ['two spheres in each other', joinMeshes([sphere, mapMesh(sphere, (x, y, z) => [x + 1, y, z])])],
  ['a hollow sphere', joinMeshes([sphere, mapMesh(sphere, (x, y, z) => [-x / 2, y / 2, z / 2])])],
  ['a sphere inside out', mapMesh(sphere, (x, y, z) => [-x, y, z])],
  ['a small sphere', mapMesh(sphere, (x, y, z) => [x * 1e-20, y * 1e-20, z * 1e-20])],
  ['a large sphere', mapMesh(sphere, (x, y, z) => [x * 1e20, y * 1e20, z * 1e20])],
  ['a sphere far from the origin', mapMesh(sphere, (x, y, z) => [x + 1000, y - 5000, z])],
];

describe('signed distance', () => {
  it.each(meshes)('of %s: exact sign, nearest of all triangles', async (_, mesh) => {
    const random = createRandom(7);
    const poly = await makePolyhedron(mesh);
    const seen = holdAgainstAll(mesh, poly, randomPoints(mesh, 600, random));
    expect(seen[DistanceStatus.sure]).toBeGreaterThan(0);
    holdAgainstAll(mesh, poly, pointsOnSurface(mesh, 300, random));
  });

  it('of points on a lattice that is the surface’s own', async () => {
    const mesh = boxMesh([0, 0, 0], [1, 1, 1]);
    const seen = holdAgainstAll(mesh, await makePolyhedron(mesh), latticePoints(9, -0.125, 1.125));
    expect(seen[DistanceStatus.sure]).toBeGreaterThan(300);
    expect(seen[DistanceStatus.deep]).toBeGreaterThan(0);
  });

  it('reaches as deep as asked for', async () => {
    const random = createRandom(8);
    const points = randomPoints(sphere, 400, random);
    const shallow = holdAgainstAll(sphere, await makePolyhedron(sphere, { reach: 0.05 }), points);
    const full = holdAgainstAll(sphere, await makePolyhedron(sphere, { reach: 2 }), points);
    expect(shallow[DistanceStatus.deep]).toBeGreaterThan(50);
    expect(full[DistanceStatus.deep]).toBe(0);
  });
});

describe('tables', () => {
  it('have bounds of candidates that hold and ascend', async () => {
    const { field } = await makePolyhedron(randomRock({ seed: 5, convex: false, triangles: 512 }));
    let lists = 0;
    for (const word of field.cells) {
      const code = word >>> 30;
      if (code !== CellCode.inside && code !== CellCode.mixed) continue;
      const list = word & CELL_REST;
      lists++;
      for (let n = 1; n < field.lists[list]!; n++) {
        const [a, b] = [field.lists[list + LIST_HEADER + n - 1]!, field.lists[list + LIST_HEADER + n]!];
        hold((a & 255) <= (b & 255), () => `list ${list}: ${a & 255} before ${b & 255}`);
      }
    }
    expect(lists).toBeGreaterThan(1000);
  });
});

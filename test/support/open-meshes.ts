/** Meshes that are not closed, or not consistently oriented. */
import { openCellFoam } from '../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { joinMeshes, mapMesh } from './shapes.ts';

type Damage = 'missing' | 'turned' | 'doubled';

/** A mesh some of whose triangles are missing, turned or doubled. */
export function damaged(
  mesh: TriangleMesh,
  part: number,
  kinds: readonly Damage[],
  random: () => number,
): TriangleMesh {
  const indices: number[] = [];
  for (let t = 0; t < mesh.triangleCount; t++) {
    const [a, b, c] = mesh.indices.subarray(3 * t, 3 * t + 3) as unknown as [number, number, number];
    const kind = random() < part ? kinds[Math.floor(kinds.length * random())] : undefined;
    if (kind === undefined) indices.push(a, b, c);
    else if (kind === 'turned') indices.push(b, a, c);
    else if (kind === 'doubled') indices.push(a, b, c, a, b, c);
  }
  return new TriangleMesh({ positions: mesh.positions, indices: Uint32Array.from(indices), name: 'damaged' });
}

/** The mesh without what has its middle in a half-space: one long hole. */
export function cutOff(mesh: TriangleMesh, height: number): TriangleMesh {
  const { positions, indices } = mesh;
  const kept = indices.filter((_, i) => {
    const corners = indices.subarray(i - (i % 3), i - (i % 3) + 3);
    return corners.reduce((sum, v) => sum + positions[3 * v + 2]!, 0) < 3 * height;
  });
  return new TriangleMesh({ positions, indices: kept, name: 'cut off' });
}

/** By name: with small holes and large ones, turned and doubled faces, and a closed sphere beside them. */
export function openMeshes(random: () => number): (readonly [string, TriangleMesh])[] {
  const sphere = unitSphere(4);
  const foam = openCellFoam({ triangles: 3000, seed: 5 });
  const some = (mesh: TriangleMesh, part: number, ...kinds: Damage[]) => damaged(mesh, part, kinds, random);
  return [
    ['a sphere', sphere],
    ['a sphere with holes', some(sphere, 0.02, 'missing')],
    ['a sphere with turned faces', some(sphere, 0.02, 'turned')],
    ['a foam with all kinds of damage', some(foam, 0.05, 'missing', 'turned', 'doubled')],
    ['a foam of which half is missing', some(foam, 0.5, 'missing')],
    ['a bowl', cutOff(sphere, 0.3)],
    ['a foam with a part cut off', cutOff(foam, (foam.box.min[2] + 2 * foam.box.max[2]) / 3)],
    [
      'bodies in each other',
      joinMeshes([sphere, mapMesh(cutOff(sphere, 0), (x, y, z) => [x / 2 + 0.6, y, z])]),
    ],
    ['triangles that share no edge', some(sphere, 1, 'missing', 'turned')],
  ];
}

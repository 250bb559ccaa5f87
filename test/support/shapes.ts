import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';

/** Axis-aligned box, 12 triangles, outward. */
export function boxMesh(min: readonly number[], max: readonly number[], name = 'box'): TriangleMesh {
  const positions = new Float32Array(24);
  for (let v = 0; v < 8; v++) {
    for (let k = 0; k < 3; k++) positions[3 * v + k] = ((v >> k) & 1 ? max : min)[k]!;
  }
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  const indices = quads.flatMap(([a, b, c, d]) => [a!, b!, c!, a!, c!, d!]);
  return new TriangleMesh({ positions, indices: Uint32Array.from(indices), name });
}

/** One mesh of several, vertices not merged. */
export function joinMeshes(meshes: readonly TriangleMesh[], name = 'joined'): TriangleMesh {
  const positions = new Float32Array(meshes.reduce((sum, mesh) => sum + mesh.positions.length, 0));
  const indices = new Uint32Array(meshes.reduce((sum, mesh) => sum + mesh.indices.length, 0));
  let vertex = 0;
  let index = 0;
  for (const mesh of meshes) {
    positions.set(mesh.positions, 3 * vertex);
    for (const i of mesh.indices) indices[index++] = vertex + i;
    vertex += mesh.vertexCount;
  }
  return new TriangleMesh({ positions, indices, name });
}

/** The same mesh with vertices mapped and optionally all faces turned. */
export function mapMesh(
  mesh: TriangleMesh,
  map: (x: number, y: number, z: number) => readonly number[],
  options: { flip?: boolean } = {},
): TriangleMesh {
  const positions = new Float32Array(mesh.positions.length);
  for (let v = 0; v < positions.length; v += 3) {
    positions.set(map(mesh.positions[v]!, mesh.positions[v + 1]!, mesh.positions[v + 2]!), v);
  }
  const indices = mesh.indices.slice();
  if (options.flip) for (let t = 0; t < indices.length; t += 3) indices.subarray(t + 1, t + 3).reverse();
  return new TriangleMesh({ positions, indices, name: mesh.name });
}

/** A lattice of cubes of side `size`, kept where `keep` says so; faces between kept cubes are left out. */
export function voxelMesh(
  n: number,
  size: number,
  keep: (i: number, j: number, k: number) => boolean,
): TriangleMesh {
  const inside = (c: readonly number[]) => c.every((x) => x >= 0 && x < n) && keep(c[0]!, c[1]!, c[2]!);
  const vertices = new Map<number, number>();
  const positions: number[] = [];
  const indices: number[] = [];
  const vertexAt = (c: readonly number[]) => {
    const key = (c[0]! * (n + 1) + c[1]!) * (n + 1) + c[2]!;
    let v = vertices.get(key);
    if (v === undefined) {
      v = positions.length / 3;
      vertices.set(key, v);
      positions.push(c[0]! * size, c[1]! * size, c[2]! * size);
    }
    return v;
  };
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < n; k++) {
        if (!inside([i, j, k])) continue;
        for (let axis = 0; axis < 3; axis++) {
          for (const side of [0, 1]) {
            const step = [0, 0, 0];
            step[axis] = side ? 1 : -1;
            if (inside([i + step[0]!, j + step[1]!, k + step[2]!])) continue;
            const [u, v] = side ? [(axis + 1) % 3, (axis + 2) % 3] : [(axis + 2) % 3, (axis + 1) % 3];
            const corner = (du: number, dv: number) => {
              const c = [i, j, k];
              c[axis]! += side;
              c[u]! += du;
              c[v]! += dv;
              return vertexAt(c);
            };
            const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            indices.push(a, b, c, a, c, d);
          }
        }
      }
    }
  }
  return new TriangleMesh({
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(indices),
    name: 'voxels',
  });
}

/** n^3 points from `from` to `to` inclusive, x fastest. */
export function latticePoints(n: number, from: number, to: number): Float32Array {
  const points = new Float32Array(3 * n ** 3);
  const at = (i: number) => from + ((to - from) * i) / (n - 1);
  let o = 0;
  for (let k = 0; k < n; k++) {
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        points[o++] = at(i);
        points[o++] = at(j);
        points[o++] = at(k);
      }
    }
  }
  return points;
}

/** Points evenly spread over a mesh's box, enlarged by `margin` of its size on each side. */
export function randomPoints(
  mesh: TriangleMesh,
  count: number,
  random: () => number,
  margin = 0.05,
): Float32Array {
  const { min, max } = mesh.box;
  const points = new Float32Array(3 * count);
  for (let i = 0; i < points.length; i++) {
    const k = i % 3;
    const size = max[k]! - min[k]!;
    points[i] = min[k]! - margin * size + (1 + 2 * margin) * size * random();
  }
  return points;
}

const scratch = new Float32Array(1);
const bits = new Int32Array(scratch.buffer);

/** The float32 `steps` places above x (below for negative steps). */
export function stepFloat32(x: number, steps: number): number {
  scratch[0] = x;
  // Integers in the order of the floats: negative floats count downwards.
  const ordered = bits[0]! < 0 ? -(bits[0]! & 0x7fffffff) : bits[0]!;
  const next = ordered + steps;
  bits[0] = next < 0 ? -next | 0x80000000 : next;
  return scratch[0]!;
}

/** Corners, edge points and face points of every triangle, each also moved by -1 to 1 ulp per axis. */
export function pointsOnSurface(mesh: TriangleMesh, most: number, random: () => number): Float32Array {
  const out: number[] = [];
  while (out.length < 3 * most) {
    const t = 3 * Math.floor(random() * mesh.triangleCount);
    const corners = [0, 1, 2].map((i) =>
      mesh.positions.subarray(3 * mesh.indices[t + i]!, 3 * mesh.indices[t + i]! + 3),
    );
    const kind = Math.floor(random() * 4);
    const weights =
      kind === 0 ? [1, 0, 0] : kind === 1 ? [0.5, 0.5, 0] : kind === 2 ? [0.25, 0.75, 0] : [0.25, 0.25, 0.5];
    for (let k = 0; k < 3; k++) {
      const x = weights.reduce((sum, w, i) => sum + w * corners[i]![k]!, 0);
      out.push(stepFloat32(Math.fround(x), Math.floor(random() * 3) - 1));
    }
  }
  return Float32Array.from(out.slice(0, 3 * most));
}

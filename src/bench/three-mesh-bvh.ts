/**
 * The peer: three-mesh-bvh's usual test for inside. A ray is cast to the nearest hit of either side; the point is inside
 * if that hit is on the back of its face. The hierarchy is built with the library's defaults (split at the middle, ten
 * triangles a leaf); its SAH option and smaller leaves were no faster on the bodies of this benchmark.
 */
import { BufferAttribute, BufferGeometry, DoubleSide, Ray, Vector3 } from 'three';
import { estimateMemoryInBytes, MeshBVH } from 'three-mesh-bvh';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';
import { clocked } from './spread.ts';
import type { Way } from './way.ts';

export function threeMeshBvhWay(): Way {
  return { key: 'three-mesh-bvh', label: 'three-mesh-bvh, CPU', kind: 'peer', prepare };
}

async function prepare({ positions, indices }: TriangleMesh) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  // Building reorders the index in place.
  geometry.setIndex(new BufferAttribute(indices.slice(), 1));
  const { result: bvh, seconds: build } = await clocked(async () => new MeshBVH(geometry));
  const ray = new Ray(new Vector3(), new Vector3(0, 0, 1));
  return {
    check: 0,
    build,
    tableBytes: estimateMemoryInBytes(bvh),
    async answer(points: Float32Array) {
      const started = performance.now();
      const flags = new Uint8Array(points.length / 3);
      for (let i = 0; i < flags.length; i++) {
        ray.origin.set(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!);
        const hit = bvh.raycastFirst(ray, DoubleSide);
        if (hit?.face && hit.face.normal.dot(ray.direction) > 0) flags[i] = 1;
      }
      const kernel = (performance.now() - started) / 1000;
      const seconds = { upload: 0, kernel, readback: 0, exact: 0 };
      return { flags, seconds, resolvedExactly: 0, gpuBytes: 0 };
    },
    destroy: () => geometry.dispose(),
  };
}

/**
 * The peer: three-mesh-bvh's usual test for inside. A ray is cast to the nearest hit of either side; the point is
 * inside if that hit is on the back of its face. The hierarchy is built with the library's defaults (split at the
 * middle, ten triangles a leaf); its SAH option and smaller leaves were no faster on the bodies of this benchmark.
 */
import type { HitPointInfo } from 'three-mesh-bvh';
import type { TriangleMesh } from '../../index.ts';
import { ifInstalled } from '../optional-package.ts';
import type { Way } from './way.ts';

const loadPackages = async () => ({ three: await import('three'), bvh: await import('three-mesh-bvh') });

type Packages = Awaited<ReturnType<typeof loadPackages>>;

/** @returns undefined where the packages `three` and `three-mesh-bvh` are not installed. */
export async function loadThreeMeshBvh(): Promise<Way | undefined> {
  const packages = await ifInstalled(loadPackages);
  if (packages === undefined) return undefined;
  return {
    key: 'three-mesh-bvh',
    label: 'three-mesh-bvh, CPU',
    kind: 'peer',
    prepare: async (mesh) => prepare(packages, mesh),
  };
}

function prepare({ three, bvh }: Packages, { positions, indices }: TriangleMesh) {
  const { BufferAttribute, BufferGeometry, DoubleSide, Ray, Vector3 } = three;
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  // Building reorders the index in place.
  geometry.setIndex(new BufferAttribute(indices.slice(), 1));
  const buildStarted = performance.now();
  const hierarchy = new bvh.MeshBVH(geometry);
  const build = (performance.now() - buildStarted) / 1000;
  const ray = new Ray(new Vector3(), new Vector3(0, 0, 1));
  const hit: HitPointInfo = { point: new Vector3(), distance: 0, faceIndex: 0 };
  return {
    check: 0,
    build,
    parts: {},
    tableBytes: bvh.estimateMemoryInBytes(hierarchy),
    figures: {},
    async answer(points: Float32Array) {
      const started = performance.now();
      const flags = new Uint8Array(points.length / 3);
      for (let i = 0; i < flags.length; i++) {
        ray.origin.set(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!);
        const hit = hierarchy.raycastFirst(ray, DoubleSide);
        if (hit?.face && hit.face.normal.dot(ray.direction) > 0) flags[i] = 1;
      }
      const kernel = (performance.now() - started) / 1000;
      const seconds = { upload: 0, kernel, readback: 0, exact: 0 };
      return { flags, seconds, resolvedExactly: 0, gpuBytes: 0, chosen: 'nearest hit of a ray, cpu' };
    },
    nearest(points: Float32Array) {
      for (let i = 0; i < points.length; i += 3) {
        hierarchy.closestPointToPoint(ray.origin.set(points[i]!, points[i + 1]!, points[i + 2]!), hit);
      }
    },
    destroy: () => geometry.dispose(),
  };
}

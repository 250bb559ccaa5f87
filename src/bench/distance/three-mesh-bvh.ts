/** The peer of suite `distance`: three-mesh-bvh's questions about two meshes, by its hierarchies of both. */
import type { HitPointInfo } from 'three-mesh-bvh';
import type { TriangleMesh } from '../../index.ts';
import { ifInstalled } from '../optional-package.ts';

/** Two meshes, the second one posed. */
export interface MeshPeerPair {
  distance(pose: Pose): number;
  meet(pose: Pose): boolean;
}

/** Position and unit quaternion x, y, z, w. */
export type Pose = readonly number[];

export interface MeshPeer {
  /** Makes the hierarchy of a mesh anew; returns how long that took, in seconds. */
  build(mesh: TriangleMesh): number;
  pair(a: TriangleMesh, b: TriangleMesh): MeshPeerPair;
}

const loadPackages = async () => ({ three: await import('three'), bvh: await import('three-mesh-bvh') });

/** @returns undefined where the packages `three` and `three-mesh-bvh` are not installed. */
export async function loadMeshPeer(): Promise<MeshPeer | undefined> {
  const packages = await ifInstalled(loadPackages);
  if (packages === undefined) return undefined;
  const { three, bvh } = packages;
  const prepare = ({ positions, indices }: TriangleMesh) => {
    const geometry = new three.BufferGeometry();
    geometry.setAttribute('position', new three.BufferAttribute(positions, 3));
    // Building reorders the index in place.
    geometry.setIndex(new three.BufferAttribute(indices.slice(), 1));
    const started = performance.now();
    const hierarchy = new bvh.MeshBVH(geometry);
    geometry.boundsTree = hierarchy;
    return { geometry, hierarchy, seconds: (performance.now() - started) / 1000 };
  };
  return {
    build: (mesh) => prepare(mesh).seconds,
    pair(a, b) {
      const { hierarchy } = prepare(a);
      const { geometry } = prepare(b);
      const placed = ([x, y, z, qx, qy, qz, qw]: Pose) =>
        new three.Matrix4().compose(
          new three.Vector3(x, y, z),
          new three.Quaternion(qx, qy, qz, qw),
          new three.Vector3(1, 1, 1),
        );
      const hit: HitPointInfo = { point: new three.Vector3(), distance: 0, faceIndex: 0 };
      return {
        distance: (pose) => hierarchy.closestPointToGeometry(geometry, placed(pose), hit)?.distance ?? Infinity,
        meet: (pose) => hierarchy.intersectsGeometry(geometry, placed(pose)),
      };
    },
  };
}

/** The ways that are compared. */
import type { Device } from '../src/gpu/device.ts';
import type { Backend, Method } from '../src/inside/classification.ts';
import { Polyhedron } from '../src/inside/polyhedron.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';
import { copyWay } from './copy.ts';
import { clocked } from './spread.ts';
import { threeMeshBvhWay } from './three-mesh-bvh.ts';
import type { Prepared, Way, WayKey } from './way.ts';

export function makeWays(device: Device): Way[] {
  const scree = (
    key: WayKey,
    label: string,
    way: { readonly method: Method; readonly backend: Backend; readonly workers?: boolean },
  ): Way => ({ key, label, kind: 'scree', prepare: (mesh) => prepareScree(device, mesh, way) });
  return [
    scree('cell-grid-cpu', 'cell grid, CPU', { method: 'cell-grid', backend: 'cpu' }),
    scree('cell-grid-cpu-1', 'cell grid, CPU, 1 thread', {
      method: 'cell-grid',
      backend: 'cpu',
      workers: false,
    }),
    scree('cell-grid-gpu', 'cell grid, GPU', { method: 'cell-grid', backend: 'gpu' }),
    scree('ray-crossing-gpu', 'ray crossing, GPU', { method: 'ray-crossing', backend: 'gpu' }),
    threeMeshBvhWay(),
    copyWay(device),
  ];
}

async function prepareScree(
  device: Device,
  mesh: TriangleMesh,
  way: { readonly method: Method; readonly backend: Backend; readonly workers?: boolean },
): Promise<Prepared> {
  const { method, backend, workers = true } = way;
  const checked = await clocked(() => Polyhedron.create(device, mesh, { workers }));
  const polyhedron = checked.result;
  // A call without points builds the tables and nothing else; uploads count until they have arrived.
  const built = await clocked(async () => {
    const result = await polyhedron.classify(new Float32Array(0), { method, backend });
    if (backend === 'gpu') await device.finished();
    return result;
  });
  return {
    check: checked.seconds,
    build: built.seconds,
    tableBytes: built.result.tableBytes,
    async answer(points) {
      const { flags, seconds, resolvedExactly, gpuBytes } = await polyhedron.classify(points, {
        method,
        backend,
      });
      const { upload, classify: kernel, readback, exact } = seconds;
      return { flags, seconds: { upload, kernel, readback, exact }, resolvedExactly, gpuBytes };
    },
    destroy: () => polyhedron.destroy(),
  };
}

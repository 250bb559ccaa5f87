/**
 * Makes the potential of a mesh where it is to be evaluated: the one place that knows what there is on which processor.
 */
import type { Device } from '../../gpu/device.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import type { MultipoleDepth } from '../multipole/depth.ts';
import type { Potential, PotentialKind } from '../potential/potential.ts';
import { localSurface } from '../surface.ts';
import { CappedPotential } from './capped-potential.ts';

export interface PotentialOptions {
  /** Degree p, separation d and depth of the multipole method. */
  readonly degree: number;
  readonly separation: number;
  readonly depth: MultipoleDepth;
  /** Points to come, where `depth` needs or uses it. */
  readonly points: number | undefined;
  /** Triangles that close the mesh: none of a closed, consistently oriented one, whose J is 0 outside its box. */
  readonly caps: Uint32Array;
  /** False to do all of the CPU's work on the calling thread. Default true. */
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called now and then while the CPU sets up, with the part that is done, 0 .. 1. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** @param device for the GPU; undefined for the CPU */
export async function createPotential(
  kind: PotentialKind,
  device: Device | undefined,
  mesh: TriangleMesh,
  options: PotentialOptions,
): Promise<Potential> {
  const { degree, separation, depth, points, caps, threads, signal, onProgress } = options;
  if (kind === 'cell-grid') {
    const ofCaps = (some: PotentialKind, surface: TriangleMesh) =>
      createPotential(some, device, surface, options);
    return CappedPotential.create(mesh, { caps, device, threads, signal, ofCaps });
  }
  const closed = caps.length === 0;
  // What sums up is loaded when it is used: applications start without it, and those that stay on the CPU never load
  // kernels.
  const { CpuPotential } = await import('./potential-cpu.ts');
  if (device === undefined) {
    return CpuPotential.create(kind, mesh, {
      multipole: { p: degree, d: separation, depth, points, closed },
      ...{ threads, signal, onProgress },
    });
  }
  if (kind === 'direct') return (await import('../direct/direct.ts')).DirectPotential.create(device, mesh);
  if (kind === 'clusters') {
    const { Clusters } = await import('../clusters/clusters.ts');
    const host = await CpuPotential.create(kind, mesh, { threads, signal, onProgress });
    return Clusters.create(device, localSurface(mesh), host);
  }
  const { Multipole } = await import('../multipole/multipole.ts');
  return Multipole.create(device, mesh, { degree, separation, depth, points, closed, signal });
}

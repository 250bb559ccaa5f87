/** Sharp edges of polyhedra in polyhedra on the GPU. docs/contacts.md, "Edges". */
import type { Device } from '../../gpu/device.ts';
import { ClustersOnDevice, type ClustersOnDeviceOptions } from '../nodes/clusters-on-device.ts';
import { testPiecesSource, writePiecesSource } from './edge-kernels.ts';

/** Kernels and room for contacts of pieces of edges, in the order of `edgesInFields`. */
export function createEdgesOnDevice(
  device: Device,
  options: ClustersOnDeviceOptions,
): Promise<ClustersOnDevice> {
  const kernels = { test: testPiecesSource, write: writePiecesSource, ofEdges: true };
  return ClustersOnDevice.create(device, kernels, options);
}

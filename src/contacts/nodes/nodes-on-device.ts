/** Nodes of polyhedra in polyhedra on the GPU. docs/contacts.md, "Nodes". */
import type { Device } from '../../gpu/device.ts';
import { ClustersOnDevice, type ClustersOnDeviceOptions } from './clusters-on-device.ts';
import { testNodesSource, writeNodesSource } from './node-kernels.ts';

/** Kernels and room for contacts of nodes, in the order of `nodesInFields`. */
export function createNodesOnDevice(
  device: Device,
  options: ClustersOnDeviceOptions,
): Promise<ClustersOnDevice> {
  const kernels = { test: testNodesSource, write: writeNodesSource, ofEdges: false };
  return ClustersOnDevice.create(device, kernels, options);
}

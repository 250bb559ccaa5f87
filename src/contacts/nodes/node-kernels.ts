/** Kernels of nodes of polyhedra in polyhedra. docs/contacts.md, "Nodes". */
import testNodesWgsl from '../../../shaders/contacts/nodes/test-nodes.wgsl';
import writeNodesWgsl from '../../../shaders/contacts/nodes/write-nodes.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { testItemsBindings, writeItemsBindings } from '../clusters/cluster-kernels.ts';
import type { ClusterKernels } from '../clusters/clusters-on-device.ts';

/** Contacts of nodes come in the order of `nodesInFields`. */
export const nodeKernels: ClusterKernels = {
  test: kernelSource(testNodesWgsl, testItemsBindings),
  write: kernelSource(writeNodesWgsl, writeItemsBindings),
  ofEdges: false,
};

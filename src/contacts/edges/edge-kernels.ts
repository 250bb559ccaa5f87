/** Kernels of sharp edges of polyhedra in polyhedra; their bindings are those of nodes. docs/contacts.md, "Edges". */
import testPiecesWgsl from '../../../shaders/contacts/edges/test-pieces.wgsl';
import writePiecesWgsl from '../../../shaders/contacts/edges/write-pieces.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { testItemsLayout, writeItemsLayout } from '../clusters/cluster-kernels.ts';
import type { ClusterKernels } from '../clusters/clusters-on-device.ts';

/** Contacts of pieces come in the order of `edgesInFields`. */
export const edgeKernels: ClusterKernels = {
  test: kernelSource(testPiecesWgsl, testItemsLayout),
  write: kernelSource(writePiecesWgsl, writeItemsLayout),
  ofEdges: true,
};

/** Kernels of sharp edges of polyhedra in polyhedra; their bindings are those of nodes. docs/contacts.md, "Edges". */
import testPiecesWgsl from '../../../shaders/contacts/edges/test-pieces.wgsl';
import writePiecesWgsl from '../../../shaders/contacts/edges/write-pieces.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { testItemsBindings, writeItemsBindings } from '../clusters/cluster-kernels.ts';
import type { ClusterKernels } from '../clusters/clusters-on-device.ts';

/** Contacts of pieces come in the order of `edgesInFields`. */
export const edgeKernels: ClusterKernels = {
  test: kernelSource(testPiecesWgsl, testItemsBindings),
  write: kernelSource(writePiecesWgsl, writeItemsBindings),
  ofEdges: true,
};

/** WGSL of the kernels of edges; their bindings are those of nodes. */
import testPiecesWgsl from '../../../shaders/contacts/edges/test-pieces.wgsl';
import writePiecesWgsl from '../../../shaders/contacts/edges/write-pieces.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { testItemsLayout, writeItemsLayout } from '../nodes/node-kernels.ts';

export const testPiecesSource = kernelSource(testPiecesWgsl, testItemsLayout);
export const writePiecesSource = kernelSource(writePiecesWgsl, writeItemsLayout);

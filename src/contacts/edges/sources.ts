/** WGSL of the kernels of edges; their bindings are those of nodes. */
import deepestPointCode from '../../../shaders/contacts/edges/deepest-point.wgsl?raw';
import pieceCode from '../../../shaders/contacts/edges/piece.wgsl?raw';
import testPiecesCode from '../../../shaders/contacts/edges/test-pieces.wgsl?raw';
import writePiecesCode from '../../../shaders/contacts/edges/write-pieces.wgsl?raw';
import { kernelSource } from '../../gpu/kernel.ts';
import type { ShaderSource } from '../../gpu/shader.ts';
import { testItemsLayout, writeItemsLayout } from '../nodes/layout.ts';
import { fieldParts } from '../nodes/sources.ts';

/** What kernels of edges may require. */
export const edgeParts: readonly ShaderSource[] = [
  ...fieldParts,
  { name: 'contacts/edges/piece.wgsl', code: pieceCode },
  { name: 'contacts/edges/deepest-point.wgsl', code: deepestPointCode },
];

export const testPiecesSource = kernelSource(
  { name: 'contacts/edges/test-pieces.wgsl', code: testPiecesCode },
  testItemsLayout,
  edgeParts,
);
export const writePiecesSource = kernelSource(
  { name: 'contacts/edges/write-pieces.wgsl', code: writePiecesCode },
  writeItemsLayout,
  edgeParts,
);

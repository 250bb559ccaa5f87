/** Every kernel of the library. */
import { pairShaders } from '../../src/convex/gpu/shaders.ts';
import { indirectSizeSource } from '../../src/gpu/indirect.ts';
import type { AssembledShader } from '../../src/gpu/shader.ts';
import { cellLookUpShader, cellSegmentsShader } from '../../src/inside/cell-grid/shaders.ts';
import { solidAnglesShader } from '../../src/inside/direct/shaders.ts';
import { multipoleShaders } from '../../src/inside/multipole/shaders.ts';
import { crossingsShader, flagsShader } from '../../src/inside/ray-crossing/shaders.ts';

export const insideShaders: readonly (() => AssembledShader)[] = [
  cellLookUpShader,
  cellSegmentsShader,
  crossingsShader,
  flagsShader,
  solidAnglesShader,
  ...Object.values(multipoleShaders).map(({ shader }) => shader),
];

export const gpuShaders: readonly (() => AssembledShader)[] = [indirectSizeSource.shader];

export const shaders = [...gpuShaders, ...insideShaders, ...pairShaders];

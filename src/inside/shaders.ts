/** The kernels of this folder, assembled when first asked for. */
import argumentCode from '../../shaders/common/argument.wgsl?raw';
import cellLookUpCode from '../../shaders/inside/cell-grid/cell-look-up.wgsl?raw';
import cellSegmentsCode from '../../shaders/inside/cell-grid/cell-segments.wgsl?raw';
import solidAnglesCode from '../../shaders/inside/direct/solid-angles.wgsl?raw';
import crossingsCode from '../../shaders/inside/ray-crossing/crossings.wgsl?raw';
import flagsCode from '../../shaders/inside/ray-crossing/flags.wgsl?raw';
import { type AssembledShader, assembleShader, type ShaderLayout, type ShaderSource } from '../gpu/shader.ts';
import { cellLookUpLayout, cellSegmentsLayout } from './cell-grid.layout.ts';
import { solidAnglesLayout } from './direct.layout.ts';
import { crossingsLayout, flagsLayout } from './ray-crossing.layout.ts';

/** What kernels may name in `// requires` lines. */
const parts: readonly ShaderSource[] = [{ name: 'common/argument.wgsl', code: argumentCode }];

function shader(name: string, code: string, layout: ShaderLayout): () => AssembledShader {
  let assembled: AssembledShader | undefined;
  return () => (assembled ??= assembleShader({ name, code }, parts, [layout]));
}

export const crossingsShader = shader('inside/ray-crossing/crossings.wgsl', crossingsCode, crossingsLayout);
export const flagsShader = shader('inside/ray-crossing/flags.wgsl', flagsCode, flagsLayout);

export const cellLookUpShader = shader(
  'inside/cell-grid/cell-look-up.wgsl',
  cellLookUpCode,
  cellLookUpLayout,
);
export const cellSegmentsShader = shader(
  'inside/cell-grid/cell-segments.wgsl',
  cellSegmentsCode,
  cellSegmentsLayout,
);

export const solidAnglesShader = shader(
  'inside/direct/solid-angles.wgsl',
  solidAnglesCode,
  solidAnglesLayout,
);

export const shaders = [
  cellLookUpShader,
  cellSegmentsShader,
  crossingsShader,
  flagsShader,
  solidAnglesShader,
];

/** The kernels of this folder, assembled when first asked for. */
import cellFlagsCode from '../../shaders/inside/cell-grid/cell-flags.wgsl?raw';
import crossingsCode from '../../shaders/inside/ray-crossing/crossings.wgsl?raw';
import flagsCode from '../../shaders/inside/ray-crossing/flags.wgsl?raw';
import { type AssembledShader, assembleShader, type ShaderLayout } from '../gpu/shader.ts';
import { cellFlagsLayout } from './cell-grid.layout.ts';
import { crossingsLayout, flagsLayout } from './ray-crossing.layout.ts';

function shader(name: string, code: string, layout: ShaderLayout): () => AssembledShader {
  let assembled: AssembledShader | undefined;
  return () => (assembled ??= assembleShader({ name, code }, [], [layout]));
}

export const crossingsShader = shader('inside/ray-crossing/crossings.wgsl', crossingsCode, crossingsLayout);
export const flagsShader = shader('inside/ray-crossing/flags.wgsl', flagsCode, flagsLayout);

export const cellFlagsShader = shader('inside/cell-grid/cell-flags.wgsl', cellFlagsCode, cellFlagsLayout);

export const shaders = [cellFlagsShader, crossingsShader, flagsShader];

/** The kernels of ray crossing. */
import crossingsCode from '../../../shaders/inside/ray-crossing/crossings.wgsl?raw';
import flagsCode from '../../../shaders/inside/ray-crossing/flags.wgsl?raw';
import { assembledOnce } from '../../gpu/shader.ts';
import { crossingsLayout, flagsLayout } from './layout.ts';

export const crossingsShader = assembledOnce(
  { name: 'inside/ray-crossing/crossings.wgsl', code: crossingsCode },
  crossingsLayout,
);
export const flagsShader = assembledOnce(
  { name: 'inside/ray-crossing/flags.wgsl', code: flagsCode },
  flagsLayout,
);

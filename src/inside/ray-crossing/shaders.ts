/** The kernels of ray crossing. */
import crossingsWgsl from '../../../shaders/inside/ray-crossing/crossings.wgsl';
import flagsWgsl from '../../../shaders/inside/ray-crossing/flags.wgsl';
import { assembledOnce } from '../../gpu/shader.ts';
import { crossingsLayout, flagsLayout } from './ray-crossing-layout.ts';

export const crossingsShader = assembledOnce(crossingsWgsl, [crossingsLayout]);
export const flagsShader = assembledOnce(flagsWgsl, [flagsLayout]);

/** The kernel of the direct sum. */
import solidAnglesWgsl from '../../../shaders/inside/direct/solid-angles.wgsl';
import { assembledOnce } from '../../gpu/shader.ts';
import { solidAnglesLayout } from './direct-layout.ts';

export const solidAnglesShader = assembledOnce(solidAnglesWgsl, [solidAnglesLayout]);

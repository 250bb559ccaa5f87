/** The kernel of the direct sum. */
import argumentCode from '../../../shaders/common/argument.wgsl?raw';
import solidAnglesCode from '../../../shaders/inside/direct/solid-angles.wgsl?raw';
import { assembledOnce } from '../../gpu/shader.ts';
import { solidAnglesLayout } from './layout.ts';

export const solidAnglesShader = assembledOnce(
  { name: 'inside/direct/solid-angles.wgsl', code: solidAnglesCode },
  solidAnglesLayout,
  [{ name: 'common/argument.wgsl', code: argumentCode }],
);

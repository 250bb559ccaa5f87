/** The kernel of the direct sum. */
import solidAnglesCode from '../../../shaders/inside/direct/solid-angles.wgsl?raw';
import { assembledOnce } from '../../gpu/shader.ts';
import { solidAngleParts } from '../potential/packed-triangles.ts';
import { solidAnglesLayout } from './layout.ts';

export const solidAnglesShader = assembledOnce(
  { name: 'inside/direct/solid-angles.wgsl', code: solidAnglesCode },
  solidAnglesLayout,
  solidAngleParts,
);

/** WGSL of the passes that draw bodies. */
import bodyFragmentWgsl from '../../shaders/render/body-fragment.wgsl';
import bodyVertexWgsl from '../../shaders/render/body-vertex.wgsl';
import depthVertexWgsl from '../../shaders/render/depth-vertex.wgsl';
import glassFragmentWgsl from '../../shaders/render/glass-fragment.wgsl';
import planeFragmentWgsl from '../../shaders/render/plane-fragment.wgsl';
import planeVertexWgsl from '../../shaders/render/plane-vertex.wgsl';
import wallFragmentWgsl from '../../shaders/render/wall-fragment.wgsl';
import { assembledOnce } from '../gpu/shader.ts';
import { lensLayout, lightLayout, sceneLayout } from './drawing-layout.ts';

/** An entry point each, named like the file. */
export const renderShaders = {
  bodyVertex: assembledOnce(bodyVertexWgsl, [sceneLayout]),
  bodyFragment: assembledOnce(bodyFragmentWgsl, [sceneLayout, lightLayout]),
  wallFragment: assembledOnce(wallFragmentWgsl, [sceneLayout, lightLayout]),
  glassFragment: assembledOnce(glassFragmentWgsl, [sceneLayout, lightLayout]),
  depthVertex: assembledOnce(depthVertexWgsl, [sceneLayout, lensLayout]),
  planeVertex: assembledOnce(planeVertexWgsl, [sceneLayout]),
  planeFragment: assembledOnce(planeFragmentWgsl, [sceneLayout, lightLayout]),
} as const;
export type RenderShader = keyof typeof renderShaders;

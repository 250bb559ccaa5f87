/** WGSL of the passes that draw bodies. */
import bodyFragment from '../../shaders/render/body-fragment.wgsl?raw';
import bodyVertex from '../../shaders/render/body-vertex.wgsl?raw';
import colors from '../../shaders/render/colors.wgsl?raw';
import depthVertex from '../../shaders/render/depth-vertex.wgsl?raw';
import glassFragment from '../../shaders/render/glass-fragment.wgsl?raw';
import light from '../../shaders/render/light.wgsl?raw';
import planeFragment from '../../shaders/render/plane-fragment.wgsl?raw';
import planeVertex from '../../shaders/render/plane-vertex.wgsl?raw';
import planes from '../../shaders/render/planes.wgsl?raw';
import scene from '../../shaders/render/scene.wgsl?raw';
import wallFragment from '../../shaders/render/wall-fragment.wgsl?raw';
import { type AssembledShader, assembleShader, type ShaderLayout } from '../gpu/shader.ts';
import { lensLayout, lightLayout, sceneLayout } from './layout.ts';

/** What entry points require. */
export const renderParts = [
  { name: 'render/scene.wgsl', code: scene },
  { name: 'render/colors.wgsl', code: colors },
  { name: 'render/light.wgsl', code: light },
  { name: 'render/planes.wgsl', code: planes },
];

const source = (name: string, code: string, ...layouts: ShaderLayout[]) => {
  let assembled: AssembledShader | undefined;
  return () => (assembled ??= assembleShader({ name: `render/${name}.wgsl`, code }, renderParts, layouts));
};

/** An entry point each, named like the file. */
export const renderShaders = {
  bodyVertex: source('body-vertex', bodyVertex, sceneLayout),
  bodyFragment: source('body-fragment', bodyFragment, sceneLayout, lightLayout),
  wallFragment: source('wall-fragment', wallFragment, sceneLayout, lightLayout),
  glassFragment: source('glass-fragment', glassFragment, sceneLayout, lightLayout),
  depthVertex: source('depth-vertex', depthVertex, sceneLayout, lensLayout),
  planeVertex: source('plane-vertex', planeVertex, sceneLayout),
  planeFragment: source('plane-fragment', planeFragment, sceneLayout, lightLayout),
} as const;
export type RenderShader = keyof typeof renderShaders;

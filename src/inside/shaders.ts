/** The kernels of this folder, assembled when first asked for. */
import argumentCode from '../../shaders/common/argument.wgsl?raw';
import cellLookUpCode from '../../shaders/inside/cell-grid/cell-look-up.wgsl?raw';
import cellSegmentsCode from '../../shaders/inside/cell-grid/cell-segments.wgsl?raw';
import solidAnglesCode from '../../shaders/inside/direct/solid-angles.wgsl?raw';
import evaluateCode from '../../shaders/inside/multipole/evaluate.wgsl?raw';
import l2lCode from '../../shaders/inside/multipole/l2l.wgsl?raw';
import leafBoundsCode from '../../shaders/inside/multipole/leaf-bounds.wgsl?raw';
import m2lCode from '../../shaders/inside/multipole/m2l.wgsl?raw';
import m2lBoundsCode from '../../shaders/inside/multipole/m2l-bounds.wgsl?raw';
import m2lQuadrupoleCode from '../../shaders/inside/multipole/m2l-quadrupole.wgsl?raw';
import m2mCode from '../../shaders/inside/multipole/m2m.wgsl?raw';
import momentNormsCode from '../../shaders/inside/multipole/moment-norms.wgsl?raw';
import p2mCode from '../../shaders/inside/multipole/p2m.wgsl?raw';
import sumPanelsCode from '../../shaders/inside/multipole/sum-panels.wgsl?raw';
import crossingsCode from '../../shaders/inside/ray-crossing/crossings.wgsl?raw';
import flagsCode from '../../shaders/inside/ray-crossing/flags.wgsl?raw';
import { type AssembledShader, assembleShader, type ShaderLayout, type ShaderSource } from '../gpu/shader.ts';
import { buildShaders } from './cell-grid/gpu-shaders.ts';
import { cellLookUpLayout, cellSegmentsLayout } from './cell-grid/layout.ts';
import {
  evaluateLayout,
  l2lLayout,
  leafBoundsLayout,
  m2lBoundsLayout,
  m2lLayout,
  m2lQuadrupoleLayout,
  m2mLayout,
  momentNormsLayout,
  p2mLayout,
  sumPanelsLayout,
} from './multipole/layout.ts';
import { solidAnglesLayout } from './potential/direct.layout.ts';
import { crossingsLayout, flagsLayout } from './ray-crossing/layout.ts';

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

/** The stages of the multipole method, each with the layout of its bindings. */
export const multipoleShaders = {
  evaluate: {
    shader: shader('inside/multipole/evaluate.wgsl', evaluateCode, evaluateLayout),
    layout: evaluateLayout,
  },
  l2l: {
    shader: shader('inside/multipole/l2l.wgsl', l2lCode, l2lLayout),
    layout: l2lLayout,
  },
  leafBounds: {
    shader: shader('inside/multipole/leaf-bounds.wgsl', leafBoundsCode, leafBoundsLayout),
    layout: leafBoundsLayout,
  },
  m2l: {
    shader: shader('inside/multipole/m2l.wgsl', m2lCode, m2lLayout),
    layout: m2lLayout,
  },
  m2lQuadrupole: {
    shader: shader('inside/multipole/m2l-quadrupole.wgsl', m2lQuadrupoleCode, m2lQuadrupoleLayout),
    layout: m2lQuadrupoleLayout,
  },
  sumPanels: {
    shader: shader('inside/multipole/sum-panels.wgsl', sumPanelsCode, sumPanelsLayout),
    layout: sumPanelsLayout,
  },
  m2lBounds: {
    shader: shader('inside/multipole/m2l-bounds.wgsl', m2lBoundsCode, m2lBoundsLayout),
    layout: m2lBoundsLayout,
  },
  m2m: {
    shader: shader('inside/multipole/m2m.wgsl', m2mCode, m2mLayout),
    layout: m2mLayout,
  },
  momentNorms: {
    shader: shader('inside/multipole/moment-norms.wgsl', momentNormsCode, momentNormsLayout),
    layout: momentNormsLayout,
  },
  p2m: {
    shader: shader('inside/multipole/p2m.wgsl', p2mCode, p2mLayout),
    layout: p2mLayout,
  },
} as const;

export const shaders = [
  cellLookUpShader,
  cellSegmentsShader,
  crossingsShader,
  flagsShader,
  ...Object.values(buildShaders),
  solidAnglesShader,
  ...Object.values(multipoleShaders).map(({ shader }) => shader),
];

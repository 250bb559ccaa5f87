/** The kernels of the multipole method. */
import evaluateWgsl from '../../../shaders/inside/multipole/evaluate.wgsl';
import l2lWgsl from '../../../shaders/inside/multipole/l2l.wgsl';
import leafBoundsWgsl from '../../../shaders/inside/multipole/leaf-bounds.wgsl';
import m2lWgsl from '../../../shaders/inside/multipole/m2l.wgsl';
import m2lBoundsWgsl from '../../../shaders/inside/multipole/m2l-bounds.wgsl';
import m2lQuadrupoleWgsl from '../../../shaders/inside/multipole/m2l-quadrupole.wgsl';
import m2mWgsl from '../../../shaders/inside/multipole/m2m.wgsl';
import momentNormsWgsl from '../../../shaders/inside/multipole/moment-norms.wgsl';
import p2mWgsl from '../../../shaders/inside/multipole/p2m.wgsl';
import sumPanelsWgsl from '../../../shaders/inside/multipole/sum-panels.wgsl';
import { assembledOnce, type ShaderLayout, type ShaderSource } from '../../gpu/shader.ts';
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
} from './multipole-layout.ts';

function stage<Layout extends ShaderLayout>(source: ShaderSource, layout: Layout) {
  return { shader: assembledOnce(source, [layout]), layout };
}

/** The stages, each with the layout of its bindings. */
export const multipoleShaders = {
  evaluate: stage(evaluateWgsl, evaluateLayout),
  l2l: stage(l2lWgsl, l2lLayout),
  leafBounds: stage(leafBoundsWgsl, leafBoundsLayout),
  m2l: stage(m2lWgsl, m2lLayout),
  m2lQuadrupole: stage(m2lQuadrupoleWgsl, m2lQuadrupoleLayout),
  sumPanels: stage(sumPanelsWgsl, sumPanelsLayout),
  m2lBounds: stage(m2lBoundsWgsl, m2lBoundsLayout),
  m2m: stage(m2mWgsl, m2mLayout),
  momentNorms: stage(momentNormsWgsl, momentNormsLayout),
  p2m: stage(p2mWgsl, p2mLayout),
} as const;

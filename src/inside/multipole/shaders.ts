/** The kernels of the multipole method. */
import argumentCode from '../../../shaders/common/argument.wgsl?raw';
import evaluateCode from '../../../shaders/inside/multipole/evaluate.wgsl?raw';
import l2lCode from '../../../shaders/inside/multipole/l2l.wgsl?raw';
import leafBoundsCode from '../../../shaders/inside/multipole/leaf-bounds.wgsl?raw';
import m2lCode from '../../../shaders/inside/multipole/m2l.wgsl?raw';
import m2lBoundsCode from '../../../shaders/inside/multipole/m2l-bounds.wgsl?raw';
import m2lQuadrupoleCode from '../../../shaders/inside/multipole/m2l-quadrupole.wgsl?raw';
import m2mCode from '../../../shaders/inside/multipole/m2m.wgsl?raw';
import momentNormsCode from '../../../shaders/inside/multipole/moment-norms.wgsl?raw';
import p2mCode from '../../../shaders/inside/multipole/p2m.wgsl?raw';
import sumPanelsCode from '../../../shaders/inside/multipole/sum-panels.wgsl?raw';
import { assembledOnce, type ShaderLayout } from '../../gpu/shader.ts';
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
} from './layout.ts';

const parts = [{ name: 'common/argument.wgsl', code: argumentCode }];

function stage<Layout extends ShaderLayout>(file: string, code: string, layout: Layout) {
  return { shader: assembledOnce({ name: `inside/multipole/${file}.wgsl`, code }, layout, parts), layout };
}

/** The stages, each with the layout of its bindings. */
export const multipoleShaders = {
  evaluate: stage('evaluate', evaluateCode, evaluateLayout),
  l2l: stage('l2l', l2lCode, l2lLayout),
  leafBounds: stage('leaf-bounds', leafBoundsCode, leafBoundsLayout),
  m2l: stage('m2l', m2lCode, m2lLayout),
  m2lQuadrupole: stage('m2l-quadrupole', m2lQuadrupoleCode, m2lQuadrupoleLayout),
  sumPanels: stage('sum-panels', sumPanelsCode, sumPanelsLayout),
  m2lBounds: stage('m2l-bounds', m2lBoundsCode, m2lBoundsLayout),
  m2m: stage('m2m', m2mCode, m2mLayout),
  momentNorms: stage('moment-norms', momentNormsCode, momentNormsLayout),
  p2m: stage('p2m', p2mCode, p2mLayout),
} as const;

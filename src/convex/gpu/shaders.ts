/** The kernels for pairs, assembled when first asked for. */
import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import ballPortalCode from '../../../shaders/convex/ball-portal.wgsl?raw';
import boxAxesCode from '../../../shaders/convex/box-axes.wgsl?raw';
import candidateCode from '../../../shaders/convex/candidate.wgsl?raw';
import cutPolygonCode from '../../../shaders/convex/cut-polygon.wgsl?raw';
import epaCode from '../../../shaders/convex/epa.wgsl?raw';
import featureCode from '../../../shaders/convex/feature.wgsl?raw';
import gjkCode from '../../../shaders/convex/gjk.wgsl?raw';
import gjkJohnsonCode from '../../../shaders/convex/gjk-johnson.wgsl?raw';
import gjkLoopCode from '../../../shaders/convex/gjk-loop.wgsl?raw';
import listGroupsCode from '../../../shaders/convex/list-groups.wgsl?raw';
import manifoldClippedCode from '../../../shaders/convex/manifold-clipped.wgsl?raw';
import manifoldSampledCode from '../../../shaders/convex/manifold-sampled.wgsl?raw';
import mprIntersectionCode from '../../../shaders/convex/mpr-intersection.wgsl?raw';
import mprPenetrationCode from '../../../shaders/convex/mpr-penetration.wgsl?raw';
import mprSignedDistanceCode from '../../../shaders/convex/mpr-signed-distance.wgsl?raw';
import pairCode from '../../../shaders/convex/pair.wgsl?raw';
import portalCode from '../../../shaders/convex/portal.wgsl?raw';
import portalAnswerCode from '../../../shaders/convex/portal-answer.wgsl?raw';
import rayCode from '../../../shaders/convex/ray.wgsl?raw';
import resultCode from '../../../shaders/convex/result.wgsl?raw';
import supportCode from '../../../shaders/convex/support.wgsl?raw';
import supportingFaceCode from '../../../shaders/convex/supporting-face.wgsl?raw';
import tetrahedronCode from '../../../shaders/convex/tetrahedron.wgsl?raw';
import {
  type AssembledShader,
  assembleShader,
  type ShaderLayout,
  type ShaderSource,
} from '../../gpu/shader.ts';
import { epaFaces } from './epa-faces.ts';
import { PairParams, pairBuffers, pairTables } from './layout.ts';

/** What kernels may name in `// requires` lines. */
export const pairParts: readonly ShaderSource[] = [
  { name: 'convex/support.wgsl', code: supportCode },
  { name: 'convex/pair.wgsl', code: pairCode },
  { name: 'convex/result.wgsl', code: resultCode },
  { name: 'convex/tetrahedron.wgsl', code: tetrahedronCode },
  { name: 'convex/gjk-loop.wgsl', code: gjkLoopCode },
  { name: 'convex/ray.wgsl', code: rayCode },
  { name: 'convex/ball-portal.wgsl', code: ballPortalCode },
  { name: 'convex/portal.wgsl', code: portalCode },
  { name: 'convex/portal-answer.wgsl', code: portalAnswerCode },
  { name: 'convex/candidate.wgsl', code: candidateCode },
  { name: 'convex/feature.wgsl', code: featureCode },
  { name: 'convex/cut-polygon.wgsl', code: cutPolygonCode },
  { name: 'convex/supporting-face.wgsl', code: supportingFaceCode },
];

function shader(name: string, code: string, layout: ShaderLayout): () => AssembledShader {
  let assembled: AssembledShader | undefined;
  return () => (assembled ??= assembleShader({ name, code }, pairParts, [layout]));
}

const { results, simplices, work, workRead, contacts, facets } = pairBuffers;
export const gjkLayout = tgpu
  .bindGroupLayout({ params: { uniform: PairParams }, ...pairTables, results, simplices, work })
  .$idx(0)
  .$name('gjkLayout');
export const gjkShader = shader('convex/gjk.wgsl', gjkCode, gjkLayout);

export const mprLayout = tgpu
  .bindGroupLayout({ params: { uniform: PairParams }, ...pairTables, results })
  .$idx(0)
  .$name('mprLayout');
export const mprIntersectionShader = shader('convex/mpr-intersection.wgsl', mprIntersectionCode, mprLayout);
export const mprPenetrationShader = shader('convex/mpr-penetration.wgsl', mprPenetrationCode, mprLayout);
export const mprSignedDistanceShader = shader(
  'convex/mpr-signed-distance.wgsl',
  mprSignedDistanceCode,
  mprLayout,
);
export const gjkJohnsonShader = shader('convex/gjk-johnson.wgsl', gjkJohnsonCode, gjkLayout);

export const epaLayout = tgpu
  .bindGroupLayout({ params: { uniform: PairParams }, ...pairTables, results, simplices, work: workRead })
  .$idx(0)
  .$name('epaLayout');
const epaShaders = new Map<number, AssembledShader>();
/** EPA with so many words of bits for faces; `epaFaces` has what they are enough for. */
export function epaShader(words: number): AssembledShader {
  let assembled = epaShaders.get(words);
  if (assembled === undefined) {
    const source = { name: `convex/epa.wgsl`, code: epaCode };
    const parts = [...pairParts, epaFaces(words)];
    const made = assembleShader(source, parts, [epaLayout]);
    // Kernels are kept by name.
    assembled = { ...made, name: `convex/epa-${words}.wgsl` };
    epaShaders.set(words, assembled);
  }
  return assembled;
}

export const boxAxesLayout = tgpu
  .bindGroupLayout({ params: { uniform: PairParams }, ...pairTables, results, work })
  .$idx(0)
  .$name('boxAxesLayout');
export const boxAxesShader = shader('convex/box-axes.wgsl', boxAxesCode, boxAxesLayout);

export const manifoldSampledLayout = tgpu
  .bindGroupLayout({ params: { uniform: PairParams }, ...pairTables, results, contacts })
  .$idx(0)
  .$name('manifoldSampledLayout');
export const manifoldSampledShader = shader(
  'convex/manifold-sampled.wgsl',
  manifoldSampledCode,
  manifoldSampledLayout,
);

export const manifoldClippedLayout = tgpu
  .bindGroupLayout({ params: { uniform: PairParams }, ...pairTables, results, contacts, facets })
  .$idx(0)
  .$name('manifoldClippedLayout');
export const manifoldClippedShader = shader(
  'convex/manifold-clipped.wgsl',
  manifoldClippedCode,
  manifoldClippedLayout,
);

export const listGroupsLayout = tgpu
  .bindGroupLayout({
    work: workRead,
    workgroups: { storage: d.arrayOf(d.u32), access: 'mutable' },
  })
  .$idx(0)
  .$name('listGroupsLayout');
export const listGroupsShader = shader('convex/list-groups.wgsl', listGroupsCode, listGroupsLayout);

/** Every kernel for pairs, for the test of shaders. */
export const pairShaders: readonly (() => AssembledShader)[] = [
  gjkShader,
  gjkJohnsonShader,
  mprIntersectionShader,
  mprPenetrationShader,
  mprSignedDistanceShader,
  () => epaShader(2),
  () => epaShader(3),
  boxAxesShader,
  manifoldSampledShader,
  manifoldClippedShader,
  listGroupsShader,
];

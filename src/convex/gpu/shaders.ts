/** The kernels for pairs, assembled when first asked for. */
import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import epaCode from '../../../shaders/convex/epa/epa.wgsl?raw';
import gjkJohnsonCode from '../../../shaders/convex/gjk/gjk-johnson.wgsl?raw';
import gjkLoopCode from '../../../shaders/convex/gjk/gjk-loop.wgsl?raw';
import gjkVoronoiCode from '../../../shaders/convex/gjk/gjk-voronoi.wgsl?raw';
import candidateCode from '../../../shaders/convex/gjk/simplex-candidates.wgsl?raw';
import tetrahedronCode from '../../../shaders/convex/gjk/tetrahedron.wgsl?raw';
import clippedManifoldCode from '../../../shaders/convex/manifold/clipped-manifold.wgsl?raw';
import cutPolygonCode from '../../../shaders/convex/manifold/cut-polygon.wgsl?raw';
import featureCode from '../../../shaders/convex/manifold/feature.wgsl?raw';
import sampledManifoldCode from '../../../shaders/convex/manifold/sampled-manifold.wgsl?raw';
import supportingFaceCode from '../../../shaders/convex/manifold/supporting-face.wgsl?raw';
import ballPortalCode from '../../../shaders/convex/mpr/ball-portal.wgsl?raw';
import mprIntersectionCode from '../../../shaders/convex/mpr/mpr-intersection.wgsl?raw';
import mprPenetrationCode from '../../../shaders/convex/mpr/mpr-penetration.wgsl?raw';
import mprSignedDistanceCode from '../../../shaders/convex/mpr/mpr-signed-distance.wgsl?raw';
import portalCode from '../../../shaders/convex/mpr/portal.wgsl?raw';
import portalAnswerCode from '../../../shaders/convex/mpr/portal-answer.wgsl?raw';
import rayCode from '../../../shaders/convex/mpr/ray.wgsl?raw';
import listGroupsCode from '../../../shaders/convex/pair/list-groups.wgsl?raw';
import pairCode from '../../../shaders/convex/pair/pair.wgsl?raw';
import resultCode from '../../../shaders/convex/pair/result.wgsl?raw';
import boxAxesCode from '../../../shaders/convex/separating-axes/box-axes.wgsl?raw';
import supportCode from '../../../shaders/convex/shapes/support.wgsl?raw';
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
  { name: 'convex/shapes/support.wgsl', code: supportCode },
  { name: 'convex/pair/pair.wgsl', code: pairCode },
  { name: 'convex/pair/result.wgsl', code: resultCode },
  { name: 'convex/gjk/tetrahedron.wgsl', code: tetrahedronCode },
  { name: 'convex/gjk/gjk-loop.wgsl', code: gjkLoopCode },
  { name: 'convex/mpr/ray.wgsl', code: rayCode },
  { name: 'convex/mpr/ball-portal.wgsl', code: ballPortalCode },
  { name: 'convex/mpr/portal.wgsl', code: portalCode },
  { name: 'convex/mpr/portal-answer.wgsl', code: portalAnswerCode },
  { name: 'convex/gjk/simplex-candidates.wgsl', code: candidateCode },
  { name: 'convex/manifold/feature.wgsl', code: featureCode },
  { name: 'convex/manifold/cut-polygon.wgsl', code: cutPolygonCode },
  { name: 'convex/manifold/supporting-face.wgsl', code: supportingFaceCode },
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
export const gjkVoronoiShader = shader('convex/gjk/gjk-voronoi.wgsl', gjkVoronoiCode, gjkLayout);

export const mprLayout = tgpu
  .bindGroupLayout({ params: { uniform: PairParams }, ...pairTables, results })
  .$idx(0)
  .$name('mprLayout');
export const mprIntersectionShader = shader(
  'convex/mpr/mpr-intersection.wgsl',
  mprIntersectionCode,
  mprLayout,
);
export const mprPenetrationShader = shader('convex/mpr/mpr-penetration.wgsl', mprPenetrationCode, mprLayout);
export const mprSignedDistanceShader = shader(
  'convex/mpr/mpr-signed-distance.wgsl',
  mprSignedDistanceCode,
  mprLayout,
);
export const gjkJohnsonShader = shader('convex/gjk/gjk-johnson.wgsl', gjkJohnsonCode, gjkLayout);

export const epaLayout = tgpu
  .bindGroupLayout({ params: { uniform: PairParams }, ...pairTables, results, simplices, work: workRead })
  .$idx(0)
  .$name('epaLayout');
const epaShaders = new Map<number, AssembledShader>();
/** EPA with so many words of bits for faces; `epaFaces` has what they are enough for. */
export function epaShader(words: number): AssembledShader {
  let assembled = epaShaders.get(words);
  if (assembled === undefined) {
    const source = { name: `convex/epa/epa.wgsl`, code: epaCode };
    const parts = [...pairParts, epaFaces(words)];
    const made = assembleShader(source, parts, [epaLayout]);
    // Kernels are kept by name.
    assembled = { ...made, name: `convex/epa/epa-${words}.wgsl` };
    epaShaders.set(words, assembled);
  }
  return assembled;
}

export const boxAxesLayout = tgpu
  .bindGroupLayout({ params: { uniform: PairParams }, ...pairTables, results, work })
  .$idx(0)
  .$name('boxAxesLayout');
export const boxAxesShader = shader('convex/separating-axes/box-axes.wgsl', boxAxesCode, boxAxesLayout);

export const sampledManifoldLayout = tgpu
  .bindGroupLayout({ params: { uniform: PairParams }, ...pairTables, results, contacts })
  .$idx(0)
  .$name('sampledManifoldLayout');
export const sampledManifoldShader = shader(
  'convex/manifold/sampled-manifold.wgsl',
  sampledManifoldCode,
  sampledManifoldLayout,
);

export const clippedManifoldLayout = tgpu
  .bindGroupLayout({ params: { uniform: PairParams }, ...pairTables, results, contacts, facets })
  .$idx(0)
  .$name('clippedManifoldLayout');
export const clippedManifoldShader = shader(
  'convex/manifold/clipped-manifold.wgsl',
  clippedManifoldCode,
  clippedManifoldLayout,
);

export const listGroupsLayout = tgpu
  .bindGroupLayout({
    work: workRead,
    workgroups: { storage: d.arrayOf(d.u32), access: 'mutable' },
  })
  .$idx(0)
  .$name('listGroupsLayout');
export const listGroupsShader = shader('convex/pair/list-groups.wgsl', listGroupsCode, listGroupsLayout);

/** Every kernel for pairs, for the test of shaders. */
export const pairShaders: readonly (() => AssembledShader)[] = [
  gjkVoronoiShader,
  gjkJohnsonShader,
  mprIntersectionShader,
  mprPenetrationShader,
  mprSignedDistanceShader,
  () => epaShader(2),
  () => epaShader(3),
  boxAxesShader,
  sampledManifoldShader,
  clippedManifoldShader,
  listGroupsShader,
];

/** The kernels for pairs, assembled when first asked for. */
import tgpu from 'typegpu';
import candidateCode from '../../../shaders/convex/candidate.wgsl?raw';
import gjkCode from '../../../shaders/convex/gjk.wgsl?raw';
import gjkJohnsonCode from '../../../shaders/convex/gjk-johnson.wgsl?raw';
import gjkLoopCode from '../../../shaders/convex/gjk-loop.wgsl?raw';
import mprIntersectionCode from '../../../shaders/convex/mpr-intersection.wgsl?raw';
import mprPenetrationCode from '../../../shaders/convex/mpr-penetration.wgsl?raw';
import mprSignedDistanceCode from '../../../shaders/convex/mpr-signed-distance.wgsl?raw';
import pairCode from '../../../shaders/convex/pair.wgsl?raw';
import portalCode from '../../../shaders/convex/portal.wgsl?raw';
import resultCode from '../../../shaders/convex/result.wgsl?raw';
import supportCode from '../../../shaders/convex/support.wgsl?raw';
import tetrahedronCode from '../../../shaders/convex/tetrahedron.wgsl?raw';
import {
  type AssembledShader,
  assembleShader,
  type ShaderLayout,
  type ShaderSource,
} from '../../gpu/shader.ts';
import { PairParams, pairBuffers, pairTables } from './layout.ts';

/** What kernels may name in `// requires` lines. */
export const pairParts: readonly ShaderSource[] = [
  { name: 'convex/support.wgsl', code: supportCode },
  { name: 'convex/pair.wgsl', code: pairCode },
  { name: 'convex/result.wgsl', code: resultCode },
  { name: 'convex/tetrahedron.wgsl', code: tetrahedronCode },
  { name: 'convex/gjk-loop.wgsl', code: gjkLoopCode },
  { name: 'convex/portal.wgsl', code: portalCode },
  { name: 'convex/candidate.wgsl', code: candidateCode },
];

function shader(name: string, code: string, layout: ShaderLayout): () => AssembledShader {
  let assembled: AssembledShader | undefined;
  return () => (assembled ??= assembleShader({ name, code }, pairParts, [layout]));
}

const { results, simplices, work } = pairBuffers;
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

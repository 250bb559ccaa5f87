/** The kernels for pairs: their WGSL and bindings. */
import tgpu, { type TgpuBindGroupLayout } from 'typegpu';
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
import resolutionCode from '../../../shaders/convex/manifold/resolution.wgsl?raw';
import sampledManifoldCode from '../../../shaders/convex/manifold/sampled-manifold.wgsl?raw';
import supportingFaceCode from '../../../shaders/convex/manifold/supporting-face.wgsl?raw';
import ballPortalCode from '../../../shaders/convex/mpr/ball-portal.wgsl?raw';
import mprIntersectionCode from '../../../shaders/convex/mpr/mpr-intersection.wgsl?raw';
import mprPenetrationCode from '../../../shaders/convex/mpr/mpr-penetration.wgsl?raw';
import mprSignedDistanceCode from '../../../shaders/convex/mpr/mpr-signed-distance.wgsl?raw';
import portalCode from '../../../shaders/convex/mpr/portal.wgsl?raw';
import portalAnswerCode from '../../../shaders/convex/mpr/portal-answer.wgsl?raw';
import rayCode from '../../../shaders/convex/mpr/ray.wgsl?raw';
import beginPairsCode from '../../../shaders/convex/pair/begin-pairs.wgsl?raw';
import bodyPoseCode from '../../../shaders/convex/pair/body-pose.wgsl?raw';
import bucketCode from '../../../shaders/convex/pair/bucket.wgsl?raw';
import bucketSizesCode from '../../../shaders/convex/pair/bucket-sizes.wgsl?raw';
import countPairsCode from '../../../shaders/convex/pair/count-pairs.wgsl?raw';
import listSizesCode from '../../../shaders/convex/pair/list-sizes.wgsl?raw';
import listsCode from '../../../shaders/convex/pair/lists.wgsl?raw';
import pairCode from '../../../shaders/convex/pair/pair.wgsl?raw';
import pairAnswersCode from '../../../shaders/convex/pair/pair-answers.wgsl?raw';
import pairContactsCode from '../../../shaders/convex/pair/pair-contacts.wgsl?raw';
import partPairsCode from '../../../shaders/convex/pair/part-pairs.wgsl?raw';
import partPlaceCode from '../../../shaders/convex/pair/part-place.wgsl?raw';
import partUnmovedCode from '../../../shaders/convex/pair/part-unmoved.wgsl?raw';
import placeBodiesCode from '../../../shaders/convex/pair/place-bodies.wgsl?raw';
import placePairsCode from '../../../shaders/convex/pair/place-pairs.wgsl?raw';
import resultCode from '../../../shaders/convex/pair/result.wgsl?raw';
import sizesCode from '../../../shaders/convex/pair/sizes.wgsl?raw';
import spanBodiesCode from '../../../shaders/convex/pair/span-bodies.wgsl?raw';
import statusesCode from '../../../shaders/convex/pair/statuses.wgsl?raw';
import twofoldCode from '../../../shaders/convex/pair/twofold.wgsl?raw';
import boxAxesCode from '../../../shaders/convex/separating-axes/box-axes.wgsl?raw';
import supportCode from '../../../shaders/convex/shapes/support.wgsl?raw';
import { type KernelSource, kernelSource, type LayoutEntries } from '../../gpu/kernel.ts';
import { assembledOnce, type ShaderSource } from '../../gpu/shader.ts';
import { epaFaces } from './epa-faces.ts';
import { PairParams, Part, pairBuffers, pairTables, stageBuffers } from './layout.ts';

/** What kernels may name in `// requires` lines. */
export const pairParts: readonly ShaderSource[] = [
  { name: 'convex/shapes/support.wgsl', code: supportCode },
  { name: 'convex/pair/pair.wgsl', code: pairCode },
  { name: 'convex/pair/statuses.wgsl', code: statusesCode },
  { name: 'convex/pair/result.wgsl', code: resultCode },
  { name: 'convex/pair/body-pose.wgsl', code: bodyPoseCode },
  { name: 'convex/pair/bucket.wgsl', code: bucketCode },
  { name: 'convex/pair/lists.wgsl', code: listsCode },
  { name: 'convex/pair/part-pairs.wgsl', code: partPairsCode },
  { name: 'convex/pair/twofold.wgsl', code: twofoldCode },
  { name: 'convex/pair/part-place.wgsl', code: partPlaceCode },
  { name: 'convex/pair/part-unmoved.wgsl', code: partUnmovedCode },
  { name: 'convex/pair/sizes.wgsl', code: sizesCode },
  { name: 'convex/gjk/tetrahedron.wgsl', code: tetrahedronCode },
  { name: 'convex/gjk/gjk-loop.wgsl', code: gjkLoopCode },
  { name: 'convex/mpr/ray.wgsl', code: rayCode },
  { name: 'convex/mpr/ball-portal.wgsl', code: ballPortalCode },
  { name: 'convex/mpr/portal.wgsl', code: portalCode },
  { name: 'convex/mpr/portal-answer.wgsl', code: portalAnswerCode },
  { name: 'convex/gjk/simplex-candidates.wgsl', code: candidateCode },
  { name: 'convex/manifold/resolution.wgsl', code: resolutionCode },
  { name: 'convex/manifold/feature.wgsl', code: featureCode },
  { name: 'convex/manifold/cut-polygon.wgsl', code: cutPolygonCode },
  { name: 'convex/manifold/supporting-face.wgsl', code: supportingFaceCode },
];

const source = <Entries extends LayoutEntries>(
  name: string,
  code: string,
  layout: TgpuBindGroupLayout<Entries>,
) => kernelSource({ name, code }, layout, pairParts);

const { results, simplices, work, contacts, facets } = pairBuffers;
const solver = { params: { uniform: PairParams }, ...pairTables, results } as const;

export const gjkLayout = tgpu
  .bindGroupLayout({ ...solver, simplices, work })
  .$idx(0)
  .$name('gjkLayout');
export const gjkVoronoiSource = source('convex/gjk/gjk-voronoi.wgsl', gjkVoronoiCode, gjkLayout);
export const gjkJohnsonSource = source('convex/gjk/gjk-johnson.wgsl', gjkJohnsonCode, gjkLayout);

/** EPA with so many words of bits for faces; `epaFaces` has what they are enough for. */
function epaSource(words: number): KernelSource<typeof gjkLayout.entries> {
  const kernel = { name: 'convex/epa/epa.wgsl', code: epaCode };
  const assembled = assembledOnce(kernel, gjkLayout, [...pairParts, epaFaces(words)]);
  // Kernels are kept by name.
  const shader = () => ({ ...assembled(), name: `convex/epa/epa-${words}.wgsl` });
  return { shader, layout: gjkLayout, entryPoint: 'epa' };
}
export const epaSources = { 2: epaSource(2), 3: epaSource(3) } as const;

export const boxAxesLayout = tgpu
  .bindGroupLayout({ ...solver, work })
  .$idx(0)
  .$name('boxAxesLayout');
export const boxAxesSource = source('convex/separating-axes/box-axes.wgsl', boxAxesCode, boxAxesLayout);

export const mprLayout = tgpu.bindGroupLayout(solver).$idx(0).$name('mprLayout');
export const mprIntersectionSource = source(
  'convex/mpr/mpr-intersection.wgsl',
  mprIntersectionCode,
  mprLayout,
);
export const mprPenetrationSource = source('convex/mpr/mpr-penetration.wgsl', mprPenetrationCode, mprLayout);
export const mprSignedDistanceSource = source(
  'convex/mpr/mpr-signed-distance.wgsl',
  mprSignedDistanceCode,
  mprLayout,
);

export const sampledManifoldLayout = tgpu
  .bindGroupLayout({ ...solver, contacts })
  .$idx(0)
  .$name('sampledManifoldLayout');
export const sampledManifoldSource = source(
  'convex/manifold/sampled-manifold.wgsl',
  sampledManifoldCode,
  sampledManifoldLayout,
);
export const clippedManifoldLayout = tgpu
  .bindGroupLayout({ ...solver, contacts, facets })
  .$idx(0)
  .$name('clippedManifoldLayout');
export const clippedManifoldSource = source(
  'convex/manifold/clipped-manifold.wgsl',
  clippedManifoldCode,
  clippedManifoldLayout,
);

const mutable = <S>({ storage }: { storage: S }) => ({ storage, access: 'mutable' as const });
const { asked, spans, places, counts, sizes, open, answers } = stageBuffers;
const { bodies, pairs } = pairTables;

const placeBodiesLayout = tgpu
  .bindGroupLayout({
    params: {
      uniform: d
        .struct({
          bodies: d.u32,
          /** Convex bodies that there is room for. */
          capacity: d.u32,
          /** 1 if `rests` has what rounding left of the poses. */
          hasRests: d.u32,
          /** 0, which compilers do not know. */
          zero: d.u32,
        })
        .$name('PlaceBodiesParams'),
    },
    poses: { storage: d.arrayOf(d.u32) },
    rests: { storage: d.arrayOf(d.u32) },
    shapes: { storage: d.arrayOf(d.u32) },
    /** First part and number of parts of each shape. */
    shapeParts: { storage: d.arrayOf(d.vec2u) },
    parts: { storage: d.arrayOf(Part) },
    bodies: mutable(bodies),
    spans: mutable(spans),
    total: { storage: d.atomic(d.u32), access: 'mutable' },
  })
  .$idx(0)
  .$name('placeBodiesLayout');
export const spanBodiesSource = source('convex/pair/span-bodies.wgsl', spanBodiesCode, placeBodiesLayout);
export const placeBodiesSource = source('convex/pair/place-bodies.wgsl', placeBodiesCode, placeBodiesLayout);
/** The same where all parts have the places of their shapes: the other takes compilers longer. */
const unmovedSource = kernelSource(
  { name: 'convex/pair/place-bodies.wgsl', code: placeBodiesCode },
  placeBodiesLayout,
  [{ name: 'convex/pair/part-place.wgsl', code: partUnmovedCode }, ...pairParts],
);
export const placeUnmovedBodiesSource: typeof placeBodiesSource = {
  ...unmovedSource,
  // Kernels are kept by name.
  shader: () => ({ ...unmovedSource.shader(), name: 'convex/pair/place-bodies-0.wgsl' }),
};

/** What the kernels are told that sort pairs. */
export const SortParams = d
  .struct({
    /** The first pair: a query may go on where another encoding ended. */
    first: d.u32,
    bodies: d.u32,
    /** A body without a place or an extent, for pairs that are not usable. */
    nobody: d.u32,
    buckets: d.u32,
    blocks: d.u32,
    /** The number of each kind of records, four bits each, and how many numbers there are. */
    kinds: d.u32,
    kindCount: d.u32,
    /** Slots and places that there is room for. */
    capacity: d.u32,
    /** Pairs of parts that one pair may come to. */
    mostPartPairs: d.u32,
    hasNormals: d.u32,
  })
  .$name('SortParams');

const beginPairsLayout = tgpu
  .bindGroupLayout({
    params: {
      uniform: d
        .struct({
          buckets: d.u32,
          /** Pairs that there is room for. */
          most: d.u32,
          /** The number of pairs, or that it is in `given`, and where. */
          count: d.u32,
          isGiven: d.u32,
          givenAt: d.u32,
          /** 1 for the first or only part of a query. */
          isFirst: d.u32,
        })
        .$name('BeginPairsParams'),
    },
    given: { storage: d.arrayOf(d.u32) },
    pairs: mutable(pairs),
    work,
    sizes,
    places: mutable(places),
    open,
  })
  .$idx(0)
  .$name('beginPairsLayout');
export const beginPairsSource = source('convex/pair/begin-pairs.wgsl', beginPairsCode, beginPairsLayout);

const sort = { params: { uniform: SortParams } } as const;
const countPairsLayout = tgpu
  .bindGroupLayout({ ...sort, asked, spans, bodies, places, counts: mutable(counts) })
  .$idx(0)
  .$name('countPairsLayout');
export const countPairsSource = source('convex/pair/count-pairs.wgsl', countPairsCode, countPairsLayout);

const bucketSizesLayout = tgpu
  .bindGroupLayout({ ...sort, places, counts, pairs: mutable(pairs), sizes, open })
  .$idx(0)
  .$name('bucketSizesLayout');
export const bucketSizesSource = source('convex/pair/bucket-sizes.wgsl', bucketSizesCode, bucketSizesLayout);

const placePairsLayout = tgpu
  .bindGroupLayout({
    ...sort,
    ...{ asked, spans, bodies },
    /** Normals to start from, three floats (bits) per pair. */
    normals: { storage: d.arrayOf(d.u32) },
    places: mutable(places),
    counts: mutable(counts),
    pairs: mutable(pairs),
    results,
  })
  .$idx(0)
  .$name('placePairsLayout');
export const placePairsSource = source('convex/pair/place-pairs.wgsl', placePairsCode, placePairsLayout);

const listSizesLayout = tgpu
  .bindGroupLayout({
    params: { uniform: d.struct({ buckets: d.u32, list: d.u32 }).$name('ListSizesParams') },
    work: { storage: d.arrayOf(d.u32) },
    sizes,
  })
  .$idx(0)
  .$name('listSizesLayout');
export const listSizesSource = source('convex/pair/list-sizes.wgsl', listSizesCode, listSizesLayout);

const answer = {
  params: { uniform: d.struct({ first: d.u32 }).$name('AnswerParams') },
} as const;
const resultsRead = { storage: results.storage } as const;
const pairAnswersLayout = tgpu
  .bindGroupLayout({ ...answer, asked, spans, bodies, places, results: resultsRead, answers, open })
  .$idx(0)
  .$name('pairAnswersLayout');
export const pairAnswersSource = source('convex/pair/pair-answers.wgsl', pairAnswersCode, pairAnswersLayout);

const pairContactsLayout = tgpu
  .bindGroupLayout({
    ...answer,
    ...{ asked, spans, bodies, places, results: resultsRead },
    contacts: { storage: contacts.storage },
    /**
     * In the world: `contactsPerPair` vec4f per pair of convex bodies. With concave bodies 16 per pair, then as many
     * normals.
     */
    manifolds: { storage: d.arrayOf(d.vec4f), access: 'mutable' },
    answers,
  })
  .$idx(0)
  .$name('pairContactsLayout');
export const pairContactsSource = source(
  'convex/pair/pair-contacts.wgsl',
  pairContactsCode,
  pairContactsLayout,
);

/** Every kernel for pairs, for the test of shaders. */
export const pairSources: readonly Pick<KernelSource, 'shader'>[] = [
  ...[
    gjkVoronoiSource,
    gjkJohnsonSource,
    mprIntersectionSource,
    mprPenetrationSource,
    mprSignedDistanceSource,
  ],
  ...[...Object.values(epaSources), boxAxesSource, sampledManifoldSource, clippedManifoldSource],
  ...[
    spanBodiesSource,
    placeBodiesSource,
    placeUnmovedBodiesSource,
    beginPairsSource,
    countPairsSource,
    bucketSizesSource,
    placePairsSource,
  ],
  ...[listSizesSource, pairAnswersSource, pairContactsSource],
];

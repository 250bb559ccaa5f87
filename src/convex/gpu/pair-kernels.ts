/** The kernels for pairs: their WGSL and bindings. */
import * as d from 'typegpu/data';
import epaWgsl from '../../../shaders/convex/epa/epa.wgsl';
import gjkJohnsonWgsl from '../../../shaders/convex/gjk/gjk-johnson.wgsl';
import gjkVoronoiWgsl from '../../../shaders/convex/gjk/gjk-voronoi.wgsl';
import clippedManifoldWgsl from '../../../shaders/convex/manifold/clipped-manifold.wgsl';
import sampledManifoldWgsl from '../../../shaders/convex/manifold/sampled-manifold.wgsl';
import mprIntersectionWgsl from '../../../shaders/convex/mpr/mpr-intersection.wgsl';
import mprPenetrationWgsl from '../../../shaders/convex/mpr/mpr-penetration.wgsl';
import mprSignedDistanceWgsl from '../../../shaders/convex/mpr/mpr-signed-distance.wgsl';
import beginPairsWgsl from '../../../shaders/convex/pair/begin-pairs.wgsl';
import bucketSizesWgsl from '../../../shaders/convex/pair/bucket-sizes.wgsl';
import countPairsWgsl from '../../../shaders/convex/pair/count-pairs.wgsl';
import listSizesWgsl from '../../../shaders/convex/pair/list-sizes.wgsl';
import pairAnswersWgsl from '../../../shaders/convex/pair/pair-answers.wgsl';
import pairContactsWgsl from '../../../shaders/convex/pair/pair-contacts.wgsl';
import partUnmovedWgsl from '../../../shaders/convex/pair/part-unmoved.wgsl';
import placeBodiesWgsl from '../../../shaders/convex/pair/place-bodies.wgsl';
import placePairsWgsl from '../../../shaders/convex/pair/place-pairs.wgsl';
import spanBodiesWgsl from '../../../shaders/convex/pair/span-bodies.wgsl';
import boxAxesWgsl from '../../../shaders/convex/separating-axes/box-axes.wgsl';
import { type KernelSource, kernelSource } from '../../gpu/kernel.ts';
import { struct } from '../../gpu/struct.ts';
import { epaFaces } from './epa-faces.ts';
import { PairParams, Part, pairBuffers, pairTables, stageBuffers } from './pair-layout.ts';

const { results, simplices, work, contacts, facets } = pairBuffers;
const solver = { params: { uniform: PairParams }, ...pairTables, results } as const;

const gjkBindings = { ...solver, simplices, work } as const;
export const gjkVoronoiSource = kernelSource(gjkVoronoiWgsl, gjkBindings);
export const gjkJohnsonSource = kernelSource(gjkJohnsonWgsl, gjkBindings);

/** EPA with so many words of bits for faces; `epaFaces` has what they are enough for. */
function epaSource(words: number): KernelSource<typeof gjkBindings> {
  return kernelSource(epaWgsl, gjkBindings, {
    name: `convex/epa/epa-${words}.wgsl`,
    parts: { 'convex/epa-faces.wgsl': epaFaces(words) },
  });
}
export const epaSources = { 2: epaSource(2), 3: epaSource(3) } as const;
export const boxAxesSource = kernelSource(boxAxesWgsl, { ...solver, work });

export const mprIntersectionSource = kernelSource(mprIntersectionWgsl, solver);
export const mprPenetrationSource = kernelSource(mprPenetrationWgsl, solver);
export const mprSignedDistanceSource = kernelSource(mprSignedDistanceWgsl, solver);
export const sampledManifoldSource = kernelSource(sampledManifoldWgsl, { ...solver, contacts });
export const clippedManifoldSource = kernelSource(clippedManifoldWgsl, { ...solver, contacts, facets });

const mutable = <S>({ storage }: { storage: S }) => ({ storage, access: 'mutable' as const });
const { asked, spans, places, counts, sizes, open, answers } = stageBuffers;
const { bodies, pairs } = pairTables;

const placeBodiesBindings = {
  params: {
    uniform: struct('PlaceBodiesParams', {
      bodies: d.u32,
      /** Convex bodies that there is room for. */
      capacity: d.u32,
      /** 1 if `rests` has what rounding left of the poses. */
      hasRests: d.u32,
      /** 0, which compilers do not know. */
      zero: d.u32,
    }),
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
} as const;
export const spanBodiesSource = kernelSource(spanBodiesWgsl, placeBodiesBindings);
export const placeBodiesSource = kernelSource(placeBodiesWgsl, placeBodiesBindings);
/** The same where all parts have the places of their shapes: the other takes compilers longer. */
export const placeUnmovedBodiesSource = kernelSource(placeBodiesWgsl, placeBodiesBindings, {
  name: 'convex/pair/place-bodies-0.wgsl',
  parts: { 'convex/pair/part-place.wgsl': partUnmovedWgsl },
});

/** What the kernels are told that sort pairs. */
export const SortParams = struct('SortParams', {
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
});

export const beginPairsSource = kernelSource(beginPairsWgsl, {
  params: {
    uniform: struct('BeginPairsParams', {
      buckets: d.u32,
      /** Pairs that there is room for. */
      most: d.u32,
      /** The number of pairs, or that it is in `given`, and where. */
      count: d.u32,
      isGiven: d.u32,
      givenAt: d.u32,
      /** 1 for the first or only part of a query. */
      isFirst: d.u32,
    }),
  },
  given: { storage: d.arrayOf(d.u32) },
  pairs: mutable(pairs),
  work,
  sizes,
  places: mutable(places),
  open,
});

const sort = { params: { uniform: SortParams } } as const;

export const countPairsSource = kernelSource(countPairsWgsl, {
  ...sort,
  asked,
  spans,
  bodies,
  places,
  counts: mutable(counts),
});

export const bucketSizesSource = kernelSource(bucketSizesWgsl, {
  ...sort,
  places,
  counts,
  pairs: mutable(pairs),
  sizes,
  open,
});

export const placePairsSource = kernelSource(placePairsWgsl, {
  ...sort,
  ...{ asked, spans, bodies },
  /** Normals to start from, three floats (bits) per pair. */
  normals: { storage: d.arrayOf(d.u32) },
  places: mutable(places),
  counts: mutable(counts),
  pairs: mutable(pairs),
  results,
});

export const listSizesSource = kernelSource(listSizesWgsl, {
  params: { uniform: struct('ListSizesParams', { buckets: d.u32, list: d.u32 }) },
  work: { storage: d.arrayOf(d.u32) },
  sizes,
});

const answer = {
  params: { uniform: struct('AnswerParams', { first: d.u32 }) },
} as const;
const resultsRead = { storage: results.storage } as const;

export const pairAnswersSource = kernelSource(pairAnswersWgsl, {
  ...answer,
  asked,
  spans,
  bodies,
  places,
  results: resultsRead,
  answers,
  open,
});

export const pairContactsSource = kernelSource(pairContactsWgsl, {
  ...answer,
  ...{ asked, spans, bodies, places, results: resultsRead },
  contacts: { storage: contacts.storage },
  /**
   * In the world: `contactsPerPair` vec4f per pair of convex bodies. With concave bodies 16 per pair, then as many
   * normals.
   */
  manifolds: { storage: d.arrayOf(d.vec4f), access: 'mutable' },
  answers,
});

/** Every kernel of the library. */
import { broadPhaseSources } from '../../src/broadphase/gpu/sources.ts';
import { convexContactSources } from '../../src/contacts/convex/sources.ts';
import { testPiecesSource, writePiecesSource } from '../../src/contacts/edges/sources.ts';
import { pairListSources } from '../../src/contacts/gpu/sources.ts';
import { findClustersSource, testNodesSource, writeNodesSource } from '../../src/contacts/nodes/sources.ts';
import { patchSources } from '../../src/contacts/patches/sources.ts';
import { planeSources } from '../../src/contacts/planes/sources.ts';
import { pairSources } from '../../src/convex/gpu/sources.ts';
import { tryLawsSource } from '../../src/dem/gpu/forces/own-laws.ts';
import { forceSources } from '../../src/dem/gpu/forces/sources.ts';
import { motionSources } from '../../src/dem/gpu/sources.ts';
import { countFlagsSources, listFlagsSources } from '../../src/gpu/blocks/compaction.ts';
import { digitCountsSources, placeDigitsSources } from '../../src/gpu/blocks/radix-sort.ts';
import { scanChunksSources, scanOffsetsSources, scanSumsSources } from '../../src/gpu/blocks/scan.ts';
import {
  countRangesSource,
  sumRangesSources,
  sumSegmentsSources,
} from '../../src/gpu/blocks/segment-sums.ts';
import { indirectSizeSource } from '../../src/gpu/indirect.ts';
import type { AssembledShader } from '../../src/gpu/shader.ts';
import {
  cellLookUpSource,
  cellSegmentsSource,
  localPointsSource,
} from '../../src/inside/cell-grid/on-gpu.ts';
import { clusterSumSource } from '../../src/inside/clusters/shaders.ts';
import { solidAnglesShader } from '../../src/inside/direct/shaders.ts';
import { multipoleShaders } from '../../src/inside/multipole/shaders.ts';
import { crossingsShader, flagsShader } from '../../src/inside/ray-crossing/shaders.ts';
import { renderShaders } from '../../src/render/sources.ts';

export const insideShaders: readonly (() => AssembledShader)[] = [
  cellLookUpSource.shader,
  cellSegmentsSource.shader,
  localPointsSource.shader,
  crossingsShader,
  flagsShader,
  solidAnglesShader,
  clusterSumSource.shader,
  ...Object.values(multipoleShaders).map(({ shader }) => shader),
];

type Sources = { shader: () => AssembledShader };
type Forms = Readonly<Record<string, Sources>>;
const inAllForms = (...blocks: Forms[]) => blocks.flatMap((forms) => Object.values(forms));

/** Of src/gpu: kernels that the library's own kernels stand on. */
const used: readonly Sources[] = [
  indirectSizeSource,
  ...inAllForms(scanSumsSources, scanChunksSources, scanOffsetsSources),
];
/** Building blocks that no call of the library runs so far: a build leaves them out. */
const unused: readonly Sources[] = [
  countRangesSource,
  ...inAllForms(
    countFlagsSources,
    listFlagsSources,
    digitCountsSources,
    placeDigitsSources,
    sumRangesSources,
    sumSegmentsSources,
  ),
];

export const gpuShaders: readonly (() => AssembledShader)[] = [...used, ...unused].map(
  ({ shader }) => shader,
);

/** Kernels that a build carries. */
export const builtShaders = [...used, ...pairSources].map(({ shader }) => shader).concat(insideShaders);

/** Of src/contacts. */
const contactSources: readonly Sources[] = [
  ...[findClustersSource, testNodesSource, writeNodesSource, testPiecesSource, writePiecesSource],
];

export const shaders = [
  ...gpuShaders,
  ...insideShaders,
  ...Object.values(renderShaders),
  ...[
    ...pairSources,
    ...broadPhaseSources,
    ...convexContactSources,
    ...contactSources,
    ...pairListSources,
    ...patchSources,
    ...planeSources,
    ...motionSources,
    ...forceSources,
    tryLawsSource,
  ].map(({ shader }) => shader),
];

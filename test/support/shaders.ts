/** Every kernel of the library. */
import { pairSources } from '../../src/convex/gpu/sources.ts';
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
import { solidAnglesShader } from '../../src/inside/direct/shaders.ts';
import { multipoleShaders } from '../../src/inside/multipole/shaders.ts';
import { crossingsShader, flagsShader } from '../../src/inside/ray-crossing/shaders.ts';

export const insideShaders: readonly (() => AssembledShader)[] = [
  cellLookUpSource.shader,
  cellSegmentsSource.shader,
  localPointsSource.shader,
  crossingsShader,
  flagsShader,
  solidAnglesShader,
  ...Object.values(multipoleShaders).map(({ shader }) => shader),
];

/** Building blocks in all forms. */
const blocks = [
  scanSumsSources,
  scanChunksSources,
  scanOffsetsSources,
  countFlagsSources,
  listFlagsSources,
  digitCountsSources,
  placeDigitsSources,
  sumRangesSources,
  sumSegmentsSources,
].flatMap((forms): { shader: () => AssembledShader }[] => Object.values(forms));

export const gpuShaders: readonly (() => AssembledShader)[] = [
  indirectSizeSource,
  countRangesSource,
  ...blocks,
].map(({ shader }) => shader);

export const shaders = [...gpuShaders, ...insideShaders, ...pairSources.map(({ shader }) => shader)];

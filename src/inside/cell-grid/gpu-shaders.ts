/** The kernels that build a cell grid, assembled when first asked for. */
import float64Code from '../../../shaders/common/float64.wgsl?raw';
import float64CrossCode from '../../../shaders/common/float64-cross.wgsl?raw';
import itemOwnerCode from '../../../shaders/common/item-owner.wgsl?raw';
import mixedRankCode from '../../../shaders/common/mixed-rank.wgsl?raw';
import placedCrossingCode from '../../../shaders/common/placed-crossing.wgsl?raw';
import countCrossingsCode from '../../../shaders/inside/cell-grid-build/count-crossings.wgsl?raw';
import countMixedCode from '../../../shaders/inside/cell-grid-build/count-mixed.wgsl?raw';
import fillStatusesCode from '../../../shaders/inside/cell-grid-build/fill-statuses.wgsl?raw';
import groupCrossingsCode from '../../../shaders/inside/cell-grid-build/group-crossings.wgsl?raw';
import groupPairsCode from '../../../shaders/inside/cell-grid-build/group-pairs.wgsl?raw';
import nearCrossingsCode from '../../../shaders/inside/cell-grid-build/near-crossings.wgsl?raw';
import overlapsCode from '../../../shaders/inside/cell-grid-build/overlaps.wgsl?raw';
import packWordsCode from '../../../shaders/inside/cell-grid-build/pack-words.wgsl?raw';
import placeCrossingsCode from '../../../shaders/inside/cell-grid-build/place-crossings.wgsl?raw';
import rankPairsCode from '../../../shaders/inside/cell-grid-build/rank-pairs.wgsl?raw';
import referencePlacesCode from '../../../shaders/inside/cell-grid-build/reference-places.wgsl?raw';
import rowCrossingsCode from '../../../shaders/inside/cell-grid-build/row-crossings.wgsl?raw';
import scanOffsetsCode from '../../../shaders/inside/cell-grid-build/scan-offsets.wgsl?raw';
import scanSumsCode from '../../../shaders/inside/cell-grid-build/scan-sums.wgsl?raw';
import segmentRowsCode from '../../../shaders/inside/cell-grid-build/segment-rows.wgsl?raw';
import sortGroupsCode from '../../../shaders/inside/cell-grid-build/sort-groups.wgsl?raw';
import triangleBoxesCode from '../../../shaders/inside/cell-grid-build/triangle-boxes.wgsl?raw';
import trianglePlanesCode from '../../../shaders/inside/cell-grid-build/triangle-planes.wgsl?raw';
import { type AssembledShader, assembledOnce, type ShaderSource } from '../../gpu/shader.ts';
import { type BuildKernel, buildLayouts } from './gpu-layout.ts';

const parts: readonly ShaderSource[] = [
  { name: 'common/float64', code: float64Code },
  { name: 'common/float64-cross', code: float64CrossCode },
  { name: 'common/item-owner', code: itemOwnerCode },
  { name: 'common/mixed-rank', code: mixedRankCode },
  { name: 'common/placed-crossing', code: placedCrossingCode },
];

function shader(kernel: BuildKernel, code: string): () => AssembledShader {
  const file = kernel.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const name = `inside/cell-grid-build/${file}.wgsl`;
  return assembledOnce({ name, code }, buildLayouts[kernel], parts);
}

/** By entry point. */
export const buildShaders: Readonly<Record<BuildKernel, () => AssembledShader>> = {
  triangleBoxes: shader('triangleBoxes', triangleBoxesCode),
  trianglePlanes: shader('trianglePlanes', trianglePlanesCode),
  scanSums: shader('scanSums', scanSumsCode),
  scanOffsets: shader('scanOffsets', scanOffsetsCode),
  overlaps: shader('overlaps', overlapsCode),
  countMixed: shader('countMixed', countMixedCode),
  packWords: shader('packWords', packWordsCode),
  rankPairs: shader('rankPairs', rankPairsCode),
  groupPairs: shader('groupPairs', groupPairsCode),
  sortGroups: shader('sortGroups', sortGroupsCode),
  referencePlaces: shader('referencePlaces', referencePlacesCode),
  segmentRows: shader('segmentRows', segmentRowsCode),
  rowCrossings: shader('rowCrossings', rowCrossingsCode),
  placeCrossings: shader('placeCrossings', placeCrossingsCode),
  nearCrossings: shader('nearCrossings', nearCrossingsCode),
  countCrossings: shader('countCrossings', countCrossingsCode),
  groupCrossings: shader('groupCrossings', groupCrossingsCode),
  fillStatuses: shader('fillStatuses', fillStatusesCode),
};

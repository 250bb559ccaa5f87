/** The kernels that look points up in a cell grid. */
import cellLookUpCode from '../../../shaders/inside/cell-grid/cell-look-up.wgsl?raw';
import cellSegmentsCode from '../../../shaders/inside/cell-grid/cell-segments.wgsl?raw';
import { assembledOnce } from '../../gpu/shader.ts';
import { cellLookUpLayout, cellSegmentsLayout } from './layout.ts';

export const cellLookUpShader = assembledOnce(
  { name: 'inside/cell-grid/cell-look-up.wgsl', code: cellLookUpCode },
  cellLookUpLayout,
);
export const cellSegmentsShader = assembledOnce(
  { name: 'inside/cell-grid/cell-segments.wgsl', code: cellSegmentsCode },
  cellSegmentsLayout,
);

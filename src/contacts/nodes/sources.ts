/** WGSL and bindings of the kernels of nodes. */

import cellsBetweenCode from '../../../shaders/contacts/cells-between.wgsl?raw';
import fieldCode from '../../../shaders/contacts/field/field.wgsl?raw';
import nearestCode from '../../../shaders/contacts/field/nearest.wgsl?raw';
import shapeCode from '../../../shaders/contacts/field/shape.wgsl?raw';
import betweenPlanesCode from '../../../shaders/contacts/nodes/between-planes.wgsl?raw';
import findClustersCode from '../../../shaders/contacts/nodes/find-clusters.wgsl?raw';
import itemFramesCode from '../../../shaders/contacts/nodes/item-frames.wgsl?raw';
import testNodesCode from '../../../shaders/contacts/nodes/test-nodes.wgsl?raw';
import writeNodesCode from '../../../shaders/contacts/nodes/write-nodes.wgsl?raw';
import writeRecordCode from '../../../shaders/contacts/nodes/write-record.wgsl?raw';
import placeCode from '../../../shaders/contacts/place.wgsl?raw';
import { kernelSource } from '../../gpu/kernel.ts';
import type { ShaderSource } from '../../gpu/shader.ts';
import { findClustersLayout, testItemsLayout, writeItemsLayout } from './layout.ts';

/** What kernels of nodes and edges may require. */
export const fieldParts: readonly ShaderSource[] = [
  { name: 'contacts/cells-between.wgsl', code: cellsBetweenCode },
  { name: 'contacts/place.wgsl', code: placeCode },
  { name: 'contacts/field/shape.wgsl', code: shapeCode },
  { name: 'contacts/field/field.wgsl', code: fieldCode },
  { name: 'contacts/field/nearest.wgsl', code: nearestCode },
  { name: 'contacts/nodes/item-frames.wgsl', code: itemFramesCode },
  { name: 'contacts/nodes/between-planes.wgsl', code: betweenPlanesCode },
  { name: 'contacts/nodes/write-record.wgsl', code: writeRecordCode },
];

export const findClustersSource = kernelSource(
  { name: 'contacts/nodes/find-clusters.wgsl', code: findClustersCode },
  findClustersLayout,
  fieldParts,
);
export const testNodesSource = kernelSource(
  { name: 'contacts/nodes/test-nodes.wgsl', code: testNodesCode },
  testItemsLayout,
  fieldParts,
);
export const writeNodesSource = kernelSource(
  { name: 'contacts/nodes/write-nodes.wgsl', code: writeNodesCode },
  writeItemsLayout,
  fieldParts,
);

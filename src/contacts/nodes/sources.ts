/** WGSL and bindings of the kernels of nodes. */

import findClustersWgsl from '../../../shaders/contacts/nodes/find-clusters.wgsl';
import testNodesWgsl from '../../../shaders/contacts/nodes/test-nodes.wgsl';
import writeNodesWgsl from '../../../shaders/contacts/nodes/write-nodes.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { findClustersLayout, testItemsLayout, writeItemsLayout } from './layout.ts';

export const findClustersSource = kernelSource(findClustersWgsl, findClustersLayout);
export const testNodesSource = kernelSource(testNodesWgsl, testItemsLayout);
export const writeNodesSource = kernelSource(writeNodesWgsl, writeItemsLayout);

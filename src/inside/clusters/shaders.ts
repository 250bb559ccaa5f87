/** The kernel of the cluster sums. */
import clusterSumCode from '../../../shaders/inside/clusters/cluster-sum.wgsl?raw';
import { kernelSource } from '../../gpu/kernel.ts';
import { solidAngleParts } from '../potential/packed-triangles.ts';
import { clusterSumLayout } from './layout.ts';

export const clusterSumSource = kernelSource(
  { name: 'inside/clusters/cluster-sum.wgsl', code: clusterSumCode },
  clusterSumLayout,
  solidAngleParts,
);

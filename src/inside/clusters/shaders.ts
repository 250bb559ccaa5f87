/** The kernel of the cluster sums. */
import clusterSumWgsl from '../../../shaders/inside/clusters/cluster-sum.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { clusterSumLayout } from './cluster-layout.ts';

export const clusterSumSource = kernelSource(clusterSumWgsl, clusterSumLayout);

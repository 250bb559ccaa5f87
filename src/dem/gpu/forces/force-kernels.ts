/** WGSL of the kernels of forces. */
import groupForcesWgsl from '../../../../shaders/dem/forces/group-forces.wgsl';
import joinSumsWgsl from '../../../../shaders/dem/forces/join-sums.wgsl';
import matchContactsWgsl from '../../../../shaders/dem/forces/match-contacts.wgsl';
import sumGroupsWgsl from '../../../../shaders/dem/forces/sum-groups.wgsl';
import sumLoadsWgsl from '../../../../shaders/dem/forces/sum-loads.wgsl';
import sumRunsWgsl from '../../../../shaders/dem/forces/sum-runs.wgsl';
import { kernelSource } from '../../../gpu/kernel.ts';
import * as layouts from './force-layout.ts';

export const matchContactsSource = kernelSource(matchContactsWgsl, layouts.matchContactsLayout);
export const groupForcesSource = kernelSource(groupForcesWgsl, layouts.groupForcesLayout);
export const sumGroupsSource = kernelSource(sumGroupsWgsl, layouts.sumGroupsLayout);
export const joinSumsSource = kernelSource(joinSumsWgsl, layouts.joinSumsLayout);
export const sumRunsSource = kernelSource(sumRunsWgsl, layouts.sumRunsLayout);
export const sumLoadsSource = kernelSource(sumLoadsWgsl, layouts.sumLoadsLayout);

/** WGSL of the kernels of forces. */
import beginForcesWgsl from '../../../../shaders/dem/forces/begin-forces.wgsl';
import bodyStartsWgsl from '../../../../shaders/dem/forces/body-starts.wgsl';
import groupForcesWgsl from '../../../../shaders/dem/forces/group-forces.wgsl';
import groupRangesWgsl from '../../../../shaders/dem/forces/group-ranges.wgsl';
import joinSumsWgsl from '../../../../shaders/dem/forces/join-sums.wgsl';
import matchContactsWgsl from '../../../../shaders/dem/forces/match-contacts.wgsl';
import spreadLoadsWgsl from '../../../../shaders/dem/forces/spread-loads.wgsl';
import sumGroupsWgsl from '../../../../shaders/dem/forces/sum-groups.wgsl';
import { kernelSource } from '../../../gpu/kernel.ts';
import * as layouts from './force-layout.ts';

export const beginForcesSource = kernelSource(beginForcesWgsl, layouts.beginForcesLayout);
export const matchContactsSource = kernelSource(matchContactsWgsl, layouts.matchContactsLayout);
export const groupRangesSource = kernelSource(groupRangesWgsl, layouts.groupRangesLayout);
export const groupForcesSource = kernelSource(groupForcesWgsl, layouts.groupForcesLayout);
export const spreadLoadsSource = kernelSource(spreadLoadsWgsl, layouts.spreadLoadsLayout);
export const bodyStartsSource = kernelSource(bodyStartsWgsl, layouts.bodyStartsLayout);
export const sumGroupsSource = kernelSource(sumGroupsWgsl, layouts.sumGroupsLayout);
export const joinSumsSource = kernelSource(joinSumsWgsl, layouts.joinSumsLayout);

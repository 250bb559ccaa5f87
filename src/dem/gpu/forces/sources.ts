/** WGSL of the kernels of forces. */
import addSumsCode from '../../../../shaders/dem/forces/add-sums.wgsl?raw';
import beginForcesCode from '../../../../shaders/dem/forces/begin-forces.wgsl?raw';
import bodyStartsCode from '../../../../shaders/dem/forces/body-starts.wgsl?raw';
import defaultLawCode from '../../../../shaders/dem/forces/default-law.wgsl?raw';
import findRecordCode from '../../../../shaders/dem/forces/find-record.wgsl?raw';
import groupForcesCode from '../../../../shaders/dem/forces/group-forces.wgsl?raw';
import groupRangesCode from '../../../../shaders/dem/forces/group-ranges.wgsl?raw';
import joinSumsCode from '../../../../shaders/dem/forces/join-sums.wgsl?raw';
import keysCode from '../../../../shaders/dem/forces/keys.wgsl?raw';
import matchContactsCode from '../../../../shaders/dem/forces/match-contacts.wgsl?raw';
import normalLawCode from '../../../../shaders/dem/forces/normal-law.wgsl?raw';
import pairLawCode from '../../../../shaders/dem/forces/pair-law.wgsl?raw';
import spinCode from '../../../../shaders/dem/forces/spin.wgsl?raw';
import spreadLoadsCode from '../../../../shaders/dem/forces/spread-loads.wgsl?raw';
import sumGroupsCode from '../../../../shaders/dem/forces/sum-groups.wgsl?raw';
import { kernelSource } from '../../../gpu/kernel.ts';
import { motionParts } from '../sources.ts';
import * as layouts from './layout.ts';

/** What these kernels may require. */
export const forceParts = [
  ...motionParts,
  { name: 'dem/forces/keys.wgsl', code: keysCode },
  { name: 'dem/forces/find-record.wgsl', code: findRecordCode },
  { name: 'dem/forces/spin.wgsl', code: spinCode },
  { name: 'dem/forces/default-law.wgsl', code: defaultLawCode },
  { name: 'dem/forces/pair-law.wgsl', code: pairLawCode },
  { name: 'dem/forces/normal-law.wgsl', code: normalLawCode },
  { name: 'dem/forces/add-sums.wgsl', code: addSumsCode },
];

export const beginForcesSource = kernelSource(
  { name: 'dem/forces/begin-forces.wgsl', code: beginForcesCode },
  layouts.beginForcesLayout,
);
export const matchContactsSource = kernelSource(
  { name: 'dem/forces/match-contacts.wgsl', code: matchContactsCode },
  layouts.matchContactsLayout,
  forceParts,
);
export const groupRangesSource = kernelSource(
  { name: 'dem/forces/group-ranges.wgsl', code: groupRangesCode },
  layouts.groupRangesLayout,
  forceParts,
);
export const GROUP_FORCES = { name: 'dem/forces/group-forces.wgsl', code: groupForcesCode };
export const groupForcesSource = kernelSource(GROUP_FORCES, layouts.groupForcesLayout, forceParts);
export const spreadLoadsSource = kernelSource(
  { name: 'dem/forces/spread-loads.wgsl', code: spreadLoadsCode },
  layouts.spreadLoadsLayout,
);
export const bodyStartsSource = kernelSource(
  { name: 'dem/forces/body-starts.wgsl', code: bodyStartsCode },
  layouts.bodyStartsLayout,
);
export const sumGroupsSource = kernelSource(
  { name: 'dem/forces/sum-groups.wgsl', code: sumGroupsCode },
  layouts.sumGroupsLayout,
  forceParts,
);
export const joinSumsSource = kernelSource(
  { name: 'dem/forces/join-sums.wgsl', code: joinSumsCode },
  layouts.joinSumsLayout,
  forceParts,
);

export const forceSources = [
  ...[beginForcesSource, matchContactsSource, groupRangesSource, groupForcesSource],
  ...[spreadLoadsSource, bodyStartsSource, sumGroupsSource, joinSumsSource],
];

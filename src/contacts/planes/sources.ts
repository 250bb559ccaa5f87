/** WGSL and bindings of the kernels of planes. */
import sumBelowWgsl from '../../../shaders/contacts/faces/sum-below.wgsl';
import countBelowWgsl from '../../../shaders/contacts/planes/count-below.wgsl';
import findCornersWgsl from '../../../shaders/contacts/planes/find-corners.wgsl';
import findNodesWgsl from '../../../shaders/contacts/planes/find-nodes.wgsl';
import writePlaneContactsWgsl from '../../../shaders/contacts/planes/write-plane-contacts.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import {
  countBelowLayout,
  findCornersLayout,
  findNodesLayout,
  sumBelowLayout,
  writePlaneContactsLayout,
} from './layout.ts';

export const findCornersSource = kernelSource(findCornersWgsl, findCornersLayout);
export const findNodesSource = kernelSource(findNodesWgsl, findNodesLayout);
export const sumBelowSource = kernelSource(sumBelowWgsl, sumBelowLayout);
export const countBelowSource = kernelSource(countBelowWgsl, countBelowLayout);
export const writePlaneContactsSource = kernelSource(writePlaneContactsWgsl, writePlaneContactsLayout);

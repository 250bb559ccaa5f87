/** WGSL and bindings of the kernels of planes. */
import cellsBetweenCode from '../../../shaders/contacts/cells-between.wgsl?raw';
import sumBelowCode from '../../../shaders/contacts/faces/sum-below.wgsl?raw';
import shapeCode from '../../../shaders/contacts/field/shape.wgsl?raw';
import placeCode from '../../../shaders/contacts/place.wgsl?raw';
import abovePlaneCode from '../../../shaders/contacts/planes/above-plane.wgsl?raw';
import countBelowCode from '../../../shaders/contacts/planes/count-below.wgsl?raw';
import findCornersCode from '../../../shaders/contacts/planes/find-corners.wgsl?raw';
import findNodesCode from '../../../shaders/contacts/planes/find-nodes.wgsl?raw';
import writePlaneContactsCode from '../../../shaders/contacts/planes/write-plane-contacts.wgsl?raw';
import { pairParts } from '../../convex/gpu/sources.ts';
import { kernelSource } from '../../gpu/kernel.ts';
import { facesPart } from '../faces/device-layout.ts';
import {
  countBelowLayout,
  findCornersLayout,
  findNodesLayout,
  sumBelowLayout,
  writePlaneContactsLayout,
} from './layout.ts';

export const planeParts = [
  { name: 'contacts/cells-between.wgsl', code: cellsBetweenCode },
  { name: 'contacts/place.wgsl', code: placeCode },
  { name: 'contacts/field/shape.wgsl', code: shapeCode },
  { name: 'contacts/planes/above-plane.wgsl', code: abovePlaneCode },
  facesPart,
  ...pairParts,
];

export const findCornersSource = kernelSource(
  { name: 'contacts/planes/find-corners.wgsl', code: findCornersCode },
  findCornersLayout,
  planeParts,
);
export const findNodesSource = kernelSource(
  { name: 'contacts/planes/find-nodes.wgsl', code: findNodesCode },
  findNodesLayout,
  planeParts,
);
export const sumBelowSource = kernelSource(
  { name: 'contacts/faces/sum-below.wgsl', code: sumBelowCode },
  sumBelowLayout,
  planeParts,
);
export const countBelowSource = kernelSource(
  { name: 'contacts/planes/count-below.wgsl', code: countBelowCode },
  countBelowLayout,
);
export const writePlaneContactsSource = kernelSource(
  { name: 'contacts/planes/write-plane-contacts.wgsl', code: writePlaneContactsCode },
  writePlaneContactsLayout,
  planeParts,
);

export const planeSources = [
  findCornersSource,
  findNodesSource,
  sumBelowSource,
  countBelowSource,
  writePlaneContactsSource,
];

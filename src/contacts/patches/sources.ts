/** WGSL and bindings of the kernels of balls on polyhedra. */
import triangleTreeCode from '../../../shaders/contacts/field/triangle-tree.wgsl?raw';
import ballCode from '../../../shaders/contacts/patches/ball.wgsl?raw';
import countTrianglesCode from '../../../shaders/contacts/patches/count-triangles.wgsl?raw';
import featureCode from '../../../shaders/contacts/patches/feature.wgsl?raw';
import findPartsCode from '../../../shaders/contacts/patches/find-parts.wgsl?raw';
import listedCode from '../../../shaders/contacts/patches/listed.wgsl?raw';
import samePlaceCode from '../../../shaders/contacts/patches/same-place.wgsl?raw';
import writePatchesCode from '../../../shaders/contacts/patches/write-patches.wgsl?raw';
import { kernelSource } from '../../gpu/kernel.ts';
import { fieldParts } from '../nodes/sources.ts';
import { countTrianglesLayout, findPartsLayout, writePatchesLayout } from './layout.ts';

/** What these kernels may require besides those of nodes. */
export const patchParts = [
  { name: 'contacts/field/triangle-tree.wgsl', code: triangleTreeCode },
  { name: 'contacts/patches/ball.wgsl', code: ballCode },
  { name: 'contacts/patches/feature.wgsl', code: featureCode },
  { name: 'contacts/patches/listed.wgsl', code: listedCode },
  { name: 'contacts/patches/same-place.wgsl', code: samePlaceCode },
];
const parts = [...fieldParts, ...patchParts];

export const countTrianglesSource = kernelSource(
  { name: 'contacts/patches/count-triangles.wgsl', code: countTrianglesCode },
  countTrianglesLayout,
  parts,
);
export const findPartsSource = kernelSource(
  { name: 'contacts/patches/find-parts.wgsl', code: findPartsCode },
  findPartsLayout,
  parts,
);
export const writePatchesSource = kernelSource(
  { name: 'contacts/patches/write-patches.wgsl', code: writePatchesCode },
  writePatchesLayout,
  parts,
);

export const patchSources = [countTrianglesSource, findPartsSource, writePatchesSource];

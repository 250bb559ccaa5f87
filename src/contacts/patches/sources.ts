/** WGSL and bindings of the kernels of balls on polyhedra. */
import countTrianglesWgsl from '../../../shaders/contacts/patches/count-triangles.wgsl';
import findPartsWgsl from '../../../shaders/contacts/patches/find-parts.wgsl';
import writePatchesWgsl from '../../../shaders/contacts/patches/write-patches.wgsl';
import { kernelSource } from '../../gpu/kernel.ts';
import { countTrianglesLayout, findPartsLayout, writePatchesLayout } from './layout.ts';

export const countTrianglesSource = kernelSource(countTrianglesWgsl, countTrianglesLayout);
export const findPartsSource = kernelSource(findPartsWgsl, findPartsLayout);
export const writePatchesSource = kernelSource(writePatchesWgsl, writePatchesLayout);

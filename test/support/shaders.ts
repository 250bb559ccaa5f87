/** Every kernel of the library: all that its files of sources export. */
import * as broadPhase from '../../src/broadphase/gpu/broad-phase-kernels.ts';
import * as findClusters from '../../src/contacts/clusters/cluster-kernels.ts';
import * as convexContacts from '../../src/contacts/convex/convex-contact-kernels.ts';
import * as edges from '../../src/contacts/edges/edge-kernels.ts';
import * as rows from '../../src/contacts/gpu/row-kernels.ts';
import * as pairLists from '../../src/contacts/gpu/sources.ts';
import * as nodes from '../../src/contacts/nodes/node-kernels.ts';
import * as patches from '../../src/contacts/patches/patch-kernels.ts';
import * as planes from '../../src/contacts/planes/plane-kernels.ts';
import * as pairs from '../../src/convex/gpu/pair-kernels.ts';
import * as forces from '../../src/dem/gpu/forces/force-kernels.ts';
import * as ownLaws from '../../src/dem/gpu/forces/own-laws.ts';
import * as impulses from '../../src/dem/gpu/impulses/impulse-kernels.ts';
import * as motion from '../../src/dem/gpu/step-kernels.ts';
import * as compaction from '../../src/gpu/blocks/compaction.ts';
import * as radixSort from '../../src/gpu/blocks/radix-sort.ts';
import * as scan from '../../src/gpu/blocks/scan.ts';
import * as indirect from '../../src/gpu/indirect.ts';
import type { AssembledShader } from '../../src/gpu/shader.ts';
import * as cellGrid from '../../src/inside/cell-grid/cell-grid-layout.ts';
import * as clusters from '../../src/inside/clusters/cluster-layout.ts';
import * as direct from '../../src/inside/direct/direct-layout.ts';
import * as multipole from '../../src/inside/multipole/multipole-layout.ts';
import * as rayCrossing from '../../src/inside/ray-crossing/ray-crossing-layout.ts';
import { renderShaders } from '../../src/render/drawing-shaders.ts';

type Shader = () => AssembledShader;

/** Of a file: sources, and those that are in all forms or sizes. */
function shadersIn(exported: Readonly<Record<string, unknown>>): Shader[] {
  return Object.values(exported).flatMap((one): Shader[] => {
    if (typeof one !== 'object' || one === null) return [];
    if ('entryPoint' in one) return [(one as unknown as { readonly shader: Shader }).shader];
    return Object.getPrototypeOf(one) === Object.prototype ? shadersIn(one as Record<string, unknown>) : [];
  });
}

export const insideShaders: readonly Shader[] = [
  ...[cellGrid, clusters, direct, multipole, rayCrossing].flatMap(shadersIn),
];

/** Of src/gpu: kernels that the library's own kernels stand on. */
const used = [...shadersIn(indirect), ...shadersIn(scan)];
/** Building blocks whose kernels a build has in the files of those that run them. */
const blocks = [compaction, radixSort].flatMap(shadersIn);

export const gpuShaders: readonly Shader[] = [...used, ...blocks];

/** Kernels that a build carries. */
export const builtShaders: readonly Shader[] = [...used, ...shadersIn(pairs), ...insideShaders];

export const shaders: readonly Shader[] = [
  ...[...gpuShaders, ...insideShaders, ...Object.values(renderShaders)],
  ...[
    pairs,
    broadPhase,
    convexContacts,
    findClusters,
    rows,
    edges,
    nodes,
    pairLists,
    patches,
    planes,
  ].flatMap(shadersIn),
  ...[motion, forces, impulses, ownLaws].flatMap(shadersIn),
];

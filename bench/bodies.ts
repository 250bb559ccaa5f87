/** Bodies by name. Foams have the same pores at every number of triangles: one body at several resolutions. */
import { existsSync } from 'node:fs';
import { openCellFoam } from '../src/mesh/generate-foam.ts';
import { unitSphere } from '../src/mesh/generate-sphere.ts';
import { readMesh } from '../src/mesh/read-mesh.ts';
import type { TriangleMesh } from '../src/mesh/triangle-mesh.ts';
import { dataPath } from './project.ts';

const HAMMER = 'good/hammer_split9_541k.ply';

const foam = (triangles: number) => async () => openCellFoam({ triangles, cells: 2 });
const sphere = (refinements: number) => async () => unitSphere(refinements);

const sources = {
  sphere: sphere(7),
  foam30k: foam(30_000),
  foam120k: foam(120_000),
  foam490k: foam(490_000),
  hammer: () => readMesh(dataPath(HAMMER)),
  sphere2k: sphere(4),
  foam8k: foam(8_000),
} as const satisfies Record<string, () => Promise<TriangleMesh>>;

export type BodyName = keyof typeof sources;
export const BODY_NAMES = Object.keys(sources) as readonly BodyName[];

/** What a run without `--bodies` takes: everything that is generated, and for `inside` a scan as well. */
export const GENERATED_BODIES: readonly BodyName[] = ['sphere', 'foam30k', 'foam120k', 'foam490k'];
export const DEFAULT_BODIES: readonly BodyName[] = [...GENERATED_BODIES, 'hammer'];
export const QUICK_BODIES: readonly BodyName[] = ['sphere2k', 'foam8k'];

/** Refinements of the growing sphere, 8 * 4^r triangles each. */
export const GROWTH = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
export const QUICK_GROWTH = [0, 2] as const;

/** Why a body cannot be had on this machine; undefined where it can. */
export function whyMissing(name: BodyName): string | undefined {
  if (name !== 'hammer' || existsSync(dataPath(HAMMER))) return undefined;
  return `no ${dataPath(HAMMER)} (set SCREE_DATA to the folder of the test meshes)`;
}

export function makeBody(name: BodyName): Promise<TriangleMesh> {
  return sources[name]();
}

export const growingSphere = unitSphere;

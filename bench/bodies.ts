/** Bodies by name. Foams have the same pores at every number of triangles: one body at several resolutions. */
import { existsSync } from 'node:fs';
import { benchFoam } from '../src/bench/bodies.ts';
import { unitSphere } from '../src/mesh/generate-sphere.ts';
import { readMesh } from '../src/mesh/read-mesh.ts';
import { TriangleMesh } from '../src/mesh/triangle-mesh.ts';
import { dataPath } from './project.ts';

const HAMMER = 'good/hammer_split9_541k.ply';

const foam = (triangles: number) => async () => benchFoam(triangles);
const sphere = (refinements: number) => async () => unitSphere(refinements);

/**
 * A body, scaled, in the middle of a box of edge 1, whose twelve triangles are more than a thousand times as long as the
 * body's: what one cell size for all is worst at.
 */
const inBox = (source: () => Promise<TriangleMesh>, scale: number) => async () => {
  const { positions, indices, name } = await source();
  const box = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) => [corner & 1, (corner >> 1) & 1, corner >> 2]);
  const sides = [
    0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7,
    5,
  ];
  return new TriangleMesh({
    positions: Float32Array.from([...box, ...Array.from(positions, (x) => 0.5 + scale * x)]),
    indices: Uint32Array.from([...sides, ...Array.from(indices, (i) => 8 + i)]),
    name: `${name} in a box`,
  });
};

const sources = {
  sphere: sphere(7),
  foam30k: foam(30_000),
  foam120k: foam(120_000),
  foam490k: foam(490_000),
  sphereInBox: inBox(sphere(7), 0.1),
  foamInBox: inBox(foam(120_000), 0.02),
  hammer: () => readMesh(dataPath(HAMMER)),
  sphere2k: sphere(4),
  foam8k: foam(8_000),
} as const satisfies Record<string, () => Promise<TriangleMesh>>;

export type BodyName = keyof typeof sources;
export const BODY_NAMES = Object.keys(sources) as readonly BodyName[];

/** What a run without `--bodies` takes: everything that is generated, and for `inside` a scan as well. */
export const GENERATED_BODIES: readonly BodyName[] = [
  'sphere',
  'foam30k',
  'foam120k',
  'foam490k',
  'sphereInBox',
  'foamInBox',
];
export const DEFAULT_BODIES: readonly BodyName[] = [...GENERATED_BODIES, 'hammer'];
export const QUICK_BODIES: readonly BodyName[] = ['sphere2k', 'foam8k'];

/** Bodies that wind at most once around any point: J of a point off their surface is its flag. */
export const MULTIPOLE_BODIES: readonly BodyName[] = [
  'sphere',
  'foam30k',
  'foam120k',
  'foam490k',
  'sphere2k',
  'foam8k',
];
export const MULTIPOLE_DEFAULT_BODIES: readonly BodyName[] = ['foam30k', 'foam120k', 'foam490k'];

/** Refinements of the growing sphere, 8 * 4^r triangles each. */
export const GROWTH = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
export const QUICK_GROWTH = [0, 2] as const;
/** The same for the multipole method: 512 to 131,072 triangles. */
export const MULTIPOLE_GROWTH = [3, 4, 5, 6, 7] as const;
export const QUICK_MULTIPOLE_GROWTH = [3] as const;

/** Why a body cannot be had on this machine; undefined where it can. */
export function whyMissing(name: BodyName): string | undefined {
  if (name !== 'hammer' || existsSync(dataPath(HAMMER))) return undefined;
  return `no ${dataPath(HAMMER)} (set SCREE_DATA to the folder of the test meshes)`;
}

export function makeBody(name: BodyName): Promise<TriangleMesh> {
  return sources[name]();
}

export const growingSphere = unitSphere;

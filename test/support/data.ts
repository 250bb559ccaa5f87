import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe } from 'vitest';

/** The folder of meshes with exact oracles. These are never part of the project. */
export const dataFolder = resolve(
  process.env.SCREE_DATA ?? join(import.meta.dirname, '../../../shared/data'),
);
export const hasData = existsSync(join(dataFolder, 'manifest.json'));

export function dataPath(relative: string): string {
  return join(dataFolder, relative);
}

/** A `describe` that is skipped if the data folder is absent. Its title then says so. */
export function describeWithData(title: string, body: () => void): void {
  if (hasData) describe(title, body);
  else describe.skip(`${title} (skipped: no data at SCREE_DATA)`, body);
}

export interface ManifestFile {
  readonly file: string;
  readonly expect?: string;
  readonly triangles?: number | null;
  readonly vertices?: number | null;
  readonly components?: number;
  readonly closed?: boolean;
  readonly manifold?: boolean;
  readonly oriented?: boolean;
  readonly boundary_edges?: number;
  readonly nonmanifold_edges?: number;
  readonly zero_area_faces?: number;
  readonly duplicate_faces?: number;
  readonly faces_with_repeated_vertex?: number;
  readonly bbox?: [[number, number, number], [number, number, number]];
  readonly area?: number;
  readonly enclosed_volume?: number;
  readonly centroid?: [number, number, number];
  readonly inertia_unit_density?: number[][];
  readonly self_intersection_pairs?: number;
  readonly oracle?: {
    readonly points: string;
    readonly inside: string;
    readonly winding?: string;
    readonly inside_count: number;
    readonly boundary_count: number;
  };
}

/** The manifest's entries below `good/` or `bad/`. Empty if the data is absent. */
export function manifestFiles(folder: 'good' | 'bad'): ManifestFile[] {
  if (!hasData) return [];
  const manifest = JSON.parse(readFileSync(dataPath('manifest.json'), 'utf8')) as { files: ManifestFile[] };
  return manifest.files.filter((entry) => entry.file.startsWith(`${folder}/`));
}

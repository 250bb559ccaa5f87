import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkMesh, type MeshReport } from '../../src/mesh/check-mesh.ts';
import { parseMesh } from '../../src/mesh/read/parse-mesh.ts';
import { dataPath, describeWithData, type ManifestFile, manifestFiles } from '../support/data.ts';

interface HealthEntry extends ManifestFile {
  readonly extra_vertex_fans?: number;
}

describeWithData('the health of every data file is what the manifest says', () => {
  const entries: HealthEntry[] = [...manifestFiles('good'), ...manifestFiles('bad')];
  for (const entry of entries) {
    if (entry.area === undefined) continue; // files that must be refused
    it(entry.file, async () => {
      const mesh = await parseMesh(readFileSync(dataPath(entry.file)), { name: entry.file });
      const report = checkMesh(mesh);
      expect({
        triangles: report.triangles,
        vertices: report.vertices,
        components: report.components,
        closed: report.closed,
        manifold: report.manifold,
        oriented: report.oriented,
        boundary_edges: report.boundaryEdges.count,
        nonmanifold_edges: report.nonManifoldEdges.count,
        extra_vertex_fans: report.extraVertexFans.count,
        zero_area_faces: report.degenerateFaces.count,
        duplicate_faces: report.duplicateFaces.count,
        faces_with_repeated_vertex: report.facesDropped,
        bbox: [report.boundingBox.min, report.boundingBox.max],
      }).toEqual({
        triangles: entry.triangles,
        vertices: entry.vertices,
        components: entry.components,
        closed: entry.closed,
        manifold: entry.manifold,
        oriented: entry.oriented,
        boundary_edges: entry.boundary_edges,
        nonmanifold_edges: entry.nonmanifold_edges,
        extra_vertex_fans: entry.extra_vertex_fans,
        zero_area_faces: entry.zero_area_faces,
        duplicate_faces: entry.duplicate_faces,
        faces_with_repeated_vertex: entry.faces_with_repeated_vertex,
        bbox: entry.bbox,
      });
      expectMassProperties(report, entry);
    });
  }
});

/** Relative to the area, the volume, the distance from the origin and volume times size squared. 4e-14 was seen. */
const SUM_TOLERANCE = 1e-12;

function expectMassProperties(report: MeshReport, entry: HealthEntry): void {
  const { min, max } = report.boundingBox;
  const size = Math.hypot(...max.map((x, k) => x - min[k]!));
  const reach = Math.hypot(...max.map((x, k) => Math.max(Math.abs(x), Math.abs(min[k]!))));
  const expectWithin = (found: number, expected: number, scale: number) => {
    expect(Math.abs(found - expected), `${found} for ${expected}`).toBeLessThanOrEqual(SUM_TOLERANCE * scale);
  };
  expectWithin(report.area, entry.area!, entry.area!);
  if (!entry.closed) {
    expect([report.enclosedVolume, report.centroid, report.inertia]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    return;
  }
  const volume = entry.enclosed_volume!;
  expectWithin(report.enclosedVolume!, volume, Math.abs(volume));
  report.centroid!.forEach((x, k) => {
    expectWithin(x, entry.centroid![k]!, reach);
  });
  report.inertia!.flat().forEach((x, k) => {
    expectWithin(x, entry.inertia_unit_density!.flat()[k]!, Math.abs(volume) * size * size);
  });
}

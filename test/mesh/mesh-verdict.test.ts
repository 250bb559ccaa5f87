import { describe, expect, it } from 'vitest';
import { checkMesh } from '../../src/mesh/check-mesh.ts';
import { formatMeshReport, surfaceDefect } from '../../src/mesh/mesh-verdict.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { box, boxMesh, meshOf } from './sample-meshes.ts';

const { vertices, triangles } = box([0, 0, 0], [0.1, 1, 2]);
const open = meshOf(vertices, triangles.slice(1));
const flipped = meshOf(vertices, [triangles[0]!.toReversed(), ...triangles.slice(1)]);
const finned = meshOf([...vertices, [2, 2, 2]], [...triangles, [0, 1, 8], [1, 8, 0], [8, 1, 0]]);

function lastLine(mesh: TriangleMesh): string {
  return formatMeshReport(checkMesh(mesh), 'sample.stl').split('\n').at(-1)!;
}

describe('surfaceDefect', () => {
  it('finds none in a box, right or inside out', () => {
    for (const rule of ['odd', 'nonzero'] as const) {
      expect(surfaceDefect(boxMesh(), rule)).toBeUndefined();
      const { positions, indices } = boxMesh();
      expect(
        surfaceDefect(new TriangleMesh({ positions, indices: indices.toReversed() }), rule),
      ).toBeUndefined();
    }
  });

  it('finds none in a mesh without triangles', () => {
    expect(surfaceDefect(meshOf([], []), 'nonzero')).toBeUndefined();
  });

  it('tells where an open surface is open, for either rule', () => {
    for (const rule of ['odd', 'nonzero'] as const) {
      expect(surfaceDefect(open, rule)).toBe(
        'sample: the surface is open: 3 boundary edges, e.g. from (0, 0, 0) to (0, 1, 0); ' +
          'close the holes, weld the vertices with a tolerance, ' +
          'or use rule winding (in a script with { open: true }); `scree check` shows where',
      );
    }
  });

  it('counts edges with three faces as open', () => {
    const { positions, indices } = finned;
    const oneFin = new TriangleMesh({ positions, indices: indices.subarray(0, 39) });
    expect(surfaceDefect(oneFin, 'odd')).toContain(
      'open: 2 boundary edges and 1 edge with an odd number of faces above one',
    );
    expect(surfaceDefect(finned, 'odd')).toContain(
      'open: 3 edges with an odd number of faces above one, e.g. from (0, 0, 0)',
    );
  });

  it('refuses an unoriented surface for rule nonzero only', () => {
    expect(surfaceDefect(flipped, 'odd')).toBeUndefined();
    expect(surfaceDefect(flipped, 'nonzero')).toBe(
      'sample: the surface is not consistently oriented, as rule nonzero needs: 3 edges traversed more often in one ' +
        'direction than in the other, e.g. from (0, 0, 0) to (0, 1, 0); ' +
        'use rule odd or winding, or turn the faces so that all look outwards (`scree check` shows where)',
    );
  });
});

describe('formatMeshReport', () => {
  it('ends with what the mesh can be used for and what to do', () => {
    expect(lastLine(boxMesh())).toBe('  verdict                   usable with every rule');
    expect(lastLine(open)).toContain(
      'usable with rule winding alone: open: 3 boundary edges, e.g. from (0, 0, 0)',
    );
    expect(lastLine(open)).toContain(
      'close the holes, weld the vertices with a tolerance, or use rule winding',
    );
    expect(lastLine(flipped)).toContain(
      'usable with rule odd and rule winding, not with rule nonzero: 3 edges traversed',
    );
    expect(lastLine(flipped)).toContain('turn the faces so that all look outwards');
    expect(lastLine(meshOf([], []))).toContain('no triangles: every point is outside');
  });

  it('aligns its values and writes rounding as zero', () => {
    expect(formatMeshReport(checkMesh(boxMesh([0.5, 0, 0], [1.5, 1, 2])), 'box.stl').split('\n')).toEqual([
      'box.stl',
      '  triangles                 12',
      '  vertices                  8',
      '  components                1',
      '  Euler characteristic      2',
      '  box                       (0.5, 0, 0) to (1.5, 1, 2)',
      '  area                      10',
      '  enclosed volume           2',
      '  centroid                  (1, 0.5, 1)',
      '  inertia, unit density     (0.8333333, 0, 0)',
      '                            (0, 0.8333333, 0)',
      '                            (0, 0, 0.3333333)',
      '  closed                    yes',
      '  manifold                  yes',
      '  oriented                  yes',
      '  verdict                   usable with every rule',
    ]);
  });

  it('shows a few places and how many more there are', () => {
    const text = formatMeshReport(checkMesh(open, { examples: 2 }), 'open.stl');
    expect(text).toContain(
      '  boundary edges            3\n    edge 0-2 from (0, 0, 0) to (0, 1, 0), triangle 8\n',
    );
    expect(text).toContain('\n    and 1 more\n');
    expect(text).toContain('  enclosed volume           none: the surface is open');
  });

  it('gives no volume where orientation makes it meaningless, and tells an inside-out body', () => {
    expect(formatMeshReport(checkMesh(flipped), 'x')).toContain('enclosed volume           unknown');
    const { positions, indices } = boxMesh();
    const turned = new TriangleMesh({ positions, indices: indices.toReversed() });
    expect(formatMeshReport(checkMesh(turned), 'x')).toContain('-1 (inside out: faces look inwards)');
    expect(lastLine(turned)).toContain(
      'usable with every rule; inside out, so that rule winding finds nothing inside',
    );
  });

  it('lists every kind of finding', () => {
    const origin = { format: 'obj', fileVertices: 9, fileTriangles: 16, facesDropped: 1 };
    const text = formatMeshReport(
      checkMesh(
        new TriangleMesh({
          positions: new Float32Array([...finned.positions, 5, 5, 5]),
          indices: new Uint32Array([...finned.indices, 8, 8, 1]),
          origin,
        }),
        { examples: 3 },
      ),
      'x',
    );
    for (const part of [
      '9 and 1 unused',
      'edges of 3, 5, .. faces   ',
      'non-manifold edges        3\n    edge 0-1 from (0, 0, 0) to (0.100000001, 0, 0), 5 faces, first triangles ',
      'duplicate faces           2\n    triangle 13: (0.1',
      'faces of zero area        1\n    triangle 15: (2, 2, 2) (2, 2, 2) (0.1',
      'faces dropped on reading  1 (two corners at one place)',
    ]) {
      expect(text).toContain(part);
    }
  });
});

// Real and broken meshes of the shared data folder, with counts that other programs computed.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { parseMesh } from '../../../src/mesh/read/parse-mesh.ts';
import { readMesh } from '../../../src/mesh/read-mesh.ts';
import { weldExact } from '../../../src/mesh/weld.ts';
import { dataPath, describeWithData, type ManifestFile, manifestFiles } from '../../support/data.ts';
import { takesLess } from '../../support/growth.ts';
import { complaintOf, gzipOf, trianglesOf } from './fixtures.ts';

/** The counts of the manifest's entries, before welding. */
interface FileCounts extends ManifestFile {
  readonly file_vertices?: number;
  readonly file_triangles?: number;
}

function isRejected(entry: ManifestFile): boolean {
  return entry.triangles === undefined || entry.triangles === null;
}

function read(file: string, weld?: number) {
  return readMesh(dataPath(file), weld === undefined ? {} : { weld });
}

/** Number of edges that do not have exactly two triangles. */
function irregularEdges(indices: Uint32Array, vertexCount: number): number {
  const counts = new Map<number, number>();
  for (let i = 0; i < indices.length; i++) {
    const a = indices[i]!;
    const b = indices[i % 3 === 2 ? i - 2 : i + 1]!;
    const key = Math.min(a, b) * vertexCount + Math.max(a, b);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts.values()].filter((count) => count !== 2).length;
}

describeWithData('meshes of the manifest', () => {
  const entries: FileCounts[] = [...manifestFiles('good'), ...manifestFiles('bad')];

  it.each(entries.filter((entry) => !isRejected(entry)).map((entry) => [entry.file, entry] as const))(
    '%s has the counts and the box of the manifest',
    async (file, entry) => {
      const mesh = await read(file);
      expect(mesh.triangleCount).toBe(entry.triangles);
      expect(mesh.vertexCount).toBe(entry.vertices);
      expect(mesh.box).toEqual({ min: entry.bbox![0], max: entry.bbox![1] });
      expect(mesh.origin).toMatchObject({
        fileTriangles: entry.file_triangles,
        fileVertices: entry.file_vertices,
        facesDropped: entry.faces_with_repeated_vertex,
      });
      expect(mesh.name).toBe(dataPath(file));
    },
  );

  it.each(entries.filter((entry) => !isRejected(entry)).map((entry) => [entry.file, entry] as const))(
    '%s has the area of the manifest',
    async (file, entry) => {
      const mesh = await read(file);
      const area = trianglesOf(mesh).reduce((sum, [a, b, c]) => sum + areaOf(a!, b!, c!), 0);
      expect(Math.abs(area / entry.area! - 1)).toBeLessThan(1e-9);
    },
  );

  it('rejects truncated.stl as truncated, with the bytes found and expected', async () => {
    const message = await complaintOf(read('bad/truncated.stl'));
    expect(message).toContain('truncated.stl');
    expect(message).toMatch(/truncated: found 35107 bytes.* expected 62684 bytes for the 1252 triangles/);
  });

  it('rejects nan_vertex.stl as non-finite, with the triangle', async () => {
    expect(await complaintOf(read('bad/nan_vertex.stl'))).toMatch(
      /nan_vertex\.stl: triangle 600 \(byte \d+\): non-finite coordinate: found NaN.* y of corner 0/,
    );
  });

  it('rejects inf_nan.obj as non-finite, with the line', async () => {
    expect(await complaintOf(read('bad/inf_nan.obj'))).toMatch(
      /inf_nan\.obj: line 1: non-finite number: found "inf"/,
    );
  });

  it('reads a binary STL that calls itself solid as binary', async () => {
    const mesh = await read('bad/binary_named_solid_trailing_byte.stl');
    expect(mesh.origin.format).toBe('stl-binary');
  });

  it('reads the oddly spaced ASCII STL as the same solid as the binary cube', async () => {
    const odd = await read('bad/ascii_odd_whitespace.stl');
    const cube = await read('good/cube_7_8ths.stl');
    expect(odd.origin.format).toBe('stl-ascii');
    expect(cube.origin.format).toBe('stl-binary');
    const sorted = (mesh: typeof odd) => trianglesOf(mesh).map(String).sort();
    expect(sorted(odd)).toEqual(sorted(cube));
  });

  it('closes featuretype_cracks.stl with a tolerance, and only so', async () => {
    const open = await read('bad/featuretype_cracks.stl');
    expect(irregularEdges(open.indices, open.vertexCount)).toBe(576);
    const closed = await read('bad/featuretype_cracks.stl', 1e-5);
    expect(irregularEdges(closed.indices, closed.vertexCount)).toBe(0);
  });

  it('reads the same mesh from gzip, a URL, a Blob and an ArrayBuffer', async () => {
    const path = dataPath('good/curiosity_rock1.obj');
    const bytes = new Uint8Array(readFileSync(path));
    const wanted = trianglesOf(await readMesh(path));
    const url = new URL(`file://${path}`);
    const file = new File([bytes], 'rock.obj');
    for (const source of [gzipOf(bytes), url, file, bytes.buffer, bytes]) {
      expect(trianglesOf(await readMesh(source))).toEqual(wanted);
    }
    expect((await readMesh(file)).name).toBe('rock.obj');
    expect(basename((await readMesh(url)).name)).toBe('curiosity_rock1.obj');
    expect((await readMesh(bytes, { name: 'rock' })).name).toBe('rock');
  });

  it.each(['skull_100k.obj', 'tray_bottom_ascii.stl'])(
    'reads %s in the time of cutting it into words and these into numbers, four times over',
    async (file) => {
      const bytes = readFileSync(dataPath(`good/${file}`));
      const plain = () => new TextDecoder().decode(bytes).split(/\s+/).map(Number);
      expect(await takesLess(() => parseMesh(bytes, { name: file }), 4, plain)).toBe(true);
    },
  );

  it('reads a big binary file in the time of welding its corners, four times over', async () => {
    const bytes = readFileSync(dataPath('good/hammer_split9_541k.ply'));
    const parse = () => parseMesh(bytes, { name: 'hammer.ply' });
    const { indices, positions } = await parse();
    const corners = new Float32Array(3 * indices.length);
    for (const [i, v] of indices.entries()) corners.set(positions.subarray(3 * v, 3 * v + 3), 3 * i);
    expect(await takesLess(parse, 4, () => weldExact(corners))).toBe(true);
  });
});

describe('readMesh', () => {
  it('names a file that does not exist', async () => {
    expect(await complaintOf(readMesh('no/such/part.stl'))).toMatch(/part\.stl.*no such file/);
  });

  it('refuses a source of the wrong type', async () => {
    await expect(readMesh(7 as unknown as string)).rejects.toThrow(InputError);
  });
});

function areaOf(a: number[], b: number[], c: number[]): number {
  const [ux, uy, uz] = [b[0]! - a[0]!, b[1]! - a[1]!, b[2]! - a[2]!];
  const [vx, vy, vz] = [c[0]! - a[0]!, c[1]! - a[1]!, c[2]! - a[2]!];
  return Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
}

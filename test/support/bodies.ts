import { InputError } from '../../src/errors.ts';
import { decodeBody, encodeBody, type SavedBody } from '../../src/inside/body-file/body-file.ts';
import { buildCellGrid } from '../../src/inside/cell-grid/build.ts';
import { chooseResolution } from '../../src/inside/cell-grid/resolution.ts';
import { localSurface } from '../../src/inside/surface.ts';
import { checksum } from '../../src/mesh/checksum.ts';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';

/** A body with tables, as `Polyhedron` makes them. */
export function bodyOf(mesh: TriangleMesh, cellsPerAxis?: number): SavedBody {
  const surface = localSurface(mesh);
  const { cell } = chooseResolution(surface, { cellsPerAxis, largestBinding: 2 ** 27 });
  return { mesh, rules: ['odd', 'nonzero'], tables: buildCellGrid(surface, cell), cellsPerAxis };
}

/** The file of a body after `change`, with the checksum that fits: a forgery. */
export function forged(body: SavedBody, change: (view: DataView) => void): Uint8Array {
  const file = encodeBody(body);
  const view = new DataView(file.buffer);
  change(view);
  view.setUint32(12, checksum(new Uint32Array(file.buffer, 16)), true);
  return file;
}

/** The message with which bytes are refused as `rock.body`. Undefined if they are accepted. */
export function refusal(bytes: Uint8Array): string | undefined {
  try {
    decodeBody(bytes, 'rock.body');
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return undefined;
}

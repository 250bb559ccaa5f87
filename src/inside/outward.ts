/** Whether faces of a mesh tell where its outside is: for what goes by their normals. */
import { InputError } from '../errors.ts';
import { isBalanced } from '../mesh/balance.ts';
import { massProperties } from '../mesh/mass-properties.ts';
import { surfaceDefect } from '../mesh/mesh-verdict.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { requirePartsToAgree } from './check-parts.ts';

const EXPECTED = 'expected faces that are counter-clockwise seen from outside (`scree check` shows where)';
/** Meshes that have been looked at. */
const outward = new WeakSet<TriangleMesh>();

/** @throws InputError where they do not. Those of an open mesh do: they have a front and a back. */
export function requireOutward(mesh: TriangleMesh, where: string): void {
  if (outward.has(mesh)) return;
  const place = `${where}: ${mesh.name}`;
  if (isBalanced(mesh.indices, mesh.vertexCount)) {
    const { volume } = massProperties(mesh);
    if (volume < 0) throw new InputError(`${place}: found a volume of ${volume.toPrecision(3)}, ${EXPECTED}`);
    // A sheet of two layers has no parts that look anywhere.
    if (volume > 0) requirePartsToAgree(mesh, volume, place);
  } else if (surfaceDefect(mesh, 'odd') === undefined) {
    throw new InputError(`${place}: found faces that look inwards beside others, ${EXPECTED}`);
  }
  outward.add(mesh);
}

/** Whether faces of a mesh tell where its outside is: for what goes by their normals. */
import { checkMesh } from './check-mesh.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

const EXPECTED = 'expected faces that are counter-clockwise seen from outside (`scree check` shows where)';
const defects = new WeakMap<TriangleMesh, { readonly told: string | undefined }>();

/** Says in one line why not; undefined where they do, and of open meshes, whose faces have a front and a back. */
export function outwardDefect(mesh: TriangleMesh): string | undefined {
  let defect = defects.get(mesh);
  if (defect === undefined) {
    const { closed, oriented, enclosedVolume } = checkMesh(mesh, { examples: 0 });
    const isInsideOut = oriented && (enclosedVolume ?? 0) < 0;
    const found = isInsideOut
      ? `a volume of ${enclosedVolume!.toPrecision(3)}`
      : 'faces that look inwards beside others';
    defect = {
      told: closed && (isInsideOut || !oriented) ? `${mesh.name}: found ${found}, ${EXPECTED}` : undefined,
    };
    defects.set(mesh, defect);
  }
  return defect.told;
}

/** Flags by exact predicates alone: what every method's flags are held against. */
import { type Options, requireOptions } from '../arguments.ts';
import { InputError } from '../errors.ts';
import { requireName } from '../gpu/backend.ts';
import { surfaceDefect } from '../mesh/mesh-verdict.ts';
import { requireMesh, type TriangleMesh } from '../mesh/triangle-mesh.ts';
import { CROSSING_RULES, type CrossingRule, requirePoints } from './classification.ts';
import { ExactTest } from './exact.ts';

export interface ExactFlagsOptions {
  readonly rule?: CrossingRule;
}

const OPTIONS: Options<ExactFlagsOptions> = { rule: 'checked' };

/**
 * Flags of points, each by a ray through the whole mesh and exact predicates: 0 outside, 1 inside, 2 exactly on a
 * triangle. No tables, no GPU and no rounding bounds take part, so it is what other flags can be checked against. A
 * tree of boxes over the triangles says which ones the ray may pass: some microseconds a point. `Polyhedron.classify`
 * gives the same flags.
 *
 * @param points `[x, y, z]` per point, length `3 * n`, all finite, in the mesh's unit and frame
 * @throws InputError for a length that is no multiple of 3, a coordinate that is not finite, an unknown rule, an open
 *   mesh, or one that is not consistently oriented with rule `nonzero`.
 */
export function exactFlags(
  mesh: TriangleMesh,
  points: Float32Array,
  options: ExactFlagsOptions = {},
): Uint8Array<ArrayBuffer> {
  requireMesh('exactFlags: mesh', mesh);
  requireOptions('exactFlags', options, OPTIONS);
  const { rule = 'odd' } = options;
  requireName('rule', rule, CROSSING_RULES);
  const flags = new Uint8Array(requirePoints(points));
  if (mesh.triangleCount === 0) {
    throw new InputError(`${mesh.name}: the mesh has no triangles, expected a closed one`);
  }
  const defect = surfaceDefect(mesh, rule);
  if (defect !== undefined) throw new InputError(defect);
  const test = new ExactTest(mesh);
  for (let i = 0; i < flags.length; i++) {
    flags[i] = test.flag(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!, rule);
  }
  return flags;
}

/** Meshes that stand in for the surfaces of convex shapes where these meet polyhedra. */
import { PARAMETERS, Parameter, type ShapeRecords } from '../../convex/shapes/records.ts';
import { ShapeTable } from '../../convex/shapes/shape-table.ts';
import type { ConvexShape } from '../../convex/shapes/shapes.ts';
import { coreSupport } from '../../convex/shapes/support.ts';
import { InputError } from '../../errors.ts';
import { convexHull } from '../../mesh/convex-hull.ts';
import { unitSphere } from '../../mesh/generate-sphere.ts';
import { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { CHORD, LEAST_CHORD, MOST_ROUNDS } from './constants.ts';

export interface SurfaceMeshOptions {
  /** For messages, and the mesh's name. */
  readonly name?: string | undefined;
  /** How far the shape may reach beyond a face of the mesh, of the diameter of its bounding ball. Default 1/256. */
  readonly chord?: number | undefined;
}

export interface SurfaceMesh {
  readonly mesh: TriangleMesh;
  /** No point of the shape is farther than this from the mesh's body, nor of the mesh from the shape. */
  readonly chordError: number;
}

/**
 * A closed convex mesh of a convex shape's surface, in the shape's frame: of boxes, frusta and hulls without a margin
 * their own faces, rounded to float32, of others faces whose corners lie on the surface. Corners are support points.
 * If the shape reaches beyond a face by more than the chord, the face's own support point becomes a corner too.
 *
 * @throws InputError for a shape without volume, or a value that is no shape.
 */
export function surfaceMeshOf(shape: ConvexShape, options: SurfaceMeshOptions = {}): SurfaceMesh {
  const { name = shape.kind } = options;
  return surfaceMeshOfRecord(new ShapeTable([shape], [name]), 0, { ...options, name });
}

/** As `surfaceMeshOf`, of a convex record of a table, in the frame of its shape. */
export function surfaceMeshOfRecord(
  table: ShapeRecords,
  record: number,
  { name = `shape ${record}`, chord = CHORD }: SurfaceMeshOptions = {},
): SurfaceMesh {
  const p = table.parameters.subarray(PARAMETERS * record, PARAMETERS * (record + 1));
  const centre = p.subarray(Parameter.centre, Parameter.centre + 3);
  const margin = p[Parameter.margin]!;
  const size = 2 * p[Parameter.boundingRadius]!;
  const tolerance = Math.max(chord, LEAST_CHORD) * size;
  const found = new Float64Array(3);
  const support = (n: readonly number[]): number[] => {
    coreSupport(table, record, n[0]!, n[1]!, n[2]!, found, 0);
    return n.map((x, k) => found[k]! + margin * x + centre[k]!);
  };
  // A rounding of float32 in each coordinate.
  const rounding = 2 ** -24 * Math.sqrt(3) * (size + Math.hypot(...centre));

  let points: number[] = [];
  const { positions: directions } = unitSphere(1);
  for (let d = 0; d < directions.length; d += 3) points.push(...support([...directions.subarray(d, d + 3)]));
  for (let round = 0; ; round++) {
    const hull = hullOf(Float32Array.from(points), name);
    const faces = facesBeyond(hull, support);
    const far = faces.filter(({ beyond }) => beyond > tolerance);
    if (far.length === 0 || round === MOST_ROUNDS) {
      return { mesh: new TriangleMesh({ ...hull, name }), chordError: chordErrorOf(hull, faces) + rounding };
    }
    points = [...hull.positions, ...far.flatMap(({ farthest }) => farthest)];
  }
}

type Hull = ReturnType<typeof convexHull>;

function hullOf(points: Float32Array, name: string): Hull {
  try {
    return convexHull(points);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      `${name}: a shape without volume found, expected one with volume where it meets polyhedra`,
    );
  }
}

/** A face of a hull: its unit normal, the shape's farthest point along it, and how far that lies beyond the face. */
interface Face {
  readonly normal: readonly number[];
  readonly farthest: readonly number[];
  readonly beyond: number;
}

function facesBeyond({ positions, indices }: Hull, support: (n: readonly number[]) => number[]): Face[] {
  return Array.from({ length: indices.length / 3 }, (_, t) => {
    const corner = (c: number) => [
      ...positions.subarray(3 * indices[3 * t + c]!, 3 * indices[3 * t + c]! + 3),
    ];
    const [a, b, c] = [corner(0), corner(1), corner(2)];
    const [u, v] = [b.map((x, k) => x - a[k]!), c.map((x, k) => x - a[k]!)];
    const cross = [0, 1, 2].map((k) => u[(k + 1) % 3]! * v[(k + 2) % 3]! - u[(k + 2) % 3]! * v[(k + 1) % 3]!);
    const length = Math.hypot(...cross);
    const normal = cross.map((x) => x / length);
    const farthest = support(normal);
    return { normal, farthest, beyond: normal.reduce((sum, n, k) => sum + n * (farthest[k]! - a[k]!), 0) };
  });
}

/**
 * How far the shape reaches beyond a hull of points on it. The farthest point lies beyond a point of the hull in a
 * direction that is a sum of l_k n_k, l_k >= 0, over the faces at one corner. The support function is sublinear, and
 * the hull's is linear there: so it lies beyond by sum l_k d_k at most, with d_k how far the shape reaches beyond face
 * k. With m the mean of the normals and m n_k >= c, a unit direction has sum l_k <= 1 / c. At the tip of a needle c is
 * small or none; such a tip is the shape's own corner, and 1/8 is taken.
 */
function chordErrorOf({ positions, indices }: Hull, faces: readonly Face[]): number {
  const at = Array.from({ length: positions.length / 3 }, (): Face[] => []);
  for (const [h, v] of indices.entries()) at[v]!.push(faces[Math.floor(h / 3)]!);
  let most = 0;
  for (const around of at) {
    const mean = [0, 1, 2].map((k) => around.reduce((sum, { normal }) => sum + normal[k]!, 0));
    const length = Math.hypot(...mean);
    const least = Math.min(
      ...around.map(({ normal }) => normal.reduce((sum, n, k) => sum + (n * mean[k]!) / length, 0)),
    );
    const beyond = Math.max(0, ...around.map((face) => face.beyond));
    most = Math.max(most, beyond / Math.max(least, 1 / 8));
  }
  return most;
}

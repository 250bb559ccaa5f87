/** Mass, centroid and principal axes of shapes. */
import type { ContactShape } from '../../contacts/bodies/contact-shape.ts';
import { surfaceMeshOf } from '../../contacts/surface/surface-mesh.ts';
import type { ConcaveShape, ConvexShape, PartPose } from '../../convex/shapes/shapes.ts';
import { type Matrix3, massProperties, type Vector3 } from '../../mesh/mass-properties.ts';
import { principalAxes } from '../../mesh/principal-axes.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { LEAST_OVERLAP, MASS_CHORD, OVERLAP_RAYS } from '../constants.ts';
import { type Excess, excessOf, type PlacedMesh } from './overlaps.ts';

/** A body of unit density. */
export interface MassOfShape {
  readonly volume: number;
  /** In the frame of the shape. */
  readonly centroid: Vector3;
  /** About the principal axes. */
  readonly moments: Vector3;
  /** Unit quaternion: principal frame to that of the shape. */
  readonly rotation: ArrayLike<number>;
  /**
   * How far volume and moments may be off, of their amount: above 0 where a mesh stands in for a curved surface, and
   * where parts overlap.
   */
  readonly error: number;
}

/** Integrals of a body of unit density about the origin of the shape's frame. */
interface Integrals {
  readonly volume: number;
  readonly centroid: Vector3;
  /** About the centroid. */
  readonly inertia: Matrix3;
  readonly error: number;
}

/** @throws InputError for a shape without volume. Planes have none, and are asked for nothing. */
export function massOfShape(
  shape: Exclude<ContactShape, { readonly kind: 'plane' }>,
  name: string,
): MassOfShape {
  const { volume, centroid, inertia, error } = integralsOf(shape, name);
  const { moments, rotation } = principalAxes(inertia);
  return { volume, centroid, moments, rotation, error };
}

function integralsOf(shape: Exclude<ContactShape, { readonly kind: 'plane' }>, name: string): Integrals {
  if (shape.kind === 'polyhedron') {
    const mesh = 'mesh' in shape.mesh ? (shape.mesh.mesh as TriangleMesh) : (shape.mesh as TriangleMesh);
    return ofMesh(mesh, 0);
  }
  if (shape.kind === 'parts') {
    return ofParts(shape.parts, name);
  }
  return ofConvex(shape, name);
}

/** Integrals of all parts, less their overlaps, which the sum counts twice. */
function ofParts(parts: ConcaveShape['parts'], name: string): Integrals {
  const all = parts.map((part) => placed(integralsOf(part.shape, name), part));
  const sum = together(all);
  const solid = parts.filter((_, i) => all[i]!.volume > 0);
  if (solid.length < 2) return sum;
  const surfaces = solid.map(({ shape }) => surfaceMeshOf(shape, { name, chord: MASS_CHORD }));
  const meshes = solid.map(({ position = [0, 0, 0], rotation = [0, 0, 0, 1] }, i) => {
    return { mesh: surfaces[i]!.mesh, position, turn: rotationRows(rotation) };
  });
  const rough = excessOf(meshes, OVERLAP_RAYS / 2);
  if (rough.volume <= LEAST_OVERLAP * sum.volume) return sum;
  const excess = excessOf(meshes, OVERLAP_RAYS);
  const whole = together([...all, lessOf(excess)]);
  const other = together([...all, lessOf(rough)]);
  // Of rays, what half of them differ by. Of meshes, their chord over the surface of what is in common, as far out as
  // the parts reach. That of two convex parts has no more surface than either.
  const areas = surfaces.map(({ mesh }) => massProperties(mesh).area);
  const ofPairs = areas.flatMap((area, i) => areas.slice(i + 1).map((other) => Math.min(area, other)));
  const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
  const layer =
    Math.max(...surfaces.map(({ chordError }) => chordError)) * Math.min(total(areas), total(ofPairs));
  const reach = Math.max(...meshes.map((part) => reachOf(part, whole.centroid)));
  const errors = [Math.abs(1 - other.volume / whole.volume) + layer / whole.volume];
  for (let k = 0; k < 3; k++) {
    const own = whole.inertia[k]![k]!;
    errors.push(Math.abs(1 - other.inertia[k]![k]! / own) + (layer * reach ** 2) / own);
  }
  return { ...whole, error: Math.max(whole.error, ...errors) };
}

/** An excess as a part of negative volume. */
function lessOf({ volume, centroid: c, moments: [xx, yy, zz, yz, zx, xy] }: Excess): Integrals {
  const [px, py, pz] = [xx - volume * c[0] ** 2, yy - volume * c[1] ** 2, zz - volume * c[2] ** 2];
  const [qx, qy, qz] = [yz - volume * c[1] * c[2], zx - volume * c[2] * c[0], xy - volume * c[0] * c[1]];
  return {
    volume: -volume,
    centroid: c,
    inertia: [
      [-(py + pz), qz, qy],
      [qz, -(pz + px), qx],
      [qy, qx, -(px + py)],
    ],
    error: 0,
  };
}

/** Farthest corner from a point. */
function reachOf({ mesh: { positions }, position, turn }: PlacedMesh, point: Vector3): number {
  let most = 0;
  for (let i = 0; i < positions.length; i += 3) {
    const corner: Vector3 = [positions[i]!, positions[i + 1]!, positions[i + 2]!];
    most = Math.max(most, Math.hypot(...turn.map((row, k) => dot(row, corner) + position[k]! - point[k]!)));
  }
  return most;
}

function ofConvex(shape: ConvexShape, name: string): Integrals {
  const { margin = 0 } = shape;
  if (shape.kind === 'sphere')
    return ofEllipsoid([shape.radius + margin, shape.radius + margin, shape.radius + margin]);
  if (shape.kind === 'point') return ofEllipsoid([margin, margin, margin]);
  if (shape.kind === 'capsule') return ofCapsule(shape.halfLength, shape.radius + margin);
  if (shape.kind === 'segment') return ofCapsule(shape.halfLength, margin);
  if (margin === 0 && shape.kind === 'ellipsoid') return ofEllipsoid(shape.radii);
  if (margin === 0 && shape.kind === 'cylinder') return ofCylinder(shape.radius, shape.halfHeight);
  if (margin === 0 && shape.kind === 'cone') return ofCone(shape.radius, shape.height);
  const { mesh, chordError } = surfaceMeshOf(shape, { name, chord: MASS_CHORD });
  return ofMesh(mesh, chordError);
}

/**
 * A mesh whose corners lie on the surface of a convex body. With r the radius of a ball about the centroid within the
 * mesh, the body lies within the mesh made larger by 1 + chordError / r. So volumes differ by the third power of it at
 * most, and moments by the fifth.
 */
function ofMesh(mesh: TriangleMesh, chordError: number): Integrals {
  const { volume, centroid, inertia } = massProperties(mesh);
  const sign = volume < 0 ? -1 : 1;
  const error = chordError === 0 ? 0 : (1 + chordError / ballRadius(mesh, centroid!)) ** 5 - 1;
  return { volume: sign * volume, centroid: centroid!, inertia: scaled(inertia!, sign), error };
}

/** Least distance of a point from the planes of a convex mesh's faces. */
function ballRadius({ positions, indices }: TriangleMesh, [x, y, z]: Vector3): number {
  let least = Infinity;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i]!, 3 * indices[i + 1]!, 3 * indices[i + 2]!];
    const u = [0, 1, 2].map((k) => positions[b + k]! - positions[a + k]!) as unknown as Vector3;
    const v = [0, 1, 2].map((k) => positions[c + k]! - positions[a + k]!) as unknown as Vector3;
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]] as const;
    const height =
      n[0] * (positions[a]! - x) + n[1] * (positions[a + 1]! - y) + n[2] * (positions[a + 2]! - z);
    least = Math.min(least, height / Math.hypot(...n));
  }
  return least;
}

function ofEllipsoid([a, b, c]: Vector3): Integrals {
  const volume = (4 / 3) * Math.PI * a * b * c;
  return about(volume, [(b * b + c * c) / 5, (c * c + a * a) / 5, (a * a + b * b) / 5]);
}

/** Axis z. */
function ofCylinder(radius: number, halfHeight: number): Integrals {
  const across = radius ** 2 / 4 + halfHeight ** 2 / 3;
  return about(2 * Math.PI * radius ** 2 * halfHeight, [across, across, radius ** 2 / 2]);
}

/** Axis z; the origin is the centroid. */
function ofCone(radius: number, height: number): Integrals {
  const across = (3 / 20) * radius ** 2 + (3 / 80) * height ** 2;
  return about((Math.PI / 3) * radius ** 2 * height, [across, across, (3 / 10) * radius ** 2]);
}

/** A cylinder along x with half a ball at each end, whose centroids are 3/8 of the radius beyond the cylinder's. */
function ofCapsule(half: number, radius: number): Integrals {
  const cylinder = 2 * Math.PI * radius ** 2 * half;
  const ball = (4 / 3) * Math.PI * radius ** 3;
  const along = cylinder * (radius ** 2 / 2) + ball * (2 / 5) * radius ** 2;
  const ends = (2 / 5) * radius ** 2 + half ** 2 + (3 / 4) * half * radius;
  const across = cylinder * (radius ** 2 / 4 + half ** 2 / 3) + ball * ends;
  const volume = cylinder + ball;
  return about(volume, [along / volume, across / volume, across / volume]);
}

/** @param moments over the volume, about the axes */
function about(volume: number, [x, y, z]: Vector3): Integrals {
  const inertia: Matrix3 = [
    [volume * x, 0, 0],
    [0, volume * y, 0],
    [0, 0, volume * z],
  ];
  return { volume, centroid: [0, 0, 0], inertia, error: 0 };
}

/** A part in the frame of the whole. */
function placed(part: Integrals, { position = [0, 0, 0], rotation = [0, 0, 0, 1] }: PartPose): Integrals {
  const turn = rotationRows(rotation);
  const turned = turn.map((row) => dot(row, part.centroid)) as unknown as Vector3;
  const half = turn.map((row) => part.inertia.map((own) => dot(row, own)) as unknown as Vector3);
  const inertia = half.map((row) => turn.map((other) => dot(row, other))) as unknown as Matrix3;
  return { ...part, centroid: turned.map((x, k) => x + position[k]!) as unknown as Vector3, inertia };
}

/** Bodies side by side, each for itself. */
function together(parts: readonly Integrals[]): Integrals {
  const volume = parts.reduce((sum, part) => sum + part.volume, 0);
  const centroid = [0, 1, 2].map((k) =>
    parts.reduce((sum, part) => sum + (part.volume / volume) * part.centroid[k]!, 0),
  ) as unknown as Vector3;
  const inertia = [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) =>
      parts.reduce((sum, part) => {
        const r = part.centroid.map((x, k) => x - centroid[k]!) as unknown as Vector3;
        return sum + part.inertia[i]![j]! + part.volume * ((i === j ? dot(r, r) : 0) - r[i]! * r[j]!);
      }, 0),
    ),
  ) as unknown as Matrix3;
  return { volume, centroid, inertia, error: Math.max(...parts.map(({ error }) => error)) };
}

/** Rows of the rotation by a unit quaternion. */
function rotationRows([x, y, z, w]: readonly [number, number, number, number]): Matrix3 {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

function dot(a: Vector3, b: Vector3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function scaled(matrix: Matrix3, factor: number): Matrix3 {
  return matrix.map((row) => row.map((x) => factor * x)) as unknown as Matrix3;
}

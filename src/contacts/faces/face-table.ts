/**
 * Flat faces of convex shapes, which the elastic foundation of convex pairs is integrated over. Shapes with curved
 * parts have those of a polytope in them. docs/contacts.md, "Faces".
 */
import { vec3d } from 'wgpu-matrix';
import { setAcross } from '../../convex/shapes/directions-across.ts';
import { facePolygons } from '../../convex/shapes/face-polygons.ts';
import {
  ConeParameter,
  CylinderParameter,
  INTEGERS,
  Integer,
  PARAMETERS,
  Parameter,
  type ShapeArrays,
  ShapeKind,
} from '../../convex/shapes/records.ts';
import { ShapeTable } from '../../convex/shapes/shape-table.ts';
import { InputError } from '../../errors.ts';
import type { ColliderTable } from '../bodies/collider-table.ts';
import { surfaceMeshOfRecord } from '../surface/surface-mesh.ts';
import { PATCH_SHARE, ROUND_SIDES } from './constants.ts';

/** Words of `FaceTable.ranges` per record. */
export const FACE_RANGE = 4;
/** Numbers of `FaceTable.planes` per face. */
export const PLANE = 4;

/** Faces of the records of a `ShapeTable`. Places are seen from the centres of the records, in the axes of shapes. */
export interface FaceTable {
  /** `[records * 4]`: first face, number of faces, first vertex, number of vertices. No faces: see `touchWithFaces`. */
  readonly ranges: Uint32Array;
  /** `[records]`: 1 where a record is smooth beside its own like: two of these touch in a point. */
  readonly isRound: Uint8Array;
  /** `[faces * 4]`: outward unit normal, and the plane's distance from the centre. */
  readonly planes: Float64Array;
  /** Corners of face i: `corners[starts[i]]` to before `corners[starts[i + 1]]`, counter-clockwise from outside. */
  readonly starts: Uint32Array;
  /** Vertices, counted from the first of the table. */
  readonly corners: Uint32Array;
  /** `[vertices * 3]` */
  readonly vertices: Float64Array;
  /**
   * `[faces * 6]`: two unit vectors in a face, with the normal a right-handed three. A face's origin is the foot of the
   * centre in its plane; `[corners * 2]`: where its corners are from there, along both.
   */
  readonly axes: Float64Array;
  readonly flat: Float64Array;
  /** Most corners of a face. */
  readonly mostCorners: number;
}

/**
 * Whether two records touch with faces. Balls and ellipsoids have none, since they touch anything in a point, and nor
 * have shapes without volume. Capsules have some for all but each other.
 */
export function touchWithFaces(faces: FaceTable, a: number, b: number): boolean {
  const { isRound } = faces;
  return hasFaces(faces, a) && hasFaces(faces, b) && (isRound[a] === 0 || isRound[b] === 0);
}

/** Whether a record has faces for some partner. */
export function hasFaces({ ranges }: FaceTable, record: number): boolean {
  return ranges[FACE_RANGE * record + 1]! > 0;
}

/** Whether a record touches a plane with its faces, and its own kind: capsules do so in points. */
export function meetsPlaneWithFaces(faces: FaceTable, record: number): boolean {
  return hasFaces(faces, record) && faces.isRound[record] === 0;
}

/** Colliders, and the faces of their convex records. */
export interface FacedColliders extends ColliderTable {
  /** Undefined where there are no convex shapes. */
  readonly faces: FaceTable | undefined;
}

export function withFaces(table: ColliderTable): FacedColliders {
  return { ...table, faces: table.convex && makeFaceTable(table.convex, table.convexNames) };
}

/** The same, where no record touches with faces: convex pairs have their clipped manifolds as contacts. */
export function withoutFaces(table: FacedColliders): FacedColliders {
  const { faces } = table;
  return faces ? { ...table, faces: { ...faces, ranges: new Uint32Array(faces.ranges.length) } } : table;
}

/** @param names of the records, for messages */
export function makeFaceTable(table: ShapeArrays, names: readonly string[]): FaceTable {
  const { count } = table;
  const ranges = new Uint32Array(FACE_RANGE * count);
  const isRound = new Uint8Array(count);
  const planes: number[] = [];
  const starts: number[] = [0];
  const corners: number[] = [];
  const vertices: number[] = [];
  const axes: number[] = [];
  const flat: number[] = [];
  const [alongU, alongV] = [new Float64Array(3), new Float64Array(3)];
  let mostCorners = 0;
  for (let record = 0; record < count; record++) {
    const points = cornersOf(table, record, names[record]!);
    if (points === undefined) continue;
    const hull = new ShapeTable([{ kind: 'polytope', vertices: points }], [names[record]!]);
    const centre = PARAMETERS * record + Parameter.centre;
    const way = [0, 1, 2].map((k) => hull.parameters[Parameter.centre + k]! - table.parameters[centre + k]!);
    const { polygonNormals: normals, polygonStarts, polygonCorners } = facePolygons(hull, Infinity);
    const faces = normals.length / 3;
    const firstVertex = vertices.length / 3;
    ranges.set([planes.length / PLANE, faces, firstVertex, hull.vertices.length / 3], FACE_RANGE * record);
    isRound[record] = isCapsule(table, record) ? 1 : 0;
    hull.vertices.forEach((x, i) => {
      vertices.push(x + way[i % 3]!);
    });
    for (let f = 0; f < faces; f++) {
      const own = polygonCorners.subarray(polygonStarts[f]!, polygonStarts[f + 1]!);
      const normal = normals.subarray(3 * f, 3 * f + 3);
      const offset = Math.max(...Array.from(own, (v) => dot(normal, vertices, 3 * (firstVertex + v))));
      planes.push(...normal, offset);
      setAcross(normal[0]!, normal[1]!, normal[2]!, alongU, alongV);
      axes.push(...alongU, ...alongV);
      for (const vertex of own) {
        const at = 3 * (firstVertex + vertex);
        corners.push(firstVertex + vertex);
        flat.push(dot(alongU, vertices, at), dot(alongV, vertices, at));
      }
      starts.push(corners.length);
      mostCorners = Math.max(mostCorners, own.length);
    }
  }
  return {
    ...{ ranges, isRound, mostCorners, planes: Float64Array.from(planes) },
    ...{ starts: Uint32Array.from(starts), corners: Uint32Array.from(corners) },
    ...{
      vertices: Float64Array.from(vertices),
      axes: Float64Array.from(axes),
      flat: Float64Array.from(flat),
    },
  };
}

/**
 * `[records]`: the area of the largest patch that a record is expected to touch with. That is its largest face, or a
 * sixteenth of its surface where faces are small: a quarter of a convex body's mean shadow.
 */
export function patchAreas({ ranges, starts, corners, vertices }: FaceTable): Float64Array {
  return Float64Array.from({ length: ranges.length / FACE_RANGE }, (_, record) => {
    const first = ranges[FACE_RANGE * record]!;
    let [largest, surface] = [0, 0];
    for (let f = first; f < first + ranges[FACE_RANGE * record + 1]!; f++) {
      const own = Array.from(corners.subarray(starts[f]!, starts[f + 1]!), (v) =>
        vertices.subarray(3 * v, 3 * v + 3),
      );
      const sum = vec3d.create();
      own.forEach((corner, i) => {
        vec3d.add(sum, vec3d.cross(corner, own[(i + 1) % own.length]!), sum);
      });
      const area = vec3d.length(sum) / 2;
      surface += area;
      largest = Math.max(largest, area);
    }
    return Math.max(largest, PATCH_SHARE * surface);
  });
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>, at: number) =>
  a[0]! * b[at]! + a[1]! * b[at + 1]! + a[2]! * b[at + 2]!;

/** A box without width and height, under a margin. */
function isCapsule({ integers, parameters: p }: ShapeArrays, record: number): boolean {
  if (integers[INTEGERS * record + Integer.kind] !== ShapeKind.box) return false;
  const sizes = p.subarray(PARAMETERS * record, PARAMETERS * record + 3);
  return sizes.filter((x) => x > 0).length <= 1;
}

/** Corners of the polytope that has a record's faces, in the frame of its shape; undefined where it has none. */
function cornersOf(table: ShapeArrays, record: number, name: string): number[] | Float64Array | undefined {
  const p = table.parameters.subarray(PARAMETERS * record, PARAMETERS * (record + 1));
  const own = table.integers.subarray(INTEGERS * record, INTEGERS * (record + 1));
  const kind = own[Integer.kind];
  const margin = p[Parameter.margin]!;
  const isBall = p[Parameter.boundingRadius] === margin;
  if (isBall || (kind === ShapeKind.ellipsoid && Math.min(p[0]!, p[1]!, p[2]!) > 0)) return undefined;
  const [x, y, z] = p.subarray(Parameter.centre, Parameter.centre + 3) as unknown as [number, number, number];
  if (margin === 0) {
    if (kind === ShapeKind.polytope) {
      if (own[Integer.faceCount] === 0) return undefined;
      const first = 3 * own[Integer.firstVertex]!;
      return table.vertices
        .slice(first, first + 3 * own[Integer.vertexCount]!)
        .map((v, i) => v + [x, y, z][i % 3]!);
    }
    const rim = (radius: number, height: number) =>
      Array.from({ length: ROUND_SIDES }, (_, i) => {
        const angle = (2 * Math.PI * i) / ROUND_SIDES;
        return [x + radius * Math.cos(angle), y + radius * Math.sin(angle), z + height];
      }).flat();
    const { radius, halfHeight } = CylinderParameter;
    if (kind === ShapeKind.cylinder) {
      return [...rim(p[radius]!, -p[halfHeight]!), ...rim(p[radius]!, p[halfHeight]!)];
    }
    if (kind === ShapeKind.cone) {
      return [...rim(p[ConeParameter.radius]!, p[ConeParameter.base]!), x, y, z + p[ConeParameter.apex]!];
    }
  }
  try {
    return Float64Array.from(surfaceMeshOfRecord(table, record, { name }).mesh.positions);
  } catch (error) {
    // Without volume.
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** The surfaces of many bodies where they are, as one file for ParaView. */
import { mat3d } from 'wgpu-matrix';
import {
  type Options,
  requireArray,
  requireObject,
  requireOptions,
  requireText,
  told,
} from '../arguments.ts';
import { meshOf, namesOf, requireContactShapes } from '../contacts/bodies/check-shapes.ts';
import type { ContactShape } from '../contacts/bodies/contact-shape.ts';
import { surfaceMeshOf } from '../contacts/surface/surface-mesh.ts';
import { POSE_SIZE } from '../convex/shapes/pose.ts';
import type { ConvexShape } from '../convex/shapes/shapes.ts';
import { InputError } from '../errors.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { encodePolyData } from './vtp.ts';

/** Most that a curved surface lies beyond its triangles, of its diameter: a picture's. */
const CHORD = 1 / 64;

export interface SurfaceOptions {
  /** Most that a curved surface lies beyond its triangles, of its diameter. Default 1/64. */
  readonly chord?: number;
}

const OPTIONS: Options<SurfaceOptions> = { chord: 'number' };

/** Triangles of a shape, in its frame. */
interface Surface {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}

/**
 * Surfaces of shapes, for `encodeBodySurfaces`. Planes have none.
 *
 * @throws InputError for a shape without volume, or an option out of range
 */
export function surfacesOf(
  shapes: readonly ContactShape[],
  options: SurfaceOptions = {},
): (Surface | undefined)[] {
  requireOptions('surfacesOf', options, OPTIONS);
  const { chord = CHORD } = options;
  if (!(chord > 0 && chord < 1)) {
    throw new InputError(`surfacesOf: chord is ${chord}, expected a number between 0 and 1`);
  }
  if (!Array.isArray(shapes)) {
    throw new InputError(`surfacesOf: shapes: found ${told(shapes)}, expected an array of descriptions`);
  }
  requireContactShapes(shapes, namesOf('shape', undefined, shapes.length));
  return shapes.map((shape: ContactShape) => {
    if (shape.kind === 'plane') return undefined;
    if (shape.kind === 'polyhedron') return meshOf(shape) as TriangleMesh;
    const parts = shape.kind === 'parts' ? shape.parts : [{ shape: shape as ConvexShape }];
    return joined(
      parts.map(({ shape: part, ...place }) => {
        const { mesh } = surfaceMeshOf(part, { chord });
        return placed(
          mesh,
          Float64Array.of(...(place.position ?? [0, 0, 0]), ...(place.rotation ?? [0, 0, 0, 1])),
        );
      }),
    );
  });
}

/** A value, or a vector, per body. */
export interface BodyData {
  readonly name: string;
  readonly components: 1 | 3;
  readonly values: Float64Array;
}

/**
 * All bodies as a .vtp file: the triangles of their surfaces, with the number of the body, and `data`, at each point.
 *
 * @param poses `[n * 7]`
 */
export function encodeBodySurfaces(
  surfaces: readonly (Surface | undefined)[],
  shapes: Uint32Array,
  poses: Float64Array,
  data: readonly BodyData[] = [],
): Uint8Array<ArrayBuffer> {
  requireSurfaces(surfaces);
  requireArray('encodeBodySurfaces: shapes', shapes, [Uint32Array], 'a shape per body');
  requireArray('encodeBodySurfaces: poses', poses, [Float64Array], 'seven numbers per body');
  if (poses.length !== POSE_SIZE * shapes.length) {
    throw new InputError(
      `encodeBodySurfaces: poses: ${poses.length} numbers found, expected ${POSE_SIZE * shapes.length}: ${POSE_SIZE} ` +
        `for each of ${shapes.length} bodies`,
    );
  }
  requireData(data, shapes.length);
  const all: Surface[] = [];
  const bodies: number[] = [];
  shapes.forEach((shape, body) => {
    const surface = surfaces[shape];
    if (surface === undefined) return;
    all.push(placed(surface, poses.subarray(7 * body, 7 * body + 7)));
    bodies.push(body);
  });
  const { positions, indices } = joined(all);
  const owners = new Uint32Array(positions.length / 3);
  let at = 0;
  all.forEach((surface, i) => {
    owners.fill(bodies[i]!, at, (at += surface.positions.length / 3));
  });
  const perPoint = ({ name, components, values }: BodyData) => ({
    ...{ name, components },
    data: Float32Array.from(
      { length: components * owners.length },
      (_, i) => values[components * owners[Math.floor(i / components)]! + (i % components)]!,
    ),
  });
  return encodePolyData({
    points: positions,
    pointData: [...data.map(perPoint), { name: 'body', components: 1, data: owners }],
    cells: 'Polys',
    size: 3,
    connectivity: Int32Array.from(indices),
  });
}

function requireSurfaces(found: unknown): void {
  const isSurface = (one: unknown) =>
    one === undefined || (one as Surface)?.positions instanceof Float32Array;
  if (Array.isArray(found) && found.every(isSurface)) return;
  throw new InputError(
    `encodeBodySurfaces: surfaces: found ${told(found)}, expected what surfacesOf returned`,
  );
}

function requireData(found: unknown, bodies: number): void {
  if (!Array.isArray(found)) {
    throw new InputError(`encodeBodySurfaces: data: found ${told(found)}, expected an array`);
  }
  (found as readonly BodyData[]).forEach((one, i) => {
    const place = `encodeBodySurfaces: data[${i}]`;
    requireObject(place, one, 'an object with name, components and values');
    requireText(`${place}.name`, one.name, 'a text');
    requireArray(`${place}.values`, one.values, [Float64Array], 'numbers per body');
    const { components, values } = one;
    if ((components === 1 || components === 3) && values.length === components * bodies) return;
    throw new InputError(
      `${place}: ${values.length} numbers and components ${told(components)} found, expected 1 or 3 components ` +
        `of each of ${bodies} bodies`,
    );
  });
}

function placed({ positions, indices }: Surface, pose: Float64Array): Surface {
  const m = mat3d.fromQuat(pose.subarray(3, 7));
  const turned = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = [positions[i]!, positions[i + 1]!, positions[i + 2]!];
    // wgpu-matrix keeps columns, four numbers apart.
    for (let k = 0; k < 3; k++) turned[i + k] = m[k]! * x + m[4 + k]! * y + m[8 + k]! * z + pose[k]!;
  }
  return { positions: turned, indices };
}

function joined(surfaces: readonly Surface[]): Surface {
  const positions = new Float32Array(surfaces.reduce((sum, one) => sum + one.positions.length, 0));
  const indices = new Uint32Array(surfaces.reduce((sum, one) => sum + one.indices.length, 0));
  let [vertex, index] = [0, 0];
  for (const one of surfaces) {
    positions.set(one.positions, 3 * vertex);
    for (let i = 0; i < one.indices.length; i++) indices[index + i] = vertex + one.indices[i]!;
    vertex += one.positions.length / 3;
    index += one.indices.length;
  }
  return { positions, indices };
}

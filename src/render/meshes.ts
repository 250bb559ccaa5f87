/** Triangles of shapes as they are drawn: with normals, and all in one buffer. */
import { mat3d, vec3d } from 'wgpu-matrix';
import type { ContactShape } from '../contacts/bodies/contact-shape.ts';
import type { CompoundShape, ConvexShape } from '../convex/shapes/shapes.ts';
import { surfacesOf } from '../io/body-surfaces.ts';
import { CHORD, CREASE } from './constants.ts';

/** Where a shape's triangles lie among all vertices, and a ball and a box in its frame that hold it. */
export interface DrawnShape {
  readonly firstVertex: number;
  readonly vertexCount: number;
  readonly center: readonly [number, number, number];
  readonly radius: number;
  /** Of the box: half its edges. */
  readonly half: readonly [number, number, number];
}

export interface DrawnShapes {
  /** Three per triangle: position and normal. */
  readonly vertices: Float32Array<ArrayBuffer>;
  /** Undefined for planes. */
  readonly shapes: readonly (DrawnShape | undefined)[];
}

/** Numbers of a vertex. */
export const VERTEX = 6;

/** @throws InputError for a shape without volume */
export function drawnShapes(shapes: readonly ContactShape[]): DrawnShapes {
  const all = shapes.map((shape) => {
    if (shape.kind === 'plane') return [];
    const parts = shape.kind === 'parts' ? shape.parts : [{ shape: shape as ConvexShape }];
    return parts.map(({ shape: part, ...place }) => {
      const { positions, indices } = surfacesOf([part], { chord: CHORD })[0]!;
      const ball = part.kind === 'sphere' ? { center: place.position ?? [0, 0, 0] } : {};
      return { positions: placed(positions, place), indices, isSmooth: isCurved(part), ...ball };
    });
  });
  const corners = all.flat().reduce((sum, { indices }) => sum + indices.length, 0);
  const vertices = new Float32Array(VERTEX * corners);
  let next = 0;
  const drawn = all.map((parts): DrawnShape | undefined => {
    if (parts.length === 0) return undefined;
    const firstVertex = next;
    for (const part of parts) next += addPart(vertices.subarray(VERTEX * next), part);
    const own = vertices.subarray(VERTEX * firstVertex, VERTEX * next);
    return { firstVertex, vertexCount: next - firstVertex, ...boundsOf(own) };
  });
  return { vertices, shapes: drawn };
}

/** Whether faces stand for a curved surface, so that their edges are not to be seen. */
function isCurved(shape: ContactShape): boolean {
  const { kind } = shape;
  if (kind === 'polyhedron') return false;
  if ('margin' in shape && (shape.margin ?? 0) > 0) return true;
  if (kind === 'sum' || kind === 'hull') {
    const { a, b } = shape as CompoundShape;
    return isCurved(a as ContactShape) || isCurved(b as ContactShape);
  }
  return kind !== 'box' && kind !== 'polytope' && kind !== 'frustum';
}

interface Part {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  readonly isSmooth: boolean;
  /** Of a ball, whose normals are known. */
  readonly center?: readonly number[];
}

/** Writes three vertices per triangle, and returns how many. */
function addPart(vertices: Float32Array, { positions, indices, isSmooth, center }: Part): number {
  const corner = (i: number) => positions.subarray(3 * i, 3 * i + 3);
  const normals: Float64Array[] = [];
  const around = new Map<number, number[]>();
  for (let face = 0; face < indices.length / 3; face++) {
    const [a, b, c] = [indices[3 * face]!, indices[3 * face + 1]!, indices[3 * face + 2]!];
    const [u, v] = [vec3d.subtract(corner(b), corner(a)), vec3d.subtract(corner(c), corner(a))];
    normals.push(vec3d.cross(u, v));
    if (!isSmooth || center !== undefined) continue;
    for (const vertex of [a, b, c]) {
      const faces = around.get(vertex);
      if (faces === undefined) around.set(vertex, [face]);
      else faces.push(face);
    }
  }
  const units = normals.map((normal) => vec3d.normalize(normal));
  const least = Math.cos(CREASE);
  indices.forEach((vertex, i) => {
    const own = units[Math.floor(i / 3)]!;
    const normal = vec3d.copy(own);
    if (center !== undefined) {
      vec3d.normalize(vec3d.subtract(corner(vertex), Float64Array.from(center), normal), normal);
    } else if (isSmooth) {
      vec3d.zero(normal);
      for (const other of around.get(vertex)!) {
        // Not of unit length: large faces count for more.
        if (vec3d.dot(own, units[other]!) >= least) vec3d.add(normal, normals[other]!, normal);
      }
      vec3d.normalize(normal, normal);
    }
    vertices.set(corner(vertex), VERTEX * i);
    vertices.set(normal, VERTEX * i + 3);
  });
  return indices.length;
}

function placed(
  positions: Float32Array,
  {
    position = [0, 0, 0],
    rotation = [0, 0, 0, 1],
  }: { position?: ArrayLike<number>; rotation?: ArrayLike<number> },
): Float32Array {
  const turn = mat3d.fromQuat(Float64Array.from(rotation));
  const out = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const to = vec3d.transformMat3(positions.subarray(i, i + 3), turn);
    for (let k = 0; k < 3; k++) out[i + k] = to[k]! + position[k]!;
  }
  return out;
}

function boundsOf(vertices: Float32Array): Pick<DrawnShape, 'center' | 'radius' | 'half'> {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < vertices.length; at += VERTEX) {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, vertices[at + k]!);
      high[k] = Math.max(high[k]!, vertices[at + k]!);
    }
  }
  const center = low.map((x, k) => (x + high[k]!) / 2) as [number, number, number];
  const half = low.map((x, k) => (high[k]! - x) / 2) as [number, number, number];
  let radius = 0;
  for (let at = 0; at < vertices.length; at += VERTEX) {
    const own = vertices.subarray(at, at + 3);
    radius = Math.max(radius, vec3d.distance(own, Float64Array.from(center)));
  }
  return { center, radius, half };
}

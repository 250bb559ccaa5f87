/** Surfaces of bodies as three draws them. */
import { BufferAttribute, InstancedBufferGeometry, Vector3 } from 'three/webgpu';
import { type DrawnShape, VERTEX } from '../../src/render/meshes.ts';
import { hash, shareOf } from './materials.ts';

/** Corners of a body differ in lightness by so much, and hollows are darker by so much. */
const VARIATION = 0.08;
const HOLLOW_SHADE = 0.35;

/**
 * Positions, normals and `shade`, how light a corner is. Corners that look the same are one vertex: of facets those at
 * the same place, as their normals are known anyway.
 *
 * @param vertices as `drawnShapes` gives them
 */
export function surfaceOf(
  vertices: Float32Array,
  shape: DrawnShape,
  isFaceted: boolean,
): InstancedBufferGeometry {
  const { firstVertex, vertexCount } = shape;
  const known = new Map<string, number>();
  const corners: number[] = [];
  const index = Uint32Array.from({ length: vertexCount }, (_, i) => {
    const at = VERTEX * (firstVertex + i);
    const key = vertices.subarray(at, at + (isFaceted ? 3 : VERTEX)).join(' ');
    const vertex = known.get(key) ?? corners.push(at) - 1;
    known.set(key, vertex);
    return vertex;
  });
  const part = (from: number) =>
    Float32Array.from(corners.flatMap((at) => [...vertices.subarray(at + from, at + from + 3)]));
  const geometry = new InstancedBufferGeometry();
  geometry.setIndex(new BufferAttribute(index, 1));
  geometry.setAttribute('position', new BufferAttribute(part(0), 3));
  geometry.setAttribute('normal', new BufferAttribute(part(3), 3));
  geometry.setAttribute('shade', new BufferAttribute(shadesOf(vertices, corners, shape), 1));
  return geometry;
}

/** Whether each triangle of a body has one normal. */
export function hasFacets(vertices: Float32Array, { firstVertex, vertexCount }: DrawnShape): boolean {
  for (let i = firstVertex; i < firstVertex + vertexCount; i += 3) {
    for (let k = 3; k < VERTEX; k++) {
      const [a, b, c] = [0, 1, 2].map((corner) => vertices[VERTEX * (i + corner) + k]);
      if (a !== b || b !== c) return false;
    }
  }
  return true;
}

function shadesOf(
  vertices: Float32Array,
  corners: readonly number[],
  { center, radius }: DrawnShape,
): Float32Array {
  const [place, middle] = [new Vector3(), new Vector3(...center)];
  return Float32Array.from(corners, (at, vertex) => {
    const out = place.fromArray(vertices, at).distanceTo(middle) / radius;
    const own = 1 + VARIATION * (2 * shareOf(hash(vertex)) - 1);
    return own * (1 - HOLLOW_SHADE * Math.min(1, Math.max(0, (0.9 - out) / 0.6)));
  });
}

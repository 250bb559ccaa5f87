/** Forces of contacts as bars: the larger the force, the thicker and the redder. They show through bodies. */
import { attribute, color, cross, float, mix, normalize, positionGeometry, vec3 } from 'three/tsl';
import {
  BufferAttribute,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  MeshBasicNodeMaterial,
  type Node,
} from 'three/webgpu';

/** Half the thickness of the largest force, of the size of a body. */
const THICKNESS = 0.1;
/** A small force is at least so thick, of the largest. */
const THINNEST = 0.12;
const [SMALL, LARGE] = ['#ffd166', '#d7263d'];

export class ForceLines {
  readonly mesh: Mesh<InstancedBufferGeometry, MeshBasicNodeMaterial>;
  #room = 0;

  /** @param bodySize radius of a body, a length */
  constructor(bodySize: number) {
    const material = new MeshBasicNodeMaterial({ depthTest: false, transparent: true });
    const from = attribute('barStart', 'vec3') as Node<'vec3'>;
    const along = (attribute('barEnd', 'vec3') as Node<'vec3'>).sub(from);
    const size = attribute('barSize', 'float') as Node<'float'>;
    // Two directions across: away from the axis that it has least of.
    const other = along.x
      .abs()
      .lessThan(along.z.abs())
      .select(vec3(1, 0, 0), vec3(0, 0, 1));
    const across = normalize(cross(along, other));
    const third = normalize(cross(along, across));
    const thick = size
      .mul(1 - THINNEST)
      .add(THINNEST)
      .mul(THICKNESS * bodySize);
    material.positionNode = from
      .add(along.mul(positionGeometry.z))
      .add(across.mul(positionGeometry.x).add(third.mul(positionGeometry.y)).mul(thick));
    material.colorNode = mix(color(SMALL!), color(LARGE!), size);
    material.opacityNode = float(0.9);
    this.mesh = new Mesh(barGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.mesh.renderOrder = 2;
  }

  /**
   * @param segments `[m * 6]`: both ends, relative to the mesh
   * @param sizes `[m]`: 0 to 1
   */
  show(segments: Float32Array, sizes: Float32Array): void {
    const count = sizes.length;
    this.mesh.visible = count > 0;
    if (count > this.#room) {
      this.#room = 2 * count;
      this.mesh.geometry.dispose();
      this.mesh.geometry = barGeometry();
      for (const [name, numbers] of [
        ['barStart', 3],
        ['barEnd', 3],
        ['barSize', 1],
      ] as const) {
        const values = new Float32Array(numbers * this.#room);
        this.mesh.geometry.setAttribute(name, new InstancedBufferAttribute(values, numbers));
      }
    }
    const { geometry } = this.mesh;
    geometry.instanceCount = count;
    if (count === 0) return;
    const { barStart, barEnd, barSize } = geometry.attributes as Record<
      'barStart' | 'barEnd' | 'barSize',
      BufferAttribute
    >;
    for (let i = 0; i < count; i++) {
      barStart.array.set(segments.subarray(6 * i, 6 * i + 3), 3 * i);
      barEnd.array.set(segments.subarray(6 * i + 3, 6 * i + 6), 3 * i);
    }
    barSize.array.set(sizes);
    for (const one of [barStart, barEnd, barSize]) one.needsUpdate = true;
  }

  destroy(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

/** A bar along z from 0 to 1, with a square of half diagonal 1 across. Its ends are not seen. */
function barGeometry(): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  const corners = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ];
  const positions = corners.flatMap(([x, y]) => [x!, y!, 0, x!, y!, 1]);
  const indices = corners.flatMap((_, k) => {
    const [a, b] = [2 * k, 2 * ((k + 1) % corners.length)];
    return [a, b, b + 1, a, b + 1, a + 1];
  });
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
  geometry.setIndex(indices);
  geometry.instanceCount = 0;
  return geometry;
}

/** Lines of some width: WebGPU's own are one pixel wide. */
import {
  attribute,
  cameraProjectionMatrix,
  float,
  int,
  modelViewMatrix,
  screenDPR,
  screenSize,
  select,
  uniform,
  vec2,
  vec4,
  vertexIndex,
} from 'three/tsl';
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Mesh,
  MeshBasicNodeMaterial,
} from 'three/webgpu';

/** Two triangles per segment. */
const CORNERS = 6;

/**
 * Segments, drawn as rectangles that face the reader. They are no instances: software adapters take some 15
 * microseconds for each of those. Segments that go through the camera's plane are not to be drawn with it.
 */
export class ThickLines {
  readonly mesh: Mesh<BufferGeometry, MeshBasicNodeMaterial>;
  readonly #colour = uniform(new Color());

  /** `width` in CSS pixels. */
  constructor(width: number) {
    const material = new MeshBasicNodeMaterial({ side: DoubleSide });
    material.colorNode = this.#colour;
    const from = modelViewMatrix.mul(vec4(attribute<'vec3'>('position', 'vec3'), 1));
    const to = modelViewMatrix.mul(vec4(attribute<'vec3'>('other', 'vec3'), 1));
    const here = cameraProjectionMatrix.mul(from).toVar();
    const there = cameraProjectionMatrix.mul(to);
    const along = there.xy.div(there.w).sub(here.xy.div(here.w)).mul(screenSize).toVar();
    const across = vec2(along.y.negate(), along.x).div(along.length().max(1e-6));
    // Seen from the second end, left and right have changed places.
    const corner = int(vertexIndex).mod(CORNERS);
    const isLeft = corner.equal(0).or(corner.equal(4));
    const shift = across.mul(select(isLeft, float(1), float(-1))).mul(screenDPR.mul(width));
    material.vertexNode = here.add(vec4(shift.div(screenSize).mul(here.w), 0, 0));
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  get colour(): Color {
    return this.#colour.value;
  }

  /** `[x, y, z]` of one end and of the other per segment, in the scene's unit. */
  setSegments(ends: ArrayLike<number>): void {
    const count = ends.length / 6;
    const here = new Float32Array(3 * CORNERS * count);
    const there = new Float32Array(3 * CORNERS * count);
    for (let i = 0; i < count; i++) {
      // Corners 0, 1 and 3 are at the first end, 2, 4 and 5 at the second.
      for (let corner = 0; corner < CORNERS; corner++) {
        const isFirst = corner === 0 || corner === 1 || corner === 3;
        for (let k = 0; k < 3; k++) {
          const at = 3 * (CORNERS * i + corner) + k;
          here[at] = ends[6 * i + k + (isFirst ? 0 : 3)]!;
          there[at] = ends[6 * i + k + (isFirst ? 3 : 0)]!;
        }
      }
    }
    const { mesh } = this;
    // Attributes keep their length: other segments, another geometry.
    mesh.geometry.dispose();
    mesh.geometry = new BufferGeometry();
    mesh.geometry.setAttribute('position', new BufferAttribute(here, 3));
    mesh.geometry.setAttribute('other', new BufferAttribute(there, 3));
    mesh.visible = count > 0;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

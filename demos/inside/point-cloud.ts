/**
 * Points as small balls that always face the reader: a triangle each, of which a disc is drawn. They are no instances:
 * software adapters take some 15 microseconds for each of those.
 */
import {
  attribute,
  cameraProjectionMatrix,
  dot,
  float,
  int,
  length,
  max,
  modelViewMatrix,
  screenSize,
  select,
  sqrt,
  uniform,
  uniformArray,
  varying,
  vec2,
  vec3,
  vec4,
  vertexIndex,
} from 'three/tsl';
import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  Mesh,
  MeshBasicNodeMaterial,
  Vector4,
} from 'three/webgpu';

/** Corners of a triangle around the unit circle. */
const CORNERS = [vec2(-Math.sqrt(3), -1), vec2(Math.sqrt(3), -1), vec2(0, 2)] as const;
/** A smaller ball would miss the middles of all pixels. */
const LEAST_RADIUS_PIXELS = 0.75;
/** How bright a ball is in the shade, and what the light adds. */
const SHADE = 0.55;

/** Points of a few kinds, in the scene's units. */
export class PointCloud {
  readonly mesh: Mesh<BufferGeometry, MeshBasicNodeMaterial>;
  readonly #radius = uniform(0.01);
  /** Colour, and radius as a share of the cloud's. */
  readonly #looks: Vector4[];

  constructor(kinds: number) {
    this.#looks = Array.from({ length: kinds }, () => new Vector4());
    const looks = uniformArray<'vec4'>(this.#looks, 'vec4');
    const point = attribute<'vec4'>('position', 'vec4');
    const which = int(vertexIndex).mod(3);
    const [first, second, third] = CORNERS;
    const place = select(which.equal(0), first, select(which.equal(1), second, third));
    const look = looks.element(point.w.toInt());
    const center = modelViewMatrix.mul(vec4(point.xyz, 1)).toVar();
    const slope = cameraProjectionMatrix.mul(vec4(0, 1, 0, 0)).y;
    const pixel = center.z.mul(-2).div(slope.mul(screenSize.y));
    const radius = max(this.#radius.mul(look.w), pixel.mul(LEAST_RADIUS_PIXELS));
    const corner = center.add(vec4(place.mul(radius), 0, 0));

    const material = new MeshBasicNodeMaterial();
    material.vertexNode = cameraProjectionMatrix.mul(corner);
    const at = varying(place);
    const away = length(at);
    material.maskNode = away.lessThan(1);
    const normal = vec3(at, sqrt(max(float(1).sub(away.mul(away)), 0)));
    // From above left, as the reader sees it.
    const light = max(dot(normal, vec3(-0.4, 0.6, 0.7)), 0);
    material.colorNode = varying(look.xyz).mul(light.mul(1 - SHADE).add(SHADE));

    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  /** Points as `[x, y, z, kind]` each. */
  setPoints(points: Float32Array<ArrayBuffer>, radius: number): void {
    const { mesh } = this;
    const corners = new Float32Array(3 * points.length);
    for (let i = 0; i < points.length; i += 4) {
      for (let corner = 0; corner < 3; corner++) {
        for (let k = 0; k < 4; k++) corners[3 * i + 4 * corner + k] = points[i + k]!;
      }
    }
    // Attributes keep their length: other points, another geometry.
    mesh.geometry.dispose();
    mesh.geometry = new BufferGeometry();
    mesh.geometry.setAttribute('position', new BufferAttribute(corners, 4));
    mesh.visible = points.length > 0;
    this.#radius.value = radius;
  }

  /** Colour and size of a kind. */
  setLook(kind: number, { r, g, b }: Color, size: number): void {
    this.#looks[kind]!.set(r, g, b, size);
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

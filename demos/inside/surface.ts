/** A mesh, cut open by a plane. What is cut away can stay as a breath of glass, so that one sees the whole body. */
import { dot, frontFacing, normalView, positionWorld, select, uniform } from 'three/tsl';
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicNodeMaterial,
  MeshLambertNodeMaterial,
  type Node,
  type Vector4,
} from 'three/webgpu';

export type MeshStyle = 'solid' | 'glass' | 'hidden';

/** How much of the light a translucent mesh keeps. */
const GLASS = 0.28;
/** The same of what is cut away: where one looks straight at it, and what its rims have more. */
const BREATH = { straight: 0.06, rims: 0.5 };

export class Surface {
  readonly object = new Group();
  /** Whether a place is on the side that stays. */
  readonly stays: Node<'bool'>;
  readonly #front = uniform(new Color());
  readonly #back = uniform(new Color());
  readonly #whole: Mesh<BufferGeometry, MeshLambertNodeMaterial>;
  readonly #away: Mesh<BufferGeometry, MeshBasicNodeMaterial>;

  /**
   * @param cut what has dot(xyz, place) > w is cut away
   * @param hasBreath whether that stays as a breath of glass
   */
  constructor(cut: Vector4, hasBreath: boolean) {
    const plane = uniform(cut);
    const height = dot(plane.xyz, positionWorld).sub(plane.w);
    this.stays = height.lessThanEqual(0);
    const whole = new MeshLambertNodeMaterial({ side: DoubleSide, flatShading: true });
    whole.colorNode = select(frontFacing, this.#front, this.#back);
    whole.maskNode = this.stays;
    this.#whole = new Mesh(new BufferGeometry(), whole);

    const away = new MeshBasicNodeMaterial({ transparent: true, depthWrite: false });
    // Its node of the normal is that of facets.
    Object.assign(away, { flatShading: true });
    away.colorNode = this.#back;
    away.opacityNode = normalView.z.abs().oneMinus().pow(2).mul(BREATH.rims).add(BREATH.straight);
    away.maskNode = height.greaterThan(0);
    this.#away = new Mesh(this.#whole.geometry, away);
    // After all that is solid, and after other glass.
    this.#away.renderOrder = 1;
    this.object.add(this.#whole);
    if (hasBreath) this.object.add(this.#away);
    this.object.visible = false;
  }

  /** Takes corners, `[x, y, z]` each, and three indices per triangle. */
  setTriangles(positions: Float32Array<ArrayBuffer>, indices: Uint32Array): void {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    geometry.setIndex(new BufferAttribute(indices, 1));
    this.#whole.geometry.dispose();
    this.#whole.geometry = geometry;
    this.#away.geometry = geometry;
    this.object.visible = indices.length > 0;
  }

  setStyle(style: MeshStyle): void {
    const { material } = this.#whole;
    const isGlass = style === 'glass';
    Object.assign(material, { transparent: isGlass, depthWrite: !isGlass, opacity: isGlass ? GLASS : 1 });
    material.needsUpdate = true;
    this.#whole.visible = style !== 'hidden';
    this.#away.visible = style !== 'hidden';
  }

  setColours(front: Color, back: Color): void {
    this.#front.value.copy(front);
    this.#back.value.copy(back);
  }

  dispose(): void {
    this.object.removeFromParent();
    this.#whole.geometry.dispose();
    this.#whole.material.dispose();
    this.#away.material.dispose();
  }
}

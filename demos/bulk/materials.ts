/** What bodies and walls look like. */
import {
  attribute,
  cameraPosition,
  color,
  dot,
  fract,
  frontFacing,
  normalView,
  positionViewDirection,
  positionWorld,
  select,
  uniform,
  vec3,
  vec4,
} from 'three/tsl';
import { Color, DoubleSide, MeshLambertNodeMaterial, type Node } from 'three/webgpu';
import { colourOf } from './colours.ts';
import type { Placing } from './placing.ts';

/** Of rocks: sandstone, ochre, rust, and the greys between. */
const ROCKS = [
  '#b98b62',
  '#cfa873',
  '#a6714a',
  '#8a7a6c',
  '#dcc09a',
  '#a08a76',
  '#8f5a45',
  '#e0cfb4',
  '#6f6259',
].map((text) => new Color(text));
/** How much lighter or darker a rock may be than its colour. */
const ROCK_VARIATION = 0.12;
const PICKED = new Color('#f7c948');
/** Share of their light that others keep when a body is picked. */
const DIMMED = 0.4;
const PARTNER = new Color('#4f9fd8');
const WALL = '#8e979e';
/** Of a wall where it is cut. */
const CUT = '#5a646c';
const GLASS = '#b4c4ce';
const BELT = { rubber: '#4d5357', cleats: '#6a7176' };
/** Width of a cleat, of the way from one to the next. */
const CLEAT = 0.12;

/** Where vessels are cut open. */
export interface Cut {
  /** A point that the cut goes through, upright. */
  readonly through: ArrayLike<number>;
  /** Whether it follows the eye about the vertical axis; otherwise it stays across x or y. */
  readonly isRound: boolean;
}

/**
 * Whether a place is in front of the cut: there, vessels are glass. In maps of shadows, in front is where the sun
 * stands, so that it shines into the vessel.
 */
function inFrontOf({ through, isRound }: Cut): Node<'bool'> {
  const point = vec3(through[0]!, through[1]!, through[2]!);
  const from = positionWorld.sub(point);
  const eye = cameraPosition.sub(point);
  const isAcrossX = eye.x.abs().greaterThan(eye.y.abs());
  const distance = isRound
    ? from.x.mul(eye.x).add(from.y.mul(eye.y))
    : select(isAcrossX, from.x.mul(eye.x), from.y.mul(eye.y));
  return distance.greaterThan(0) as Node<'bool'>;
}

/**
 * Bodies that move: a colour for each, `tint`, and a shade for each vertex. Of facets, normals are those of the
 * triangles.
 */
export function rockMaterial(placing: Placing, isFaceted = false): MeshLambertNodeMaterial {
  const material = new MeshLambertNodeMaterial();
  placing.apply(material);
  if (isFaceted) {
    material.normalNode = null;
    material.flatShading = true;
  }
  const tint = attribute('tint', 'vec3') as Node<'vec3'>;
  material.colorNode = vec4(tint.mul(attribute('shade', 'float') as Node<'float'>), 1);
  return material;
}

/** Walls, and what of vessels is behind the cut. */
export function wallMaterial(placing: Placing, cut?: Cut): MeshLambertNodeMaterial {
  const material = new MeshLambertNodeMaterial();
  placing.apply(material);
  const wall = new Color(WALL);
  if (cut === undefined) {
    material.colorNode = vec4(wall.r, wall.g, wall.b, 1);
    return material;
  }
  // Through the cut one sees the insides of walls: in one colour they look solid.
  material.side = DoubleSide;
  const inside = new Color(CUT);
  const none = vec3(0);
  material.colorNode = vec4(select(frontFacing, vec3(wall.r, wall.g, wall.b), none), 1);
  material.emissiveNode = select(frontFacing, none, vec3(inside.r, inside.g, inside.b));
  material.maskNode = inFrontOf(cut).not();
  return material;
}

/** A belt that runs with a velocity: cleats on it show that it does. */
export class BeltMaterial extends MeshLambertNodeMaterial {
  readonly #speed: number;
  readonly #spacing: number;
  readonly #way = uniform(0);

  /** @param spacing of cleats, a length */
  constructor(placing: Placing, velocity: readonly number[], spacing: number) {
    super();
    this.#speed = Math.hypot(...velocity);
    this.#spacing = spacing;
    placing.apply(this);
    const along = dot(
      positionWorld,
      vec3(...(velocity.map((v) => v / this.#speed) as [number, number, number])),
    );
    const isCleat = fract(along.sub(this.#way).div(spacing)).lessThan(CLEAT);
    this.colorNode = vec4(select(isCleat, color(BELT.cleats), color(BELT.rubber)), 1);
  }

  set time(seconds: number) {
    this.#way.value = (this.#speed * seconds) % this.#spacing;
  }
}

/** What of vessels is in front of the cut: clear where one looks straight through, and brighter towards its edges. */
export function glassMaterial(placing: Placing, cut: Cut): MeshLambertNodeMaterial {
  const material = new MeshLambertNodeMaterial({ transparent: true, depthWrite: false });
  placing.apply(material);
  material.color.set(GLASS);
  const slant = dot(normalView, positionViewDirection).abs().oneMinus();
  material.opacityNode = slant.mul(slant).mul(0.42).add(0.04);
  material.maskNode = inFrontOf(cut);
  return material;
}

/** `other` bodies stand back behind a picked one. */
export type Role = 'plain' | 'picked' | 'partner' | 'other';

/**
 * Red, green and blue of a body, linear.
 *
 * @param share 0 to 1, of what colours say; undefined: each body has its own
 */
export function tintOf(body: number, role: Role, share?: number): readonly [number, number, number] {
  if (role === 'picked') return [PICKED.r, PICKED.g, PICKED.b];
  if (role === 'partner') return [PARTNER.r, PARTNER.g, PARTNER.b];
  if (share !== undefined) {
    const [red, green, blue] = colourOf(share);
    const shown = role === 'other' ? DIMMED : 1;
    return [shown * red, shown * green, shown * blue];
  }
  const { r, g, b } = ROCKS[hash(body) % ROCKS.length]!;
  const light =
    (1 + ROCK_VARIATION * (2 * shareOf(hash(body + 0x9e37)) - 1)) * (role === 'other' ? DIMMED : 1);
  return [light * r, light * g, light * b];
}

/** 0 to 1. */
export function shareOf(hashed: number): number {
  return hashed / 2 ** 32;
}

/** A number below 2^32 that looks random. */
export function hash(value: number): number {
  let h = Math.imul(value + 1, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca77);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae3d);
  return (h ^ (h >>> 16)) >>> 0;
}

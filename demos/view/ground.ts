/** A ground that fades into the picture's background and catches shadows. */
import { interleavedGradientNoise, length, screenCoordinate, smoothstep, uv } from 'three/tsl';
import {
  CircleGeometry,
  type Color,
  type DirectionalLight,
  type HemisphereLight,
  Mesh,
  MeshLambertNodeMaterial,
  type Vector3,
} from 'three/webgpu';

/** Radius of the ground, in radii of the framed box; and where it begins to fade, of its own. */
const RADII = 4.5;
const FADES_FROM = 0.15;
/** How far the ground's colour is from the background's towards white, where it does not fade. */
const LIGHTER = { light: 0.6, dark: 0.035 };

/** What shines on it. */
interface Lights {
  readonly sun: DirectionalLight;
  /** Of the sun's direction: its part upwards. */
  readonly slope: number;
  readonly sky: HemisphereLight;
}

/** How much neighbouring pixels differ in opacity where it is a half, times 4. */
const GRAIN = 0.25;

export class Ground {
  readonly mesh: Mesh<CircleGeometry, MeshLambertNodeMaterial>;

  constructor(shadows: boolean) {
    const material = new MeshLambertNodeMaterial({ transparent: true, depthWrite: false });
    const opacity = smoothstep(1, FADES_FROM, length(uv().sub(0.5)).mul(2));
    // A fade over so few shades would show as rings.
    const grain = interleavedGradientNoise(screenCoordinate.xy).sub(0.5).mul(GRAIN);
    material.opacityNode = opacity.add(grain.mul(opacity).mul(opacity.oneMinus()));
    this.mesh = new Mesh(new CircleGeometry(1, 64), material);
    this.mesh.receiveShadow = shadows;
    // What is transparent is drawn after it.
    this.mesh.renderOrder = -1;
  }

  /** Puts it below what is framed. */
  place(middle: Vector3, height: number, radius: number): void {
    this.mesh.position.set(middle.x, middle.y, height);
    this.mesh.scale.setScalar(RADII * radius);
  }

  /** Takes the colour that makes it, in these lights and without a shadow, a little lighter than the background. */
  takeColours(background: Color, isDark: boolean, { sun, slope, sky }: Lights): void {
    const { color } = this.mesh.material;
    color.copy(background).lerp(WHITE, isDark ? LIGHTER.dark : LIGHTER.light);
    for (const channel of ['r', 'g', 'b'] as const) {
      const light = sun.color[channel] * sun.intensity * slope + sky.color[channel] * sky.intensity;
      // A diffuse surface gives back a share of 1 / pi to each side.
      color[channel] *= Math.PI / light;
    }
  }
}

const WHITE = { r: 1, g: 1, b: 1 } as Color;

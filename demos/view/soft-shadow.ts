/** How the edges of shadows are softened. Three's own way takes five samples and shows as noise. */
import { Fn, float, texture, vec2 } from 'three/tsl';
import type { DirectionalLightShadow, Node, Texture } from 'three/webgpu';

/** Texels between samples: each reaches one to both sides. */
const SPACING = 1.8;

/** What three hands to a filter of shadows. */
interface FilterInput {
  readonly depthTexture: Texture;
  /** Place on the map, and depth. */
  readonly shadowCoord: Node<'vec3'>;
}

/**
 * Softens with a square of samples, each of which is the mean of the four texels around it.
 *
 * @param samples along a side: with 1, edges are a texel wide
 */
export function softenShadow(shadow: DirectionalLightShadow, samples: number): void {
  const filter = Fn(([{ depthTexture, shadowCoord }]: [FilterInput]) => {
    let sum: Node<'float'> = float(0);
    for (let i = 0; i < samples ** 2; i++) {
      const offset = [i % samples, Math.floor(i / samples)].map((k) => SPACING * (k - (samples - 1) / 2));
      const [x, y] = offset.map((texels) => texels / shadow.mapSize.width);
      const at = samples === 1 ? shadowCoord.xy : shadowCoord.xy.add(vec2(x!, y!));
      const one = texture(depthTexture, at).compare(shadowCoord.z) as unknown as Node<'float'>;
      sum = i === 0 ? one : sum.add(one);
    }
    return sum.mul(1 / samples ** 2);
  });
  // Three's types do not have it.
  Object.assign(shadow, { filterNode: (input: FilterInput) => filter(input as never) });
}

/** Regions of a scene that bodies are put into. */
import { requireBounds } from '../../dem/scene/check-scene.ts';
import type { Bounds } from '../../dem/scene/simulation-scene.ts';
import { checkedAt, type Fields, numbersAt, objectAt, positiveAt, requireFields } from './scene-fields.ts';

export interface Region {
  readonly volume: number;
  /** Extents along the axes. */
  readonly extents: readonly number[];
  /** The largest coordinate of all corners. */
  readonly farthest: number;
  /** A point for the centre of a ball that lies inside, all equally likely; undefined where this ball is too large. */
  place(radius: number, random: () => number): readonly [number, number, number] | undefined;
}

/** A box, or a cylinder or cone that stands on its base. */
export function regionAt(value: unknown, place: string): Region {
  const fields = objectAt(value, place);
  if (fields.base === undefined) return boxOf(fields, place);
  return coneOf(fields, place);
}

function boxOf(fields: Fields, place: string): Region {
  const { low, high } = checkedAt<Bounds>(fields, place, requireBounds);
  const extents = low.map((x, k) => high[k]! - x);
  return {
    extents,
    farthest: Math.max(...[...low, ...high].map(Math.abs)),
    volume: extents.reduce((product, x) => product * x, 1),
    place(radius, random) {
      if (extents.some((x) => x < 2 * radius)) return undefined;
      const at = low.map((x, k) => x + radius + random() * (extents[k]! - 2 * radius));
      return at as unknown as readonly [number, number, number];
    },
  };
}

/** How often a place is looked for in the cone's box: its share of the box is a quarter at least, for small balls. */
const TRIES = 256;

function coneOf(fields: Fields, place: string): Region {
  requireFields(fields, place, ['base', 'radius', 'topRadius', 'height']);
  const [x, y, z] = numbersAt(fields.base, `${place}.base`, 3) as [number, number, number];
  const bottom = positiveAt(fields.radius, `${place}.radius`);
  const top = fields.topRadius === undefined ? bottom : positiveAt(fields.topRadius, `${place}.topRadius`);
  const height = positiveAt(fields.height, `${place}.height`);
  const widest = Math.max(bottom, top);
  // The distance from the wall over that along the radius.
  const slope = height / Math.hypot(height, top - bottom);
  return {
    extents: [2 * widest, 2 * widest, height],
    farthest: Math.max(Math.abs(x) + widest, Math.abs(y) + widest, Math.abs(z) + height),
    volume: (Math.PI / 3) * height * (bottom ** 2 + bottom * top + top ** 2),
    place(radius, random) {
      if (height < 2 * radius || widest < radius) return undefined;
      for (let i = 0; i < TRIES; i++) {
        const [u, v] = [widest * (2 * random() - 1), widest * (2 * random() - 1)];
        const w = radius + random() * (height - 2 * radius);
        const inside = bottom + ((top - bottom) * w) / height - Math.hypot(u, v);
        if (inside * slope >= radius) return [x + u, y + v, z + w];
      }
      return undefined;
    },
  };
}

/** Sets of boxes that a broad phase has to get right, and what may pair in them. */
import type { Entries } from '../../src/broadphase/entries.ts';
import { createRandom } from '../../src/mesh/random.ts';

export interface BoxSet {
  readonly boxes: Int32Array<ArrayBuffer>;
  readonly entries: Entries;
}

const LEAST = -(2 ** 31);
const GREATEST = 2 ** 31 - 1;

/** Boxes by a function of their number: least corner and extents. What is beyond an int32 ends there. */
function boxesOf(count: number, box: () => { least: number[]; extents: number[] }): Int32Array<ArrayBuffer> {
  const boxes = new Int32Array(6 * count);
  for (let i = 0; i < count; i++) {
    const { least, extents } = box();
    for (let axis = 0; axis < 3; axis++) {
      const from = Math.min(GREATEST, Math.max(LEAST, Math.floor(least[axis]!)));
      boxes[6 * i + axis] = from;
      boxes[6 * i + 3 + axis] = Math.min(GREATEST, from + Math.floor(extents[axis]!));
    }
  }
  return boxes;
}

/** Everybody may pair with everybody. */
export function strangers(count: number): Entries {
  return {
    count,
    bodies: Uint32Array.from({ length: count }, (_, i) => i),
    isStatic: new Uint8Array(count),
  };
}

/** Bodies of a few entries, some static, in groups. */
export function mixedEntries(count: number, random: () => number): Entries {
  const bodies = new Uint32Array(count);
  for (let i = 1; i < count; i++) bodies[i] = bodies[i - 1]! + (random() < 0.7 ? 1 : 0);
  const bodyCount = count === 0 ? 0 : bodies[count - 1]! + 1;
  const ofBodies = (value: () => number) => {
    const values = Array.from({ length: bodyCount }, value);
    return Array.from(bodies, (body) => values[body]!);
  };
  return {
    count,
    bodies,
    isStatic: Uint8Array.from(ofBodies(() => (random() < 0.2 ? 1 : 0))),
    groups: Uint32Array.from(ofBodies(() => 2 ** Math.floor(32 * random() ** 2))),
    masks: Uint32Array.from(ofBodies(() => (random() < 0.7 ? 2 ** 32 - 1 : 2 ** 32 * random()))),
    apart: Uint8Array.from(ofBodies(() => Math.floor(8 * random() ** 2))),
  };
}

/** As many boxes of one size as fill a cube about as densely as spheres do: each overlaps some ten others. */
export function densePacking(count: number, extent = 10_000, seed = 1): Int32Array<ArrayBuffer> {
  const random = createRandom(seed);
  const edge = extent * (count / 1.15) ** (1 / 3);
  const place = () => (random() - 0.5) * edge;
  return boxesOf(count, () => ({
    least: [place(), place(), place()],
    extents: [extent, extent, extent].map((one) => one * (0.9 + 0.1 * random())),
  }));
}

/** Extents from 1 to 1000 times the least, evenly in their logarithm, with room for each about itself. */
export function mixedSizes(count: number, seed = 1): Int32Array<ArrayBuffer> {
  const random = createRandom(seed);
  const sizes = Array.from({ length: count }, () => 16 * 1000 ** random());
  const edge = sizes.reduce((sum, size) => sum + size ** 3, 0) ** (1 / 3);
  let i = 0;
  return boxesOf(count, () => {
    const size = sizes[i++]!;
    return {
      least: [0, 0, 0].map(() => (random() - 0.5) * edge),
      extents: [0, 0, 0].map(() => size * (0.5 + 0.5 * random())),
    };
  });
}

/** Every kind of set, of about so many boxes. */
export const BOX_SETS: Readonly<Record<string, (count: number, seed: number) => Int32Array<ArrayBuffer>>> = {
  'one size': (count, seed) => densePacking(count, 10_000, seed),
  'sizes 1:1000': mixedSizes,
  clustered(count, seed) {
    const random = createRandom(seed);
    const centres = [0, 1, 2].map(() => [0, 1, 2].map(() => (random() - 0.5) * 2 ** 30));
    return boxesOf(count, () => {
      const centre = centres[Math.floor(3 * random())]!;
      return {
        least: centre.map((one) => one + 30_000 * random() ** 3),
        extents: [0, 0, 0].map(() => 3000 * random()),
      };
    });
  },
  'boxes that touch': (count, seed) => {
    // On a lattice of edge 2^k or 2^k - 1, so that sides lie on those of cells as well.
    const random = createRandom(seed);
    const side = Math.ceil((2 * count) ** (1 / 3));
    const pick = () => Math.floor(side * random()) - side / 2;
    return boxesOf(count, () => ({
      least: [64 * pick(), 64 * pick(), 63 * pick()],
      extents: [0, 0, 0].map(() => [0, 63, 64, 65][Math.floor(4 * random())]!),
    }));
  },
  'points, segments and plates': (count, seed) => {
    const random = createRandom(seed);
    return boxesOf(count, () => ({
      least: [0, 0, 0].map(() => Math.floor(40 * random()) - 20),
      extents: [0, 0, 0].map(() => (random() < 0.6 ? 0 : 12 * random())),
    }));
  },
  'far from the origin': (count, seed) => {
    const boxes = densePacking(count, 10_000, seed);
    return boxes.map((one, i) => one + (i % 3 === 1 ? -1 : 1) * 100_000 * 2 ** 14);
  },
  'at the ends of an int32': (count, seed) => {
    const random = createRandom(seed);
    return boxesOf(count, () => ({
      least: [0, 0, 0].map(() => (random() < 0.5 ? LEAST : GREATEST) + 3000 * (random() - 0.5)),
      extents: [0, 0, 0].map(() => (random() < 0.1 ? 2 ** 32 : 800) * random()),
    }));
  },
  // More cells than the GPU's keys have bits for.
  'a long row': (count, seed) => {
    const random = createRandom(seed);
    return boxesOf(count, () => ({ least: [2 ** 23 * random(), 0, 0], extents: [1000, 10, 10] }));
  },
  identical: (count) =>
    boxesOf(Math.min(count, 150), () => ({ least: [-5, 17, 2 ** 20], extents: [100, 100, 100] })),
  'giants over all': (count, seed) => {
    const boxes = densePacking(count, 10_000, seed);
    for (let i = 0; i < count; i += 97) boxes.set([LEAST, LEAST, LEAST, GREATEST, GREATEST, GREATEST], 6 * i);
    return boxes;
  },
};

/** All pairs, by comparing each box with each. */
export function allPairs({ boxes, entries }: BoxSet): Uint32Array {
  const { count, bodies, isStatic, groups, masks, apart } = entries;
  const pairs: number[] = [];
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      if (bodies[a] === bodies[b] || (isStatic[a] && isStatic[b])) continue;
      if (apart && (apart[a]! & apart[b]!) !== 0) continue;
      if (groups && masks && ((groups[a]! & masks[b]!) === 0 || (groups[b]! & masks[a]!) === 0)) continue;
      const areDistant = [0, 1, 2].some(
        (axis) =>
          boxes[6 * a + axis]! > boxes[6 * b + 3 + axis]! || boxes[6 * b + axis]! > boxes[6 * a + 3 + axis]!,
      );
      if (!areDistant) pairs.push(a, b);
    }
  }
  return Uint32Array.from(pairs);
}

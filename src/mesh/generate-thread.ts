/** Screw threads: closed bodies, for bolts and nuts. */
import { type Options, requireOptions } from '../arguments.ts';
import { InputError } from '../errors.ts';
import { requireCount, requireLength, rings } from './generate-solids.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

export interface ThreadOptions {
  /** Mean of crests and roots. Lengths, as the others. */
  readonly radius: number;
  /** From roots to crests, below twice the radius. */
  readonly depth: number;
  /** Way along z of a turn. */
  readonly pitch: number;
  /** Along z, about 0. */
  readonly length: number;
  /** Radius of a nut: the thread is that of the hole in it. Without it the body is a bolt. */
  readonly nutRadius?: number;
  /** Corners of a turn, from 8 to 4096, and of a pitch. Default 24. */
  readonly segments?: number;
}

const OPTIONS: Options<ThreadOptions> = {
  ...{ radius: 'number', depth: 'number', pitch: 'number', length: 'number' },
  ...{ nutRadius: 'number', segments: 'number' },
};

/**
 * A bolt or a nut about the z axis with a right-handed, rounded thread: `radius` + `depth` / 2 cos(2 pi z / `pitch` -
 * angle). A nut goes on a bolt of the same depth and pitch whose radius is less by the play between them.
 *
 * Its corners are on helices, so a nut that turns by a segment and goes up by as much of the pitch meets the same
 * triangles.
 *
 * @throws InputError for lengths that do not go together
 */
export function thread(options: ThreadOptions): TriangleMesh {
  requireOptions('thread', options, OPTIONS);
  const radius = requireLength('thread: radius', options.radius);
  const depth = requireLength('thread: depth', options.depth);
  const pitch = requireLength('thread: pitch', options.pitch);
  const length = requireLength('thread: length', options.length);
  const segments = requireCount('thread: segments', options.segments ?? 24, 8);
  if (!(depth < 2 * radius)) {
    throw new InputError(`thread: depth is ${depth}, expected less than ${2 * radius}, twice the radius`);
  }
  const { nutRadius } = options;
  if (nutRadius !== undefined) {
    requireLength('thread: nutRadius', nutRadius);
    const most = radius + depth / 2;
    if (!(nutRadius > most))
      throw new InputError(`thread: nutRadius is ${nutRadius}, expected more than ${most}, that of the hole`);
  }
  const levels = requireCount(
    'thread: length over pitch times segments',
    Math.max(1, Math.round((length / pitch) * segments)),
    1,
  );
  const height = (level: number) => length * (level / levels - 0.5);
  const onThread = (level: number, j: number) => {
    const z = height(level);
    const phase = 2 * Math.PI * (z / pitch - j / segments);
    return [radius + (depth / 2) * Math.cos(phase), z] as const;
  };
  // Counter-clockwise in the half plane of r and z.
  if (nutRadius === undefined) {
    return rings(
      segments,
      levels + 3,
      (ring, j) => {
        if (ring === 0) return [0, height(0)];
        return ring === levels + 2 ? [0, height(levels)] : onThread(ring - 1, j);
      },
      'bolt',
    );
  }
  return rings(
    segments,
    levels + 3,
    (ring, j) => {
      if (ring < 2) return [nutRadius, height(ring * levels)];
      return onThread(levels + 2 - ring, j);
    },
    'nut',
  );
}

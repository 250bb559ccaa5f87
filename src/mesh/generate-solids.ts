/** Closed bodies with plane faces for scenes: hoppers, drums, belts, ramps. */
import { type Options, requireOptions, told } from '../arguments.ts';
import { InputError } from '../errors.ts';
import { TriangleMesh } from './triangle-mesh.ts';
import { triangulate } from './triangulate.ts';

/** Points of a plane, two numbers each. */
export type Outline = readonly (readonly [number, number])[];

export interface ExtrusionOptions {
  /** Corners x, y of a polygon that does not cross itself, at least three. */
  readonly outline: Outline;
  /** A length: the body reaches from z = -height / 2 to height / 2. */
  readonly height: number;
}

export interface RevolutionOptions {
  /** Corners r, z of a polygon that does not cross itself, at least three; r is 0 or more, the distance from z. */
  readonly profile: Outline;
  /** Corners of a turn, from 3 to 4096. Default 32. */
  readonly segments?: number;
}

export interface DrumOptions {
  /** Of the inside, without lifters. Lengths, as the others. */
  readonly radius: number;
  /** Of the inside, along z. */
  readonly length: number;
  readonly thickness: number;
  /** Radius of the round opening in both end walls, below that of the inside less the lifters. */
  readonly opening: number;
  /** How many lifters there are. Default 0. */
  readonly lifters?: number;
  /** Height of a lifter. Default a tenth of the radius. */
  readonly lifterHeight?: number;
  /** Corners between two lifters, or without lifters of a turn. Default 4, or 32. */
  readonly segments?: number;
}

const EXTRUSION: Options<ExtrusionOptions> = { outline: 'checked', height: 'number' };
const REVOLUTION: Options<RevolutionOptions> = { profile: 'checked', segments: 'number' };
const DRUM: Options<DrumOptions> = {
  ...{ radius: 'number', length: 'number', thickness: 'number', opening: 'number' },
  ...{ lifters: 'number', lifterHeight: 'number', segments: 'number' },
};
const MOST_SEGMENTS = 4096;
/** Share of the way to the next lifter that a lifter takes at its foot and at its top. */
const LIFTER_FOOT = 0.3;
const LIFTER_TOP = 0.2;

/**
 * A polygon as a body: a box, a ramp, a wedge, a plate with any outline.
 *
 * @throws InputError for an outline or a height that cannot be used
 */
export function extrusion(options: ExtrusionOptions): TriangleMesh {
  requireOptions('extrusion', options, EXTRUSION);
  const outline = requireOutline('extrusion: outline', options.outline);
  const height = requireLength('extrusion: height', options.height);
  const n = outline.length;
  const positions = new Float32Array(6 * n);
  outline.forEach(([x, y], i) => {
    positions.set([x, y, -height / 2], 3 * i);
    positions.set([x, y, height / 2], 3 * (n + i));
  });
  const corners = Uint32Array.from({ length: n }, (_, i) => n + i);
  const faces = { positions, corners, faceStarts: Uint32Array.of(0, n) };
  const top = triangulate(faces, 'extrusion');
  const indices: number[] = [...top];
  for (let t = 0; t < top.length; t += 3) indices.push(top[t]! - n, top[t + 2]! - n, top[t + 1]! - n);
  for (let i = 0; i < n; i++) {
    const next = (i + 1) % n;
    indices.push(i, next, n + next, i, n + next, n + i);
  }
  return new TriangleMesh({ positions, indices: Uint32Array.from(indices), name: 'extrusion' });
}

/**
 * A polygon turned about the z axis: a hopper, a tube, a cone, a dish.
 *
 * @throws InputError for a profile or a number of segments that cannot be used
 */
export function revolution(options: RevolutionOptions): TriangleMesh {
  requireOptions('revolution', options, REVOLUTION);
  const profile = requireOutline('revolution: profile', options.profile);
  const inside = profile.findIndex(([r]) => r < 0);
  if (inside >= 0) {
    throw new InputError(
      `revolution: profile[${inside}] has the radius ${profile[inside]![0]}, expected 0 or more`,
    );
  }
  const segments = requireCount('revolution: segments', options.segments ?? 32, 3);
  return rings(segments, profile.length, (corner) => profile[corner]!, 'revolution');
}

/**
 * A drum about the z axis with a round opening in each end wall, and with lifters along its inside.
 *
 * @throws InputError for lengths that do not go together
 */
export function drum(options: DrumOptions): TriangleMesh {
  requireOptions('drum', options, DRUM);
  const radius = requireLength('drum: radius', options.radius);
  const half = requireLength('drum: length', options.length) / 2;
  const thickness = requireLength('drum: thickness', options.thickness);
  const opening = requireLength('drum: opening', options.opening);
  const { lifters = 0 } = options;
  if (lifters !== 0) requireCount('drum: lifters', lifters, 1);
  const height = lifters === 0 ? 0 : requireLength('drum: lifterHeight', options.lifterHeight ?? radius / 10);
  if (!(opening < radius - height)) {
    throw new InputError(
      `drum: opening is ${opening}, expected less than ${radius - height}, the radius inside the lifters`,
    );
  }
  const between = requireCount('drum: segments', options.segments ?? (lifters === 0 ? 32 : 4), 1);
  // Where rings have corners, as shares of a turn, and how high a lifter is there.
  const turns: [share: number, height: number][] = [];
  for (let k = 0; k < lifters; k++) {
    const at = (share: number, high: number) => turns.push([(k + share) / lifters, high]);
    at(0, 0);
    at((LIFTER_FOOT - LIFTER_TOP) / 2, height);
    at((LIFTER_FOOT + LIFTER_TOP) / 2, height);
    for (let i = 0; i < between; i++) at(LIFTER_FOOT + ((1 - LIFTER_FOOT) * i) / between, 0);
  }
  if (lifters === 0) for (let i = 0; i < between; i++) turns.push([i / between, 0]);
  if (turns.length < 3 || turns.length > MOST_SEGMENTS) {
    throw new InputError(`drum: a turn has ${turns.length} corners, expected from 3 to ${MOST_SEGMENTS}`);
  }
  const outer = radius + thickness;
  const end = half + thickness;
  const corner = (i: number, j: number): readonly [number, number] => {
    const inside = radius - turns[j]![1];
    const [r, z] = [
      [opening, -end],
      [outer, -end],
      [outer, end],
      [opening, end],
      [opening, half],
      [inside, half],
      [inside, -half],
      [opening, -half],
    ][i]! as [number, number];
    return [r, z];
  };
  return rings(turns.length, 8, corner, 'drum', (j) => turns[j]![0]);
}

/**
 * The surface over rings about z that follow each other in a circle.
 *
 * @param corner radius and height of a ring at the corner `j` of a turn
 * @param share where that is, as a share of a turn
 */
export function rings(
  segments: number,
  count: number,
  corner: (ring: number, j: number) => readonly [number, number],
  name: string,
  share = (j: number) => j / segments,
): TriangleMesh {
  const positions: number[] = [];
  // A ring of radius 0 is one vertex.
  const starts = Array.from({ length: count }, (_, i) => {
    const start = positions.length / 3;
    const isPoint = corner(i, 0)[0] === 0;
    for (let j = 0; j < (isPoint ? 1 : segments); j++) {
      const [r, z] = corner(i, j);
      const angle = 2 * Math.PI * share(j);
      positions.push(r * Math.cos(angle), r * Math.sin(angle), z);
    }
    return { start, isPoint };
  });
  const vertex = (ring: number, j: number) => {
    const { start, isPoint } = starts[ring % count]!;
    return isPoint ? start : start + (j % segments);
  };
  const indices: number[] = [];
  for (let i = 0; i < count; i++) {
    const [from, to] = [starts[i]!, starts[(i + 1) % count]!];
    for (let j = 0; j < segments; j++) {
      const [a, b] = [vertex(i, j), vertex(i, j + 1)];
      const [c, d] = [vertex(i + 1, j), vertex(i + 1, j + 1)];
      if (!from.isPoint) indices.push(a, b, d);
      if (!to.isPoint) indices.push(a, d, c);
    }
  }
  return new TriangleMesh({
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(indices),
    name,
  });
}

/** The corners counter-clockwise. */
function requireOutline(place: string, found: unknown): Outline {
  const isGood =
    Array.isArray(found) &&
    found.length >= 3 &&
    found.every((p) => Array.isArray(p) && p.length === 2 && p.every((x) => Number.isFinite(x)));
  if (!isGood)
    throw new InputError(`${place}: found ${told(found)}, expected three or more pairs of numbers`);
  const outline = found as unknown as Outline;
  const area = outline.reduce((sum, [x, y], i) => {
    const [u, v] = outline[(i + 1) % outline.length]!;
    return sum + x * v - y * u;
  }, 0);
  if (area === 0) throw new InputError(`${place}: found a polygon without area, expected one with it`);
  return area > 0 ? outline : outline.toReversed();
}

/** What a field has, for messages. */
function toldField(found: unknown): string {
  return found === undefined ? 'missing' : told(found);
}

export function requireLength(place: string, found: unknown): number {
  if (typeof found === 'number' && found > 0 && found < Infinity) return found;
  throw new InputError(`${place} is ${toldField(found)}, expected a length above 0`);
}

export function requireCount(place: string, found: unknown, least: number): number {
  if (Number.isInteger(found) && (found as number) >= least && (found as number) <= MOST_SEGMENTS) {
    return found as number;
  }
  throw new InputError(
    `${place} is ${toldField(found)}, expected a whole number from ${least} to ${MOST_SEGMENTS}`,
  );
}

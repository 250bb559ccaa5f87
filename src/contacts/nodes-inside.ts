/**
 * `nodesInside` tells which nodes of which body lie in which neighbour. This is the question that Muth, Of, Eberhard,
 * Steinbach, "Collision Detection for Complicated Polyhedra Using the Fast Multipole Method or Ray Crossing", ask of
 * each pair of neighbours before contact forces are computed (sections 1 and 2). For a node x the answer is J(x) of eq.
 * (8): 1 inside, 0 outside, in between on the boundary.
 */
import { type Options, requireArray, requireOptions, told } from '../arguments.ts';
import { PLACEMENT, POSE_SIZE, placements, requirePoses } from '../convex/shapes/pose.ts';
import { InputError } from '../errors.ts';
import type { Backend } from '../gpu/backend.ts';
import { OUTSIDE, type Rule, requireFinite, requirePoints } from '../inside/classification.ts';
import { Polyhedron } from '../inside/polyhedron.ts';

export interface NodesInsideQuery {
  /** `[n * 7]`: position and unit quaternion x, y, z, w of each body. */
  readonly poses: Float32Array | Float64Array;
  /** `[n]`: the polyhedron of each body. Default: body i is polyhedron i. */
  readonly shapes?: Uint32Array | undefined;
  /** `[k * 2]`: the nodes of the first body are tested against the second. Name a pair in both orders for both ways. */
  readonly pairs: Uint32Array;
  /** Nodes of each polyhedron in its own frame, `[x, y, z]` each; undefined for its vertices, the default. */
  readonly nodes?: readonly (Float32Array | undefined)[] | undefined;
  /** When a node is inside, as `Polyhedron.classify` takes it. Default `odd`. */
  readonly rule?: Rule | undefined;
  readonly backend?: Backend | 'auto' | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Nodes inside, in the order of the pairs: those of pair p are entries `starts[p]` to `starts[p + 1] - 1`. */
export interface NodesInside {
  /** `[k + 1]`. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** The number of each node among the nodes of the pair's first body, ascending in each pair. */
  readonly nodes: Uint32Array<ArrayBuffer>;
  /** Of each of these nodes: 1 inside the second body, 2 exactly on its surface. */
  readonly flags: Uint8Array<ArrayBuffer>;
  /** Nodes that were tested. All others lie outside the box of their partner. */
  readonly tested: number;
}

const OPTIONS: Options<NodesInsideQuery> = {
  poses: 'checked',
  shapes: 'checked',
  pairs: 'checked',
  nodes: 'checked',
  rule: 'checked',
  backend: 'checked',
  signal: 'signal',
};

/** Points that are gathered for one call of `classify`: their memory stays small, and all threads have work. */
const BLOCK_POINTS = 2 ** 20;
const FIRST_POINTS = 1024;
/**
 * Error of a coordinate in a partner's frame, relative to the sum of its terms: half a spacing of float32, and some
 * roundings of float64.
 */
const COORDINATE_ROUNDING = 2 ** -23;

/**
 * Tells for many pairs of bodies which nodes of the first lie inside the second. Nodes are brought into the frame of
 * the partner, those outside its box are left out, and all that meet the same polyhedron are classified together.
 *
 *     const { starts, nodes } = await nodesInside([rock], { shapes, poses, pairs });
 *     const inside = nodes.subarray(starts[p], starts[p + 1]); // vertices of pairs[2 * p] in pairs[2 * p + 1]
 *
 * Positions are subtracted first, so far from the origin no digits are lost. A node's place in its partner's frame is
 * computed in float64 and rounded to float32 once: by half a spacing of each coordinate. The flag is exact for that
 * rounded place and the partner's float32 mesh.
 *
 * @param polyhedra the shapes of the bodies
 * @throws InputError for arrays of a wrong length, numbers that are not there or not finite, a quaternion that is not
 *   of unit length, a body that is paired with itself; and what `Polyhedron.classify` throws.
 */
export async function nodesInside(
  polyhedra: readonly Polyhedron[],
  query: NodesInsideQuery,
): Promise<NodesInside> {
  requireOptions('nodesInside', query, OPTIONS);
  const { poses, rule, backend, signal } = query;
  const nodes = nodesOf(polyhedra, query.nodes);
  const shapes = shapesOf(polyhedra, query);
  requireBodies(poses, query.pairs, shapes.length);
  // Before the first pause: callers may change their arrays then.
  const pairs = query.pairs.slice();
  const options = {
    ...(rule !== undefined && { rule }),
    ...(backend !== undefined && { backend }),
    ...(signal !== undefined && { signal }),
  };
  const placed = placements(poses);
  const balls = nodes.map(ballOf);
  const pairsOfPartner = polyhedra.map((): number[] => []);
  for (let p = 0; p < pairs.length / 2; p++) pairsOfPartner[shapes[pairs[2 * p + 1]!]!]!.push(p);

  const found: Found = { pairs: [], nodes: [], flags: [] };
  let tested = 0;
  for (const [shape, partner] of polyhedra.entries()) {
    const block = new Block(partner);
    const test = async () => {
      if (block.count === 0) return;
      const { flags } = await partner.classify(block.points.subarray(0, 3 * block.count), options);
      tested += block.count;
      flags.forEach((flag, i) => {
        if (flag === OUTSIDE) return;
        found.pairs.push(block.pairs[i]!);
        found.nodes.push(block.nodes[i]!);
        found.flags.push(flag);
      });
      block.count = 0;
    };
    for (const p of pairsOfPartner[shape]!) {
      const [a, b] = [pairs[2 * p]!, pairs[2 * p + 1]!];
      const own = shapes[a]!;
      const frame = relate(placed, a, b);
      if (!block.mayHold(frame, balls[own]!)) continue;
      let next = 0;
      while (next < nodes[own]!.length / 3) {
        next = block.gather(p, nodes[own]!, next, frame);
        if (block.isFull) await test();
      }
    }
    await test();
  }
  return { ...inOrder(found, pairs.length / 2), tested };
}

/** Nodes that are not outside, one partner after the other. */
interface Found {
  readonly pairs: number[];
  readonly nodes: number[];
  readonly flags: number[];
}

/** Puts them in the order of all pairs. */
function inOrder(found: Found, pairs: number): Omit<NodesInside, 'tested'> {
  const starts = new Uint32Array(pairs + 1);
  for (const p of found.pairs) starts[p + 1]!++;
  for (let p = 0; p < pairs; p++) starts[p + 1]! += starts[p]!;
  const nodes = new Uint32Array(found.nodes.length);
  const flags = new Uint8Array(nodes.length);
  const next = starts.slice();
  found.pairs.forEach((p, i) => {
    const at = next[p]!++;
    nodes[at] = found.nodes[i]!;
    flags[at] = found.flags[i]!;
  });
  return { starts, nodes, flags };
}

/** A rotation by rows, and a position: from the frame of one body to that of another. */
type Frame = readonly number[];

/** The frame of body a in that of body b. Positions are subtracted first. */
function relate(placed: Float64Array, a: number, b: number): Frame {
  const [p, q] = [PLACEMENT * a, PLACEMENT * b];
  const frame: number[] = [];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) frame.push(turn(placed, q, i, (k) => placed[p + 3 * k + j]!));
  }
  for (let i = 0; i < 3; i++) {
    frame.push(turn(placed, q, i, (k) => placed[p + 9 + k]! - placed[q + 9 + k]!));
  }
  return frame;
}

/** A coordinate of a vector in the frame of the body that is placed at q. */
function turn(placed: Float64Array, q: number, i: number, vector: (k: number) => number): number {
  return placed[q + i]! * vector(0) + placed[q + 3 + i]! * vector(1) + placed[q + 6 + i]! * vector(2);
}

/** A ball about nodes: centre, then radius, rounded up. */
function ballOf(nodes: Float32Array): readonly number[] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  nodes.forEach((x, i) => {
    low[i % 3] = Math.min(low[i % 3]!, x);
    high[i % 3] = Math.max(high[i % 3]!, x);
  });
  const centre = low.map((x, k) => (x + high[k]!) / 2);
  const radius = Math.hypot(...low.map((x, k) => (high[k]! - x) / 2));
  return [...centre, radius * (1 + COORDINATE_ROUNDING)];
}

/** Nodes in the box of one partner, gathered until there are enough for a call of `classify`. */
class Block {
  count = 0;
  points = new Float32Array(3 * FIRST_POINTS);
  /** Of each point: its pair, and its number among the nodes of the pair's first body. */
  readonly pairs: number[] = [];
  readonly nodes: number[] = [];
  readonly #min: readonly number[];
  readonly #max: readonly number[];

  constructor(partner: Polyhedron) {
    const { min, max } = partner.mesh.box;
    this.#min = min;
    this.#max = max;
  }

  get isFull(): boolean {
    return this.count === BLOCK_POINTS;
  }

  /** False if the ball lies beside the box, and so does each of its points when it is rounded. */
  mayHold(frame: Frame, [x, y, z, radius]: readonly number[]): boolean {
    for (let i = 0; i < 3; i++) {
      const terms = [frame[3 * i]! * x!, frame[3 * i + 1]! * y!, frame[3 * i + 2]! * z!, frame[9 + i]!];
      const centre = terms[0]! + terms[1]! + terms[2]! + terms[3]!;
      const size = terms.reduce((sum, term) => sum + Math.abs(term), radius!);
      const reach = radius! + COORDINATE_ROUNDING * size;
      if (centre - reach > this.#max[i]! || centre + reach < this.#min[i]!) return false;
    }
    return true;
  }

  /** Gathers nodes from number `first` on, and returns the first that found no room, or how many there are. */
  gather(pair: number, nodes: Float32Array, first: number, frame: Frame): number {
    const [r0, r1, r2, r3, r4, r5, r6, r7, r8, px, py, pz] = frame as unknown as TwelveNumbers;
    const [[x0, y0, z0], [x1, y1, z1]] = [this.#min, this.#max] as unknown as [Three, Three];
    for (let n = first; n < nodes.length / 3; n++) {
      const [x, y, z] = [nodes[3 * n]!, nodes[3 * n + 1]!, nodes[3 * n + 2]!];
      const u = Math.fround(r0 * x + r1 * y + r2 * z + px);
      const v = Math.fround(r3 * x + r4 * y + r5 * z + py);
      const w = Math.fround(r6 * x + r7 * y + r8 * z + pz);
      if (u < x0 || u > x1 || v < y0 || v > y1 || w < z0 || w > z1) continue;
      if (this.isFull) return n;
      this.#add(pair, n, u, v, w);
    }
    return nodes.length / 3;
  }

  #add(pair: number, node: number, x: number, y: number, z: number): void {
    const i = this.count++;
    if (3 * i === this.points.length) {
      const larger = new Float32Array(2 * this.points.length);
      larger.set(this.points);
      this.points = larger;
    }
    this.points[3 * i] = x;
    this.points[3 * i + 1] = y;
    this.points[3 * i + 2] = z;
    this.pairs[i] = pair;
    this.nodes[i] = node;
  }
}

type Three = [number, number, number];
type TwelveNumbers = [...Three, ...Three, ...Three, ...Three];

function nodesOf(
  polyhedra: readonly Polyhedron[],
  given: NodesInsideQuery['nodes'],
): readonly Float32Array[] {
  const isList = Array.isArray(polyhedra) && polyhedra.every((one) => one instanceof Polyhedron);
  if (!isList || polyhedra.length === 0) {
    throw new InputError(`nodesInside: polyhedra: found ${told(polyhedra)}, expected a list of Polyhedron`);
  }
  if (given !== undefined && !(Array.isArray(given) && given.length === polyhedra.length)) {
    throw new InputError(
      `nodesInside: nodes: found ${told(given)}, expected an entry for each of ${polyhedra.length} polyhedra`,
    );
  }
  return polyhedra.map(({ mesh }, i) => {
    const own = given?.[i];
    if (own === undefined) return mesh.positions;
    requireArray(`nodesInside: nodes[${i}]`, own, [Float32Array], '[x, y, z] per node');
    requirePoints(own);
    requireFinite(own);
    return own.slice();
  });
}

function shapesOf(polyhedra: readonly Polyhedron[], { shapes }: NodesInsideQuery): Uint32Array {
  if (shapes === undefined) return Uint32Array.from(polyhedra.keys());
  requireArray('nodesInside: shapes', shapes, [Uint32Array], 'the polyhedron of each body');
  const body = shapes.findIndex((shape) => shape >= polyhedra.length);
  if (body < 0) return shapes.slice();
  throw new InputError(
    `nodesInside: shapes: body ${body} has the polyhedron ${shapes[body]}, ` +
      `expected a number below ${polyhedra.length}`,
  );
}

function requireBodies(poses: NodesInsideQuery['poses'], pairs: Uint32Array, count: number): void {
  requireArray('nodesInside: poses', poses, [Float32Array, Float64Array], 'seven numbers per body');
  if (poses.length !== POSE_SIZE * count) {
    throw new InputError(
      `nodesInside: poses: ${poses.length} numbers found, ` +
        `expected ${POSE_SIZE * count}: ${POSE_SIZE} for each of ${count} bodies`,
    );
  }
  requirePoses(poses);
  requireArray('nodesInside: pairs', pairs, [Uint32Array], 'two bodies per pair');
  if (pairs.length % 2 !== 0) {
    throw new InputError(`nodesInside: pairs: ${pairs.length} numbers found, expected an even number`);
  }
  for (let p = 0; p < pairs.length / 2; p++) {
    const [a, b] = [pairs[2 * p]!, pairs[2 * p + 1]!];
    if (a < count && b < count && a !== b) continue;
    throw new InputError(
      `nodesInside: pairs: pair ${p} is ${a}, ${b}, expected two bodies with numbers below ${count}`,
    );
  }
}

/** Pairs of polyhedra, each from both sides: what nodes and edges have in common. */
import type { Awake, ColliderPairs, Features, PosedColliders } from '../bodies/collider-pairs.ts';
import { NODE_ROUNDING } from '../constants.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import { type ContactKind, ContactStatus, FEATURE_OF_B } from '../list/contact-arrays.ts';
import type { ContactSink, FoundContact } from '../list/contact-sink.ts';
import { CLUSTER, TREE_BITS, TREE_CHILDREN } from '../surface/surface-arrays.ts';
import { ALWAYS, FEATURES, isStillInside, NEXT, PARTS, takeRow, waitedFor, waitOf } from './awake.ts';
import { betweenPlanes, HALF_SPACES, type HalfSpaces, reachOf } from './between-planes.ts';
import { LEAST_REST, PLANE_SLACK, SKIN_SHARE } from './constants.ts';
import { isFarther, leastDistance } from './least-distance.ts';
import { PairFrames, type Placement } from './pair-frames.ts';

/** Pairs for a narrow phase of polyhedra, and where its contacts go. */
export interface PolyhedronPairsJob {
  /** By the numbers in `Colliders.polyhedra`. */
  readonly polyhedra: readonly PolyhedronArrays[];
  readonly posed: PosedColliders;
  readonly pairs: ColliderPairs;
  /** Pairs `first .. end - 1` are answered. */
  readonly first: number;
  readonly end: number;
  readonly sink: ContactSink;
  /** Features of the pairs that are awake. Undefined: all features are asked. */
  readonly awake?: Awake | undefined;
}

/** A pair from one side: features of one polyhedron, the first, are asked about in its partner. */
export interface Side {
  /** 0 where they are A's, `FEATURE_OF_B` where they are B's. */
  readonly bit: number;
  /** Frame of the first to that of the partner. */
  readonly inPartner: Placement;
  /** Frames of both to world axes about the position of A's body. */
  readonly frame: Placement;
  readonly partnerFrame: Placement;
  /** In the frame of the first: no point outside is in the partner. */
  readonly shared: HalfSpaces;
  own: PolyhedronArrays;
  partner: PolyhedronArrays;
  /** Features that are nearer to the partner are looked after one by one; 0: all are asked. */
  skin: number;
  /** Whether `shared` is known. */
  hasPlanes: boolean;
  /** How far the bodies have moved against each other in the last step. */
  lastMove: number;
  /** Clusters that are near, where all of the pair is asked. */
  readonly near: number[];
}

/** How much culling cost. */
export interface BallCounts {
  /** Balls around features that were looked at. */
  readonly balls: number;
}

/** A contact of polyhedra before it is found. */
export function newContact(kind: ContactKind): FoundContact {
  return {
    ...{ pair: 0, colliderA: 0, colliderB: 0, kind, status: ContactStatus.sure, feature: 0, triangle: 0 },
    ...{ nx: 0, ny: 0, nz: 0, px: 0, py: 0, pz: 0, distance: 0, area: 0 },
  };
}

/**
 * Goes through the clusters near their partners: pair after pair, A's and then B's, in the order of their numbers. The
 * colliders of `found` are set. Returns how many balls were looked at.
 *
 * @param visit is given a side that is overwritten by the next one, a feature, and whether that is known to be inside.
 *   Where the side has a skin, it returns how far the feature is from the partner at least; below 0 how deep inside, or
 *   0 if neither is known
 */
export function eachNearCluster(
  { polyhedra, posed, pairs, first, end, awake }: PolyhedronPairsJob,
  features: Features,
  found: FoundContact,
  visit: (side: Side, feature: number, isInside: boolean) => number,
): number {
  const { tree, count: countOf } = FEATURES[features];
  const { frames, sides } = workOf(polyhedra[0]!);
  const [ofA, ofB] = sides;
  const { bInA } = frames;
  const { polyhedra: numbers } = posed.colliders;
  const own = awake?.[features];
  let balls = 0;
  for (let i = first; i < end; i++) {
    const path = own ? awake!.paths[i]! : 0;
    const isKept = own !== undefined && path <= own.limits[i]!;
    if (isKept && own.counts[2 * i] === 0 && own.counts[2 * i + 1] === 0) continue;
    const colliderA = pairs.pairs[2 * i]!;
    const colliderB = pairs.pairs[2 * i + 1]!;
    ofA.own = ofB.partner = polyhedra[numbers[colliderA]!]!;
    ofB.own = ofA.partner = polyhedra[numbers[colliderB]!]!;
    if (ofA.own.surface[tree].length === 0 && ofB.own.surface[tree].length === 0) continue;
    found.pair = i;
    found.colliderA = colliderA;
    found.colliderB = colliderB;
    const rows = own === undefined || own.limits[i] === ALWAYS ? undefined : own;
    const wide = rows ? SKIN_SHARE * Math.min(radiusOf(ofA.own), radiusOf(ofB.own)) : 0;
    ofA.skin = ofB.skin = wide;
    ofA.lastMove = ofB.lastMove = rows ? awake!.lastMoves[i]! : 0;
    ofA.hasPlanes = ofB.hasPlanes = !isKept;
    let isPlaced = !isKept;
    if (!isKept) {
      frames.set(posed, colliderA, colliderB);
      balls += 2;
      const reach = reachOf(ofA.own) + reachOf(ofB.own);
      const x = bInA[9]!;
      const y = bInA[10]!;
      const z = bInA[11]!;
      const slack = PLANE_SLACK * (reach + Math.sqrt(x * x + y * y + z * z));
      const gap = gapOf(ofA, ofB, reach);
      // A row that two such steps use up is not worth making.
      const skin = ofA.lastMove <= wide / 2 ? wide : 0;
      ofA.skin = ofB.skin = skin;
      const isNear = gap <= skin && betweenPlanes(ofA.own, ofB.own, bInA, ofA.shared, ofB.shared, skin);
      for (const side of sides) {
        const { surface } = side.own;
        const clusters = isNear ? Math.ceil(countOf(surface) / CLUSTER) : 0;
        balls += findNearClusters(side, surface[tree], clusters);
      }
      const count = ofA.near.length + ofB.near.length;
      const start = skin > 0 ? takeRow(rows!, i, count) : -1;
      if (rows) {
        // Nothing is near if balls tell that bodies are apart: a row then needs no room.
        if (start >= 0 || gap > skin) rows.limits[i] = path + Math.max(gap, skin) - slack;
        else rows.limits[i] = skin > 0 ? ALWAYS : NEXT;
        rows.counts[2 * i] = ofA.near.length;
        rows.counts[2 * i + 1] = ofB.near.length;
      }
      if (start < 0) {
        for (const side of sides) {
          for (const c of side.near) {
            const last = Math.min(countOf(side.own.surface), CLUSTER * (c + 1));
            for (let n = CLUSTER * c; n < last; n++) visit(side, n, false);
          }
        }
        continue;
      }
      rows!.clusters.set(ofA.near, start);
      rows!.clusters.set(ofB.near, start + ofA.near.length);
      rows!.leastWaits.fill(0, start, start + count);
      rows!.waits.fill(0, CLUSTER * start, CLUSTER * (start + count));
    }
    const { limits, counts, starts, clusters, leastWaits, waits, busy } = rows!;
    // The limit is less than the path and the skin by the slack: it counts as moved.
    const moved = wide - (limits[i]! - path);
    const waited = waitedFor(moved, wide);
    const behindA = starts[i]! + counts[2 * i]!;
    const behindB = behindA + counts[2 * i + 1]!;
    for (let k = starts[i]!; k < behindB; k++) {
      const isOver = leastWaits[k]! <= waited;
      let left = isOver ? -1 : busy[k]!;
      if (left === 0) continue;
      if (!isPlaced) frames.set(posed, colliderA, colliderB);
      isPlaced = true;
      const side = k < behindA ? ofA : ofB;
      const start = CLUSTER * clusters[k]!;
      const size = Math.min(CLUSTER, countOf(side.own.surface) - start);
      if (isOver) left >>>= CLUSTER - size;
      let least = isOver ? PARTS - 1 : leastWaits[k]!;
      let stay = 0;
      // The lowest bit first.
      for (; left !== 0; left &= left - 1) {
        const bit = left & -left;
        const n = 31 - Math.clz32(bit);
        const at = CLUSTER * k + n;
        let wait = waits[at]!;
        if (wait <= waited) {
          wait = waitOf(visit(side, start + n, isStillInside(wait, waited)), moved, wide);
          waits[at] = wait;
        }
        if (wait <= 0) stay |= bit;
        else if (wait < least) least = wait;
      }
      leastWaits[k] = least;
      busy[k] = stay;
    }
  }
  return balls;
}

/** Whether what is as far as the skin sleeps for so long that its exact distance is worth looking up. */
export function isWorthMeasuring({ skin, lastMove }: Side): boolean {
  return LEAST_REST * lastMove < skin;
}

/** Work space, made once: pairs come a few at a time. */
interface Work {
  readonly frames: PairFrames;
  /** A's, and B's. */
  readonly sides: readonly [Side, Side];
}
let work: Work | undefined;

function workOf(some: PolyhedronArrays): Work {
  if (work !== undefined) return work;
  const frames = new PairFrames();
  const { a, b, aInB, bInA } = frames;
  const sideOf = (bit: number, inPartner: Placement, frame: Placement, partnerFrame: Placement): Side => {
    const shared = new Float64Array(HALF_SPACES);
    return {
      ...{ bit, inPartner, frame, partnerFrame, shared, own: some, partner: some },
      ...{ skin: 0, hasPlanes: true, lastMove: 0, near: [] },
    };
  };
  work = { frames, sides: [sideOf(0, aInB, a, b), sideOf(FEATURE_OF_B, bInA, b, a)] };
  return work;
}

/** Radius of the ball around a body's nodes. */
function radiusOf({ surface: { nodeTree } }: PolyhedronArrays): number {
  return nodeTree[nodeTree.length - 1]!;
}

/**
 * How far bodies of a pair are apart at least, as the ball around one of them tells; where neither does, at most 0.
 * Nodes may stick out of their body by rounding, so less is told.
 */
function gapOf(ofA: Side, ofB: Side, reach: number): number {
  return Math.max(gapOfBall(ofA), gapOfBall(ofB)) - NODE_ROUNDING * reach;
}

/** How far the ball around a body's nodes is from the partner at least. */
function gapOfBall(side: Side): number {
  const { nodeTree: balls } = side.own.surface;
  const at = balls.length - 4;
  if (at < 0) return 0;
  const { field } = side.partner;
  placeMiddle(side, balls, at);
  return leastDistance(field, middle) / field.frame.scale - balls[at + 3]!;
}

/**
 * Sets `near` to the clusters of a tree that are nearer to the partner than the side's skin, in order. Each ball of the
 * tree is looked at only if the one above it is near. Returns how many were looked at.
 */
export function findNearClusters(side: Side, tree: Float32Array, clusters: number): number {
  const { near } = side;
  near.length = 0;
  if (clusters === 0) return 0;
  const ballsOf = (level: number) => ((clusters - 1) >> (TREE_BITS * level)) + 1;
  // Balls of this level begin at `start`.
  let [level, start] = [0, 0];
  while (ballsOf(level) > 1) start += ballsOf(level++);
  const root = level;
  let looked = 0;
  let ball = 0;
  do {
    looked++;
    if (!isBallFar(side, tree, 4 * (start + ball))) {
      if (level > 0) {
        start -= ballsOf(--level);
        ball <<= TREE_BITS;
        continue;
      }
      near.push(ball);
    }
    ball++;
    // The next ball has another one above it: that comes first.
    while (level < root && (ball % TREE_CHILDREN === 0 || ball === ballsOf(level))) {
      start += ballsOf(level++);
      ball = Math.ceil(ball / TREE_CHILDREN);
    }
  } while (level < root);
  return looked;
}

/** A point of the one's frame, in world axes about A's body. */
export function setPoint(found: FoundContact, { frame: m }: Side, x: number, y: number, z: number): void {
  found.px = m[0]! * x + m[1]! * y + m[2]! * z + m[9]!;
  found.py = m[3]! * x + m[4]! * y + m[5]! * z + m[10]!;
  found.pz = m[6]! * x + m[7]! * y + m[8]! * z + m[11]!;
}

/** The partner's outward normal, in its frame. A feature of A leaves B against the normal from A to B. */
export function setNormal(
  found: FoundContact,
  { partnerFrame: m, bit }: Side,
  x: number,
  y: number,
  z: number,
): void {
  const sign = bit === 0 ? -1 : 1;
  found.nx = sign * (m[0]! * x + m[1]! * y + m[2]! * z);
  found.ny = sign * (m[3]! * x + m[4]! * y + m[5]! * z);
  found.nz = sign * (m[6]! * x + m[7]! * y + m[8]! * z);
}

/** Whether no point of a ball of the one's frame, `[x, y, z, radius]` from `at` on, counts. */
function isBallFar(side: Side, balls: Float32Array, at: number): boolean {
  const u = side.shared;
  const reach = u[0]! * balls[at]! + u[1]! * balls[at + 1]! + u[2]! * balls[at + 2]! + balls[at + 3]!;
  return reach < u[3]! - side.skin || isBallApart(side, balls, at, side.skin);
}

const middle = new Float64Array(3);

/** Whether no point of such a ball is nearer to the partner than so. No planes are needed. */
function isBallApart(side: Side, balls: Float32Array, at: number, distance: number): boolean {
  const { field } = side.partner;
  placeMiddle(side, balls, at);
  return isFarther(field, middle, (balls[at + 3]! + distance) * field.frame.scale);
}

/** Writes the middle of such a ball as the partner's tables have it. */
function placeMiddle({ inPartner: m, partner }: Side, balls: Float32Array, at: number): void {
  const x = balls[at]!;
  const y = balls[at + 1]!;
  const z = balls[at + 2]!;
  const { scale, shift } = partner.field.frame;
  middle[0] = (m[0]! * x + m[1]! * y + m[2]! * z + m[9]!) * scale - shift[0];
  middle[1] = (m[3]! * x + m[4]! * y + m[5]! * z + m[10]!) * scale - shift[1];
  middle[2] = (m[6]! * x + m[7]! * y + m[8]! * z + m[11]!) * scale - shift[2];
}

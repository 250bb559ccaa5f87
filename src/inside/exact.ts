/**
 * Exact point in polyhedron on the host, for the few points that a kernel cannot certify: an axis-parallel ray with
 * symbolic perturbation, decided by exact predicates (Shewchuk's, package robust-predicates) on the float32
 * coordinates themselves.
 */
import { orient2d, orient3d } from 'robust-predicates';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { pauses, type Watch } from '../workers/slices.ts';
import { BOUNDARY, INSIDE, OUTSIDE, type Rule } from './classification.ts';
import { LOOK_WORK_BEFORE_TREE } from './constants.ts';
import { chooseFrame, flattestAxes } from './frame.ts';
import { noteRuns, RayLook, RUN, runCount, runFloats } from './ray-runs.ts';
import { RayTree } from './ray-tree.ts';
import { localFrame } from './surface.ts';

/** Points between two looks at the clock. */
const POINTS_PER_LOOK = 64;
/** Points that are looked at together: so many share what a run or a triangle takes to read. */
const POINTS_PER_RAY_LOOK = 256;
/** Runs of a step at most: 8,192 triangles. Many short steps are compiled sooner than one long loop. */
const RUNS_PER_STEP = 32;
/** Triangles of a node that takes about 20 ms to part. */
const LARGE_NODE = 1 << 18;

/** +1 where q is left of the line from a to b, -1 right of it, 0 exactly on it. */
function side(ay: number, az: number, by: number, bz: number, qy: number, qz: number): number {
  // robust-predicates' orient2d is positive for clockwise triples.
  return -Math.sign(orient2d(ay, az, by, bz, qy, qz));
}

/**
 * `side` for q moved by (e, e^2) with e positive and infinitesimal: never 0 for a != b. Rays of different points are
 * moved alike, so a ray through an edge or a vertex crosses exactly one of the faces around it on either side.
 */
export function perturbedSide(
  ay: number,
  az: number,
  by: number,
  bz: number,
  qy: number,
  qz: number,
): number {
  return side(ay, az, by, bz, qy, qz) || tieBreak(ay, az, by, bz);
}

/** `perturbedSide` of a point on the line. */
function tieBreak(ay: number, az: number, by: number, bz: number): number {
  return Math.sign(az - bz) || Math.sign(by - ay);
}

/** @param winding undefined for a point on a triangle */
function flagOf(winding: number | undefined, rule: Rule): number {
  if (winding === undefined) return BOUNDARY;
  const inside = rule === 'odd' ? winding % 2 !== 0 : rule === 'nonzero' ? winding !== 0 : winding > 0;
  return inside ? INSIDE : OUTSIDE;
}

/** What was looked at to answer: for tests and benchmarks. */
export interface ExactLooks {
  points: number;
  /** Boxes of the tree. */
  boxes: number;
  /** Triangles that exact predicates were asked about. */
  triangles: number;
  /** What looks at runs of triangles took, in comparisons with a point (`RayLook`). */
  runs: number;
}

/**
 * Coordinates of a point that is settled some time after it was found doubtful.
 *
 * @throws Error if the array has become shorter meanwhile: predicates do not end for what is no number
 */
export function coordinatesOf(points: Float32Array, i: number): [number, number, number] {
  const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  if (x === undefined || y === undefined || z === undefined) throw new Error(`point ${i} is gone`);
  return [x, y, z];
}

type Axes = readonly [number, number, number];

/**
 * Exact tests against a mesh, with a tree of boxes over its triangles: what a point takes does not depend on their
 * order. The tree is made when it is first needed; a few points in a list do without. Holds no GPU memory.
 */
export class ExactTest {
  readonly #mesh: TriangleMesh;
  readonly #positions: Float32Array;
  /** Of both arrays. */
  readonly #length: number;
  readonly #indices: Uint32Array;
  #tree: RayTree | undefined;
  #runs: Float32Array | undefined;
  /**
   * The mesh's axes in an order in which rays of the tree along the first one pass the fewest triangles; cyclic, so
   * that turns stay turns.
   */
  #axes: Axes | undefined;
  readonly looks: ExactLooks = { points: 0, boxes: 0, triangles: 0, runs: 0 };

  /** @param runs as `noteRuns` fills them in the local frame, along `flattestAxes`; made when needed otherwise */
  constructor(mesh: TriangleMesh, runs?: Float32Array) {
    this.#mesh = mesh;
    this.#runs = runs;
    this.#positions = mesh.positions;
    this.#indices = mesh.indices;
    this.#length = mesh.positions.length + mesh.indices.length;
  }

  /**
   * As the constructor and `prepare`.
   *
   * @throws the signal's reason once it is aborted
   */
  static async create(mesh: TriangleMesh, signal?: AbortSignal): Promise<ExactTest> {
    const test = new ExactTest(mesh);
    await test.prepare(signal);
    return test;
  }

  /**
   * Does what would be long in one go at the first point, in steps between which timers and signals get in.
   *
   * @throws the signal's reason once it is aborted
   */
  async prepare(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const tree = this.#treeOf();
    const pauseWhenDue = pauses();
    for (const _ of tree.partLarge(LARGE_NODE)) {
      await pauseWhenDue();
      signal?.throwIfAborted();
    }
  }

  #treeOf(): RayTree {
    this.#axes ??= chooseFrame(this.#mesh).axes;
    this.#tree ??= new RayTree(this.#mesh);
    return this.#tree;
  }

  /**
   * Flag of one point (float32 coordinates): 0 outside, 1 inside, 2 exactly on a triangle. Of a closed mesh, for
   * `nonzero` and `winding` (a winding number above 1/2 is one above 0 there) consistently oriented.
   */
  flag(x: number, y: number, z: number, rule: Rule): number {
    return flagOf(this.#windingAt(x, y, z, false), rule);
  }

  /** Writes the flags of the points with these numbers, in slices between which timers and signals get in. */
  async writeFlags(
    points: Float32Array,
    numbers: Uint32Array,
    flags: Uint8Array,
    rule: Rule,
    watch: Watch = {},
  ): Promise<void> {
    const pauseWhenDue = pauses();
    const rest = async () => {
      await pauseWhenDue();
      watch.signal?.throwIfAborted();
      this.#requireMesh();
    };
    let settled = 0;
    while (this.#tree === undefined && settled < numbers.length) {
      const some = numbers.subarray(settled, settled + POINTS_PER_RAY_LOOK);
      if (!(await this.#lookForFlags(points, some, flags, rule, rest))) break;
      settled += some.length;
      watch.onProgress?.(settled);
    }
    if (settled === numbers.length) return;
    await this.prepare(watch.signal);
    const onProgress = watch.onProgress && ((done: number) => watch.onProgress!(settled + done));
    await eachInSlices(numbers.subarray(settled), { ...watch, onProgress }, (i) => {
      flags[i] = this.flag(...coordinatesOf(points, i), rule);
    });
  }

  /** The same by a look at runs of triangles. False, and nothing written, where a tree is worth it by now. */
  async #lookForFlags(
    points: Float32Array,
    numbers: Uint32Array,
    flags: Uint8Array,
    rule: Rule,
    rest: () => Promise<void>,
  ): Promise<boolean> {
    const mesh = this.#mesh;
    const axes = flattestAxes(mesh.box);
    const frame = localFrame(mesh.box);
    const [u, v, w] = axes;
    const places = axes.map((axis) => Float32Array.from(numbers, (i) => coordinatesOf(points, i)[axis]!));
    const [pu, pv, pw] = places as [Float32Array, Float32Array, Float32Array];
    const windings = new Int32Array(numbers.length);
    const isOn = new Uint8Array(numbers.length);
    const inSteps = async (step: (first: number, end: number) => boolean) => {
      const count = runCount(mesh.triangleCount);
      for (let first = 0; first < count; first += RUNS_PER_STEP) {
        await rest();
        if (!step(first, Math.min(count, first + RUNS_PER_STEP))) return false;
      }
      return true;
    };
    if (this.#runs === undefined) {
      const made = new Float32Array(runFloats(mesh.triangleCount));
      await inSteps((first, end) => {
        noteRuns(mesh, axes, RUN * first, Math.min(mesh.triangleCount, RUN * end), made, frame);
        return true;
      });
      this.#runs = made;
    }
    const look = new RayLook(mesh, axes, this.#runs, frame, pv, pw);
    const settle = (triangle: number, point: number) => {
      const crossing = this.#crossing(triangle, pu[point]!, pv[point]!, pw[point]!, u, v, w);
      if (crossing === undefined) isOn[point] = 1;
      else windings[point]! += crossing;
    };
    const most = LOOK_WORK_BEFORE_TREE * mesh.triangleCount - this.looks.runs;
    const isDone = await inSteps((first, end) => {
      look.look(first, end, settle);
      return look.work <= most;
    });
    this.looks.runs += look.work;
    if (!isDone) return false;
    this.looks.points += numbers.length;
    numbers.forEach((i, n) => {
      flags[i] = flagOf(isOn[n] === 1 ? undefined : windings[n]!, rule);
    });
    return true;
  }

  /** Whether a point is exactly on a triangle. For every mesh, closed or not. */
  isOn(x: number, y: number, z: number): boolean {
    return this.#windingAt(x, y, z, true) === undefined;
  }

  /**
   * Winding number of a part of the triangles at a point; undefined if the point is on one of them. They have to be a
   * closed mesh, consistently oriented.
   */
  windingOf(isOfPart: (triangle: number) => boolean, x: number, y: number, z: number): number | undefined {
    return this.#windingAt(x, y, z, false, isOfPart);
  }

  /**
   * Winding that the ray from p along +u gains; undefined if p is on a triangle. `near`: only triangles whose boxes p
   * is in are looked at, and the sum means nothing.
   */
  #windingAt(
    x: number,
    y: number,
    z: number,
    near: boolean,
    isOfPart?: (triangle: number) => boolean,
  ): number | undefined {
    const tree = this.#treeOf();
    const { boxes, next, first, order, nodeCount } = tree;
    const [u, v, w] = this.#axes!;
    const pu = u === 0 ? x : u === 1 ? y : z;
    const pv = v === 0 ? x : v === 1 ? y : z;
    const pw = w === 0 ? x : w === 1 ? y : z;
    this.looks.points++;
    this.#requireMesh();
    let winding = 0;
    let looked = 0;
    for (let node = 0; node < nodeCount; ) {
      const at = 6 * node;
      looked++;
      // Boundary included.
      if (
        pu > boxes[at + 3 + u]! ||
        pv < boxes[at + v]! ||
        pv > boxes[at + 3 + v]! ||
        pw < boxes[at + w]! ||
        pw > boxes[at + 3 + w]! ||
        (near && pu < boxes[at + u]!)
      ) {
        node = next[node]!;
        continue;
      }
      if (!tree.isLeaf(node)) tree.part(node);
      else {
        for (let i = first[node]!; i < tree.endOf(node); i++) {
          if (isOfPart?.(order[i]!) === false) continue;
          const crossing = this.#crossing(order[i]!, pu, pv, pw, u, v, w);
          if (crossing === undefined) {
            this.looks.boxes += looked;
            return undefined;
          }
          winding += crossing;
        }
      }
      node++;
    }
    this.looks.boxes += looked;
    return winding;
  }

  #requireMesh(): void {
    // Predicates do not end for what is no number.
    if (this.#positions.length + this.#indices.length !== this.#length) throw new Error('the mesh is gone');
  }

  /**
   * Winding that the ray from p along axis u, called x here, gains at a triangle: -1, 0 or 1; undefined if p is on the
   * triangle.
   */
  #crossing(
    triangle: number,
    x: number,
    y: number,
    z: number,
    u: number,
    v: number,
    w: number,
  ): number | undefined {
    const positions = this.#positions;
    const indices = this.#indices;
    const a = 3 * indices[3 * triangle]!;
    const b = 3 * indices[3 * triangle + 1]!;
    const c = 3 * indices[3 * triangle + 2]!;
    const ax = positions[a + u]!;
    const ay = positions[a + v]!;
    const az = positions[a + w]!;
    const bx = positions[b + u]!;
    const by = positions[b + v]!;
    const bz = positions[b + w]!;
    const cx = positions[c + u]!;
    const cy = positions[c + v]!;
    const cz = positions[c + w]!;
    if (y < Math.min(ay, by, cy) || y > Math.max(ay, by, cy)) return 0;
    if (z < Math.min(az, bz, cz) || z > Math.max(az, bz, cz)) return 0;
    if (x > Math.max(ax, bx, cx)) return 0;

    this.looks.triangles++;
    // Most triangles are passed by: the point lies beyond one edge and within another, as seen along the ray.
    const ab = side(ay, az, by, bz, y, z);
    const bc = side(by, bz, cy, cz, y, z);
    if (ab * bc < 0) return 0;
    const ca = side(cy, cz, ay, az, y, z);
    if (ab * ca < 0 || bc * ca < 0) return 0;

    // Which side of the plane: the sign of ((b - a) x (c - a)) . (p - a).
    const above = Math.sign(orient3d(ax, ay, az, bx, by, bz, cx, cy, cz, x, y, z));
    const height = -above;
    if (
      height === 0 &&
      x >= Math.min(ax, bx, cx) &&
      coplanarPointIsOn(ax, ay, az, bx, by, bz, cx, cy, cz, x, y, z)
    ) {
      return undefined;
    }
    const first = ab || tieBreak(ay, az, by, bz);
    if (first === 0 || (bc || tieBreak(by, bz, cy, cz)) !== first) return 0;
    if ((ca || tieBreak(cy, cz, ay, az)) !== first) return 0;
    // The projected triangle contains the moved point: `first` is the sign of the normal's x. The plane is ahead
    // where the height has the other sign; height 0 would have been on the triangle.
    return height === -first ? first : 0;
  }
}

/** Whether p, known to be in the plane of a triangle (or on its line, if it has no area), lies on it. */
function coplanarPointIsOn(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  x: number,
  y: number,
  z: number,
): boolean {
  return (
    projectedContains(ay, az, by, bz, cy, cz, y, z) ??
    projectedContains(az, ax, bz, bx, cz, cx, z, x) ??
    projectedContains(ax, ay, bx, by, cx, cy, x, y) ??
    // No area in any projection: the corners are collinear, and p, which is in their box, must be so too.
    collinear(ax, ay, az, bx, by, bz, cx, cy, cz, x, y, z)
  );
}

/** Whether a projected triangle contains q, boundary included; undefined if it has no area. */
function projectedContains(
  au: number,
  av: number,
  bu: number,
  bv: number,
  cu: number,
  cv: number,
  qu: number,
  qv: number,
): boolean | undefined {
  const turn = side(au, av, bu, bv, cu, cv);
  if (turn === 0) return undefined;
  return (
    side(au, av, bu, bv, qu, qv) * turn >= 0 &&
    side(bu, bv, cu, cv, qu, qv) * turn >= 0 &&
    side(cu, cv, au, av, qu, qv) * turn >= 0
  );
}

/** Whether p is on the line of three collinear points. */
function collinear(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  x: number,
  y: number,
  z: number,
): boolean {
  // Two distinct corners span the line.
  const distinct = ax !== bx || ay !== by || az !== bz;
  const [ex, ey, ez] = distinct ? [bx, by, bz] : [cx, cy, cz];
  return (
    side(ax, ay, ex, ey, x, y) === 0 && side(ay, az, ey, ez, y, z) === 0 && side(az, ax, ez, ex, z, x) === 0
  );
}

/**
 * Calls for every number, in slices between which timers and signals get in. @throws the signal's reason once it is
 * aborted
 */
export async function eachInSlices(
  numbers: Uint32Array,
  { signal, onProgress }: Watch,
  use: (number: number) => void,
): Promise<void> {
  const pauseWhenDue = pauses();
  for (let n = 0; n < numbers.length; n++) {
    if (n % POINTS_PER_LOOK === 0) {
      const paused = pauseWhenDue();
      if (paused !== undefined) {
        await paused;
        onProgress?.(n);
      }
      signal?.throwIfAborted();
    }
    use(numbers[n]!);
  }
}

/**
 * Which triangles the rays of a few points may pass. Triangles that follow each other in a mesh mostly lie beside each
 * other. So they are taken in runs, and the reach of a run across the rays says whether a ray may pass one of them. For
 * few points that is less than a tree of boxes takes to make (ray-tree.ts). In a mesh in any order runs reach
 * everywhere, and all triangles are looked at.
 */
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { TRIANGLE_LOOK_WORK } from './constants.ts';
import { flattestAxes } from './frame.ts';
import { lowerBound } from './lower-bound.ts';
import { type LocalFrame, localFrame } from './surface.ts';

/**
 * Triangles of a run. In a foam of 490,000 a ray passes 5 of 3,800 runs of 128, and 4 of 1,900 runs of 256. With 256,
 * comparing runs and reading the triangles of those that are passed take about as long.
 */
export const RUN = 256;
/** Per run: the least and the most place along one axis across the rays, and along the other. */
const RUN_FLOATS = 4;

const SAME_FRAME: LocalFrame = { scale: 1, shift: [0, 0, 0] };

/** Runs of a mesh of so many triangles. */
export function runCount(triangles: number): number {
  return Math.ceil(triangles / RUN);
}

/** Numbers that tell how far runs reach. */
export function runFloats(triangles: number): number {
  return RUN_FLOATS * runCount(triangles);
}

/** A coordinate in the local frame, rounded. A larger one is never smaller there, so what lies between others does. */
function localPlace({ scale, shift }: LocalFrame, x: number, axis: number): number {
  return Math.fround(x * scale - shift[axis]!);
}

/**
 * Notes how far the runs reach that begin with the triangles `first .. end - 1`.
 *
 * @param axes of the mesh, that of the rays first
 * @param frame in which places are noted; the positions' own by default
 */
export function noteRuns(
  { positions, indices }: { readonly positions: ArrayLike<number>; readonly indices: Uint32Array },
  axes: readonly [number, number, number],
  first: number,
  end: number,
  runs: Float32Array,
  frame = SAME_FRAME,
): void {
  const v = axes[1];
  const w = axes[2];
  const last = runCount(end);
  for (let run = runCount(first); run < last; run++) {
    let v0 = Infinity;
    let v1 = -Infinity;
    let w0 = Infinity;
    let w1 = -Infinity;
    const corners = Math.min(indices.length, 3 * RUN * (run + 1));
    for (let c = 3 * RUN * run; c < corners; c++) {
      const at = 3 * indices[c]!;
      const y = positions[at + v]!;
      const z = positions[at + w]!;
      if (y < v0) v0 = y;
      if (y > v1) v1 = y;
      if (z < w0) w0 = z;
      if (z > w1) w1 = z;
    }
    const at = RUN_FLOATS * run;
    runs[at] = localPlace(frame, v0, v);
    runs[at + 1] = localPlace(frame, v1, v);
    runs[at + 2] = localPlace(frame, w0, w);
    runs[at + 3] = localPlace(frame, w1, w);
  }
}

/** How far the runs of a mesh reach, in the local frame. */
export function runsOf(mesh: TriangleMesh): Float32Array<ArrayBuffer> {
  const runs = new Float32Array(runFloats(mesh.triangleCount));
  noteRuns(mesh, flattestAxes(mesh.box), 0, mesh.triangleCount, runs, localFrame(mesh.box));
  return runs;
}

/** The rays of some points among the runs of a mesh. */
export class RayLook {
  /** What was done so far, in comparisons of a run or a triangle with a point. */
  work = 0;
  readonly #mesh: TriangleMesh;
  readonly #axes: readonly [number, number, number];
  readonly #runs: Float32Array;
  /** Points in the order of their places along the first axis across the rays. */
  readonly #order: Uint32Array;
  /** In that order, places along both axes: of the mesh, and in the frame of the runs. */
  readonly #v: Float32Array;
  readonly #w: Float32Array;
  readonly #localV: Float32Array;
  readonly #localW: Float32Array;
  /** Points whose rays may pass a run, by their place in that order, and their places along the first axis. */
  readonly #passing: Uint32Array;
  readonly #passingV: Float32Array;
  /** Triangles of a run that do not lie beside all of them. */
  readonly #found = new Uint32Array(RUN);

  /**
   * @param axes as `noteRuns` had them
   * @param frame of the runs' places
   * @param v places of the points along the first axis across the rays
   * @param w along the second one
   */
  constructor(
    mesh: TriangleMesh,
    axes: readonly [number, number, number],
    runs: Float32Array,
    frame: LocalFrame,
    v: Float32Array,
    w: Float32Array,
  ) {
    this.#mesh = mesh;
    this.#axes = axes;
    this.#runs = runs;
    this.#order = Uint32Array.from(v.keys()).sort((i, j) => v[i]! - v[j]!);
    this.#v = Float32Array.from(this.#order, (i) => v[i]!);
    this.#w = Float32Array.from(this.#order, (i) => w[i]!);
    this.#localV = this.#v.map((y) => localPlace(frame, y, axes[1]));
    this.#localW = this.#w.map((z) => localPlace(frame, z, axes[2]));
    this.#passing = new Uint32Array(v.length + 1);
    this.#passingV = new Float32Array(v.length + 1);
  }

  /** Calls for each triangle of the runs `first .. end - 1` and each point whose ray may pass it. */
  look(first: number, end: number, use: (triangle: number, point: number) => void): void {
    for (let run = first; run < end; run++) {
      const count = this.#findPassing(run);
      if (count > 0) this.#lookAtRun(run, count, use);
    }
  }

  /** Lists the points whose rays may pass a run, and returns how many. */
  #findPassing(run: number): number {
    const runs = this.#runs;
    const places = this.#localV;
    const others = this.#localW;
    const passing = this.#passing;
    const at = RUN_FLOATS * run;
    const v0 = runs[at]!;
    const v1 = runs[at + 1]!;
    const w0 = runs[at + 2]!;
    const w1 = runs[at + 3]!;
    const from = lowerBound(places, 0, places.length, v0);
    let count = 0;
    let n = from;
    for (; n < places.length && places[n]! <= v1; n++) {
      passing[count] = n;
      this.#passingV[count] = this.#v[n]!;
      count += Number(others[n]! >= w0 && others[n]! <= w1);
    }
    this.work += 1 + n - from;
    return count;
  }

  #lookAtRun(run: number, count: number, use: (triangle: number, point: number) => void): void {
    const { positions, indices, triangleCount } = this.#mesh;
    const v = this.#axes[1];
    const w = this.#axes[2];
    const passing = this.#passing;
    const places = this.#passingV;
    const found = this.#found;
    const least = places[0]!;
    const most = places[count - 1]!;
    const first = RUN * run;
    const end = Math.min(triangleCount, first + RUN);
    let near = 0;
    for (let t = first; t < end; t++) {
      const ay = positions[3 * indices[3 * t]! + v]!;
      const by = positions[3 * indices[3 * t + 1]! + v]!;
      const cy = positions[3 * indices[3 * t + 2]! + v]!;
      // Which triangles lie beside all rays cannot be foreseen: the list takes every one, and keeps the others.
      found[near] = t;
      const isBelow = Number(ay < least) & Number(by < least) & Number(cy < least);
      const isAbove = Number(ay > most) & Number(by > most) & Number(cy > most);
      near += 1 - (isBelow | isAbove);
    }
    for (let f = 0; f < near; f++) {
      const t = found[f]!;
      const a = 3 * indices[3 * t]!;
      const b = 3 * indices[3 * t + 1]!;
      const c = 3 * indices[3 * t + 2]!;
      const ay = positions[a + v]!;
      const by = positions[b + v]!;
      const cy = positions[c + v]!;
      const az = positions[a + w]!;
      const bz = positions[b + w]!;
      const cz = positions[c + w]!;
      const v0 = Math.min(ay, by, cy);
      const v1 = Math.max(ay, by, cy);
      const w0 = Math.min(az, bz, cz);
      const w1 = Math.max(az, bz, cz);
      for (let p = lowerBound(places, 0, count, v0); p < count && places[p]! <= v1; p++) {
        const n = passing[p]!;
        this.work++;
        const z = this.#w[n]!;
        if (z >= w0 && z <= w1) use(t, this.#order[n]!);
      }
    }
    // Halves until one of the points is left.
    this.work += (end - first) * (TRIANGLE_LOOK_WORK + 32 - Math.clz32(count));
  }
}

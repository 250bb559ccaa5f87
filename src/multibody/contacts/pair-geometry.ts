/** Distances and contacts of pairs of colliders, where the frames of a mechanism are. */
import { isBall } from '../../contacts/bodies/ball.ts';
import { ColliderKind } from '../../contacts/bodies/colliders.ts';
import { setContactOfBalls } from '../../contacts/convex/balls.ts';
import { facePieces, facesBelowPlane } from '../../contacts/faces/face-pieces.ts';
import { hasFaces, meetsPlaneWithFaces } from '../../contacts/faces/face-table.ts';
import { Meeting } from '../../contacts/faces/meeting.ts';
import { ContactKind, ContactStatus, NO_TRIANGLE } from '../../contacts/list/contact-arrays.ts';
import type { ContactSink, FoundContact } from '../../contacts/list/contact-sink.ts';
import { convexOnPlane } from '../../contacts/planes/convex-on-plane.ts';
import { CONVEX_TOLERANCE } from '../../convex/constants.ts';
import { PairSolver } from '../../convex/cpu/pair-solver.ts';
import { clippedManifold } from '../../convex/manifold/clipped-manifold.ts';
import { CONTACT } from '../../convex/manifold/contact-plane.ts';
import { PairStatus } from '../../convex/pair/status.ts';
import { PARAMETERS, Parameter, type PlacedRecord } from '../../convex/shapes/records.ts';
import { coreSupport } from '../../convex/shapes/support.ts';
import type { Mechanism } from '../equations/mechanism.ts';
import { type CollisionModel, placesInFrames } from './collision-model.ts';

/** What is remembered of a pair that touches with faces. Contacts are the same bit for bit without it. */
interface Faced {
  /** A unit vector in A's frame, near the direction of the overlap. */
  readonly axis: Float64Array;
  readonly meeting: Meeting;
}

/** Numbers of a placed collider: rotation by rows, origin. */
const PLACED = 12;

export class PairGeometry {
  readonly #model: CollisionModel;
  readonly #mechanism: Mechanism;
  readonly #inFrames: Float64Array;
  /** `[12 * colliders]`, in the world. */
  readonly #placed: Float64Array;
  readonly #isBall: Uint8Array;
  /** `[bodies]`: from the origin of each one's frame to its own. */
  readonly arms: Float64Array;
  readonly #crossings: PairSolver | undefined;
  readonly #forces: PairSolver | undefined;
  readonly #gaps: PairSolver | undefined;
  readonly #a: PlacedRecord;
  readonly #b: PlacedRecord;
  readonly #found: FoundContact = {
    ...{ pair: 0, colliderA: 0, colliderB: 0, kind: ContactKind.convex, status: ContactStatus.sure },
    ...{ feature: 0, triangle: NO_TRIANGLE, nx: 0, ny: 0, nz: 0, px: 0, py: 0, pz: 0, distance: 0, area: 0 },
  };
  readonly #way = new Float64Array(3);
  readonly #points = new Float64Array(CONTACT * 4);
  readonly #names = new Uint32Array(4);
  readonly #support = new Float64Array(3);
  /** Of shapes with faces, about their centres: A's, then B's. */
  readonly #centred = new Float64Array(2 * PLACED);
  readonly #faced = new Map<number, Faced>();

  constructor(model: CollisionModel, mechanism: Mechanism) {
    this.#model = model;
    this.#mechanism = mechanism;
    this.#inFrames = placesInFrames(model, mechanism);
    this.#placed = this.#inFrames.slice();
    const { colliders, shapes } = model;
    this.#isBall = Uint8Array.from({ length: colliders.count }, (_, c) =>
      colliders.kinds[c] === ColliderKind.convex && isBall(shapes!, colliders.shapes[c]!) ? 1 : 0,
    );
    this.arms = Float64Array.from(model.bodies, (body) => Math.hypot(...mechanism.bodies[body]!.position));
    const asked = { tolerance: CONVEX_TOLERANCE, sweepRadius: 0 };
    if (shapes) {
      this.#crossings = new PairSolver(shapes, { kind: 'signed-distance', algorithm: 'mpr', ...asked });
      this.#gaps = new PairSolver(shapes, { kind: 'signed-distance', algorithm: 'auto', ...asked });
      this.#forces = new PairSolver(shapes, { kind: 'manifold', algorithm: 'auto', ...asked });
    }
    this.#a = { record: 0, frames: this.#placed, at: 0 };
    this.#b = { record: 0, frames: this.#placed, at: 0 };
  }

  /** Where colliders are: a copy. Set, they are there again. */
  get placed(): Float64Array {
    return this.#placed.slice();
  }

  set placed(places: Float64Array) {
    this.#placed.set(places);
  }

  /** Places colliders where `forward` has put the frames. */
  place(): void {
    const { tree } = this.#mechanism;
    const { colliders, frames } = this.#model;
    const { rotations: R, origins: p } = tree;
    const [own, out] = [this.#inFrames, this.#placed];
    for (let c = 0; c < colliders.count; c++) {
      const frame = frames[colliders.bodies[c]!]!;
      if (frame < 0) continue;
      const [at, r] = [PLACED * c, 9 * frame];
      for (let i = 0; i < 3; i++) {
        const [x, y, z] = [R[r + 3 * i]!, R[r + 3 * i + 1]!, R[r + 3 * i + 2]!];
        for (let j = 0; j < 3; j++)
          out[at + 3 * i + j] = x * own[at + j]! + y * own[at + 3 + j]! + z * own[at + 6 + j]!;
        out[at + 9 + i] = p[3 * frame + i]! + x * own[at + 9]! + y * own[at + 10]! + z * own[at + 11]!;
      }
    }
  }

  /** Signed distance: above 0 apart. Its sign is proven (Neumayr and Otter 2017, theorem 4.1). */
  distance(a: number, b: number): number {
    if (this.#isBall[a] === 1 && this.#isBall[b] === 1) return this.#ofBalls(a, b);
    const plane = this.#planeOf(a, b);
    if (plane >= 0) return this.#abovePlane(plane === a ? b : a, plane);
    const { pair } = this.#placedIn(this.#crossings!, a, b);
    this.#crossings!.solve();
    return pair.distance;
  }

  /**
   * A lower bound of the distance, where two are apart: the gap of both along a unit normal from A to B.
   *
   * @param normal gets it
   */
  gap(a: number, b: number, normal: Float64Array): number {
    const plane = this.#planeOf(a, b);
    if (plane >= 0) {
      const sign = plane === a ? 1 : -1;
      for (let k = 0; k < 3; k++) normal[k] = sign * this.#placed[PLACED * plane + 3 * k + 2]!;
      return this.#abovePlane(plane === a ? b : a, plane);
    }
    if (this.#isBall[a] === 1 && this.#isBall[b] === 1) {
      const distance = this.#ofBalls(a, b);
      const length = Math.hypot(...this.#way) || 1;
      for (let k = 0; k < 3; k++) normal[k] = this.#way[k]! / length;
      return distance;
    }
    // The nearest points have the normal that both are farthest apart along.
    const { pair } = this.#placedIn(this.#gaps!, a, b);
    this.#gaps!.solve();
    const { normal: n, frame: r } = pair;
    const length = Math.hypot(n[0]!, n[1]!, n[2]!) || 1;
    for (let k = 0; k < 3; k++)
      normal[k] = (r[3 * k]! * n[0]! + r[3 * k + 1]! * n[1]! + r[3 * k + 2]! * n[2]!) / length;
    return this.gapAlong(a, b, normal);
  }

  /** The gap along a unit normal from A to B: how far apart two planes across it may be between both. */
  gapAlong(a: number, b: number, normal: Float64Array): number {
    const [x, y, z] = [normal[0]!, normal[1]!, normal[2]!];
    return -this.#reachOf(a, x, y, z) - this.#reachOf(b, -x, -y, -z);
  }

  /** How far a collider reaches along a direction, from the world's origin. */
  #reachOf(c: number, x: number, y: number, z: number): number {
    const { colliders, shapes } = this.#model;
    const r = this.#placed;
    const at = PLACED * c;
    if (colliders.kinds[c] === ColliderKind.plane) {
      const across = r[at + 2]! * x + r[at + 5]! * y + r[at + 8]! * z;
      const own = r[at + 9]! * x + r[at + 10]! * y + r[at + 11]! * z;
      // Only along its own normal does it end.
      return across > 1 - 1e-12 ? own : Infinity;
    }
    const centre = this.#support;
    this.#centreOf(c, centre);
    const middle = centre[0]! * x + centre[1]! * y + centre[2]! * z + this.#marginOf(c);
    if (this.#isBall[c] === 1) return middle;
    const along = (k: number) => r[at + k]! * x + r[at + 3 + k]! * y + r[at + 6 + k]! * z;
    const [u, v, w] = [along(0), along(1), along(2)];
    coreSupport(shapes!, colliders.shapes[c]!, u, v, w, centre, 0);
    return middle + u * centre[0]! + v * centre[1]! + w * centre[2]!;
  }

  /** Adds the contacts of a pair: points in the world, distances of 0 or less. */
  touch(a: number, b: number, sink: ContactSink): void {
    const found = this.#found;
    const { colliders, shapes, faces } = this.#model;
    found.colliderA = a;
    found.colliderB = b;
    found.status = ContactStatus.sure;
    found.area = 0;
    if (this.#isBall[a] === 1 && this.#isBall[b] === 1) {
      this.#ofBalls(a, b);
      const way = this.#way;
      found.kind = ContactKind.convex;
      const squared = way[0]! ** 2 + way[1]! ** 2 + way[2]! ** 2;
      setContactOfBalls(found, way, squared, this.#marginOf(a), this.#marginOf(b));
      this.#centreOf(a, this.#support);
      found.px += this.#support[0]!;
      found.py += this.#support[1]!;
      found.pz += this.#support[2]!;
      if (found.distance <= 0) sink.push(found);
      return;
    }
    const plane = this.#planeOf(a, b);
    if (plane >= 0) {
      found.kind = ContactKind.plane;
      const other = plane === a ? b : a;
      const shape = { record: colliders.shapes[other]!, frames: this.#placed, at: PLACED * other };
      const own = this.#placed.subarray(PLACED * plane, PLACED * (plane + 1));
      if (meetsPlaneWithFaces(faces!, shape.record)) {
        this.#centre(other, 0);
        facesBelowPlane(faces!, shape.record, this.#centred, own, found, other === b, sink);
      } else convexOnPlane(shapes!, shape, own, found, other === b, sink);
      return;
    }
    found.kind = ContactKind.convex;
    const [recordA, recordB] = [colliders.shapes[a]!, colliders.shapes[b]!];
    if (hasFaces(faces!, recordA) && hasFaces(faces!, recordB)) {
      const { axis, meeting } = this.#facedOf(a, b);
      this.#centre(a, 0);
      this.#centre(b, PLACED);
      facePieces(faces!, recordA, recordB, this.#centred, axis, found, sink, meeting);
      return;
    }
    const solver = this.#forces!;
    const { pair } = this.#placedIn(solver, a, b);
    if (solver.solve() === PairStatus.separated) return;
    const { frame: r, normal: n } = pair;
    const count = clippedManifold(pair, 0, this.#points, 0, this.#names);
    found.nx = r[0]! * n[0]! + r[1]! * n[1]! + r[2]! * n[2]!;
    found.ny = r[3]! * n[0]! + r[4]! * n[1]! + r[5]! * n[2]!;
    found.nz = r[6]! * n[0]! + r[7]! * n[1]! + r[8]! * n[2]!;
    for (let i = 0; i < count; i++) {
      const c = CONTACT * i;
      const [x, y, z] = [this.#points[c]!, this.#points[c + 1]!, this.#points[c + 2]!];
      found.distance = this.#points[c + 3]!;
      if (found.distance > 0) continue;
      found.feature = this.#names[i]!;
      found.px = r[9]! + (r[0]! * x + r[1]! * y + r[2]! * z);
      found.py = r[10]! + (r[3]! * x + r[4]! * y + r[5]! * z);
      found.pz = r[11]! + (r[6]! * x + r[7]! * y + r[8]! * z);
      sink.push(found);
    }
  }

  /** Places a shape about its centre in `#centred`. */
  #centre(c: number, to: number): void {
    const centred = this.#centred;
    for (let k = 0; k < 9; k++) centred[to + k] = this.#placed[PLACED * c + k]!;
    this.#centreOf(c, this.#support);
    for (let k = 0; k < 3; k++) centred[to + 9 + k] = this.#support[k]!;
  }

  #facedOf(a: number, b: number): Faced {
    const pair = a * this.#model.colliders.count + b;
    let faced = this.#faced.get(pair);
    if (faced === undefined) {
      const normal = new Float64Array(3);
      this.gap(a, b, normal);
      const r = this.#placed;
      const at = PLACED * a;
      const axis = Float64Array.from(
        [0, 1, 2],
        (k) => r[at + k]! * normal[0]! + r[at + 3 + k]! * normal[1]! + r[at + 6 + k]! * normal[2]!,
      );
      faced = { axis, meeting: new Meeting() };
      this.#faced.set(pair, faced);
    }
    return faced;
  }

  /** Tells a point between two colliders that have just parted, and the normal there, from A to B. */
  parting(a: number, b: number, tell: (point: Float64Array, normal: Float64Array) => number): number {
    const normal = new Float64Array(3);
    const plane = this.#planeOf(a, b);
    this.gap(a, b, normal);
    const point = new Float64Array(3);
    if (plane >= 0 || (this.#isBall[a] === 1 && this.#isBall[b] === 1)) {
      const other = plane === a ? b : a;
      this.#centreOf(other, point);
      const sign = other === a ? 1 : -1;
      if (plane >= 0 && this.#isBall[other] === 0) {
        const { colliders, shapes } = this.#model;
        const r = this.#placed;
        const at = PLACED * other;
        const own = [0, 1, 2].map(
          (k) => sign * (r[at + k]! * normal[0]! + r[at + 3 + k]! * normal[1]! + r[at + 6 + k]! * normal[2]!),
        );
        const core = this.#support;
        coreSupport(shapes!, colliders.shapes[other]!, own[0]!, own[1]!, own[2]!, core, 0);
        for (let k = 0; k < 3; k++)
          point[k]! +=
            r[at + 3 * k]! * core[0]! + r[at + 3 * k + 1]! * core[1]! + r[at + 3 * k + 2]! * core[2]!;
      }
      for (let k = 0; k < 3; k++) point[k]! += sign * this.#marginOf(other) * normal[k]!;
    } else {
      const { frame: r, pointA } = this.#gaps!.pair;
      for (let k = 0; k < 3; k++)
        point[k] =
          r[9 + k]! + r[3 * k]! * pointA[0]! + r[3 * k + 1]! * pointA[1]! + r[3 * k + 2]! * pointA[2]!;
    }
    return tell(point, normal);
  }

  /** The middle of a collider, in the world. Of a plane: its origin. */
  centre(c: number, out: Float64Array): Float64Array {
    const { colliders, shapes } = this.#model;
    const placed = this.#placed.subarray(PLACED * c, PLACED * (c + 1));
    out.set(placed.subarray(9));
    if (colliders.kinds[c] === ColliderKind.plane) return out;
    const at = PARAMETERS * colliders.shapes[c]! + Parameter.centre;
    const [x, y, z] = shapes!.parameters.subarray(at, at + 3) as unknown as [number, number, number];
    for (let k = 0; k < 3; k++)
      out[k]! += placed[3 * k]! * x + placed[3 * k + 1]! * y + placed[3 * k + 2]! * z;
    return out;
  }

  /**
   * How far points of a collider that may be the nearest ones are from its middle. All points of a ball move along a
   * normal as its middle does, but for its turn, which moves it within itself.
   */
  pointReach(c: number): number {
    const { colliders, shapes } = this.#model;
    if (colliders.kinds[c] === ColliderKind.plane || this.#isBall[c] === 1) return 0;
    return shapes!.parameters[PARAMETERS * colliders.shapes[c]! + Parameter.boundingRadius]!;
  }

  #placedIn(solver: PairSolver, a: number, b: number): PairSolver {
    const { shapes } = this.#model.colliders;
    this.#a.record = shapes[a]!;
    this.#b.record = shapes[b]!;
    (this.#a as { at: number }).at = PLACED * a;
    (this.#b as { at: number }).at = PLACED * b;
    solver.pair.place(this.#a, this.#b);
    return solver;
  }

  #planeOf(a: number, b: number): number {
    const { kinds } = this.#model.colliders;
    return kinds[a] === ColliderKind.plane ? a : kinds[b] === ColliderKind.plane ? b : -1;
  }

  #marginOf(c: number): number {
    const { colliders, shapes } = this.#model;
    return shapes!.parameters[PARAMETERS * colliders.shapes[c]! + Parameter.margin]!;
  }

  #centreOf(c: number, out: Float64Array): void {
    const { colliders, shapes } = this.#model;
    const p = shapes!.parameters;
    const o = PARAMETERS * colliders.shapes[c]! + Parameter.centre;
    const at = PLACED * c;
    const r = this.#placed;
    for (let k = 0; k < 3; k++)
      out[k] =
        r[at + 9 + k]! +
        (r[at + 3 * k]! * p[o]! + r[at + 3 * k + 1]! * p[o + 1]! + r[at + 3 * k + 2]! * p[o + 2]!);
  }

  /** Distance of two balls; `way` gets the way from A's centre to B's. */
  #ofBalls(a: number, b: number): number {
    const way = this.#way;
    this.#centreOf(a, this.#support);
    this.#centreOf(b, way);
    for (let k = 0; k < 3; k++) way[k]! -= this.#support[k]!;
    return Math.hypot(way[0]!, way[1]!, way[2]!) - this.#marginOf(a) - this.#marginOf(b);
  }

  #abovePlane(c: number, plane: number): number {
    const { colliders, shapes } = this.#model;
    const r = this.#placed;
    const [at, o] = [PLACED * c, PLACED * plane];
    const n = [r[o + 2]!, r[o + 5]!, r[o + 8]!];
    const along = (k: number) => r[at + k]! * n[0]! + r[at + 3 + k]! * n[1]! + r[at + 6 + k]! * n[2]!;
    const [x, y, z] = [along(0), along(1), along(2)];
    const support = this.#support;
    this.#centreOf(c, support);
    const height =
      (support[0]! - r[o + 9]!) * n[0]! +
      (support[1]! - r[o + 10]!) * n[1]! +
      (support[2]! - r[o + 11]!) * n[2]!;
    coreSupport(shapes!, colliders.shapes[c]!, -x, -y, -z, support, 0);
    return height - this.#marginOf(c) + (x * support[0]! + y * support[1]! + z * support[2]!);
  }
}

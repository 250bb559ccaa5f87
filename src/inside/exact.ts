/**
 * Exact point in polyhedron on the host, for the few points that a kernel cannot certify: an axis-parallel ray with
 * symbolic perturbation, decided by exact predicates (Shewchuk's, package robust-predicates) on the float32
 * coordinates themselves.
 */
import { orient2d, orient3d } from 'robust-predicates';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { BOUNDARY, INSIDE, OUTSIDE, type Rule } from './classification.ts';

/** Triangles per leaf box, and leaf boxes per upper box. */
const LEAF = 16;
const UPPER = 32;

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
  return side(ay, az, by, bz, qy, qz) || Math.sign(az - bz) || Math.sign(by - ay);
}

/** Boxes `[minX, minY, minZ, maxX, maxY, maxZ]` around each run of `run` items, whose own boxes `grow` adds. */
function boxesOver(
  items: number,
  run: number,
  grow: (boxes: Float32Array, at: number, item: number) => void,
) {
  const boxes = new Float32Array(6 * Math.ceil(items / run));
  for (let i = 0; i < items; i++) {
    const at = 6 * Math.floor(i / run);
    if (i % run === 0) boxes.fill(Infinity, at, at + 3).fill(-Infinity, at + 3, at + 6);
    grow(boxes, at, i);
  }
  return boxes;
}

/** Whether the ray from p along +x passes box `at`, boundary included. */
function passes(boxes: Float32Array, at: number, x: number, y: number, z: number): boolean {
  return (
    x <= boxes[at + 3]! &&
    y >= boxes[at + 1]! &&
    y <= boxes[at + 4]! &&
    z >= boxes[at + 2]! &&
    z <= boxes[at + 5]!
  );
}

/** Exact tests against a mesh, with two levels of boxes over its triangles. Holds no GPU memory. */
export class ExactTest {
  readonly #mesh: TriangleMesh;
  readonly #order: Uint32Array;
  /** Exact boxes, in the mesh's own float32 coordinates. */
  readonly #leaves: Float32Array;
  readonly #uppers: Float32Array;

  /** @param order triangles in an order in which neighbours are close; the mesh's own order by default. */
  constructor(mesh: TriangleMesh, order?: Uint32Array) {
    this.#mesh = mesh;
    this.#order = order ?? Uint32Array.from({ length: mesh.triangleCount }, (_, t) => t);
    this.#leaves = boxesOver(mesh.triangleCount, LEAF, (boxes, at, item) => {
      for (let corner = 0; corner < 3; corner++) {
        const v = 3 * mesh.indices[3 * this.#order[item]! + corner]!;
        for (let k = 0; k < 3; k++) {
          const x = mesh.positions[v + k]!;
          if (x < boxes[at + k]!) boxes[at + k] = x;
          if (x > boxes[at + 3 + k]!) boxes[at + 3 + k] = x;
        }
      }
    });
    this.#uppers = boxesOver(this.#leaves.length / 6, UPPER, (boxes, at, leaf) => {
      for (let k = 0; k < 3; k++) {
        boxes[at + k] = Math.min(boxes[at + k]!, this.#leaves[6 * leaf + k]!);
        boxes[at + 3 + k] = Math.max(boxes[at + 3 + k]!, this.#leaves[6 * leaf + 3 + k]!);
      }
    });
  }

  /**
   * Flag of one point (float32 coordinates): 0 outside, 1 inside, 2 exactly on a triangle. Of a closed mesh, for `nonzero` and
   * `winding` (a winding number above 1/2 is one above 0 there) consistently oriented.
   */
  flag(x: number, y: number, z: number, rule: Rule): number {
    const leaves = this.#leaves.length / 6;
    const count = this.#mesh.triangleCount;
    let winding = 0;
    for (let upper = 0; upper < this.#uppers.length / 6; upper++) {
      if (!passes(this.#uppers, 6 * upper, x, y, z)) continue;
      for (let leaf = upper * UPPER; leaf < Math.min((upper + 1) * UPPER, leaves); leaf++) {
        if (!passes(this.#leaves, 6 * leaf, x, y, z)) continue;
        for (let t = leaf * LEAF; t < Math.min((leaf + 1) * LEAF, count); t++) {
          const crossing = this.#crossing(this.#order[t]!, x, y, z);
          if (crossing === undefined) return BOUNDARY;
          winding += crossing;
        }
      }
    }
    const inside = rule === 'odd' ? winding % 2 !== 0 : rule === 'nonzero' ? winding !== 0 : winding > 0;
    return inside ? INSIDE : OUTSIDE;
  }

  /** Whether a point is exactly on a triangle. For every mesh, closed or not. */
  isOn(x: number, y: number, z: number): boolean {
    return this.flag(x, y, z, 'odd') === BOUNDARY;
  }

  /** Winding that the ray from p along +x gains at a triangle: -1, 0 or 1; undefined if p is on the triangle. */
  #crossing(triangle: number, x: number, y: number, z: number): number | undefined {
    const { positions, indices } = this.#mesh;
    const a = 3 * indices[3 * triangle]!;
    const b = 3 * indices[3 * triangle + 1]!;
    const c = 3 * indices[3 * triangle + 2]!;
    const [ax, ay, az] = [positions[a]!, positions[a + 1]!, positions[a + 2]!];
    const [bx, by, bz] = [positions[b]!, positions[b + 1]!, positions[b + 2]!];
    const [cx, cy, cz] = [positions[c]!, positions[c + 1]!, positions[c + 2]!];
    if (y < Math.min(ay, by, cy) || y > Math.max(ay, by, cy)) return 0;
    if (z < Math.min(az, bz, cz) || z > Math.max(az, bz, cz)) return 0;
    if (x > Math.max(ax, bx, cx)) return 0;

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
    const first = perturbedSide(ay, az, by, bz, y, z);
    if (first === 0 || perturbedSide(by, bz, cy, cz, y, z) !== first) return 0;
    if (perturbedSide(cy, cz, ay, az, y, z) !== first) return 0;
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

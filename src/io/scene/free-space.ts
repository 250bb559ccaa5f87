/** Where a ball has room between the bodies of a scene. */
import { mat3d, quatd, vec3d } from 'wgpu-matrix';
import { meshOf } from '../../contacts/bodies/check-shapes.ts';
import type { ContactShape } from '../../contacts/bodies/contact-shape.ts';
import { NEAREST_FLOATS, nearestOnTriangle } from '../../contacts/field/nearest.ts';
import { surfaceMeshOf } from '../../contacts/surface/surface-mesh.ts';
import { eachNear, makeTriangleTree, type TriangleTree } from '../../contacts/surface/triangle-tree.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';

/** A ball that a body lies in, about a point of the shape's frame. */
export interface Ball {
  readonly centre: Vector3;
  readonly radius: number;
}

/** Meshes of a body's parts in the shape's frame, and how far the body reaches beyond them. */
function surfacesOf(shape: Exclude<ContactShape, { readonly kind: 'plane' }>) {
  if (shape.kind === 'polyhedron') {
    const { positions, indices } = meshOf(shape);
    return [{ positions: Float64Array.from(positions), indices, beyond: 0 }];
  }
  const parts = shape.kind === 'parts' ? shape.parts : [{ shape }];
  return parts.map(({ shape: part, position = [0, 0, 0], rotation = [0, 0, 0, 1] }) => {
    const { mesh, chordError } = surfaceMeshOf(part);
    const positions = placed(Float64Array.from(mesh.positions), [...position, ...rotation]);
    return { positions, indices: mesh.indices, beyond: chordError };
  });
}

function placed(points: Float64Array, pose: ArrayLike<number>): Float64Array {
  const [x, y, z, ...turn] = Array.from(pose) as [number, number, number, number, number, number, number];
  const matrix = mat3d.fromQuat(quatd.normalize(turn));
  const place = vec3d.create();
  for (let i = 0; i < points.length; i += 3) {
    vec3d.transformMat3(points.subarray(i, i + 3), matrix, place);
    points[i] = place[0]! + x;
    points[i + 1] = place[1]! + y;
    points[i + 2] = place[2]! + z;
  }
  return points;
}

/** About the middle of the box of the shape's vertices. */
export function ballAround(shape: Exclude<ContactShape, { readonly kind: 'plane' }>): Ball {
  if (shape.kind === 'sphere') return { centre: [0, 0, 0], radius: shape.radius + (shape.margin ?? 0) };
  const surfaces = surfacesOf(shape);
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (const { positions } of surfaces) {
    positions.forEach((x, i) => {
      low[i % 3] = Math.min(low[i % 3]!, x);
      high[i % 3] = Math.max(high[i % 3]!, x);
    });
  }
  const centre = low.map((x, k) => (x + high[k]!) / 2) as unknown as Vector3;
  let radius = 0;
  for (const { positions, beyond } of surfaces) {
    for (let i = 0; i < positions.length; i += 3) {
      const [x, y, z] = [0, 1, 2].map((k) => positions[i + k]! - centre[k]!) as [number, number, number];
      radius = Math.max(radius, Math.hypot(x, y, z) + beyond);
    }
  }
  return { centre, radius };
}

/** Where the centre of a ball is, of a body with this pose. */
export function centreOf({ centre }: Ball, pose: Float64Array): Vector3 {
  const arm = vec3d.transformQuat(centre as never, quatd.normalize(pose.subarray(3, 7)));
  return [pose[0]! + arm[0]!, pose[1]! + arm[1]!, pose[2]! + arm[2]!];
}

interface Wall {
  readonly corners: Float32Array;
  readonly tree: TriangleTree;
  readonly beyond: number;
}

/** Bodies that stand, whole, and moving ones by the balls around them. */
export class FreeSpace {
  readonly #walls: Wall[] = [];
  /** A point and the unit normal out of the ground, each. */
  readonly #planes: (readonly [Float64Array, Float64Array])[] = [];
  readonly #cell: number;
  readonly #cells = new Map<string, number[][]>();
  readonly #work = new Float64Array(NEAREST_FLOATS);

  /** @param largest the radius of the largest ball that is going to be added */
  constructor(largest: number) {
    this.#cell = 2 * largest || 1;
  }

  /** The same standing bodies, and no balls. */
  withoutBalls(): FreeSpace {
    const space = new FreeSpace(this.#cell / 2);
    space.#walls.push(...this.#walls);
    space.#planes.push(...this.#planes);
    return space;
  }

  addWall(shape: ContactShape, pose: ArrayLike<number>): void {
    if (shape.kind === 'plane') {
      const [x, y, z, ...turn] = Array.from(pose);
      const normal = vec3d.transformQuat([0, 0, 1], quatd.normalize(turn as never));
      this.#planes.push([Float64Array.of(x!, y!, z!), Float64Array.from(normal)]);
      return;
    }
    for (const { positions, indices, beyond } of surfacesOf(shape)) {
      const points = placed(positions, pose);
      const corners = Float32Array.from({ length: 3 * indices.length }, (_, i) => {
        return points[3 * indices[Math.floor(i / 3)]! + (i % 3)]!;
      });
      this.#walls.push({ corners, tree: makeTriangleTree(corners), beyond });
    }
  }

  addBall(x: number, y: number, z: number, radius: number): void {
    const key = this.#cellOf(x, y, z).join();
    const balls = this.#cells.get(key);
    if (balls === undefined) this.#cells.set(key, [[x, y, z, radius]]);
    else balls.push([x, y, z, radius]);
  }

  /** Whether a ball touches nothing. */
  isFree(x: number, y: number, z: number, radius: number): boolean {
    const at = [x, y, z];
    for (const [point, normal] of this.#planes) {
      if (normal.reduce((sum, n, k) => sum + n * (at[k]! - point[k]!), 0) < radius) return false;
    }
    const [i, j, k] = this.#cellOf(x, y, z) as [number, number, number];
    for (let a = i - 1; a <= i + 1; a++) {
      for (let b = j - 1; b <= j + 1; b++) {
        for (let c = k - 1; c <= k + 1; c++) {
          for (const [u, v, w, r] of (this.#cells.get(`${a},${b},${c}`) ?? []) as [
            number,
            number,
            number,
            number,
          ][]) {
            if ((u - x) ** 2 + (v - y) ** 2 + (w - z) ** 2 < (r + radius) ** 2) return false;
          }
        }
      }
    }
    return this.#walls.every((wall) => this.#isOff(wall, at, radius));
  }

  #cellOf(x: number, y: number, z: number): number[] {
    return [x, y, z].map((c) => Math.floor(c / this.#cell));
  }

  /** Whether a ball is outside a wall: no triangle is near, and those around do not enclose its centre. */
  #isOff({ corners, tree, beyond }: Wall, at: readonly number[], radius: number): boolean {
    const [x, y, z] = at as [number, number, number];
    const reach = radius + beyond;
    let isNear = false;
    const w = this.#work;
    w.set(at);
    eachNear(tree, x, y, z, reach, (rank) => {
      if (isNear) return;
      nearestOnTriangle(corners, 9 * tree.order[rank]!, w);
      isNear = w[6]! < reach * reach;
    });
    return !isNear && Math.abs(windings(corners, at)) < 0.5;
  }
}

/** How often a closed surface goes around a point: its solid angle (A. van Oosterom, J. Strackee 1983) over 4 pi. */
function windings(corners: Float32Array, at: readonly number[]): number {
  let sum = 0;
  const arm = (i: number) => [corners[i]! - at[0]!, corners[i + 1]! - at[1]!, corners[i + 2]! - at[2]!];
  for (let t = 0; t < corners.length; t += 9) {
    const [a, b, c] = [arm(t), arm(t + 3), arm(t + 6)];
    const [la, lb, lc] = [vec3d.len(a as never), vec3d.len(b as never), vec3d.len(c as never)];
    const volume = vec3d.dot(a as never, vec3d.cross(b as never, c as never));
    const edges =
      la * lb * lc +
      vec3d.dot(a as never, b as never) * lc +
      vec3d.dot(b as never, c as never) * la +
      vec3d.dot(c as never, a as never) * lb;
    sum += Math.atan2(volume, edges);
  }
  return sum / (2 * Math.PI);
}

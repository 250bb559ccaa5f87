/** `BoundingTree`: what callers hold. */
import { type Options, requireOptions, told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { requireMesh, type TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { BOUND_ERROR } from '../constants.ts';
import { DOP_FACES, VOLUMES, type Volume } from '../names.ts';
import type { Placement } from '../pose.ts';
import { buildTree, type TreeArrays } from './build-tree.ts';
import { type DopSize, kDops } from './k-dops.ts';
import { orientedBoxes } from './oriented-boxes.ts';
import { spheres } from './spheres.ts';
import type { VolumeKind } from './volume.ts';

export interface BoundingTreeOptions {
  /** Default `sphere`. */
  readonly volume?: Volume;
  /** Faces of a k-DOP: 14, 18 or 26, default 18. Of `k-dop` alone. */
  readonly k?: number;
}

const OPTIONS: Options<BoundingTreeOptions> = { volume: 'checked', k: 'checked' };

/** A tree of bounding volumes over the triangles of a mesh, open or closed. Holds no GPU memory. */
export class BoundingTree {
  readonly mesh: TriangleMesh;
  readonly volume: Volume;
  /** Faces of its volumes; undefined for spheres and oriented boxes. */
  readonly k: number | undefined;
  /** Numbers of the tree: for searches. */
  readonly arrays: TreeArrays;
  readonly volumes: VolumeKind;
  /** No vertex is farther from the origin of the mesh. */
  readonly reach: number;

  private constructor(mesh: TriangleMesh, volume: Volume, k: DopSize | undefined) {
    this.mesh = mesh;
    this.volume = volume;
    this.k = k;
    this.volumes = k !== undefined ? kDops(k) : volume === 'sphere' ? spheres : orientedBoxes;
    this.arrays = buildTree(mesh, this.volumes);
    const { min, max } = mesh.box;
    this.reach = Math.hypot(...min.map((low, k) => Math.max(-low, max[k]!)));
  }

  /**
   * Builds a tree (Lennerz, Schömer, Warken, section 2.2).
   *
   * @throws InputError for an empty mesh, an unknown volume or k.
   */
  static create(mesh: TriangleMesh, options: BoundingTreeOptions = {}): BoundingTree {
    requireMesh('BoundingTree.create: mesh', mesh);
    requireOptions('BoundingTree.create', options, OPTIONS);
    const { volume = 'sphere', k } = options;
    if (!VOLUMES.includes(volume)) {
      throw new InputError(
        `BoundingTree.create: volume: found ${told(volume)}, expected one of ${VOLUMES.join(', ')}`,
      );
    }
    if (k !== undefined && volume !== 'k-dop') {
      throw new InputError(`BoundingTree.create: k is for volume k-dop, found volume ${volume}`);
    }
    if (k !== undefined && !(DOP_FACES as readonly number[]).includes(k)) {
      throw new InputError(
        `BoundingTree.create: k: found ${told(k)}, expected one of ${DOP_FACES.join(', ')}`,
      );
    }
    if (mesh.triangleCount === 0)
      throw new InputError(`${mesh.name}: the mesh has no triangles, expected some`);
    const faces = volume === 'aabb' ? 6 : volume === 'k-dop' ? ((k ?? 18) as DopSize) : undefined;
    return new BoundingTree(mesh, volume, faces);
  }
}

/** No points of two bodies are farther from each other, b in the frame of a. */
export function reachOf(a: BoundingTree, b: BoundingTree, { shift }: Placement): number {
  const x = shift[0]!;
  const y = shift[1]!;
  const z = shift[2]!;
  return a.reach + b.reach + Math.sqrt(x * x + y * y + z * z);
}

/** What rounding may add to bounds of two trees, b in the frame of a. */
export function boundError(a: BoundingTree, b: BoundingTree, placement: Placement): number {
  return BOUND_ERROR * reachOf(a, b, placement);
}

/** Whether of two nodes that of a is parted: the larger one, or the one that is no leaf. One of them is none. */
export function partsFirst(a: BoundingTree, nodeA: number, b: BoundingTree, nodeB: number): boolean {
  if (b.arrays.second[nodeB] === 0) return true;
  if (a.arrays.second[nodeA] === 0) return false;
  return a.volumes.sizeOf(a.arrays.values, nodeA) >= b.volumes.sizeOf(b.arrays.values, nodeB);
}

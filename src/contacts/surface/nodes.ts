/**
 * Surface nodes with weights: points that stand for parts of the surface. docs/contacts.md, "Surface nodes", says why
 * they lie where they do.
 */
import { InputError } from '../../errors.ts';
import type { EdgeTable } from '../../mesh/edges.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { CORNER_SHARE, CORNERS_AT_SAMPLE, MOST_NODES, NODES_PER_REST } from './constants.ts';
import type { Faces } from './faces.ts';

/** Nodes in the order in which they are made. */
export interface Nodes {
  /** `[x, y, z]` each. */
  readonly points: Float32Array;
  readonly weights: Float64Array;
}

/** The surface and the sizes that nodes are made from. */
export interface NodeSource {
  /** For messages. */
  readonly name: string;
  readonly mesh: TriangleMesh;
  readonly edges: EdgeTable;
  readonly faces: Faces;
  /** `[edges]`: the angle at each edge, as `dihedralsOf` has it. */
  readonly angles: Float64Array;
  /** Angle from which on a convex edge is sharp, radians. */
  readonly sharp: number;
  readonly spacing: number;
}

/** Pieces that a sharp edge is cut into: none is longer than the spacing. */
export function piecesOf(length: number, spacing: number): number {
  return Math.max(1, Math.ceil(length / spacing));
}

/** Length of an edge. */
export function lengthOf({ positions }: TriangleMesh, { vertices }: EdgeTable, e: number): number {
  const [a, b] = [3 * vertices[2 * e]!, 3 * vertices[2 * e + 1]!];
  return Math.hypot(
    positions[b]! - positions[a]!,
    positions[b + 1]! - positions[a + 1]!,
    positions[b + 2]! - positions[a + 2]!,
  );
}

/**
 * Makes the nodes of a surface.
 *
 * @param rest is called at times: it may wait, and throw
 * @throws InputError if they are too many
 */
export async function makeNodes(
  { name, mesh, edges, faces, angles, sharp, spacing }: NodeSource,
  rest: () => Promise<void>,
): Promise<Nodes> {
  const { positions, indices, vertexCount, triangleCount } = mesh;
  const points: number[] = [];
  const weights: number[] = [];
  const requireFew = (count: number) => {
    if (count <= MOST_NODES) return;
    throw new InputError(
      `${name}: more than ${MOST_NODES} surface nodes of spacing ${spacing} found, expected fewer: ` +
        'pass a larger nodeSpacing',
    );
  };
  // Of all triangles with no longer edge, the equilateral one has the largest area.
  requireFew(faces.areas.reduce((sum, area) => sum + area, 0) / ((Math.sqrt(3) / 4) * spacing ** 2));
  const add = (x: number, y: number, z: number) => {
    requireFew(weights.length + 1);
    points.push(x, y, z);
    return weights.push(0) - 1;
  };

  // Vertices, but for those in the middle of a plane.
  const isKept = new Uint8Array(vertexCount);
  for (let e = 0; e < edges.count; e++) {
    if (angles[e] === 0) continue;
    isKept[edges.vertices[2 * e]!] = isKept[edges.vertices[2 * e + 1]!] = 1;
  }
  const nodeOf = new Int32Array(vertexCount).fill(-1);
  for (let v = 0; v < vertexCount; v++) {
    if (isKept[v] === 1) nodeOf[v] = add(positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!);
  }

  // Samples of sharp convex edges; their number is kept for each half-edge.
  const samples = new Uint32Array(indices.length);
  const firstSample = new Uint32Array(indices.length);
  for (let e = 0; e < edges.count; e++) {
    if (!(angles[e]! >= sharp)) continue;
    const pieces = piecesOf(lengthOf(mesh, edges, e), spacing);
    if (pieces === 1) continue;
    const [a, b] = [3 * edges.vertices[2 * e]!, 3 * edges.vertices[2 * e + 1]!];
    const first = weights.length;
    for (let s = 1; s < pieces; s++) {
      const at = (k: number) => positions[a + k]! + (positions[b + k]! - positions[a + k]!) * (s / pieces);
      add(at(0), at(1), at(2));
    }
    for (let k = edges.offsets[e]!; k < edges.offsets[e + 1]!; k++) {
      samples[edges.halfEdges[k]!] = pieces - 1;
      firstSample[edges.halfEdges[k]!] = first;
    }
  }

  // Centroids of the parts of triangles. They take what corners and samples leave.
  for (let t = 0; t < triangleCount; t++) {
    const area = faces.areas[t]!;
    if (!(area > 0)) continue;
    const corners = [0, 1, 2].flatMap((c) => {
      const v = 3 * indices[3 * t + c]!;
      return [positions[v]!, positions[v + 1]!, positions[v + 2]!];
    });
    const first = weights.length;
    const shares: number[] = [];
    const parts = new TrianglePieces(corners);
    for (let part = parts.next(spacing * spacing); part !== undefined; part = parts.next(spacing * spacing)) {
      add(
        (part[0]! + part[3]! + part[6]!) / 3,
        (part[1]! + part[4]! + part[7]!) / 3,
        (part[2]! + part[5]! + part[8]!) / 3,
      );
      shares.push(part[9]!);
      if (weights.length % NODES_PER_REST === 0) await rest();
    }
    const portion = (CORNER_SHARE * area) / shares.length;
    let left = area;
    for (let h = 3 * t; h < 3 * t + 3; h++) {
      const node = nodeOf[indices[h]!]!;
      if (node >= 0) {
        weights[node]! += portion;
        left -= portion;
      }
      for (let s = 0; s < samples[h]!; s++) {
        weights[firstSample[h]! + s]! += CORNERS_AT_SAMPLE * portion;
        left -= CORNERS_AT_SAMPLE * portion;
      }
    }
    for (let s = 0; s < shares.length; s++) weights[first + s] = left * shares[s]!;
  }
  return { points: Float32Array.from(points), weights: Float64Array.from(weights) };
}

/** Numbers per part: nine coordinates, and the share of the triangle's area. */
const PART = 10;

/**
 * A triangle is halved across its longest edge until no edge is longer than a length. A needle is cut across, not
 * along: the number of parts goes with its length.
 */
class TrianglePieces {
  /** Parts that are still to be looked at, the next one last. */
  #pending = new Float64Array(64 * PART);
  #count = 1;

  /** @param corners nine coordinates */
  constructor(corners: readonly number[]) {
    this.#pending.set([...corners, 1]);
  }

  /** The next part, until the next call; undefined after the last. @param most the square of the length */
  next(most: number): Float64Array | undefined {
    while (this.#count > 0) {
      const p = this.#pending;
      const at = PART * (this.#count - 1);
      const ab = square(p, at, at + 3);
      const bc = square(p, at + 3, at + 6);
      const ca = square(p, at + 6, at);
      const longest = Math.max(ab, bc, ca);
      if (!(longest > most)) {
        this.#count--;
        return p.subarray(at, at + PART);
      }
      // The longest edge goes from corner i to corner j; k is the third.
      const i = ab === longest ? at : bc === longest ? at + 3 : at + 6;
      const j = i === at + 6 ? at : i + 3;
      const k = 3 * at + 9 - i - j;
      if (p.length < at + 2 * PART) {
        this.#pending = new Float64Array(2 * p.length);
        this.#pending.set(p);
      }
      this.#halve(at, i, j, k);
    }
    return undefined;
  }

  /** Puts the half with corner i in the next place, and leaves that with corner j in this one. */
  #halve(at: number, i: number, j: number, k: number): void {
    const p = this.#pending;
    const to = at + PART;
    const share = p[at + 9]! / 2;
    const half = HALF;
    for (let n = 0; n < 3; n++) {
      const middle = (p[i + n]! + p[j + n]!) / 2;
      p[to + n] = p[i + n]!;
      p[to + 3 + n] = middle;
      p[to + 6 + n] = p[k + n]!;
      half[n] = middle;
      half[3 + n] = p[j + n]!;
      half[6 + n] = p[k + n]!;
    }
    p[to + 9] = share;
    half[9] = share;
    p.set(half, at);
    this.#count++;
  }
}

const HALF = new Float64Array(PART);

function square(p: Float64Array, i: number, j: number): number {
  return (p[i]! - p[j]!) ** 2 + (p[i + 1]! - p[j + 1]!) ** 2 + (p[i + 2]! - p[j + 2]!) ** 2;
}

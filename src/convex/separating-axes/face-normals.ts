// How far the difference of two polytopes reaches along the normals of their faces.
//
// Along a normal n of P, h(n) is the sum of two parts: P's own, which takes one product, and Q's, which takes a search
// for the vertex that lies farthest against n. Q holds a ball of radius r about its centre, so h(n) >= (P's part) + r.
// So few searches are needed.

import { cellOf } from '../shapes/cells.ts';
import { FACE } from '../shapes/facets.ts';
import { farthestVertex } from '../shapes/farthest-vertex.ts';
import { INTEGERS, Integer, NO_CELLS, PARAMETERS, PolytopeParameter } from '../shapes/records.ts';
import { type DifferenceFaces, FACE_P, FACE_Q } from './difference-faces.ts';

/** Faces of a polytope, counted from its first: `list[from]` to before `list[to]`. */
export interface FaceList {
  readonly list: Uint32Array;
  readonly from: number;
  readonly to: number;
}

/** Work space for one pair at a time; `begin` puts it in. */
export class FaceNormals {
  readonly #difference: DifferenceFaces;
  firstP = 0;
  firstQ = 0;
  /** Radii of balls in both polytopes. */
  innerP = 0;
  innerQ = 0;
  /** For each face of P: P's part of h, less n . t. */
  keysP = new Float64Array(0);
  /** The same for faces of Q. */
  #keysQ = new Float64Array(0);
  /** Vertex of Q that lies far against each face of P; -1 if none was asked for. */
  beyond = new Int32Array(0);
  /** 1 where that vertex is the farthest. */
  isFarthest = new Uint8Array(0);
  /** Normals of P's faces, turned round, in Q's frame. */
  turned = new Float64Array(0);
  /** The last scan that each face of P was in. Keys of earlier scans are not of this pair. */
  #scanned = new Float64Array(0);
  #scan = 0;
  /** 0, 1, 2 and so on. */
  #every = new Uint32Array(0);
  /** The first cells of both polytopes, or `NO_CELLS`. */
  #cellsP = 0;
  #cellsQ = 0;
  #facesP = 0;
  #facesQ = 0;

  constructor(difference: DifferenceFaces) {
    this.#difference = difference;
  }

  begin(): void {
    const { shapeP, shapeQ, table } = this.#difference;
    const { integers, parameters } = table;
    this.firstP = integers[INTEGERS * shapeP + Integer.firstFace]!;
    this.firstQ = integers[INTEGERS * shapeQ + Integer.firstFace]!;
    this.#facesP = integers[INTEGERS * shapeP + Integer.faceCount]!;
    this.#facesQ = integers[INTEGERS * shapeQ + Integer.faceCount]!;
    this.innerP = parameters[PARAMETERS * shapeP + PolytopeParameter.faceBall]!;
    this.innerQ = parameters[PARAMETERS * shapeQ + PolytopeParameter.faceBall]!;
    this.#cellsP = integers[INTEGERS * shapeP + Integer.firstCell]!;
    this.#cellsQ = integers[INTEGERS * shapeQ + Integer.firstCell]!;
    this.#makeRoom(Math.max(this.#facesP, this.#facesQ));
  }

  get everyFaceOfP(): FaceList {
    return { list: this.#every, from: 0, to: this.#facesP };
  }

  get everyFaceOfQ(): FaceList {
    return { list: this.#every, from: 0, to: this.#facesQ };
  }

  #makeRoom(most: number): void {
    if (this.keysP.length >= most) return;
    const room = 2 * most;
    this.keysP = new Float64Array(room);
    this.#keysQ = new Float64Array(room);
    this.beyond = new Int32Array(room);
    this.isFarthest = new Uint8Array(room);
    this.#scanned = new Float64Array(room);
    this.turned = new Float64Array(3 * room);
    this.#every = Uint32Array.from({ length: room }, (_, i) => i);
  }

  /**
   * Asks along the normals of these faces of P and of Q, as far as they can be the nearest. The most likely one comes
   * first.
   */
  askAll(ofP: FaceList, ofQ: FaceList): void {
    const { innerP, innerQ, keysP, beyond } = this;
    const difference = this.#difference;
    const keysQ = this.#keysQ;
    const nearestP = this.#scanP(ofP);
    const nearestQ = this.#scanQ(ofQ);
    if (nearestP >= 0 && (nearestQ < 0 || keysP[nearestP]! + innerQ < keysQ[nearestQ]! + innerP)) {
      this.askP(nearestP);
    } else if (nearestQ >= 0) {
      this.#askQ(nearestQ);
    }
    for (let e = ofP.from; e < ofP.to; e++) {
      const i = ofP.list[e]!;
      if (keysP[i]! + innerQ < difference.least + difference.tie && beyond[i]! < 0) this.askP(i);
    }
    for (let e = ofQ.from; e < ofQ.to; e++) {
      const i = ofQ.list[e]!;
      if (keysQ[i]! + innerP < difference.least + difference.tie) this.#askQ(i);
    }
  }

  /** Finds P's part of h for its faces in a list. Returns the face where it is least. */
  #scanP({ list, from, to }: FaceList): number {
    const { keysP, beyond, firstP } = this;
    const { m, table } = this.#difference;
    const { faces } = table;
    const scanned = this.#scanned;
    const tx = m[9]!;
    const ty = m[10]!;
    const tz = m[11]!;
    let nearest = -1;
    let low = Infinity;
    const scan = ++this.#scan;
    for (let e = from; e < to; e++) {
      const i = list[e]!;
      const at = FACE * (firstP + i);
      const key = faces[at + 3]! - (faces[at]! * tx + faces[at + 1]! * ty + faces[at + 2]! * tz);
      keysP[i] = key;
      beyond[i] = -1;
      scanned[i] = scan;
      if (key < low) {
        low = key;
        nearest = i;
      }
    }
    return nearest;
  }

  /** The same for Q's faces, whose normals are turned round. */
  #scanQ({ list, from, to }: FaceList): number {
    const { firstQ } = this;
    const { m, table } = this.#difference;
    const { faces } = table;
    const keysQ = this.#keysQ;
    const tx = m[0]! * m[9]! + m[3]! * m[10]! + m[6]! * m[11]!;
    const ty = m[1]! * m[9]! + m[4]! * m[10]! + m[7]! * m[11]!;
    const tz = m[2]! * m[9]! + m[5]! * m[10]! + m[8]! * m[11]!;
    let nearest = -1;
    let low = Infinity;
    for (let e = from; e < to; e++) {
      const i = list[e]!;
      const at = FACE * (firstQ + i);
      const key = faces[at + 3]! + (faces[at]! * tx + faces[at + 1]! * ty + faces[at + 2]! * tz);
      keysQ[i] = key;
      if (key < low) {
        low = key;
        nearest = i;
      }
    }
    return nearest;
  }

  /** Finds P's part for a face that may have been in no list. */
  scanAlone(i: number): void {
    if (this.#scanned[i] === this.#scan) return;
    const { m, table } = this.#difference;
    const { faces } = table;
    const at = FACE * (this.firstP + i);
    const along = faces[at]! * m[9]! + faces[at + 1]! * m[10]! + faces[at + 2]! * m[11]!;
    this.keysP[i] = faces[at + 3]! - along;
    this.beyond[i] = -1;
    this.#scanned[i] = this.#scan;
  }

  /** Turns the normal of P's face i round, into Q's frame. */
  turn(i: number): void {
    const { turned } = this;
    const { m, table } = this.#difference;
    const { faces } = table;
    const at = FACE * (this.firstP + i);
    const x = faces[at]!;
    const y = faces[at + 1]!;
    const z = faces[at + 2]!;
    turned[3 * i] = -(m[0]! * x + m[3]! * y + m[6]! * z);
    turned[3 * i + 1] = -(m[1]! * x + m[4]! * y + m[7]! * z);
    turned[3 * i + 2] = -(m[2]! * x + m[5]! * y + m[8]! * z);
  }

  /** Finds h along the normal of P's face i, or that it is not the least. */
  askP(i: number): void {
    this.turn(i);
    const { turned, beyond } = this;
    const { table, least, tie } = this.#difference;
    if (this.#cellsQ !== NO_CELLS) {
      // Any vertex makes a lower bound. The one of the cell is close to the farthest.
      const x = turned[3 * i]!;
      const y = turned[3 * i + 1]!;
      const z = turned[3 * i + 2]!;
      const v = table.vertices;
      const b = table.farthest[table.farthestStarts[this.#cellsQ + cellOf(x, y, z)]!]!;
      beyond[i] = b;
      this.isFarthest[i] = 0;
      if (this.keysP[i]! + (x * v[3 * b]! + y * v[3 * b + 1]! + z * v[3 * b + 2]!) >= least + tie) return;
    }
    this.askFarthest(i);
  }

  /** Finds h along the normal of P's face i, with the farthest of all vertices. */
  askFarthest(i: number): void {
    const difference = this.#difference;
    const { table } = difference;
    const { turned } = this;
    const v = table.vertices;
    const x = turned[3 * i]!;
    const y = turned[3 * i + 1]!;
    const z = turned[3 * i + 2]!;
    const b = farthestVertex(table, difference.shapeQ, x, y, z);
    this.beyond[i] = b;
    this.isFarthest[i] = 1;
    const h = this.keysP[i]! + (x * v[3 * b]! + y * v[3 * b + 1]! + z * v[3 * b + 2]!);
    if (h < difference.least + difference.tie) difference.keepFace(h, FACE_P, this.firstP + i, b);
  }

  /** Finds h against the normal of Q's face i, or that it is not the least. */
  #askQ(i: number): void {
    const difference = this.#difference;
    const { m, table } = difference;
    const { faces, vertices: v } = table;
    const key = this.#keysQ[i]!;
    const at = FACE * (this.firstQ + i);
    const x = -(m[0]! * faces[at]! + m[1]! * faces[at + 1]! + m[2]! * faces[at + 2]!);
    const y = -(m[3]! * faces[at]! + m[4]! * faces[at + 1]! + m[5]! * faces[at + 2]!);
    const z = -(m[6]! * faces[at]! + m[7]! * faces[at + 1]! + m[8]! * faces[at + 2]!);
    const limit = difference.least + difference.tie;
    if (this.#cellsP !== NO_CELLS) {
      const a = 3 * table.farthest[table.farthestStarts[this.#cellsP + cellOf(x, y, z)]!]!;
      if (key + (x * v[a]! + y * v[a + 1]! + z * v[a + 2]!) >= limit) return;
    }
    const a = farthestVertex(table, difference.shapeP, x, y, z);
    const h = key + (x * v[3 * a]! + y * v[3 * a + 1]! + z * v[3 * a + 2]!);
    if (h < limit) difference.keepFace(h, FACE_Q, this.firstQ + i, a);
  }
}

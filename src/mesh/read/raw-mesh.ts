// What every reader hands on, and the growing arrays it is collected in. Readers only translate: polygons are split
// by ../triangulate.ts and vertices welded by ../weld.ts.

/** The contents of a mesh file: polygons as they stand in it, vertices not yet welded. */
export interface RawMesh {
  /** Format found by content, see `MeshOrigin.format`. */
  readonly format: string;
  /** `[x, y, z]` per vertex of the file, rounded to float32; all finite, -0 already +0. */
  readonly positions: Float32Array;
  /** The vertex index of every corner, face after face; all below the number of vertices. */
  readonly corners: Uint32Array;
  /**
   * Face f has the corners `faceStarts[f]` to `faceStarts[f + 1]` (at least three); length number of faces + 1.
   * Undefined where every face is a triangle.
   */
  readonly faceStarts: Uint32Array | undefined;
}

/** First capacity of a growing array, in elements; it doubles from there. */
const FIRST_CAPACITY = 1024;

/** Float32 coordinates in the making. */
export class PositionBuilder {
  #data: Float32Array;
  #length = 0;

  /** `capacity` in vertices: a count that was checked against the file's size, or nothing. */
  constructor(capacity = FIRST_CAPACITY) {
    this.#data = new Float32Array(3 * capacity);
  }

  /** Number of vertices so far. */
  get count(): number {
    return this.#length / 3;
  }

  push(x: number, y: number, z: number): void {
    const at = this.#length;
    if (at + 3 > this.#data.length) {
      const larger = new Float32Array(2 * this.#data.length + 3);
      larger.set(this.#data);
      this.#data = larger;
    }
    // Adding zero turns -0 into +0, and changes nothing else.
    this.#data[at] = x + 0;
    this.#data[at + 1] = y + 0;
    this.#data[at + 2] = z + 0;
    this.#length = at + 3;
  }

  finish(): Float32Array {
    return this.#data.subarray(0, this.#length);
  }
}

class Uint32Builder {
  #data: Uint32Array;
  length = 0;

  constructor(capacity: number) {
    this.#data = new Uint32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.#data.length) {
      const larger = new Uint32Array(2 * this.length + 1);
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data[this.length++] = value;
  }

  finish(): Uint32Array {
    return this.#data.subarray(0, this.length);
  }
}

/** Faces in the making. The starts of faces are only kept from the first face on that is no triangle. */
export class FaceBuilder {
  readonly #corners = new Uint32Builder(FIRST_CAPACITY);
  #starts: Uint32Builder | undefined;
  #faceStart = 0;

  addCorner(vertex: number): void {
    this.#corners.push(vertex);
  }

  /** Number of corners of the face in the making. */
  get faceSize(): number {
    return this.#corners.length - this.#faceStart;
  }

  endFace(): void {
    const end = this.#corners.length;
    if (this.#starts === undefined && end - this.#faceStart !== 3) {
      this.#starts = new Uint32Builder(this.#faceStart / 3 + 2);
      for (let start = 0; start <= this.#faceStart; start += 3) this.#starts.push(start);
    }
    this.#starts?.push(end);
    this.#faceStart = end;
  }

  finish(): { corners: Uint32Array; faceStarts: Uint32Array | undefined } {
    return { corners: this.#corners.finish(), faceStarts: this.#starts?.finish() };
  }
}

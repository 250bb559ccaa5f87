/** Faces of convex shapes as kernels read them (shaders/contacts/faces/faces.wgsl). */
import { MOST_POLYGON_CORNERS } from './constants.ts';
import { FACE_RANGE, type FaceTable, PLANE } from './face-table.ts';

/** Words per record at the beginning: `FaceRecord`. */
const RECORD_WORDS = 8;
/** The bits of a polygon's second word that count its corners. */
const CORNER_BITS = 4;

/**
 * One array: a `FaceRecord` each; then of each record planes, two words per polygon, corners and vertices. Faces of
 * more than `MOST_POLYGON_CORNERS` corners are several polygons of one plane.
 */
export function packFaces(table: FaceTable): Uint32Array<ArrayBuffer> {
  const { ranges, isRound, planes, starts, corners, vertices } = table;
  const records = isRound.length;
  const words: number[] = new Array(RECORD_WORDS * records).fill(0);
  const bits = new Uint32Array(1);
  const float = new Float32Array(bits.buffer);
  const bitsOf = (x: number) => {
    float[0] = x;
    return bits[0]!;
  };
  for (let record = 0; record < records; record++) {
    const [first, count, firstVertex, vertexCount] = ranges.subarray(
      FACE_RANGE * record,
      FACE_RANGE * (record + 1),
    );
    const planesAt = words.length;
    for (const x of planes.subarray(PLANE * first!, PLANE * (first! + count!))) words.push(bitsOf(x));
    const polygons: { plane: number; corners: number[] }[] = [];
    for (let f = 0; f < count!; f++) {
      const own = Array.from(
        corners.subarray(starts[first! + f]!, starts[first! + f + 1]!),
        (v) => v - firstVertex!,
      );
      // A fan about the first corner.
      for (let c = 1; c + 1 < own.length; c += MOST_POLYGON_CORNERS - 2) {
        polygons.push({ plane: f, corners: [own[0]!, ...own.slice(c, c + MOST_POLYGON_CORNERS - 1)] });
      }
    }
    const polygonsAt = words.length;
    let cornersAt = polygonsAt + 2 * polygons.length;
    for (const { plane, corners: own } of polygons) {
      words.push(cornersAt, (plane << CORNER_BITS) | own.length);
      cornersAt += own.length;
    }
    for (const { corners: own } of polygons) words.push(...own);
    const verticesAt = words.length;
    let size = 0;
    for (const x of vertices.subarray(3 * firstVertex!, 3 * (firstVertex! + vertexCount!))) {
      words.push(bitsOf(x));
      size = Math.max(size, Math.abs(x));
    }
    const unit = 2 ** Math.ceil(Math.log2(size || 1));
    words.splice(
      RECORD_WORDS * record,
      RECORD_WORDS,
      ...[
        planesAt,
        count!,
        polygonsAt,
        polygons.length,
        verticesAt,
        vertexCount!,
        isRound[record]!,
        bitsOf(unit),
      ],
    );
  }
  return Uint32Array.from(words);
}

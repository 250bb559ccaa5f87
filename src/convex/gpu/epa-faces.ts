// The faces of EPA's polytope, as WGSL that addresses each of them by a constant.
//
// On a software adapter, a private array that is addressed by a variable costs about 20 cycles per word and thread;
// addressed by a constant it costs none. So it takes less time to look at all faces, written out one after the other,
// than to follow the links between those that matter. On graphics hardware such arrays lie in memory either way, and
// the loads depend on nothing.
import type { ShaderSource } from '../../gpu/shader.ts';

/** Faces in one word of bits. */
const BITS = 32;
const NAMES = ['x', 'y', 'z', 'w'];

/**
 * Signs and words stand in for conditions. `sees` is 1 or 0. The height's square sorts as an integer does, and carries
 * the face in its last bits.
 */
function look(face: number): string {
  return `  {
    let m = planes[${face}];
    let sees = bitcast<u32>(SEEN - dot(m, w)) >> 31u;
    ${NAMES[Math.floor(face / BITS)]} |= sees << ${face % BITS}u;
    let key = ((bitcast<u32>(dot(m, m)) & KEY) | ${face}u) & (sees - 1u);
    nearest = select(nearest, key, key > nearest);
  }`;
}

function lower(face: number): string {
  return `  {
    let squared = dot(planes[${face}], planes[${face}]);
    lowest = select(lowest, ${face}u, squared > most);
    most = max(most, squared);
  }`;
}

/** The word of `words` that `first` says has the bit, else a later one. */
function choose(words: readonly string[], condition: (name: string) => string): string {
  return words.reduceRight(
    (rest, word) => (rest === '' ? word : `select(${rest}, ${word}, ${condition(word)})`),
    '',
  );
}

/**
 * Part of the kernel's code.
 *
 * @param words words of bits for faces, 2 to 4: with 64 faces 34 vertices, with 96 50
 */
export function epaFaces(words: number): ShaderSource {
  const faces = BITS * words;
  const names = NAMES.slice(0, words);
  const type = `vec${words}u`;
  const all = Array.from({ length: faces }, (_, face) => look(face)).join('\n');
  const lowest = Array.from({ length: faces }, (_, face) => lower(face)).join('\n');
  const firsts = names.map((_, i) => `${BITS * i}u`);
  const before = firsts.reduceRight(
    (rest, first, i) => (rest === '' ? first : `select(${rest}, ${first}, seen.${names[i]} != 0u)`),
    '',
  );
  const seen = names.map((name) => `seen.${name}`);
  return {
    name: 'convex/epa-faces.wgsl',
    code: `// Faces are 2 * vertices - 4.
const MOST_FACES = ${faces}u;
const MOST_VERTICES = ${faces / 2 + 2}u;
// Bits of a key that are the height to the power of -2; the others are the face.
const KEY = 0xffffff80u;
// Of a point's height over a face's; constants.ts has the reason.
override SEEN: f32 = 1.0;

// Of each face: its outward normal over its height.
var<private> planes: array<vec3f, MOST_FACES>;

// What a point sees, a bit per face; of the faces that it does not see, the greatest key.
struct View {
  seen: ${type},
  nearest: u32,
}

fn lookAtFaces(w: vec3f) -> View {
${names.map((name) => `  var ${name} = 0u;`).join('\n')}
  var nearest = 0u;
${all}
  return View(${type}(${names.join(', ')}), nearest);
}

// The face of the least height, to all digits, which keys do not have. What is no face has no plane.
fn lowestFaceOfAll() -> u32 {
  var most = 0.0;
  var lowest = 0u;
${lowest}
  return lowest;
}

fn isSeen(seen: ${type}, face: u32) -> bool {
  let word = ${choose(seen, (name) => `face < ${BITS * (seen.indexOf(name) + 1)}u`)};
  return ((word >> (face & ${BITS - 1}u)) & 1u) != 0u;
}

fn countFaces(seen: ${type}) -> u32 {
  let counts = countOneBits(seen);
  return ${names.map((name) => `counts.${name}`).join(' + ')};
}

// Bits of the next two faces; their number is even.
fn newFaces(faces: u32) -> ${type} {
  let bits = 3u << (faces & ${BITS - 1}u);
  let words = ${type}(${names.map((_, i) => `${i}u`).join(', ')});
  return select(${type}(), ${type}(bits), ${type}(faces / ${BITS}u) == words);
}

fn lowestFace(seen: ${type}) -> u32 {
  let word = ${choose(seen, (name) => `${name} != 0u`)};
  let before = ${before};
  return firstTrailingBit(word) + before;
}

fn withoutLowest(seen: ${type}) -> ${type} {
  let less = seen & (seen - 1u);
  let isFirst0 = true;
${names
  .slice(1)
  .map((_, i) => `  let isFirst${i + 1} = isFirst${i} & (seen.${names[i]} == 0u);`)
  .join('\n')}
  return select(seen, less, vec${words}<bool>(${names.map((_, i) => `isFirst${i}`).join(', ')}));
}
`,
  };
}

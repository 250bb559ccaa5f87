// Faces of the difference of two polytopes P and Q that may be the nearest: what polytope-depth.ts finds and polytope-points.ts takes.

/** Kinds of faces of the difference. */
export const FACE_P = 0;
export const FACE_Q = 1;
export const EDGES = 2;
/** Numbers per candidate: h, kind, face of P or Q, vertex of the other; of edges: face of P, its corner, both vertices of Q, place on the arc. */
export const CANDIDATE = 7;
const MOST_CANDIDATES = 16;

export const candidates = new Float64Array(CANDIDATE * MOST_CANDIDATES);
export let candidateCount = 0;
/** The least h so far, and how much more ties with it. Not plain variables: those of a module allocate with every number they are given. */
export const state = new Float64Array(2);

/** Rotation from Q's frame into P's by rows, Q's centre in P's frame. */
export const m = new Float64Array(12);

export function forgetCandidates(): void {
  candidateCount = 0;
}

/** Keeps a face of the difference that may be the nearest, or tie with it. */
export function keep(
  h: number,
  kind: number,
  face: number,
  k: number,
  from: number,
  to: number,
  s: number,
): void {
  if (h < state[0]!) state[0] = h;
  let room = candidateCount;
  if (room === MOST_CANDIDATES) {
    room = 0;
    for (let i = 0; i < MOST_CANDIDATES; i++) {
      if (candidates[CANDIDATE * i]! > candidates[CANDIDATE * room]!) room = i;
    }
  } else {
    candidateCount++;
  }
  const at = CANDIDATE * room;
  candidates[at] = h;
  candidates[at + 1] = kind;
  candidates[at + 2] = face;
  candidates[at + 3] = k;
  candidates[at + 4] = from;
  candidates[at + 5] = to;
  candidates[at + 6] = s;
}

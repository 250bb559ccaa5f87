/**
 * Caps: triangles that close a mesh of any kind, as an integer chain. The winding number of the mesh is that of the
 * closed chain, a whole number, less the solid angles of the caps. See docs/multipole.md, "Closed by caps".
 */

/**
 * Triangles between the vertices of a boundary, which they close: the half-edges of both together cancel. Loops are
 * halved by chords again and again, so that caps of long loops are not all slivers.
 *
 * @param halfEdges `[from, to]` each, that have no opposite: see `unbalancedHalfEdges`
 */
export function capTriangles(halfEdges: Uint32Array): Uint32Array {
  const caps: number[] = [];
  for (const loop of simpleLoops(halfEdges)) {
    // Pieces of the loop, from one vertex to another, which a chord closes.
    const pieces: [number, number][] = [[0, loop.length - 1]];
    for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
      const [first, last] = piece;
      if (last - first < 2) continue;
      const middle = (first + last) >> 1;
      caps.push(loop[last]!, loop[middle]!, loop[first]!);
      pieces.push([first, middle], [middle, last]);
    }
  }
  return Uint32Array.from(caps);
}

/** The half-edges as loops that pass no vertex twice. As many begin at a vertex as end there. */
function simpleLoops(halfEdges: Uint32Array): number[][] {
  const ends = new Map<number, number[]>();
  for (let h = 0; h < halfEdges.length; h += 2) {
    const from = ends.get(halfEdges[h]!);
    if (from === undefined) ends.set(halfEdges[h]!, [halfEdges[h + 1]!]);
    else from.push(halfEdges[h + 1]!);
  }
  const loops: number[][] = [];
  const places = new Map<number, number>();
  for (const start of ends.keys()) {
    const path = [start];
    places.set(start, 0);
    for (;;) {
      const next = ends.get(path.at(-1)!)!.pop();
      // Only where the path began can it end.
      if (next === undefined) break;
      const met = places.get(next);
      if (met === undefined) {
        places.set(next, path.length);
        path.push(next);
        continue;
      }
      loops.push(path.slice(met));
      for (const vertex of path.splice(met + 1)) places.delete(vertex);
    }
    places.delete(start);
  }
  return loops;
}

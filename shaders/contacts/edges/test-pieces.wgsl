// requires common/from-item-to-item.wgsl
// requires contacts/edges/piece.wgsl
// Flags the pieces of the listed clusters that enter the partner, and those with both ends inside. Twin:
// src/contacts/edges/piece-in-field.ts. A thread goes from cluster to cluster.

// Whether a chord is long enough, and inside: its middle is.
fn isChordInside(line: Line, chord: vec2f) -> bool {
  if (chord.y - chord.x <= SHORTEST_CHORD) {
    return false;
  }
  return depthAt(line.shape, placeOn(line, 0.5 * (chord.x + chord.y))).depth > 0.0;
}

@compute @workgroup_size(GROUP)
fn testPieces(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let itemCount = min(tally.items, params.mostItems);
  for (var n = threadOf(id, groups); n < itemCount; n += threadsIn(groups)) {
    let item = items[n];
    let side = sideOf(item.x);
    let first = CLUSTER * item.y;
    let end = min(first + CLUSTER, tableOf(side.shape, PIECE_COUNT));
    let plane = planes[item.x];
    let grid = gridOf(side.partnerShape);
    // Loops of their own, not nested: threads that run side by side wait for the longest loop.
    var within = 0u;
    for (var piece = first; piece < end; piece++) {
      let words = tableOf(side.shape, PIECES) + 6u * piece;
      let most = max(dot(plane.xyz, vectorAt(words)), dot(plane.xyz, vectorAt(words + 3u)));
      within |= select(0u, 1u << (piece - first), most >= plane.w);
    }
    var near = 0u;
    for (; within != 0u; within &= within - 1u) {
      let line = lineOf(side, grid, first + firstTrailingBit(within));
      near |= select(within & (0u - within), 0u, isFar(line));
    }
    var entered = 0u;
    var both = 0u;
    for (; near != 0u; near &= near - 1u) {
      let piece = first + firstTrailingBit(near);
      let line = lineOf(side, grid, piece);
      var crossings = crossingsAlong(line);
      var anyInside = 0u;
      var ends = 0u;
      for (var i = 0u; i <= crossings.count; i++) {
        if (isChordInside(line, chordOf(&crossings, i))) {
          anyInside = 1u;
          ends += select(0u, 1u, i == 0u) + select(0u, 1u, i == crossings.count);
        }
      }
      entered |= anyInside << (piece - first);
      both |= select(0u, 1u, ends == 2u) << (piece - first);
    }
    items[n].z = entered;
    items[n].w = both;
    counts[params.countsAt + n] = countOneBits(entered) + countOneBits(both);
  }
}

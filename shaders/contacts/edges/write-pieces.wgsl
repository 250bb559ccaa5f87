// requires contacts/edges/deepest-point.wgsl
// requires contacts/nodes/item-of-contact.wgsl
// requires contacts/nodes/write-record.wgsl
// The deepest point of each piece that enters the partner, and its shallower end where both are inside. Twin:
// src/contacts/edges/piece-in-field.ts. A thread goes from contact to contact: at the first one of a
// piece it writes both.

const EDGE_KIND = 1u;
// Differences below what float32 tells of depths: in lengths of the piece, and in depths of a chord's middle.
const DEPTH_TOLERANCE = 0x1p-19f;
const SHALLOW_TOLERANCE = 0x1p-6f;
const TIE_TOLERANCE = 0x1p-10f;
const SHORTEST_GRADIENT = 0x1p-10f;

// The gradient at a point where two triangles tie: the mean of both normals that is across the piece.
fn gradientAt(line: Line, found: Deepest, field: Depth) -> vec3f {
  let along = line.d / line.length;
  let here = dot(field.normal, along);
  let other = nearestOn(line.shape, select(found.before, found.behind, here < 0.0), placeOn(line, found.at));
  if (other.distance > field.depth + TIE_TOLERANCE * line.length) {
    return field.normal;
  }
  let isWay = other.feature != 0u && other.distance > TIE_TOLERANCE * line.length;
  let normal = select(pseudoNormal(line.shape, other), other.way / max(other.distance, 0x1p-60f), isWay);
  let there = dot(normal, along);
  if (here * there >= 0.0) {
    return field.normal;
  }
  let share = there / (there - here);
  return share * field.normal + (1.0 - share) * normal;
}

// The middle of a chord; its depth is 0 where the chord is too short.
fn middleOf(line: Line, chord: vec2f) -> Sample {
  var middle = sampleAt(line, 0.5 * (chord.x + chord.y));
  if (chord.y - chord.x <= SHORTEST_CHORD) {
    middle.depth = 0.0;
  }
  return middle;
}

// The deepest of all chords inside.
fn deepestOfPiece(line: Line) -> Deepest {
  var crossings = crossingsAlong(line);
  let last = crossings.count;
  var deepest = Deepest(0.0, 0.0, 0u, 0u, 0u, true);
  for (var i = 0u; i <= last; i++) {
    // On to the next one that is inside: threads that run side by side search in it together.
    var middle = Sample();
    for (; i <= last; i++) {
      middle = middleOf(line, chordOf(&crossings, i));
      if (middle.depth > 0.0) {
        break;
      }
    }
    if (i > last) {
      break;
    }
    let chord = chordOf(&crossings, i);
    var ends = array<Sample, 2>(
      Sample(chord.x, 0.0, crossings.triangles[max(i, 1u) - 1u]),
      Sample(chord.y, 0.0, crossings.triangles[min(i, MOST_CROSSINGS - 1u)])
    );
    // Crossings lie on the surface, so depths are looked up at ends of the piece alone.
    for (var k = select(1u, 0u, i == 0u); k < select(1u, 2u, i == last); k++) {
      ends[k] = sampleAt(line, ends[k].at);
    }
    let tolerance = min(DEPTH_TOLERANCE * line.length, SHALLOW_TOLERANCE * middle.depth);
    var found = deepestOf(line, ends[0], ends[1], tolerance);
    // Rounding may have ended the search early.
    if (middle.depth > found.depth + DEPTH_TOLERANCE * line.length) {
      found = Deepest(middle.at, middle.depth, middle.triangle, ends[0].triangle, ends[1].triangle, found.isSure);
    }
    if (found.depth > deepest.depth) {
      deepest = found;
    }
  }
  deepest.isSure = deepest.isSure && !crossings.isCut;
  return deepest;
}

// `depthAt` of a point that is inside but for rounding. If rounding puts it beyond the tables, it is on the surface.
fn depthInside(line: Line, at: f32, triangle: u32) -> Depth {
  let p = placeOn(line, at);
  let found = depthAt(line.shape, p);
  if (any(found.normal != vec3f())) {
    return found;
  }
  return Depth(0.0, pseudoNormal(line.shape, nearestOn(line.shape, triangle, p)), triangle, false);
}

@compute @workgroup_size(GROUP)
fn writePieces(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let places = placesOfContacts();
  for (var place = places.x + threadOf(id, groups); place < places.y; place += threadsIn(groups)) {
    let entered = itemOfContact(place);
    let item = items[entered.item];
    // Contacts of the pieces before.
    var mask = item.z;
    var bit = firstTrailingBit(mask);
    var rank = entered.rank;
    loop {
      let own = 1u + ((item.w >> bit) & 1u);
      if (rank < own) {
        break;
      }
      rank -= own;
      mask &= mask - 1u;
      bit = firstTrailingBit(mask);
    }
    if (rank > 0u) {
      continue;
    }
    let pair = pairs[item.x >> 1u];
    let side = sideOf(item.x);
    let grid = gridOf(side.partnerShape);
    let piece = CLUSTER * item.y + bit;
    let words = tableOf(side.shape, PIECES) + 6u * piece;
    let start = vectorAt(words);
    let way = vectorAt(words + 3u) - start;
    let line = lineOf(side, grid, piece);
    var found = deepestOfPiece(line);
    let isBoth = ((item.w >> bit) & 1u) != 0u;
    // At both ends, and at the deepest point.
    var depths = array<Depth, 3>();
    var isOne = false;
    for (var i = select(2u, 0u, isBoth); i < 3u; i++) {
      if (i == 2u) {
        // Whether the first end is the shallower one.
        isOne = select(depths[0].depth < depths[1].depth, depths[1].isDeep, depths[0].isDeep != depths[1].isDeep);
        // Beyond the reach the search ends where it begins: both ends count, in their order.
        if (depths[0].isDeep && depths[1].isDeep) {
          found.at = select(0.0, 1.0, isOne);
        }
      }
      depths[i] = depthInside(line, select(f32(i), found.at, i == 2u), found.triangle);
    }
    let field = depths[2];
    var gradient = field.normal;
    if (found.at > 0.0 && found.at < 1.0) {
      gradient = gradientAt(line, found, field);
    }
    let slope = min(length(gradient), 1.0);
    // The triangles are both faces of a thin plate: the point is no shallower to either side.
    let normal = select(field.normal, gradient, slope >= SHORTEST_GRADIENT);
    let status = select(select(BOUNDED, SURE, found.isSure), IS_DEEP, field.isDeep);
    writeRecord(place, pair, side, Found(
      2u * piece, start + found.at * way, normalize(normal), abs(field.depth), 0.5 * slope * line.length,
      field.triangle, EDGE_KIND, status,
    ));
    if (!isBoth) {
      continue;
    }
    let shallow = depths[select(1u, 0u, isOne)];
    writeRecord(place + 1u, pair, side, Found(
      2u * piece + 1u, start + select(1.0, 0.0, isOne) * way, shallow.normal, abs(shallow.depth), 0.5 * line.length,
      shallow.triangle, EDGE_KIND, select(SURE, IS_DEEP, shallow.isDeep),
    ));
  }
}

// requires broadphase/buckets.wgsl
// requires broadphase/levels.wgsl
// All partners that a box finds. Twin: search-rows.ts, which says who finds whom. A kernel has `partner(entry, other)`,
// which is called for each. Boxes of bodies that are not there hold nothing: the least is above the greatest.
//
// The twin has the boxes of a bucket in the order of their least x. Here they are in that of their cells (`cellOf`), as
// fewer bits are sorted in less time. Boxes of other rows in the bucket, and those in the same cells that are too far
// away, are told by comparing boxes: so both find the same.

// The first place in begin .. end - 1 whose cell is not before one; end where there is none.
fn firstFrom(begin: u32, end: u32, cell: u32) -> u32 {
  var low = begin;
  var high = end;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (cellOf(rowBoxes[middle].level, rowBoxes[middle].least.x) < cell) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low;
}

fn mayPair(a: EntryFilter, b: EntryFilter) -> bool {
  let areApart = ((a.flags & b.flags) >> 1u) != 0u;
  return a.body != b.body && !areApart && (a.groups & b.masks) != 0u && (b.groups & a.masks) != 0u;
}

fn searchRow(own: RowBox, level: u32, row: u32, layer: u32, begin: u32) {
  let bucket = buckets[bucketOf(level, row, layer)];
  if (bucket.x >= bucket.y) {
    return;
  }
  let scale = level % LEVELS;
  let cells = (1u << params.cellBits) - 1u;
  let cell = cellOf(level, begin);
  // Cells from the first to the last that may hold a partner. Behind the last number of a cell the first one follows.
  let most = (own.greatest.x >> scale) - (begin >> scale);
  let count = bucket.y - bucket.x;
  let first = firstFrom(bucket.x, bucket.y, cell);
  for (var k = 0u; k < count; k++) {
    let place = first + k - select(0u, count, first + k >= bucket.y);
    let other = rowBoxes[place];
    if (((cellOf(other.level, other.least.x) - cell) & cells) > most) {
      return;
    }
    var isFound = all(other.least <= own.greatest) && all(other.greatest >= own.least);
    // The bucket may hold other rows as well, which have their own turn.
    isFound &= other.level == level && all((other.least.yz >> vec2u(scale)) == vec2u(row, layer));
    isFound &= other.least.x <= other.greatest.x;
    // Of a level's boxes the one with the lower x, or the lower number, finds the other.
    let isBehind = other.least.x > own.least.x || (other.least.x == own.least.x && other.entry > own.entry);
    isFound &= level != own.level || isBehind;
    if (isFound && mayPair(filters[own.entry], filters[other.entry])) {
      partner(own.entry, other.entry);
    }
  }
}

fn searchLevel(own: RowBox, level: u32) {
  let scale = level % LEVELS;
  // A box that begins before the least corner less the level's greatest extent ends before it, too.
  let before = own.least - min(own.least, extentsOf(level));
  let begin = select(before.x, own.least.x, level == own.level);
  let first = before.yz >> vec2u(scale);
  let last = own.greatest.yz >> vec2u(scale);
  // Rows may end with the last number that there is.
  for (var layer = first.y; ; layer++) {
    for (var row = first.x; ; row++) {
      searchRow(own, level, row, layer, begin);
      if (row == last.x) {
        break;
      }
    }
    if (layer == last.y) {
      break;
    }
  }
}

fn searchRows(place: u32) {
  let own = rowBoxes[place];
  if (own.least.x > own.greatest.x) {
    return;
  }
  let scale = own.level % LEVELS;
  let isStatic = own.level >= LEVELS;
  let occupied = usedLevels();
  // Static boxes look at moving ones of larger levels; moving ones look at both, at their own level and above.
  var moving = occupied.x & ~((select(1u, 2u, isStatic) << scale) - 1u);
  while (moving != 0u) {
    searchLevel(own, firstTrailingBit(moving));
    moving &= moving - 1u;
  }
  var standing = select(occupied.y & ~((1u << scale) - 1u), 0u, isStatic);
  while (standing != 0u) {
    searchLevel(own, LEVELS + firstTrailingBit(standing));
    standing &= standing - 1u;
  }
}

// requires broadphase/rows.wgsl
// Levels that are used, of those that boxes have. Where there are many, every second one is left out, and its boxes are
// on the next one. Needs the binding `levels` as vec4u: measure.wgsl has written it.

const MOST_LEVELS = 4u;
const ODD = 0xaaaaaaaau;
const LAST = 0x80000000u;

fn areMany() -> bool {
  return countOneBits(levels[OCCUPIED].x | levels[OCCUPIED].y) > MOST_LEVELS;
}

// The level that boxes of a level are on. The last one has no next one.
fn usedLevel(level: u32) -> u32 {
  return level + select(0u, level & 1u, areMany() && level % LEVELS != LEVELS - 1u);
}

// Bits of the levels of moving and of static boxes.
fn usedLevels() -> vec2u {
  let occupied = levels[OCCUPIED].xy;
  let moved = (occupied & vec2u(ODD)) << vec2u(1u);
  let left = occupied & vec2u(~ODD | LAST);
  return select(occupied, left | moved, areMany());
}

// The greatest extents of boxes on a level that is used.
fn extentsOf(level: u32) -> vec3u {
  let own = levels[level].xyz;
  let isJoined = areMany() && level % 2u == 0u && level % LEVELS != 0u;
  return select(own, max(own, levels[max(level, 1u) - 1u].xyz), isJoined);
}

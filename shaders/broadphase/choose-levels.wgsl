// requires broadphase/rows.wgsl
// Where there are many levels, every second one is left out, and its boxes are on the next one.

const MOST_LEVELS = 4u;
const ODD = 0xaaaaaaaau;
const LAST = 0x80000000u;

@compute @workgroup_size(1)
fn chooseLevels() {
  let occupied = levels[OCCUPIED];
  if (countOneBits(occupied.x | occupied.y) <= MOST_LEVELS) {
    return;
  }
  // The last one has no next one.
  let last = occupied & vec4u(LAST);
  let odd = (occupied & vec4u(ODD)) << vec4u(1u);
  levels[OCCUPIED] = vec4u(((occupied & vec4u(~ODD)) | odd | last).xy, 1u, 0u);
  for (var level = 2u; level < 2u * LEVELS; level += 2u) {
    if (level != LEVELS) {
      levels[level] = max(levels[level], levels[level - 1u]);
    }
  }
}

// Copies of bodies where space repeats: copy c of a body is number 2^k body + c, k axes repeat, and the bits of c say
// along which of these it is moved by a length of the box. Twin: src/dem/scene/repeated-space.ts. Bindings: `control`.

struct Cells {
  cell: vec3i,
  fraction: vec3u,
}

fn plus(at: Cells, by: Cells) -> Cells {
  let fraction = at.fraction + by.fraction;
  return Cells(at.cell + by.cell + select(vec3i(0), vec3i(1), fraction < at.fraction), fraction);
}

fn minus(at: Cells, by: Cells) -> Cells {
  let fraction = at.fraction - by.fraction;
  return Cells(at.cell - by.cell - select(vec3i(0), vec3i(1), by.fraction > at.fraction), fraction);
}

// The length of the box along some axes.
fn lengthAlong(axes: vec3<bool>) -> Cells {
  return Cells(
    select(vec3i(0), control.lengthCell, axes),
    select(vec3u(0u), control.lengthFraction, axes),
  );
}

// Bits of the axes x, y, z.
fn axesOf(bits: u32) -> vec3<bool> {
  return (vec3u(bits) & vec3u(1u, 2u, 4u)) != vec3u(0u);
}

// How many axes repeat.
fn repeatedAxes() -> u32 {
  return countOneBits(control.repeats);
}

// The axes of bits that are one per axis that repeats.
fn axesOfCopy(bits: u32) -> u32 {
  var axes = 0u;
  var left = bits;
  for (var axis = 1u; axis <= 4u; axis <<= 1u) {
    if ((control.repeats & axis) != 0u) {
      axes |= select(0u, axis, (left & 1u) != 0u);
      left >>= 1u;
    }
  }
  return axes;
}

fn bodyOf(copy: u32) -> u32 {
  return copy >> repeatedAxes();
}

// The way from a body to its copy.
fn shiftOf(copy: u32) -> Cells {
  return lengthAlong(axesOf(axesOfCopy(copy & ((1u << repeatedAxes()) - 1u))));
}

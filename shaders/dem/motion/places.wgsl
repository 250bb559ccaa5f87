// Positions in three parts: whole cells, units of 2^-32 of a cell, and the remainder below a unit.

// Most cells that a body may move by: farther than the range of positions is wide.
const MOST_CELLS = 0x1p20f;

struct Place {
  cell: vec3i,
  fraction: vec3u,
  carry: vec3f,
}

struct Coordinate {
  cell: i32,
  fraction: u32,
  carry: f32,
}

// A coordinate, moved by so many cells. The amount is taken apart, not the number: just below 0, a whole number and the
// rest would lose their digits.
fn coordinateMoved(at: Coordinate, by: f32) -> Coordinate {
  let amount = min(abs(by), MOST_CELLS);
  let cells = floor(amount);
  let units = (amount - cells) * 0x1p32f;
  let whole = floor(units);
  var cell = i32(cells);
  var fraction = u32(whole);
  var carry = units - whole;
  if (by < 0.0) {
    // Subtracts: borrows a unit where the carry is too small, and a cell where the fraction is.
    let borrow = select(0u, 1u, carry > at.carry);
    carry = at.carry - carry + f32(borrow);
    let left = at.fraction - fraction;
    cell = at.cell - cell - select(0, 1, fraction > at.fraction) - select(0, 1, borrow > left);
    return Coordinate(cell, left - borrow, carry);
  }
  carry += at.carry;
  let more = select(0u, 1u, carry >= 1.0);
  carry -= f32(more);
  let sum = at.fraction + fraction;
  cell = at.cell + cell + select(0, 1, sum < fraction) + select(0, 1, sum + more < more);
  return Coordinate(cell, sum + more, carry);
}

fn placeMoved(at: Place, by: vec3f) -> Place {
  let x = coordinateMoved(Coordinate(at.cell.x, at.fraction.x, at.carry.x), by.x);
  let y = coordinateMoved(Coordinate(at.cell.y, at.fraction.y, at.carry.y), by.y);
  let z = coordinateMoved(Coordinate(at.cell.z, at.fraction.z, at.carry.z), by.z);
  return Place(
    vec3i(x.cell, y.cell, z.cell),
    vec3u(x.fraction, y.fraction, z.fraction),
    vec3f(x.carry, y.carry, z.carry),
  );
}

// Arms at which the impulses of a row act, the distance of its bodies there, and their speed. Bindings: `rows`,
// `solver`. Twin: `#place` of src/dem/impulses/impulse-solver.ts, `relative` of src/dem/impulses/row-solver.ts.

struct RowArms {
  a: vec3f,
  b: vec3f,
  distance: f32,
}

// To first order in turns: a ball that rolls keeps its distance. Impulses act at the same arm of a body beside a wall,
// and of two bodies that move halfway between both.
fn armsOf(row: u32, a: u32, b: u32) -> RowArms {
  let isFixedA = solver[a].inverseMass == 0.0;
  let share = select(select(0.5, 0.0, solver[b].inverseMass == 0.0), 1.0, isFixedA);
  let gap = solver[b].way - solver[a].way;
  let foundA = rows[row].foundA;
  let foundB = rows[row].foundB;
  let moved = gap + (cross(solver[b].turn, foundB) - cross(solver[a].turn, foundA));
  return RowArms(
    foundA + share * gap,
    foundB - (1.0 - share) * gap,
    rows[row].found + dot(rows[row].normal, moved),
  );
}

// Velocity of B beside A at a row, as bodies move in `solver`.
fn speedAt(arms: RowArms, a: u32, b: u32) -> vec3f {
  return (solver[b].velocity - solver[a].velocity) + (cross(solver[b].spin, arms.b) - cross(solver[a].spin, arms.a));
}

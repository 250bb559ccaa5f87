// Directions across a direction.

const [X, Y, Z] = [[1, 0, 0] as const, [0, 1, 0] as const, [0, 0, 1] as const];

/** The coordinate axis that is most nearly perpendicular to a direction. */
export function axisAcross(x: number, y: number, z: number): readonly [number, number, number] {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const az = Math.abs(z);
  return ax <= ay && ax <= az ? X : ay <= az ? Y : Z;
}

/** Sets two unit vectors that are perpendicular to a unit vector x and to each other: p, q, x are right-handed. */
export function setAcross(x: number, y: number, z: number, p: Float64Array, q: Float64Array): void {
  const [ex, ey, ez] = axisAcross(x, y, z);
  const px = y * ez - z * ey;
  const py = z * ex - x * ez;
  const pz = x * ey - y * ex;
  const length = Math.sqrt(px * px + py * py + pz * pz);
  p[0] = px / length;
  p[1] = py / length;
  p[2] = pz / length;
  q[0] = y * p[2]! - z * p[1]!;
  q[1] = z * p[0]! - x * p[2]!;
  q[2] = x * p[1]! - y * p[0]!;
}

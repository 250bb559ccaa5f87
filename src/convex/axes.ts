// Directions across a direction.

/** The coordinate axis that is most nearly perpendicular to a direction. */
export function axisAcross(x: number, y: number, z: number): readonly [number, number, number] {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  return ax <= ay && ax <= az ? [1, 0, 0] : ay <= az ? [0, 1, 0] : [0, 0, 1];
}

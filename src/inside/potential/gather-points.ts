/** The points with these numbers. */
export function gatherPoints(points: Float32Array, numbers: Uint32Array): Float32Array {
  const some = new Float32Array(3 * numbers.length);
  numbers.forEach((i, n) => {
    some.set(points.subarray(3 * i, 3 * i + 3), 3 * n);
  });
  return some;
}

/** First element of an ascending array that is at least x. */
export function lowerBound(array: Float32Array, from: number, to: number, x: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (array[middle]! < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

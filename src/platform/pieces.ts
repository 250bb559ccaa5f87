/** `read` of an `OpenFile` whose bytes come in pieces of any length. @param next undefined at the end */
export function readerOf(next: () => Promise<Uint8Array | undefined>): (into: Uint8Array) => Promise<number> {
  /** What has come and was not asked for yet. */
  let rest = new Uint8Array(0);
  return async (into) => {
    let filled = 0;
    while (filled < into.length) {
      if (rest.length === 0) {
        const piece = await next();
        if (piece === undefined) break;
        rest = piece as Uint8Array<ArrayBuffer>;
      }
      const taken = rest.subarray(0, into.length - filled);
      into.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
    }
    return filled;
  };
}

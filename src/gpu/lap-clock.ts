/** A clock whose every call returns the seconds since the one before. */
export function lapClock(): () => number {
  let mark = performance.now();
  return () => {
    const before = mark;
    mark = performance.now();
    return (mark - before) / 1000;
  };
}

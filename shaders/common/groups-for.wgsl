// Workgroups in x and y for a number of threads: `dispatchSize` of dispatch.ts is its twin. `mostGroups` is the most
// per dimension, `allGroups` the most of all.
fn groupsFor(threads: u32, mostGroups: u32, allGroups: u32) -> vec2u {
  let groups = threads / GROUP + select(0u, 1u, threads % GROUP != 0u);
  let y = max(1u, groups / mostGroups + select(0u, 1u, groups % mostGroups != 0u));
  let x = groups / y + select(0u, 1u, groups % y != 0u);
  // Numbers of threads must not start again at 0.
  if (x * y > allGroups) {
    return vec2u(32768u, allGroups / 32768u);
  }
  return vec2u(x, y);
}

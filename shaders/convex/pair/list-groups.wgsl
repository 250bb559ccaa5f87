// Workgroups for a list of pairs, for an indirect dispatch: threads without a pair cost a software adapter as much as others.

const GROUP = 64u;
// 1 for the list of pairs that box axes leave open, in the second half of `work`.
override OPEN_LIST: u32 = 0u;

@compute @workgroup_size(1)
fn listGroups() {
  let count = work[select(0u, arrayLength(&work) / 2u, OPEN_LIST != 0u)];
  workgroups[0] = (count + GROUP - 1u) / GROUP;
  workgroups[1] = 1u;
  workgroups[2] = 1u;
}

// Scan, downwards: every number becomes the sum of those before it, given the sum of those before its block.

const GROUP = 64u;
const BLOCK = 64u;

@compute @workgroup_size(GROUP)
fn scanOffsets(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let block = params.first + id.x + id.y * groups.x * GROUP;
  if (block >= params.end) {
    return;
  }
  let end = min(params.capacity, (block + 1u) * BLOCK);
  var sum = sums[block];
  for (var at = block * BLOCK; at < end; at++) {
    let next = sum + numbersToScan[at];
    numbersToScan[at] = sum;
    sum = select(next, 0xffffffffu, next < sum);
  }
}

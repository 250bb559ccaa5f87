// Scan, upwards: the sum of every block of numbers. Sums stick at the largest u32, so that one too large is seen.

const GROUP = 64u;
// `SCAN_BLOCK` on the host.
const BLOCK = 64u;

@compute @workgroup_size(GROUP)
fn scanSums(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let block = params.first + id.x + id.y * groups.x * GROUP;
  if (block >= params.end) {
    return;
  }
  let end = min(params.capacity, (block + 1u) * BLOCK);
  var sum = 0u;
  for (var at = block * BLOCK; at < end; at++) {
    let next = sum + numbersToScan[at];
    sum = select(next, 0xffffffffu, next < sum);
  }
  sums[block] = sum;
}

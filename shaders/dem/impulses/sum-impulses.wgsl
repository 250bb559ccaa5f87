// Sums up the energies that the impulses of a step took out and brought in. Thread t of `threads` adds up pairs whose
// first contacts are t, t + threads, ..., and likewise bodies: the same ones, whatever pairs are listed that do not
// touch.

const NONE = 0xffffffffu;

@compute @workgroup_size(GROUP)
fn sumImpulses(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.threads) {
    return;
  }
  var sum = ForceSums();
  if (control.stop == 0u && control.timeStep > 0.0) {
    var gained = 0.0;
    for (var i = id.x; i < keys[control.current].x; i += params.threads) {
      let row = records[i].spare.y;
      if (row == NONE) {
        continue;
      }
      gained += groups[row].gained;
      sum.bounced += groups[row].bounced;
      sum.slid += groups[row].slid;
      sum.rolledOff += groups[row].rolled;
      sum.work += groups[row].driven;
    }
    for (var body = id.x; body < control.count; body += params.threads) {
      gained += solver[body].gained;
    }
    sum.pushed = gained + sum.bounced + sum.slid + sum.rolledOff;
  }
  sums[id.x] = sum;
}

// Copies words, four a thread: what a kernel pays for reading points before it has tested any.

const GROUP = 64u;

@group(0) @binding(0) var<storage, read> points: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> copied: array<vec4u>;

@compute @workgroup_size(GROUP)
fn copy(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let at = id.x + id.y * groups.x * GROUP;
  if (at < arrayLength(&points)) {
    copied[at] = points[at];
  }
}

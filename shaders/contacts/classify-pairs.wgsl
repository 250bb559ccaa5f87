// The class of each pair of entries: one bit, for compactions. Twin: classifyPairs in src/contacts/cpu/pair-classes.ts.

const IS_BALL = 0u;
const IS_CONVEX = 1u;

const CONVEX = 1u;
const POLYHEDRA = 2u;
const PATCHES = 4u;

@compute @workgroup_size(GROUP)
fn classifyPairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= sizes[params.sizeAt].w) {
    return;
  }
  let a = entries[pairs[i].x].y;
  let b = entries[pairs[i].y].y;
  let isConvex = a <= IS_CONVEX && b <= IS_CONVEX;
  let isPatch = a == IS_BALL || b == IS_BALL;
  flags[i] = select(select(POLYHEDRA, PATCHES, isPatch), CONVEX, isConvex);
}

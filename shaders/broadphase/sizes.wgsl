// requires common/groups-for.wgsl
// Sizes of indirect dispatches: `Size` of src/broadphase/gpu/gpu-broad-phase.ts has their places.

const FRESH_PAIRS = 0u;
const ALL_PAIRS = 1u;

fn sizeFor(count: u32) -> vec4u {
  return vec4u(groupsFor(count, params.mostGroups, params.allGroups), 1u, count);
}

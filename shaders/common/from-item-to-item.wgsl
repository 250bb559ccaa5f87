// Kernels whose threads go from item to item: thread t works on items t, t + threads, ... On a software adapter threads
// are fewer than items, and each passes over those with nothing to do, as threads side by side wait for each other
// (`threadsOver` of src/gpu/blocks/form.ts).

fn threadOf(id: vec3u, groups: vec3u) -> u32 {
  return id.x + id.y * groups.x * GROUP;
}

fn threadsIn(groups: vec3u) -> u32 {
  return groups.x * groups.y * GROUP;
}

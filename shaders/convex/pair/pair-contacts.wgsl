// requires convex/pair/statuses.wgsl
// Writes contacts of pairs of bodies, in the world: those of two convex bodies, or of all parts of concave ones. A
// place that several parts share is there once. If there are more than there is room for, the deepest stays, then again
// and again the one that lies farthest from all that stay. Twin: `PartContacts` of src/convex/manifold/manifold.ts.

override CONCAVE: u32 = 0u;
// Contacts that a pair of convex bodies has room for.
override CONTACTS: u32 = 4u;
// Cosine of the angle between normals up to which they are one.
override SAME_NORMAL: f32 = 0.999;
const MOST_KEPT = 16u;
const ANSWER = 12u;
const NO_PLACE = 0xffffffffu;
const FAR = 0x1p126;

// Kept contacts about the first convex body of A: place and distance, normal.
var<private> kept: array<vec4f, MOST_KEPT>;
var<private> normals: array<vec3f, MOST_KEPT>;
var<private> keptCount: u32;

fn contactCount(place: u32) -> u32 {
  return results[RESULT * place].w >> 24u;
}

fn normalOf(place: u32) -> vec3f {
  return bitcast<vec3f>(results[RESULT * place + 1u].xyz);
}

// From the centre of one convex body to that of another.
fn between(origin: u32, body: u32) -> vec3f {
  return (bodies[body].centre - bodies[origin].centre) + (bodies[body].centreRest - bodies[origin].centreRest);
}

// The squared distance of a contact from those that are kept; below 0 if it is one of them, whose depth is then the
// deeper one.
fn gapTo(contact: vec4f, normal: vec3f, near: f32) -> f32 {
  var gap = FAR;
  for (var k = 0u; k < keptCount; k++) {
    let way = abs(contact.xyz - kept[k].xyz);
    if (max(max(way.x, way.y), way.z) <= near && dot(normal, normals[k]) >= SAME_NORMAL) {
      kept[k].w = min(kept[k].w, contact.w);
      return -1.0;
    }
    gap = min(gap, dot(way, way));
  }
  return gap;
}

// Keeps one more of the contacts of pairs of parts: the deepest, or the farthest from those kept. False if there is
// none.
fn keepNext(a: vec2u, b: vec2u, first: u32) -> bool {
  var most = -FAR;
  var found = false;
  var best = vec4f();
  var bestNormal = vec3f();
  for (var k = 0u; k < a.y * b.y; k++) {
    let place = first + k;
    let near = bitcast<f32>(results[RESULT * place + 1u].w);
    let shift = between(a.x, a.x + k / b.y);
    let normal = normalOf(place);
    for (var c = 0u; c < contactCount(place); c++) {
      let own = contacts[CONTACTS * place + c];
      let contact = vec4f(own.xyz + shift, own.w);
      let gap = gapTo(contact, normal, near);
      let value = select(gap, -own.w, keptCount == 0u);
      if (gap >= 0.0 && (!found || value > most)) {
        most = value;
        found = true;
        best = contact;
        bestNormal = normal;
      }
    }
  }
  if (found && keptCount < MOST_KEPT) {
    kept[keptCount] = best;
    normals[keptCount] = bestNormal;
    keptCount++;
  }
  return found;
}

// Insertion sort: deepest first.
fn sortByDepth() {
  for (var i = 1u; i < keptCount; i++) {
    let contact = kept[i];
    let normal = normals[i];
    var to = i;
    while (to > 0u) {
      if (kept[to - 1u].w <= contact.w) {
        break;
      }
      kept[to] = kept[to - 1u];
      normals[to] = normals[to - 1u];
      to--;
    }
    kept[to] = contact;
    normals[to] = normal;
  }
}

fn inWorld(body: u32, contact: vec4f) -> vec4f {
  return vec4f(bodies[body].centre + (bodies[body].centreRest + contact.xyz), contact.w);
}

@compute @workgroup_size(GROUP)
fn pairContacts(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = id.x + id.y * groups.x * GROUP;
  if (i >= places[0]) {
    return;
  }
  let first = places[1u + i];
  let own = params.first + i;
  if (first == NO_PLACE || (answers[ANSWER * own + 3u] & 0xffu) == ITERATION_LIMIT) {
    return;
  }
  let a = spans[asked[own].x];
  let b = spans[asked[own].y];
  var count = contactCount(first);
  if (CONCAVE == 0u) {
    for (var c = 0u; c < count; c++) {
      manifolds[CONTACTS * own + c] = inWorld(a.x, contacts[CONTACTS * first + c]);
    }
  } else {
    keptCount = 0u;
    while (keepNext(a, b, first)) {
      if (keptCount == MOST_KEPT) {
        break;
      }
    }
    // One more look says whether more are left, which the order of those kept depends on.
    if (keptCount < MOST_KEPT || !keepNext(a, b, first)) {
      sortByDepth();
    }
    count = keptCount;
    for (var c = 0u; c < count; c++) {
      manifolds[2u * MOST_KEPT * own + c] = inWorld(a.x, kept[c]);
      manifolds[2u * MOST_KEPT * own + MOST_KEPT + c] = vec4f(normals[c], 0.0);
    }
  }
  answers[ANSWER * own + 3u] |= count << 24u;
}

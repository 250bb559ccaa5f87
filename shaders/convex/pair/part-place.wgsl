// requires convex/pair/twofold.wgsl
// The place of a convex part of a body, if it is not that of its shape (place-bodies.wgsl): p + R c, with twice the
// digits of float32. docs/convex.md, "Bodies on the GPU", has the bound.

struct PartPlace {
  high: vec3f,
  low: vec3f,
  turn: vec4f,
}

// A pose's numbers are sums of two float32.
fn placePart(body: PartPlace, turnRest: vec4f, part: u32) -> PartPlace {
  var placed = body;
  zero = vec3u(params.zero);
  let u = Twofold(body.turn.xyz, turnRest.xyz);
  let w = Twofold(body.turn.www, turnRest.www);
  if ((parts[part].place & HAS_CENTRE) != 0u) {
    // R c = c + 2 / (q q') (w (u x c) + u x (u x c)), c in units of a power of two.
    let c = Twofold(parts[part].centre, parts[part].centreRest);
    let across = crossOf(u, c);
    let turned = add(multiply(w, across), crossOf(u, across));
    let squared = add(totalOf(multiply(u, u)), multiply(w, w));
    let half = multiply(turned, inverse(squared));
    let way = add(c, Twofold(2.0 * half.high, 2.0 * half.low));
    let shift = Twofold(parts[part].scale * way.high, parts[part].scale * way.low);
    let place = add(Twofold(body.high, body.low), shift);
    placed.high = place.high;
    placed.low = place.low;
  }
  if (TURNED != 0u && (parts[part].place & IS_TURNED) != 0u) {
    // The product of both quaternions.
    let v = Twofold(parts[part].turn.xyz, parts[part].turnRest.xyz);
    let s = Twofold(parts[part].turn.www, parts[part].turnRest.www);
    let turned = add(add(multiply(w, v), multiply(s, u)), crossOf(u, v));
    let along = add(multiply(w, s), negative(totalOf(multiply(u, v))));
    placed.turn = vec4f(turned.high, along.high.x);
  }
  return placed;
}

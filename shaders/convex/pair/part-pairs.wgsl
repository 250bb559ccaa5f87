// Goes through all pairs of convex parts of a pair of bodies, A's parts slowest, and tells the bucket of each: that of
// the kinds of both records. Needs the constant CONCAVE.

struct PartPairs {
  // Convex bodies of A and of B: the first one, and how many.
  a: vec2u,
  b: vec2u,
}

// Pairs of parts of pair i. A pair that is not usable has none.
fn partPairs(i: u32) -> PartPairs {
  let bodyPair = asked[params.first + i];
  let last = arrayLength(&spans) - 1u;
  let found = min(bodyPair, vec2u(last));
  var a = vec2u(found.x, spans[found.x].y);
  var b = vec2u(found.y, spans[found.y].y);
  var isUsable = bodyPair.x != bodyPair.y && max(bodyPair.x, bodyPair.y) < params.bodies && b.y > 0u;
  // Where all bodies are convex, each is its own convex body, and there is room for every pair.
  if (CONCAVE != 0u) {
    a.x = spans[found.x].x;
    b.x = spans[found.y].x;
    isUsable &= a.y <= params.mostPartPairs / max(b.y, 1u);
  }
  return PartPairs(vec2u(a.x, select(0u, a.y, isUsable)), b);
}

// The next pair of parts: B's go first. One loop over pairs of parts takes software adapters less time than two.
fn nextPartPair(pair: vec2u, b: vec2u) -> vec2u {
  let isLast = pair.y + 1u == b.x + b.y;
  return select(vec2u(pair.x, pair.y + 1u), vec2u(pair.x + 1u, b.x), isLast);
}

// Each kind that occurs has its number in four bits of `params.kinds`.
fn kindNumber(body: u32) -> u32 {
  return (params.kinds >> (4u * bodies[body].kind)) & 15u;
}

fn bucketOf(a: u32, b: u32) -> u32 {
  return params.kindCount * kindNumber(a) + kindNumber(b);
}

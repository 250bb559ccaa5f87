// Where parts are that have the place of their shape: in the stead of part-place.wgsl.

struct PartPlace {
  high: vec3f,
  low: vec3f,
  turn: vec4f,
}

fn placePart(body: PartPlace, _turnRest: vec4f, _part: u32) -> PartPlace {
  return body;
}

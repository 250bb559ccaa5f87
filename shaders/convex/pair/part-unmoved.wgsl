// Places of parts that lie where their shape does. Stands in for part-place.wgsl.

struct PartPlace {
  high: vec3f,
  low: vec3f,
  turn: vec4f,
}

fn placePart(body: PartPlace, _turnRest: vec4f, _part: u32) -> PartPlace {
  return body;
}

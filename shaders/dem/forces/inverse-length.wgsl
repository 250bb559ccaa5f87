// 1 / length; 0 for a length of 0, which stands for a plane.
fn inverseLength(length: f32) -> f32 {
  return select(1.0 / length, 0.0, length == 0.0);
}

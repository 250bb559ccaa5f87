/** Layouts of buffers on the GPU that several stages of a pipeline share. */
import * as d from 'typegpu/data';
import { struct } from '../../gpu/struct.ts';

/** A contact on the GPU: 64 bytes. As `ContactArrays`, but places are less A's position, in float32. */
export const ContactRecord = struct('ContactRecord', {
  bodyA: d.u32,
  bodyB: d.u32,
  /** A's part, and B's times 2^16. */
  parts: d.u32,
  feature: d.u32,
  normal: d.vec3f,
  distance: d.f32,
  /** The contact's place less the position of A's body, in the world's axes. */
  offset: d.vec3f,
  area: d.f32,
  triangle: d.u32,
  /** `ContactKind`, and `ContactStatus` times 2^8. */
  kindAndStatus: d.u32,
  spare: d.vec2u,
});

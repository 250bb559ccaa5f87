/** Faces of convex shapes on the GPU: what several kernels read and write. */
import * as d from 'typegpu/data';
import { struct } from '../../gpu/struct.ts';

/** As `packFaces` says. */
export const faceWords = { storage: d.arrayOf(d.u32) } as const;

/** The three contacts of a pair: no longer than a simplex (`SIMPLEX`), whose place they take. */
export const FaceContacts = struct('FaceContacts', {
  /** Place less A's centre, in the world's axes, and area. */
  places: d.arrayOf(d.vec4f, 3),
  /** Normal and distance; that of the first is 0 where there are no contacts. */
  normals: d.arrayOf(d.vec4f, 3),
  /** `ContactStatus`. */
  status: d.u32,
});

/** Layouts of the broad phase's buffers on the GPU. */
import * as d from 'typegpu/data';
import { struct } from '../gpu/struct.ts';

/** Where a body is. Differences of positions are exact, however far from the origin. */
export const ContactBody = struct('ContactBody', {
  /** Position: whole cells, */
  cell: d.vec3i,
  /** bit 0: static; bit 1: absent */
  flags: d.u32,
  /** and 2^-32 of a cell. */
  fraction: d.vec3u,
  spare: d.u32,
  /** Unit quaternion x, y, z, w. */
  quaternion: d.vec4f,
});

/** Where an entry lies in its body's frame, in the scene's unit of length. */
export const EntryPlace = struct('EntryPlace', {
  /** Middle of its box. */
  middle: d.vec3f,
  /** Radius of a ball about the middle that holds it, too. */
  radius: d.f32,
  /** Half axes of its box. */
  halfX: d.vec3f,
  body: d.u32,
  halfY: d.vec3f,
  /** |middle| and half the diagonal: what errors are relative to. */
  far: d.f32,
  halfZ: d.vec3f,
  spare: d.f32,
});

/** Which entries may pair with one. Bit 0 of `flags`: static; two entries that share any other bit do not pair. */
export const EntryFilter = struct('EntryFilter', { body: d.u32, groups: d.u32, masks: d.u32, flags: d.u32 });

/** A box, both ends inside: in quanta for `EntryBox`, and with the sign's bit turned for `RowBox`. */
export const EntryBox = struct('EntryBox', { least: d.vec3i, spare: d.u32, greatest: d.vec3i, rest: d.u32 });
export const RowBox = struct('RowBox', { least: d.vec3u, level: d.u32, greatest: d.vec3u, entry: d.u32 });

/** What is known of the list of pairs: words of the header. `header.wgsl` has the same. */
export const HeaderWord = {
  /** Pairs in the list: all that there are, or 0 where there is no room for them. */
  count: 0,
  /** Pairs that there are; 2^32 - 1 for 2^31 and more. */
  needed: 1,
  /** 1 if the list was made anew this time, 0 if the one before still served. */
  rebuilt: 2,
  /** Entries, bodies and pairs that there was work on this time: 0 where the list served. */
  entries: 3,
  bodies: 4,
  fresh: 5,
  /** 1 if there is a whole list of bodies, which may serve the next time. */
  serves: 6,
  /** Bits of a float32: the farthest that a point had moved since the list before was made, a length. */
  moved: 7,
} as const;
/** Words of the header. */
export const HEADER_WORDS = 8;

/** Levels of moving and of static boxes. */
const LEVEL_COUNT = 2 * 32;
/**
 * Greatest extents of each level's boxes; then a vec4u whose x and y have a bit per level that has boxes, of moving and
 * of static ones.
 */
export const LEVEL_WORDS = 4 * (LEVEL_COUNT + 1);

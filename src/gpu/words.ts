/** Bytes of a word: u32, i32 or f32. */
export const WORD = 4;

// What faces and features of contacts have in common.

// src/convex/constants.ts has its reason. Points that differ by less, in units of the pair's size, are one.
override RESOLUTION: f32 = 0x1p-20;
const MOST_CORNERS = 8u;

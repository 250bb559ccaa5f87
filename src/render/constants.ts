/** Numbers of pictures. None of them decides anything but looks. */
import { DEGREE } from '../constants.ts';

/** Most directions of the sky. */
export const MOST_SKY = 32;
/** Directions of the sky, each of which draws all bodies once more. 16 show no edges of single shadows. */
export const DEFAULT_SKY = 16;
/** Texels along a side of the map of the key light, and of each map of the sky. */
export const KEY_TEXELS = 2048;
export const SKY_TEXELS = 512;
/** Samples per pixel. */
export const SAMPLES = 4;

/** Radians: from +x towards +y, above the horizon, and the camera's field of view from top to bottom. */
export const DEFAULT_AZIMUTH = -60 * DEGREE;
export const DEFAULT_ELEVATION = 22 * DEGREE;
export const FIELD_OF_VIEW = 28 * DEGREE;
/** Radians, 89 degrees: at 90, the camera's back would be straight up. */
export const MOST_ELEVATION = 1.5534;
/** Radians from the camera's azimuth to the key light's, and the light's elevation. */
export const KEY_TURN = -55 * DEGREE;
export const KEY_ELEVATION = 52 * DEGREE;
/** Share of the picture that the scene fills. */
export const FILL = 0.9;

/** Of the scene's radius: how far planes are drawn. */
export const GROUND = 3.2;
/** Lines of the grid along the scene's radius, about. */
export const GRID_LINES = 8;
/** Encoded red, green and blue. */
export const BACKGROUND = [0.93, 0.938, 0.947] as const;

/** Most that a curved surface lies beyond its triangles, of its diameter. */
export const CHORD = 1 / 400;
/** Radians between faces of a curved surface up to which they look as one. */
export const CREASE = 40 * DEGREE;
/** Bodies at most that a camera is fitted to, drawn evenly from all. */
export const MOST_FITTED = 20_000;
/** Share of moving bodies, on each side along each axis, that may lie far off without the camera following. */
export const STRAYS = 0.005;
/** A wall is cut open if it hides this share of what it holds, of so many bodies at most that are looked at. */
export const HIDDEN_SHARE = 0.4;
export const MOST_LOOKED_AT = 64;
/** Walls are shown as far as so many times the size of what moves. */
export const WALLS_SHOWN = 4;

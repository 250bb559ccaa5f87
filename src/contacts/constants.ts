/** Numbers of contacts, each with its unit and its reason. Bounds are derived in docs/contacts.md. */

/**
 * How far a support point in float64 may be off, relative to the radius of its shape and the distance of its centre:
 * 16 roundings of 2^-53 (docs/convex.md, "Tolerances"), and as many for the box that is made of two of them.
 */
export const SUPPORT_ROUNDING = 2 ** -48;

// Words of the table of rows: `RowTable` of src/contacts/gpu/row-kernels.ts.

const POLYHEDRA = 0u;
const PATCHES = 1u;
const CONVEX = 2u;
const PLANES = 3u;
const ROWS = 4u;
const LIST = 5u;
const FRESH_ENTRIES = 6u;

// Words of the header: `HeaderWord` of src/broadphase/broad-phase-layout.ts.

const PAIRS = 0u;
const NEEDED = 1u;
const REBUILT = 2u;
const ENTRIES = 3u;
const BODIES = 4u;
const FRESH = 5u;
const SERVES = 6u;
const MOVED = 7u;

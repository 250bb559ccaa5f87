// Bit of an entry that begins a run of its body's entries: `row-runs.wgsl`.
const RUN_BEGINS = 0x80000000u;

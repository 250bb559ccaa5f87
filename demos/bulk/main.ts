/** Bulk goods. */
export {};

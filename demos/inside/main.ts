/** Inside viewer. */
export {};

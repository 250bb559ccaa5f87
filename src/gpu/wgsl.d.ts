/** `scripts/wgsl-modules.ts` makes them. */
declare module '*.wgsl' {
  const source: import('./shader.ts').ShaderSource;
  export default source;
}

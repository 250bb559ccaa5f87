/**
 * WebGPU's types for the declarations of the package. A user's TypeScript has these types from the DOM library of
 * TypeScript 6 or from `@webgpu/types`. Elsewhere, as in a Node project without the DOM library, declarations that name
 * them would not compile. There these types stand for something plain.
 */

/** The type of the objects of a global class. `Without` if there is no such class. */
type Instance<Name extends string, Without = unknown> =
  typeof globalThis extends Readonly<Record<Name, { readonly prototype: infer Type }>> ? Type : Without;

export type WebGpu = Instance<'GPU'>;
export type WebGpuDevice = Instance<'GPUDevice'>;
export type WebGpuLimits = Instance<'GPUSupportedLimits', Readonly<Record<string, number>>>;
export type WebGpuBuffer = Instance<'GPUBuffer'>;
export type WebGpuCommandEncoder = Instance<'GPUCommandEncoder'>;
export type WebGpuTexture = Instance<'GPUTexture'>;

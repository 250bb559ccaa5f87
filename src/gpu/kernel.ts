/** Kernels: a pipeline with the types of its bindings, which are those of its TypeGPU layout. */
import tgpu, { type TgpuBindGroupLayout, type TgpuLayoutEntry } from 'typegpu';
import type { AnyWgslData, Infer } from 'typegpu/data';
import type { Device } from './device.ts';
import {
  type AssembledShader,
  assembledOnce,
  createComputePipeline,
  type ShaderSource,
  type ShaderVariant,
} from './shader.ts';

/** Bindings of a layout by name. */
export type LayoutEntries = Record<string, TgpuLayoutEntry | null>;

/** A buffer, or a part of one. */
export type BufferPart = GPUBuffer | GPUBufferBinding;

/** The buffers that a layout needs: one per name, but for `params`, which a `Recorder` writes. */
export type KernelBuffers<Entries extends LayoutEntries> = {
  readonly [Name in keyof Entries as Entries[Name] extends { storage: unknown } ? Name : never]: BufferPart;
};

/** The schema of the uniform `params` of a layout; never where it has none. */
export type ParamsSchema<Entries extends LayoutEntries> = Entries extends {
  params: { uniform: infer Schema extends AnyWgslData };
}
  ? Schema
  : never;

/** The value of `params` of a layout. */
export type KernelParams<Entries extends LayoutEntries> = Infer<ParamsSchema<Entries>>;

/** A compute kernel ready to run: its pipeline and the layout of its bindings. */
export interface Kernel<Entries extends LayoutEntries = LayoutEntries> {
  readonly label: string;
  readonly pipeline: GPUComputePipeline;
  readonly layout: TgpuBindGroupLayout<Entries>;
  /** The layout on the device: uniforms have dynamic offsets. */
  readonly groupLayout: GPUBindGroupLayout;
  /** How many uniforms there are, each with a dynamic offset. */
  readonly uniforms: number;
}

/** The kernel of a source. */
export type KernelOf<Source> = Source extends KernelSource<infer Entries> ? Kernel<Entries> : never;

/** A kernel's text and bindings. Its entry point is named like its file: `cell-look-up.wgsl` has `cellLookUp`. */
export interface KernelSource<Entries extends LayoutEntries = LayoutEntries> {
  /** The whole WGSL, assembled when first asked for. */
  readonly shader: () => AssembledShader;
  readonly layout: TgpuBindGroupLayout<Entries>;
  readonly entryPoint: string;
  /** Values of `override` constants. */
  readonly constants?: Readonly<Record<string, number>>;
}

/** What makes a kernel of a WGSL file and its bindings, all in group 0. */
export function kernelSource<Entries extends LayoutEntries>(
  source: ShaderSource,
  bindings: Entries,
  variant?: ShaderVariant,
): KernelSource<Entries> {
  const entryPoint = entryPointOf(source.name);
  const layout = tgpu.bindGroupLayout(bindings).$idx(0).$name(`${entryPoint}Layout`);
  return { shader: assembledOnce(source, [layout], variant), layout, entryPoint };
}

function entryPointOf(file: string): string {
  const stem = file
    .split('/')
    .at(-1)!
    .replace(/\.wgsl$/, '');
  return stem.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const kernels = new WeakMap<Device, Map<string, Promise<Kernel<never>>>>();

/** The kernel of a source on a device, compiled once per device and set of `override` constants. */
export function compileKernel<Entries extends LayoutEntries>(
  device: Device,
  { shader, layout, entryPoint, constants: own = {} }: KernelSource<Entries>,
  constants: Readonly<Record<string, number>> = own,
): Promise<Kernel<Entries>> {
  return getKernel(device, shader(), { entryPoint, layout, constants });
}

/** Kernels by the names of their sources; none where there is no source. */
export type KernelsOf<Sources> = {
  readonly [Name in keyof Sources]:
    | (Sources[Name] extends KernelSource<infer Entries> | undefined ? Kernel<Entries> : never)
    | (undefined extends Sources[Name] ? undefined : never);
};

/** The kernels of some sources, compiled side by side. */
export async function compileKernels<Sources extends Record<string, KernelSource | undefined>>(
  device: Device,
  sources: Sources,
): Promise<KernelsOf<Sources>> {
  const compile = async ([name, source]: [string, KernelSource | undefined]) =>
    [name, source && (await compileKernel(device, source))] as const;
  return Object.fromEntries(await Promise.all(Object.entries(sources).map(compile))) as KernelsOf<Sources>;
}

/** The kernel of an assembled shader on a device; see `compileKernel`. */
export function getKernel<Entries extends LayoutEntries>(
  device: Device,
  shader: AssembledShader,
  options: {
    entryPoint: string;
    layout: TgpuBindGroupLayout<Entries>;
    constants?: Readonly<Record<string, number>>;
  },
): Promise<Kernel<Entries>> {
  let ofDevice = kernels.get(device);
  if (ofDevice === undefined) {
    ofDevice = new Map();
    kernels.set(device, ofDevice);
  }
  const key = `${shader.name} ${JSON.stringify(options.constants ?? {})}`;
  // A shader's name stands for its text and its layout, so what is found under it has these bindings.
  const found = ofDevice.get(key) as Promise<Kernel<Entries>> | undefined;
  if (found !== undefined) return found;
  const made = makeKernel(device, shader, options);
  ofDevice.set(key, made as unknown as Promise<Kernel<never>>);
  // A later call tries again: what was out of memory may not be then.
  const cache = ofDevice;
  made.catch(() => cache.delete(key));
  return made;
}

async function makeKernel<Entries extends LayoutEntries>(
  device: Device,
  shader: AssembledShader,
  options: {
    entryPoint: string;
    layout: TgpuBindGroupLayout<Entries>;
    constants?: Readonly<Record<string, number>>;
  },
): Promise<Kernel<Entries>> {
  const { entryPoint, layout, constants = {} } = options;
  const groupLayout = createGroupLayout(device, shader.name, layout);
  const pipelineLayout = device.handle.createPipelineLayout({
    label: shader.name,
    bindGroupLayouts: [groupLayout],
  });
  const pipeline = await createComputePipeline(device, shader, {
    entryPoint,
    layout: pipelineLayout,
    constants,
  });
  const uniforms = Object.values(layout.entries).filter((entry) => entry && 'uniform' in entry).length;
  return { label: shader.name, pipeline, layout, groupLayout, uniforms };
}

/**
 * A layout's bindings on a device. TypeGPU's own `unwrap` does not do: it has no dynamic offsets, and it makes bindings
 * visible to vertex shaders, where some devices allow no storage buffers.
 */
function createGroupLayout(device: Device, label: string, layout: TgpuBindGroupLayout): GPUBindGroupLayout {
  return device.handle.createBindGroupLayout({
    label,
    entries: Object.values(layout.entries).map((entry, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: bufferLayout(entry),
    })),
  });
}

function bufferLayout(entry: TgpuLayoutEntry | null): GPUBufferBindingLayout {
  if (entry && 'uniform' in entry) return { type: 'uniform', hasDynamicOffset: true };
  const isMutable = entry && 'storage' in entry && entry.access === 'mutable';
  return { type: isMutable ? 'storage' : 'read-only-storage' };
}

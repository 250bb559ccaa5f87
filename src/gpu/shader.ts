/** Assembles WGSL: bindings generated from TypeGPU layouts, then the parts that it requires, then the kernel. */

import tgpu, { type TgpuBindGroupLayout } from 'typegpu';
import { platform } from '#platform';
import { DeviceError, firstLine } from '../errors.ts';
import type { Device } from './device.ts';
import { GROUP } from './dispatch.ts';

/** Bindings of a kernel, a TypeGPU bind group layout. */
export type ShaderLayout = TgpuBindGroupLayout;

/** A WGSL file, as its import gives it (scripts/wgsl-modules.ts). */
export interface ShaderSource {
  /** Below shaders/. */
  readonly name: string;
  /** Empty for a part that callers give. */
  readonly code: string;
  /** What its `// requires` lines name. Default: nothing. */
  readonly requires?: readonly ShaderSource[] | undefined;
}

/** How the text of a kernel differs from what its file says. */
export interface ShaderVariant {
  /** What kernels are kept by, in place of the file's name. */
  readonly name?: string | undefined;
  /** What stands in the place of parts, by their names. */
  readonly parts?: Readonly<Record<string, ShaderSource>> | undefined;
}

export interface AssembledShader {
  readonly name: string;
  readonly code: string;
  /** The file and line (from 1) that a line (from 1) of the assembled text came from. */
  origin(line: number): { file: string; line: number };
}

/**
 * Puts the structs and bindings of `layouts` and all parts that a kernel requires before it. Parts may require others;
 * each is included once, before what needs it.
 */
export function assembleShader(
  kernel: ShaderSource,
  layouts: readonly ShaderLayout[],
  { name = kernel.name, parts = {} }: ShaderVariant = {},
): AssembledShader {
  const bindings = layouts.length > 0 ? tgpu.resolve([...layouts]) : '';
  const segments: { file: string; text: string }[] = [{ file: `${name} (bindings)`, text: bindings }];
  const included = new Set<string>();
  const extensions = new Set<string>();
  const include = (required: ShaderSource): void => {
    if (included.has(required.name)) return;
    included.add(required.name);
    const source = parts[required.name] ?? required;
    if (source.code === '') throw new Error(`${name}: requires "${source.name}", which has no file: give it`);
    source.requires?.forEach(include);
    // WGSL has these before all else.
    const text = source.code.replaceAll(/^enable (\w+);/gm, (_, extension: string) => {
      extensions.add(extension);
      return '';
    });
    segments.push({ file: source.name, text });
  };
  include(kernel);
  if (!segments.some(({ text }) => /\bconst GROUP\b/.test(text))) {
    segments.unshift({ file: `${name} (constants)`, text: `const GROUP = ${GROUP}u;` });
  }
  if (extensions.size > 0) {
    const text = [...extensions].map((extension) => `enable ${extension};`).join(' ');
    segments.unshift({ file: `${name} (extensions)`, text });
  }
  return {
    name,
    code: segments.map((segment) => segment.text).join('\n'),
    origin(line) {
      let rest = line;
      for (const { file, text } of segments) {
        const lines = text.split('\n').length;
        if (rest <= lines) return { file, line: rest };
        rest -= lines;
      }
      return { file: kernel.name, line };
    },
  };
}

/** As `assembleShader`, when first asked for: texts and layouts of kernels that nobody runs are never put together. */
export function assembledOnce(
  kernel: ShaderSource,
  layouts: readonly ShaderLayout[],
  variant?: ShaderVariant,
): () => AssembledShader {
  let assembled: AssembledShader | undefined;
  return () => (assembled ??= assembleShader(kernel, layouts, variant));
}

/** A compiler message with the place in the file it is about. */
export interface ShaderMessage {
  readonly type: GPUCompilationMessageType;
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Compiles a shader and returns all that the compiler says, warnings included. */
export async function compileShader(
  device: Device,
  shader: AssembledShader,
): Promise<{ module: GPUShaderModule; messages: ShaderMessage[] }> {
  // The scope keeps a broken shader from being reported a second time as an uncaptured error.
  device.handle.pushErrorScope('validation');
  const module = device.handle.createShaderModule({ label: shader.name, code: shader.code });
  // Ends before anything is awaited, so that it sees nothing of what others do meanwhile.
  const popped = device.handle.popErrorScope();
  const [info] = await device.orLost(Promise.all([module.getCompilationInfo(), popped]));
  const messages = info.messages.map((message) => ({
    type: message.type,
    ...shader.origin(message.lineNum),
    text: message.message,
  }));
  return { module, messages };
}

/** Compiles a shader into a compute pipeline. @throws DeviceError with file and line if it does not compile. */
export async function createComputePipeline(
  device: Device,
  shader: AssembledShader,
  options: { entryPoint: string; layout: GPUPipelineLayout; constants?: Record<string, number> },
): Promise<GPUComputePipeline> {
  const { module, messages } = await compileShader(device, shader);
  const error = messages.find((message) => message.type === 'error');
  if (error) throw new DeviceError('failed', `${error.file}:${error.line}: ${firstLine(error.text)}`);
  const compiling = device.handle.createComputePipelineAsync({
    label: shader.name,
    layout: options.layout,
    compute: { module, entryPoint: options.entryPoint, constants: options.constants ?? {} },
  });
  return device.orLost(device.adapter.software ? platform.restWhile(compiling) : compiling);
}

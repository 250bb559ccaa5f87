/** Pipelines of the passes that draw bodies. */
import { DeviceError } from '../errors.ts';
import type { Device } from '../gpu/device.ts';
import { compileShader } from '../gpu/shader.ts';
import { SAMPLES } from './constants.ts';
import { type RenderShader, renderShaders } from './drawing-shaders.ts';
import { VERTEX } from './meshes.ts';

export interface Pipelines {
  readonly scene: GPUBindGroupLayout;
  readonly light: GPUBindGroupLayout;
  readonly lens: GPUBindGroupLayout;
  /** Maps of lights. */
  readonly shadow: GPURenderPipeline;
  /** The last front of a wall behind each pixel. */
  readonly bodies: GPURenderPipeline;
  readonly walls: GPURenderPipeline;
  readonly glass: GPURenderPipeline;
  readonly planes: GPURenderPipeline;
}

export const DEPTH = 'depth32float';

const known = new WeakMap<Device, Map<string, Promise<Pipelines>>>();

/** All passes for targets of this format, compiled once per device. */
export function pipelinesOf(device: Device, format: GPUTextureFormat): Promise<Pipelines> {
  let own = known.get(device);
  if (own === undefined) known.set(device, (own = new Map()));
  let made = own.get(format);
  if (made === undefined) {
    made = createPipelines(device, format);
    own.set(format, made);
    // A later call tries again.
    made.catch(() => own.delete(format));
  }
  return made;
}

async function createPipelines(device: Device, format: GPUTextureFormat): Promise<Pipelines> {
  const { handle } = device;
  const { VERTEX: vertexStage, FRAGMENT: fragmentStage } = GPUShaderStage;
  const both = vertexStage | fragmentStage;
  const group = (label: string, entries: Omit<GPUBindGroupLayoutEntry, 'binding'>[]) =>
    handle.createBindGroupLayout({
      label,
      entries: entries.map((entry, binding) => ({ binding, ...entry })),
    });
  const stored = { buffer: { type: 'read-only-storage' } } as const;
  const depths = { sampleType: 'depth' } as const;
  const scene = group('render: scene', [
    { visibility: both, buffer: { type: 'uniform' } },
    { visibility: both, ...stored },
    { visibility: vertexStage, ...stored },
    { visibility: vertexStage, ...stored },
    { visibility: both, ...stored },
  ]);
  const light = group('render: light', [
    { visibility: fragmentStage, texture: depths },
    { visibility: fragmentStage, texture: { ...depths, viewDimension: '2d-array' } },
    { visibility: fragmentStage, sampler: { type: 'comparison' } },
  ]);
  const lens = group('render: lens', [
    { visibility: vertexStage, buffer: { type: 'uniform', hasDynamicOffset: true } },
  ]);
  const layout = (label: string, second: GPUBindGroupLayout) =>
    handle.createPipelineLayout({ label, bindGroupLayouts: [scene, second] });
  const lit = layout('render: lit', light);
  const depthOnly = layout('render: depths', lens);
  const modules = await compiled(device);

  const position = { shaderLocation: 0, offset: 0, format: 'float32x3' } as const;
  const normal = { shaderLocation: 1, offset: 12, format: 'float32x3' } as const;
  const vertices = (...attributes: GPUVertexAttribute[]) => [{ arrayStride: 4 * VERTEX, attributes }];
  const stage = (name: RenderShader) => ({ module: modules[name], entryPoint: name });
  const shadowPass = (label: string) =>
    handle.createRenderPipelineAsync({
      label,
      layout: depthOnly,
      vertex: { ...stage('depthVertex'), buffers: vertices(position) },
      primitive: { cullMode: 'back' },
      depthStencil: { format: DEPTH, depthWriteEnabled: true, depthCompare: 'less' },
    });
  const litPass = (
    label: string,
    [vertex, fragment]: readonly [RenderShader, RenderShader],
    { isOpen = false, isGlass = false }: { isOpen?: boolean; isGlass?: boolean } = {},
  ) => {
    const over = { srcFactor: 'src-alpha', dstFactor: 'one-minus-src-alpha', operation: 'add' } as const;
    const kept = { srcFactor: 'one', dstFactor: 'one-minus-src-alpha', operation: 'add' } as const;
    const blend = isGlass ? { blend: { color: over, alpha: kept } } : {};
    return handle.createRenderPipelineAsync({
      label,
      layout: lit,
      vertex: {
        ...stage(vertex),
        buffers: vertex === 'planeVertex' ? [] : vertices(position, normal),
      },
      primitive: { cullMode: isOpen ? 'none' : 'back' },
      depthStencil: { format: DEPTH, depthWriteEnabled: !isGlass, depthCompare: 'less' },
      multisample: { count: SAMPLES },
      fragment: { ...stage(fragment), targets: [{ format, ...blend }] },
    });
  };
  const [shadow, bodies, walls, glass, planes] = await device.restWhile(
    Promise.all([
      shadowPass('render: shadow'),
      litPass('render: bodies', ['bodyVertex', 'bodyFragment']),
      litPass('render: walls', ['bodyVertex', 'wallFragment'], { isOpen: true }),
      litPass('render: glass', ['bodyVertex', 'glassFragment'], { isGlass: true }),
      litPass('render: planes', ['planeVertex', 'planeFragment']),
    ]),
  );
  return { scene, light, lens, shadow, bodies, walls, glass, planes };
}

async function compiled(device: Device): Promise<Record<RenderShader, GPUShaderModule>> {
  const names = Object.keys(renderShaders) as RenderShader[];
  const found = await Promise.all(
    names.map(async (name) => {
      const { module, messages } = await compileShader(device, renderShaders[name]());
      const error = messages.find(({ type }) => type === 'error');
      if (error)
        throw new DeviceError('failed', `${error.file}:${error.line}: ${error.text.split('\n', 1)[0]}`);
      return [name, module] as const;
    }),
  );
  return Object.fromEntries(found) as Record<RenderShader, GPUShaderModule>;
}

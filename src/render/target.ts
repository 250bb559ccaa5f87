/** Textures that are drawn to, and what reads them. */
import type { Device } from '../gpu/device.ts';
import { SAMPLES } from './constants.ts';
import { DEPTH } from './pipelines.ts';

/** What depends on the size of the picture. */
export interface Target {
  readonly width: number;
  readonly height: number;
  readonly textures: readonly GPUTexture[];
  readonly color: GPUTextureView;
  readonly depth: GPUTextureView;
  readonly light: GPUBindGroup;
}

interface TargetOptions {
  readonly width: number;
  readonly height: number;
  readonly format: GPUTextureFormat;
  /** Of the lamp's shadow and of those of the sky. */
  readonly maps: readonly GPUTexture[];
  readonly layout: GPUBindGroupLayout;
}

export function makeTarget(device: Device, { width, height, format, maps, layout }: TargetOptions): Target {
  const { handle } = device;
  const attachment = GPUTextureUsage.RENDER_ATTACHMENT;
  const texture = (label: string, format: GPUTextureFormat, sampleCount: number, usage: number) =>
    handle.createTexture({ label, size: [width, height], format, sampleCount, usage });
  const color = texture('render: samples', format, SAMPLES, attachment);
  const depth = texture('render: depth', DEPTH, SAMPLES, attachment);
  const sampler = handle.createSampler({
    label: 'render: maps',
    compare: 'less',
    magFilter: 'linear',
    minFilter: 'linear',
  });
  const [keyMap, skyMaps] = maps;
  const resources = [keyMap!.createView(), skyMaps!.createView({ dimension: '2d-array' }), sampler];
  const light = handle.createBindGroup({
    label: 'render: light',
    layout: layout,
    entries: resources.map((resource, binding) => ({ binding, resource })),
  });
  const views = { color: color.createView(), depth: depth.createView() };
  return { width, height, textures: [color, depth], ...views, light };
}

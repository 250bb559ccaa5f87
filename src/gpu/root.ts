import tgpu, { type TgpuRoot } from 'typegpu';
import type { Device } from './device.ts';

const roots = new WeakMap<Device, TgpuRoot>();

/** TypeGPU's view of a device: turns schemas into buffers and layouts. It does not own the device. */
export function rootOf(device: Device): TgpuRoot {
  let root = roots.get(device);
  if (root === undefined) {
    root = tgpu.initFromDevice({ device: device.handle });
    roots.set(device, root);
  }
  return root;
}

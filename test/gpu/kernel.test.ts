import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import { expect, it } from 'vitest';
import { getKernel } from '../../src/gpu/kernel.ts';
import { assembleShader } from '../../src/gpu/shader.ts';
import { useDevice } from '../support/device.ts';

const device = useDevice();
const layout = tgpu.bindGroupLayout({ numbers: { storage: d.arrayOf(d.u32), access: 'mutable' } });
const shader = (value: string) =>
  assembleShader({ name: 'k.wgsl', code: `@compute @workgroup_size(1)\nfn k() { numbers[0] = ${value}; }` }, [
    layout.$idx(0),
  ]);

it('a kernel is compiled once, and again only where that failed', async () => {
  const options = { entryPoint: 'k', layout };
  await expect(getKernel(device(), shader('1.5'), options)).rejects.toThrow(/k\.wgsl:2: /);
  const kernel = await getKernel(device(), shader('1u'), options);
  expect(kernel.label).toBe('k.wgsl');
  expect(await getKernel(device(), shader('1u'), options)).toBe(kernel);
});

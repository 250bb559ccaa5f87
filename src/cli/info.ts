/** `scree info`: which adapter does the work, what it can do, and which versions are in use. */
import type { Command } from 'commander';
import type { AdapterPreference, Device } from '../index.ts';
import { openDeviceFor } from './device.ts';
import { formatAdapter, formatCount, formatTable } from './format.ts';
import { adapterOption, jsonOption, withCommonOptions } from './options.ts';
import { printJson } from './output.ts';
import { ownVersion } from './versions.ts';

/** The limits that bound meshes, point sets and kernels. */
const LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupsPerDimension',
] as const satisfies readonly (keyof Device['limits'])[];

export function addInfo(program: Command): void {
  const command = program
    .command('info')
    .summary('show the WebGPU adapter and versions')
    .description('Show the WebGPU adapter that would do the work, its limits and features, and versions.')
    .addOption(adapterOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  scree info
  scree info --adapter software --json`,
    )
    .action(info);
  withCommonOptions(command);
}

async function info(options: { adapter: AdapterPreference; json?: boolean }): Promise<void> {
  const device = await openDeviceFor(options.adapter);
  const { adapter } = device;
  const limits = Object.fromEntries(LIMITS.map((name) => [name, device.limits[name]]));
  const features = [...device.features].sort();
  device.destroy();
  const versions = { scree: ownVersion('scree'), node: process.versions.node, webgpu: ownVersion('webgpu') };

  if (options.json) {
    printJson({ adapter, limits, features, versions });
    return;
  }
  const text = formatTable([
    ['adapter', formatAdapter(adapter)],
    ['vendor', adapter.vendor],
    ['architecture', adapter.architecture],
    ['device', adapter.device],
    ['description', adapter.description],
    ['software', adapter.software ? 'yes' : 'no'],
    ...LIMITS.map((name) => [name, formatCount(limits[name]!)]),
    ['features', features.join(', ') || 'none beyond the core'],
    ...Object.entries(versions),
  ]);
  process.stdout.write(`${text}\n`);
}

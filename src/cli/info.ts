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
  const versions = { scree: ownVersion('scree'), node: process.versions.node, webgpu: ownVersion('webgpu') };
  const { device, missing } = await openOrMissing(options.adapter);
  if (device === undefined) {
    if (options.json) printJson({ adapter: null, missing, versions });
    else printRows([['adapter', `none: ${missing}`], ...Object.entries(versions)]);
    return;
  }
  const { adapter } = device;
  const limits = Object.fromEntries(LIMITS.map((name) => [name, device.limits[name]]));
  const features = [...device.features].sort();
  device.destroy();
  if (options.json) {
    printJson({ adapter, limits, features, versions });
    return;
  }
  printRows([
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
}

const printRows = (rows: readonly string[][]) => process.stdout.write(`${formatTable(rows)}\n`);

/** Any adapter will do: where there is none, that is what there is to tell. One that is asked for has to be there. */
async function openOrMissing(wanted: AdapterPreference): Promise<{ device?: Device; missing?: string }> {
  try {
    return { device: await openDeviceFor(wanted) };
  } catch (error) {
    const { DeviceError } = await import('../index.ts');
    const isAbsent =
      error instanceof DeviceError && (error.reason === 'no-webgpu' || error.reason === 'no-adapter');
    if (wanted === 'auto' && isAbsent) return { missing: error.problem };
    throw error;
  }
}

/** How many bodies fit where a device was too small for those that were chosen. */
import { type Device, DeviceError } from '../../src/index.ts';
import { type Choice, RANGES } from './choice.ts';
import { Run } from './run.ts';
import { sceneOf } from './scenes.ts';

/** Whether an error says that the device has too little room. */
export function isTooLarge(error: unknown): error is DeviceError {
  return error instanceof DeviceError && (error.reason === 'limits' || error.reason === 'out-of-memory');
}

/** The first half, quarter and so on of the bodies that a device has room for: tried, not guessed. */
export async function fittingCount(device: Device | undefined, choice: Choice): Promise<number | undefined> {
  for (let count = Math.floor(choice.count / 2); count >= RANGES.count.low; count = Math.floor(count / 2)) {
    const fewer = { ...choice, count };
    try {
      (await Run.create({ device, choice: fewer, bulk: await sceneOf(fewer) })).destroy();
      return count;
    } catch (error) {
      if (!isTooLarge(error)) throw error;
    }
  }
  return undefined;
}

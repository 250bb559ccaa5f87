/** What the other pages show, without these pages: to be measured beside them. */
import type { BareFacts, MeasuredPage } from '../../src/bench/page.ts';
import { clocked } from '../../src/bench/spread.ts';
import { type Device, openDevice, Simulation } from '../../src/index.ts';
import { adapterChoice, machineKindOf, readChoice } from '../bulk/choice.ts';
import { sceneOf } from '../bulk/scenes.ts';

/** The work of a page at an address. */
export interface Bare extends BareFacts {
  /** Makes so many steps, or calls. @returns seconds */
  work(amount: number): Promise<number>;
  destroy(): void;
}

/** @param search of the page's address */
export async function openBare(page: MeasuredPage, search: string): Promise<Bare> {
  const device = await openDevice({ adapter: adapterChoice(search) });
  try {
    return await { bulk: openBulk }[page](device, search);
  } catch (error) {
    device.destroy();
    throw error;
  }
}

/** Steps are timed as suite `dem` times them. */
async function openBulk(device: Device, search: string): Promise<Bare> {
  const { choice } = readChoice(search, machineKindOf(device.adapter));
  const { scene, timeStep } = await sceneOf(choice);
  const simulation = await Simulation.create(device, scene, { timeStep, backend: choice.backend });
  return {
    ...{ count: choice.count, chosen: `${simulation.backend}: ${simulation.reason}` },
    work: async (steps) => (await clocked(() => simulation.step(steps))).seconds,
    destroy() {
      simulation.destroy();
      device.destroy();
    },
  };
}

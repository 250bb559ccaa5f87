/** What the other pages show, without these pages: to be measured beside them. */
import type { BareFacts, MeasuredPage } from '../../src/bench/page.ts';
import { screeWay } from '../../src/bench/points/ways.ts';
import { clocked } from '../../src/bench/spread.ts';
import { type Device, openDevice, Simulation } from '../../src/index.ts';
import { adapterChoice, machineKindOf, readChoice } from '../bulk/choice.ts';
import { sceneOf } from '../bulk/scenes.ts';
import { pointsOf, readChoice as readQuestion } from '../inside/question.ts';
import { generatedMesh } from '../inside/subject.ts';

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
    return await { bulk: openBulk, inside: openInside }[page](device, search);
  } catch (error) {
    device.destroy();
    throw error;
  }
}

/** Steps are timed as suite `dem` times them. */
async function openBulk(device: Device, search: string): Promise<Bare> {
  const { choice } = readChoice(search, machineKindOf(device.adapter));
  const { scene, timeStep } = await sceneOf(choice);
  const simulation = await Simulation.create(choice.response === 'olvang' ? undefined : device, scene, {
    ...{ timeStep, backend: choice.backend, response: choice.response },
  });
  return {
    ...{ count: choice.count, chosen: `${simulation.backend}: ${simulation.reason}` },
    work: async (steps) => (await clocked(() => simulation.step(steps))).seconds,
    destroy() {
      simulation.destroy();
      device.destroy();
    },
  };
}

/** Calls are timed as suite `inside` times them. */
async function openInside(device: Device, search: string): Promise<Bare> {
  const { choice } = readQuestion(search);
  const { method, backend, rule } = choice;
  const mesh = generatedMesh(choice);
  const points = pointsOf(choice, mesh);
  const body = await screeWay(device, 'page', 'as the page asks', { method, backend, rule, open: true }).prepare(mesh);
  const { chosen } = await body.answer(points);
  return {
    ...{ count: points.length / 3, chosen },
    async work(calls) {
      let sum = 0;
      for (let call = 0; call < calls; call++) sum += (await clocked(() => body.answer(points))).seconds;
      return sum;
    },
    destroy() {
      body.destroy();
      device.destroy();
    },
  };
}

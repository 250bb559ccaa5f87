/** Suite `dem`: heaps of growing numbers of bodies in motion, beside Rapier. */
import { type PackingWay, packingWays } from '../contacts/measure.ts';
import { packedKinds } from '../contacts/packings.ts';
import type { DemHeapReport } from '../report.ts';
import { askedWays, measuredCase, type PlannedSuite, type RunContext } from '../suite.ts';
import { countText } from '../text.ts';
import { heapOf, settledCell } from './heaps.ts';
import { measureHeap } from './measure.ts';
import { demStatements } from './statements.ts';

export interface DemPlan {
  /** Bodies of a cell, how many of them lie beside each other at first, and simulated time in which they settle. */
  readonly count: number;
  readonly across: number;
  readonly settling: number;
  /** Of heaps: multiples of those of cells. */
  readonly bodies: readonly number[];
  readonly rounds: number;
  readonly mostSeconds: number;
}

const FULL: DemPlan = {
  ...{ count: 100, across: 3, settling: 3, bodies: [1e2, 1e3, 1e4, 1e5], rounds: 3, mostSeconds: 15 },
};
const QUICK: DemPlan = {
  ...{ count: 12, across: 2, settling: 0.5, bodies: [12], rounds: 2, mostSeconds: Infinity },
};

const WITHOUT_PEER = 'Heaps: Rapier was not compared: install the package @dimforge/rapier3d-simd-compat beside scree.';

export async function planDem(context: RunContext): Promise<PlannedSuite> {
  const { device, quick, host, signal } = context;
  const peer = await host.loadContactPeer();
  const plan = quick ? QUICK : FULL;
  // Kernels of hulls compile for longer than a quick run is to take.
  const leftOut = quick ? ['hull', 'rock-2048'] : ['rock-2048'];
  const kinds = packedKinds(quick).filter(({ name }) => !leftOut.includes(name));
  const impulses = { kind: 'scree', response: 'impulses', mostBodies: 1e4 } as const;
  const all: readonly PackingWay[] = [
    ...packingWays('dem', device, peer !== undefined),
    { ...impulses, key: 'dem-impulses', label: 'CPU, impulses', backend: 'cpu' },
    { ...impulses, key: 'dem-gpu-impulses', label: 'GPU, impulses', backend: 'gpu' },
  ];
  const ways = askedWays(all, context.ways ?? all.map(({ key }) => key));
  return {
    steps: kinds.length * (1 + plan.bodies.length),
    async run(step) {
      const heaps: DemHeapReport[] = [];
      const remarks = peer === undefined ? [WITHOUT_PEER] : [];
      for (const kind of kinds) {
        await step(`${kind.label}: a heap`);
        const cell = await settledCell(kind, plan, signal);
        const secondsPerBody = new Map<PackingWay, number>();
        for (const bodies of plan.bodies) {
          await step(`${kind.label}: ${countText(bodies)} bodies`);
          const heap = heapOf(cell, bodies);
          const { made } = cell;
          const measured = await measureHeap({ ...context, ...plan, kind, heap, made, ways, peer, secondsPerBody });
          remarks.push(...measured.remarks);
          heaps.push(measured.report);
          const { label, runs } = measured.report;
          const secondsOf = (key: string) => runs.find(({ way }) => way === key)?.seconds.median;
          context.onCase?.(measuredCase('dem', `a step of ${countText(bodies)} bodies, ${label}`, ways, secondsOf));
        }
        await context.measureCopyRate();
      }
      const measured = { ways: ways.map(({ key, label, kind }) => ({ key, label, kind })), packings: heaps };
      return { dem: { ...measured, findings: quick ? [] : demStatements(measured, device.adapter) }, remarks };
    },
  };
}

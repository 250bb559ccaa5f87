/** Suite `contacts`: packings of growing numbers of bodies, and depths of nodes beside other questions. */
import type { NodeDepthsReport, PackingReport } from '../report.ts';
import type { PlannedSuite, RunContext } from '../suite.ts';
import { countText } from '../text.ts';
import { contactWays, measurePacking, STEPS } from './measure.ts';
import { measureNodes } from './nodes.ts';
import { type Cell, type PackedKind, packedKinds, repeated } from './packings.ts';
import type { ContactPeer } from './rapier.ts';
import { relaxedCell } from './relaxed.ts';
import { contactStatements } from './statements.ts';

export interface ContactPlan {
  /** Bodies along each axis of a cell. */
  readonly perAxis: number;
  /** How often bodies of a cell give way to each other. */
  readonly sweeps: number;
  /** How often a packing has the cell along each axis. */
  readonly times: readonly (readonly [number, number, number])[];
  readonly rounds: number;
  /** Seconds that all rounds of a way on a packing may take. */
  readonly mostSeconds: number;
}

const FULL: ContactPlan = {
  ...{ perAxis: 10, sweeps: 20, rounds: 3, mostSeconds: 10 },
  times: [
    [1, 1, 1],
    [5, 2, 1],
    [5, 5, 4],
  ],
};
const QUICK: ContactPlan = {
  ...{ perAxis: 4, sweeps: 5, rounds: 2, mostSeconds: 2 },
  times: [
    [1, 1, 1],
    [2, 1, 1],
  ],
};

const WITHOUT_PEER =
  'Contacts: Rapier was not compared: install the package @dimforge/rapier3d-simd-compat beside scree.';

export async function planContacts(context: RunContext): Promise<PlannedSuite> {
  const { device, quick, host, signal } = context;
  const [peer, bvh] = [await host.loadContactPeer(), await host.loadPeer()];
  const plan = quick ? QUICK : FULL;
  const kinds = packedKinds(quick);
  const ways = contactWays(device, peer !== undefined).filter(({ backend }) => backend !== 'gpu');
  return {
    steps: kinds.length * (1 + plan.times.length),
    async run(step) {
      const packings: PackingReport[] = [];
      const nodes: NodeDepthsReport[] = [];
      for (const kind of kinds) {
        await step(`${kind.label}: a packing`);
        const cell = await cellOf(kind, plan, peer, signal);
        for (const times of plan.times) {
          const packing = repeated(cell, times);
          await step(`${kind.label}: ${countText(packing.shapes.length)} bodies`);
          const { reference, ...report } = await measurePacking({
            ...context,
            ...plan,
            kind,
            packing,
            made: cell.made,
            ways,
            peer,
          });
          packings.push(report);
          // Nodes are the same in every packing of a kind: the smallest tells.
          if (times !== plan.times[0]) continue;
          const own = await measureNodes({
            ...context,
            kind,
            packing,
            found: reference,
            peer: bvh,
            rounds: plan.rounds,
          });
          if (own !== undefined) nodes.push(own);
        }
        await context.measureCopyRate();
      }
      const shown = ways.map(({ key, label, kind }) => ({ key, label, kind }));
      const measured = { ways: shown, packings, nodes, steps: STEPS };
      const findings = quick ? [] : contactStatements(measured, device.adapter);
      return { contacts: { ...measured, findings }, remarks: peer === undefined ? [WITHOUT_PEER] : [] };
    },
  };
}

/** Hulls fall into a box of Rapier's, where it is installed. */
async function cellOf(
  kind: PackedKind,
  { perAxis, sweeps }: ContactPlan,
  peer: ContactPeer | undefined,
  signal: AbortSignal | undefined,
): Promise<Cell> {
  if (kind.name === 'hull' && peer !== undefined) return peer.settle(kind, perAxis ** 3);
  return relaxedCell(kind, perAxis, sweeps, signal);
}

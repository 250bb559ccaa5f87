/** Suite `contacts`: packings of growing numbers of bodies, and depths of nodes beside other questions. */
import type { NodeDepthsReport, PackingReport } from '../report.ts';
import { measuredCase, type PlannedSuite, type RunContext } from '../suite.ts';
import { countText } from '../text.ts';
import { measurePacking, type PackingWay, packingWays, STEPS } from './measure.ts';
import { measureNodes } from './nodes.ts';
import { type Cell, type PackedKind, packedKinds, repeated } from './packings.ts';
import type { ContactPeer } from './rapier.ts';
import { relaxedCell } from './relaxed.ts';
import { contactStatements } from './statements.ts';

export interface ContactPlan {
  /** Bodies of a cell, and how many of them lie beside each other. */
  readonly count: number;
  readonly across: number;
  /** How often bodies of a cell give way to each other. */
  readonly sweeps: number;
  /** Bodies of a cell that Rapier settles. */
  readonly settled: number;
  /** Of packings: multiples of those of cells. */
  readonly bodies: readonly number[];
  readonly rounds: number;
  /** Seconds that all rounds of a way on a packing may take. */
  readonly mostSeconds: number;
}

const FULL: ContactPlan = {
  ...{ count: 200, across: 5, sweeps: 12, settled: 1000, bodies: [1e3, 1e4, 1e5], rounds: 3, mostSeconds: 8 },
};
const QUICK: ContactPlan = {
  ...{ count: 36, across: 3, sweeps: 3, settled: 36, bodies: [36, 72], rounds: 2, mostSeconds: Infinity },
};

const WITHOUT_PEER =
  'Contacts: Rapier was not compared: install the package @dimforge/rapier3d-simd-compat beside scree.';

export async function planContacts(context: RunContext): Promise<PlannedSuite> {
  const { device, quick, host, signal } = context;
  const [peer, bvh] = [await host.loadContactPeer(), await host.loadPeer()];
  const plan = quick ? QUICK : FULL;
  const kinds = packedKinds(quick);
  const ways = packingWays('contacts', device, peer !== undefined);
  return {
    steps: kinds.length * (1 + plan.bodies.length),
    async run(step) {
      const packings: PackingReport[] = [];
      const nodes: NodeDepthsReport[] = [];
      const remarks = peer === undefined ? [WITHOUT_PEER] : [];
      for (const kind of kinds) {
        await step(`${kind.label}: a packing`);
        const cell = await cellOf(kind, plan, peer, signal);
        const secondsPerBody = new Map<PackingWay, number>();
        for (const bodies of plan.bodies) {
          await step(`${kind.label}: ${countText(bodies)} bodies`);
          const options = { ...context, ...plan, kind, packing: repeated(cell, bodies), made: cell.made };
          const measured = await measurePacking({ ...options, ways, peer, secondsPerBody });
          remarks.push(...measured.remarks);
          if (measured.report !== undefined) {
            packings.push(measured.report);
            const { label, runs } = measured.report;
            const secondsOf = (key: string) => runs.find(({ way }) => way === key)?.seconds.median;
            const what = `a step of ${countText(bodies)} bodies, ${label}`;
            context.onCase?.(measuredCase('contacts', what, ways, secondsOf));
          }
          // Nodes are the same in every packing of a kind: the smallest tells.
          if (bodies !== plan.bodies[0]) continue;
          const own = await measureNodes({ ...options, found: measured.reference!, peer: bvh });
          if (own !== undefined) nodes.push(own);
        }
        await context.measureCopyRate();
      }
      const shown = ways.map(({ key, label, kind }) => ({ key, label, kind }));
      const measured = { ways: shown, packings, nodes, steps: STEPS };
      const findings = quick ? [] : contactStatements(measured, device.adapter);
      return { contacts: { ...measured, findings }, remarks };
    },
  };
}

/** Hulls fall into a box of Rapier's, where it is installed. */
async function cellOf(
  kind: PackedKind,
  plan: ContactPlan,
  peer: ContactPeer | undefined,
  signal: AbortSignal | undefined,
): Promise<Cell> {
  return kind.name === 'hull' && peer !== undefined ? peer.settle(kind, plan.settled) : relaxedCell(kind, plan, signal);
}

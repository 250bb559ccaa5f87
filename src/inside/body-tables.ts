/** What a body's methods work with: tables that are built when first used, and kept until the body lets go of them. */
import { InputError } from '../errors.ts';
import type { Device } from '../gpu/device.ts';
import { surfaceDefect } from '../mesh/mesh-verdict.ts';
import type { TriangleMesh } from '../mesh/triangle-mesh.ts';
import { CellGrid } from './cell-grid/cell-grid.ts';
import { cpuLane } from './cell-grid/cpu-lane.ts';
import type { CellGridTables } from './cell-grid/tables.ts';
import { CROSSING_RULES, type CrossingRule, type Rule } from './classification.ts';
import { ExactTest } from './exact.ts';
import type { PolyhedronOptions } from './options.ts';
import type { Plan } from './plan.ts';
import type { RayCrossing } from './ray-crossing/ray-crossing.ts';
import { Lane, type LaneOptions, type LaneParts, type Settle } from './stream/lane.ts';
import { flagsLane, settleByWinding } from './winding/potential-flags.ts';
import { Potentials } from './winding/potentials.ts';

export class BodyTables {
  readonly potentials: Potentials;
  readonly #mesh: TriangleMesh;
  readonly #device: Device | undefined;
  readonly #options: PolyhedronOptions;
  #rayCrossing: RayCrossing | undefined;
  #cellGrid: CellGrid | undefined;
  #exact: ExactTest | undefined;
  readonly #defects = new Map<CrossingRule, string | undefined>();

  /** @param rules those that the surface is known to be usable with */
  constructor(
    mesh: TriangleMesh,
    device: Device | undefined,
    options: PolyhedronOptions,
    rules: readonly CrossingRule[],
  ) {
    this.#mesh = mesh;
    this.#device = device;
    this.#options = options;
    this.potentials = new Potentials(mesh, options.threads);
    for (const rule of rules) this.#defects.set(rule, undefined);
  }

  /** Takes the cell grid of a saved body. */
  restoreCellGrid(tables: CellGridTables): void {
    this.#cellGrid = CellGrid.restore(this.#mesh, this.#device, tables, this.#options);
  }

  /** The cell grid, built if it is not yet. The surface has to be closed. */
  async cellGrid(signal?: AbortSignal): Promise<CellGrid> {
    this.#cellGrid ??= await CellGrid.create(this.#mesh, this.#device, this.#options, signal);
    return this.#cellGrid;
  }

  #defectUnder(rule: CrossingRule): string | undefined {
    if (!this.#defects.has(rule)) this.#defects.set(rule, surfaceDefect(this.#mesh, rule));
    return this.#defects.get(rule);
  }

  /** @throws InputError where a rule cannot use the surface. */
  requireClosed(rule: CrossingRule): void {
    const defect = this.#defectUnder(rule);
    if (defect !== undefined) throw new InputError(defect);
  }

  /** Rules of closed surfaces that this one is usable with. */
  get crossingRules(): readonly CrossingRule[] {
    return CROSSING_RULES.filter((rule) => this.#defectUnder(rule) === undefined);
  }

  /** Whether the surface is closed and consistently oriented: J is a whole number off it, and 0 outside its box. */
  get isOriented(): boolean {
    return this.potentials.caps.length === 0;
  }

  /** @throws InputError where the surface cannot be used as planned. */
  requireUsable({ rule, potential }: Plan): void {
    if (rule === 'winding') return;
    this.requireClosed(rule);
    if (potential === undefined || this.isOriented) return;
    throw new InputError(
      `${this.#mesh.name}: the surface is not consistently oriented, as method ${potential.kind} needs for ` +
        `rule ${rule}: ` +
        'use method cell-grid, or rule winding (`scree check` shows where)',
    );
  }

  /** A lane through the planned method. Tables are built, and kernels compiled, where no earlier call did. */
  async openLane(plan: Plan, options: LaneOptions, signal?: AbortSignal): Promise<Lane> {
    return new Lane(await this.#partsOf(plan, options, signal), options);
  }

  async #partsOf(plan: Plan, { seconds }: LaneOptions, signal?: AbortSignal): Promise<LaneParts> {
    const { method, backend, rule, potential: wanted } = plan;
    const device = this.#device;
    if (wanted !== undefined) {
      const { potentials } = this;
      const potential = await potentials.get(wanted, backend, device, { signal });
      const settle = this.isOriented
        ? this.settler(rule)
        : settleByWinding({ potentials, onTriangle: (stop) => this.#readyExactTest(stop) });
      return flagsLane(potential, {
        ...{ rule, seconds, settle },
        device: backend === 'gpu' ? device : undefined,
      });
    }
    const crossingRule = rule as CrossingRule;
    const settle = this.settler(crossingRule);
    if (method === 'ray-crossing') {
      const { RayCrossing } = await import('./ray-crossing/ray-crossing.ts');
      this.#rayCrossing ??= await RayCrossing.create(device!, this.#mesh);
      return this.#rayCrossing.laneParts({ rule: crossingRule, cull: plan.cull }, seconds, settle);
    }
    const grid = await this.cellGrid(signal);
    if (backend === 'cpu' || device === undefined) return cpuLane(grid, crossingRule, seconds, settle);
    const { gpuLane } = await import('./cell-grid/gpu-lane.ts');
    return gpuLane(grid, device, crossingRule, seconds, settle);
  }

  /** Settles doubtful points by exact predicates, which are made ready when there are some. */
  settler(rule: Rule): Settle {
    return async (points, flags, doubtful, { signal, onSettled }) => {
      await this.#exactTest().writeFlags(points, doubtful, flags, rule, { signal, onProgress: onSettled });
      return 0;
    };
  }

  #exactTest(): ExactTest {
    this.#exact ??= new ExactTest(this.#mesh, this.#cellGrid?.tables.runs);
    return this.#exact;
  }

  async #readyExactTest(signal: AbortSignal | undefined): Promise<ExactTest> {
    const test = this.#exactTest();
    await test.prepare(signal);
    return test;
  }

  /** Gives back all memory. No call may be under way. */
  destroy(): void {
    this.#rayCrossing?.destroy();
    this.#cellGrid?.destroy();
    this.potentials.destroy();
    this.#rayCrossing = undefined;
    this.#cellGrid = undefined;
  }
}

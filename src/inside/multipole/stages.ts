/**
 * The set-up of the multipole method on the GPU: P2M, M2M, M2L, L2L and the error bound's passes, once per body (Muth
 * et al., eqs. 22 to 25). What only the set-up needs is given back at its end.
 */

import { f32, sizeOf, vec4f } from 'typegpu/data';
import { bind } from '../../gpu/bind.ts';
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { GROUP } from '../../gpu/dispatch.ts';
import { compileKernel, type Kernel, type KernelSource } from '../../gpu/kernel.ts';
import { lapClock } from '../../gpu/lap-clock.ts';
import { runThreads } from '../../gpu/slices.ts';
import { MOST_CONVERSION_OFFSET } from './constants.ts';
import type { EvaluationTree } from './lists.ts';
import { multipoleSources, type StageParams } from './multipole-layout.ts';
import { roundedColumns, roundings } from './rounding.ts';
import {
  localQuads,
  momentQuads,
  packClusters,
  packConversionTables,
  packLocalTables,
  packMomentTables,
  packPanels,
  packParents,
  packRule,
} from './tables.ts';
import type { ClusterTree } from './tree.ts';

/** Threads of a stage's first slice. */
const FIRST_SLICE = 32 * GROUP;
/** Interactions that are on the GPU at once: 32 MiB. */
const INTERACTIONS_PER_PAGE = 1 << 22;
/** Clusters of the first two levels are far from no cell, whatever d: they need no bounds. */
const FIRST_FAR_LEVEL = 2;

/** The degree that has formulas instead of tables. */
const QUADRUPOLE = 2;

/** Number and offset of each table in one word. */
function packOffsets(offsets: Int8Array): Uint32Array {
  return Uint32Array.from({ length: offsets.length / 3 }, (_, table) => {
    const [i, j, k] = [0, 1, 2].map((axis) => offsets[3 * table + axis]! + MOST_CONVERSION_OFFSET);
    return table + 2 ** 14 * i! + 2 ** 19 * j! + 2 ** 24 * k!;
  });
}

/** Wall seconds of the stages on the GPU; `upload` is the making and uploading of their tables. */
export interface GpuStageSeconds {
  upload: number;
  p2m: number;
  m2m: number;
  norms: number;
  m2l: number;
  bounds: number;
  l2l: number;
}

export interface StageInput {
  readonly source: ClusterTree;
  readonly evaluation: EvaluationTree;
  /** Degree p, which is q, and the highest degree that the bound knows. */
  readonly p: number;
  readonly errorDegree: number;
  /** Separation of eq. 16. */
  readonly d: number;
  /** Of the unit frame. */
  readonly scale: number;
  readonly corners: Uint32Array<ArrayBuffer>;
  /** Buffers of the body: vertices in the unit frame, factors of harmonics. */
  readonly vertices: GPUBuffer;
  readonly factors: GPUBuffer;
  readonly signal?: AbortSignal | undefined;
  /** Interactions per page, instead of the usual number; for tests. */
  readonly pageSize?: number | undefined;
}

type StageName = Exclude<keyof typeof multipoleSources, 'evaluate'>;

/** What the layouts of all stages have. Their other bindings differ, `bind` finds them by name among all buffers. */
type StageEntries = { params: { uniform: typeof StageParams } };
type StageKernel = Kernel<StageEntries>;

/** Buffers of all stages by the names of their layouts, and the tables that stages call `tables`. */
type StageBuffers = Readonly<Record<string, GPUBuffer>> &
  Readonly<Record<'momentTables' | 'conversions' | 'localTables', GPUBuffer>>;

/** What a stage works on: `units` clusters or cells from `firstUnit` on, so many threads each. */
interface Work {
  readonly units: number;
  readonly firstUnit: number;
  readonly threadsPerUnit?: number;
  readonly firstEntry?: number;
}

/** Compiles all stages for a degree, if no earlier call did: it takes its time, which the host can use. */
export function compileStages(
  device: Device,
  p: number,
  errorDegree: number,
): Record<StageName, Promise<StageKernel>> {
  const [QUADS, ROWS, COLUMNS] = [momentQuads(errorDegree), localQuads(p), roundedColumns(errorDegree, p)];
  const compile = (stage: StageName, constants: Record<string, number>) =>
    compileKernel(device, multipoleSources[stage] as KernelSource<StageEntries>, constants);
  const RULE_QUADS = packRule(errorDegree).length / 12;
  return {
    p2m: compile('p2m', { DEGREE: errorDegree, RULE_QUADS, STRIDE: 4 * QUADS }),
    sumPanels: compile('sumPanels', { QUADS }),
    m2m: compile('m2m', { QUADS }),
    momentNorms: compile('momentNorms', { DEGREE: errorDegree, USED: p, STRIDE: 4 * QUADS, COLUMNS }),
    m2l: compile('m2l', { ROWS, COLUMNS: momentQuads(p), QUADS }),
    m2lQuadrupole: compile('m2lQuadrupole', { QUADS, COLUMNS }),
    m2lBounds: compile('m2lBounds', { DEGREE: p, ROWS, NORMS: errorDegree, COLUMNS }),
    l2l: compile('l2l', { ROWS }),
    leafBounds: compile('leafBounds', { ROWS }),
  };
}

/** The set-up, stage by stage, `run` for all but the last: each leaves its results in buffers that tests may read. */
export class MultipoleStages {
  readonly #device: Device;
  readonly #input: StageInput;
  readonly #pool: BufferPool;
  readonly #kernels: Record<StageName, Promise<StageKernel>>;
  /** Of `upload`. */
  #buffers!: StageBuffers;
  #panelCount = 0;
  #bounding = { separated: 0, largestRadius: 0, growth: 1 };
  readonly moments: GPUBuffer;
  readonly norms: GPUBuffer;
  /** Per cell its coefficients and a last quad for its bounds. */
  readonly locals: GPUBuffer;

  /**
   * Reserves the buffers of moments, norms and coefficients.
   *
   * @param kept pool of what stays after the set-up: `locals`
   * @throws DeviceError `limits` if one does not fit into a binding
   */
  constructor(device: Device, input: StageInput, kept: BufferPool) {
    const { source, evaluation, p, errorDegree } = input;
    this.#device = device;
    this.#input = input;
    this.#pool = new BufferPool(device);
    this.#kernels = compileStages(device, p, errorDegree);
    // Awaited stage by stage.
    for (const kernel of Object.values(this.#kernels)) kernel.catch(() => {});
    const [QUADS, ROWS, COLUMNS] = [momentQuads(errorDegree), localQuads(p), roundedColumns(errorDegree, p)];
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    const clusters = source.firsts.length;
    try {
      this.moments = this.#pool.reserve('multipole moments', sizeOf(vec4f) * QUADS * clusters, usage);
      this.norms = this.#pool.reserve('multipole norms', sizeOf(f32) * COLUMNS * clusters, usage);
      this.locals = kept.reserve(
        'multipole coefficients',
        sizeOf(vec4f) * (ROWS + 1) * evaluation.levels.length,
        usage,
      );
    } catch (error) {
      this.#pool.destroy();
      throw error;
    }
  }

  /** Runs a stage in slices. */
  async #run(name: StageName, work: Work, more: Readonly<Record<string, GPUBuffer>> = {}): Promise<void> {
    const { units, firstUnit, threadsPerUnit = 1, firstEntry = 0 } = work;
    if (units <= 0) return;
    const device = this.#device;
    const kernel = await this.#kernels[name];
    const bound = bind(device, kernel, { ...this.#buffers, ...more });
    await runThreads(device, {
      what: `setting up the multipole method (${name})`,
      total: units * threadsPerUnit,
      first: FIRST_SLICE,
      signal: this.#input.signal,
      ...{ bound, label: `multipole ${name}`, params: { firstUnit, firstEntry, ...this.#bounding } },
    });
  }

  /** Uploads what the stages read. */
  async upload(): Promise<void> {
    const { source, evaluation, p, errorDegree, d, scale, corners, vertices, factors } = this.#input;
    const pool = this.#pool;
    const { ofDegree, growth } = roundings(source, evaluation, { p, errorDegree });
    const { panels, panelStarts } = packPanels(source);
    this.#panelCount = panels.length / 4;
    this.#bounding = {
      separated: (1 + 2 ** -20) / (d + 1),
      largestRadius: source.radii.reduce((most, radius) => Math.max(most, radius), 0) * (1 + 2 ** -20),
      growth,
    };
    // Degree 2 does without.
    const conversions =
      p === QUADRUPOLE ? new Float32Array(16) : packConversionTables(p, p, evaluation.offsets);
    const starts = evaluation.interactionStarts as Uint32Array<ArrayBuffer>;
    const bound = await this.#device.checked('uploading the multipole tables', () => ({
      clusters: pool.upload('multipole clusters', packClusters(source, scale)),
      corners: pool.upload('multipole corners', corners),
      panels: pool.upload('multipole panels', panels),
      panelStarts: pool.upload('multipole panel starts', panelStarts),
      panelMoments: pool.reserve(
        'multipole panel moments',
        sizeOf(vec4f) * momentQuads(errorDegree) * this.#panelCount,
        GPUBufferUsage.STORAGE,
      ),
      rule: pool.upload('multipole rule', packRule(errorDegree)),
      roundings: pool.upload('multipole roundings', ofDegree),
      momentTables: pool.upload('multipole M2M tables', packMomentTables(errorDegree)),
      conversions: pool.upload('multipole M2L tables', conversions),
      localTables: pool.upload('multipole L2L tables', packLocalTables(p)),
      parents: pool.upload('multipole parents', packParents(evaluation)),
      starts: pool.upload('multipole interaction starts', starts),
    }));
    await this.#device.finished();
    const { moments, norms, locals } = this;
    this.#buffers = { ...bound, vertices, factors, moments, norms, locals };
  }

  /** P2M: moments of the finest clusters. */
  async p2m(): Promise<void> {
    const { levelStarts, depth } = this.#input.source;
    // A tree that is too shallow for interactions needs no moments.
    if (depth < FIRST_FAR_LEVEL) return;
    const firstUnit = levelStarts[depth]!;
    await this.#run('p2m', { firstUnit: 0, units: this.#panelCount });
    const threadsPerUnit = momentQuads(this.#input.errorDegree);
    await this.#run('sumPanels', { firstUnit, units: levelStarts[depth + 1]! - firstUnit, threadsPerUnit });
    this.#pool.release('multipole panel moments');
  }

  /** M2M: moments of the coarser clusters, level by level. */
  async m2m(): Promise<void> {
    const { levelStarts, depth } = this.#input.source;
    const threadsPerUnit = momentQuads(this.#input.errorDegree);
    for (let level = depth - 1; level >= FIRST_FAR_LEVEL; level--) {
      const firstUnit = levelStarts[level]!;
      const work = { firstUnit, units: levelStarts[level + 1]! - firstUnit, threadsPerUnit };
      await this.#run('m2m', work, { tables: this.#buffers.momentTables });
    }
  }

  /** What the error bound needs to know of each cluster. */
  async momentNorms(): Promise<void> {
    const { levelStarts, depth } = this.#input.source;
    const firstUnit = levelStarts[Math.min(FIRST_FAR_LEVEL, depth + 1)]!;
    await this.#run('momentNorms', { firstUnit, units: levelStarts[depth + 1]! - firstUnit });
  }

  /** M2L and its bounds, page by page of interactions; the seconds that went into pages and bounds. */
  async m2l(): Promise<{ upload: number; bounds: number }> {
    const { evaluation, p, pageSize = INTERACTIONS_PER_PAGE } = this.#input;
    const { interactionStarts, sources, tables } = evaluation;
    const lap = lapClock();
    const seconds = { upload: 0, bounds: 0 };
    const cells = evaluation.levels.length;
    const packed = packOffsets(evaluation.offsets);
    for (let first = 0; first < cells; ) {
      let end = first + 1;
      const firstEntry = interactionStarts[first]!;
      while (end < cells && interactionStarts[end + 1]! - firstEntry <= pageSize) end++;
      const page = new Uint32Array(2 * (interactionStarts[end]! - firstEntry));
      for (let i = 0; i < page.length / 2; i++) {
        page[2 * i] = sources[firstEntry + i]!;
        page[2 * i + 1] = packed[tables[firstEntry + i]!]!;
      }
      const interactions = await this.#device.checked('uploading interactions', () =>
        this.#pool.upload('multipole interactions', page),
      );
      seconds.upload += lap();
      const work = { firstUnit: first, units: end - first, firstEntry };
      if (p === QUADRUPOLE) {
        await this.#run('m2lQuadrupole', work, { interactions });
      } else {
        const threadsPerUnit = localQuads(p);
        await this.#run(
          'm2l',
          { ...work, threadsPerUnit },
          { interactions, tables: this.#buffers.conversions },
        );
        lap();
        await this.#run('m2lBounds', work, { interactions });
        seconds.bounds += lap();
      }
      lap();
      first = end;
    }
    return seconds;
  }

  /** L2L, level by level from the root's children on. */
  async l2l(): Promise<void> {
    const { evaluation, p } = this.#input;
    const { levels } = evaluation;
    for (let first = 1; first < levels.length; ) {
      let end = first;
      while (end < levels.length && levels[end] === levels[first]) end++;
      const work = { firstUnit: first, units: end - first, threadsPerUnit: localQuads(p) };
      await this.#run('l2l', work, { tables: this.#buffers.localTables });
      first = end;
    }
  }

  /** Bounds of the leaves, with those of their ancestors. @param cells `EvaluationCell`s */
  async leafBounds(cells: GPUBuffer): Promise<void> {
    await this.#run('leafBounds', { firstUnit: 0, units: this.#input.evaluation.levels.length }, { cells });
  }

  /** All stages but the last, leafBounds, in their order. */
  async run(): Promise<GpuStageSeconds> {
    const lap = lapClock();
    await this.upload();
    const upload = lap();
    await this.p2m();
    const p2m = lap();
    await this.m2m();
    const m2m = lap();
    await this.momentNorms();
    const norms = lap();
    const ofM2l = await this.m2l();
    const m2l = lap() - ofM2l.upload - ofM2l.bounds;
    await this.l2l();
    const l2l = lap();
    return { upload: upload + ofM2l.upload, p2m, m2m, norms, m2l, bounds: ofM2l.bounds, l2l };
  }

  /** Bytes of what the set-up alone needs. */
  get bytes(): number {
    return this.#pool.peakBytes;
  }

  destroy(): void {
    this.#pool.destroy();
  }
}

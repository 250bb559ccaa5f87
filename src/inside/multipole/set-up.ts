/**
 * The set-up of a body for the multipole kernels: trees, lists and the near field's boundaries on the host, the
 * latter while the GPU computes the expansions.
 */
import { BufferPool } from '../../gpu/buffers.ts';
import type { Device } from '../../gpu/device.ts';
import { lapClock } from '../../gpu/lap-clock.ts';
import { isBalanced } from '../../mesh/balance.ts';
import type { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { unitScale, unitVertices } from '../potential/unit-frame.ts';
import { localSurface, type Surface } from '../surface.ts';
import { NearFieldBuilder } from './boundary.ts';
import { buildEvaluationTree, checkDepth, type MultipoleDepth } from './depth.ts';
import { checkExpansion } from './expansion.ts';
import type { EvaluationTree } from './lists.ts';
import { buildPanels } from './panels.ts';
import { longestList } from './rounding.ts';
import { compileStages, type GpuStageSeconds, MultipoleStages } from './stages.ts';
import { packCells, packFactors } from './tables.ts';
import { buildSourceTree, type SourceTree, truncateSourceTree } from './tree.ts';

/** Milliseconds of work on the near field between two looks at what the GPU has done. */
const NEAR_FIELD_SLICE = 15;

export interface GpuMultipoleOptions {
  /** Degree p of the expansions, 1 .. 8. Default 2, enough for flags. */
  readonly degree?: number | undefined;
  /** Separation d of eq. 16, above 1. Default 1.6. */
  readonly separation?: number | undefined;
  /** Default `auto`. */
  readonly depth?: MultipoleDepth | undefined;
  /** Number of points to come, if known. */
  readonly points?: number | undefined;
  /**
   * Whether every edge is traversed as often in each direction, so that J is 0 outside the box; found out if not
   * given.
   */
  readonly closed?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Interactions that are on the GPU at once, instead of the usual number; for tests. */
  readonly pageSize?: number | undefined;
}

/**
 * Seconds of the set-up: on the host trees, lists and the near field's boundaries; then the stages on the GPU. The
 * near field is built while the GPU works, so all of them add up to more than the total.
 */
export interface SetUpSeconds extends GpuStageSeconds {
  readonly trees: number;
  readonly lists: number;
  readonly panels: number;
  readonly nearField: number;
  readonly total: number;
}

/** A body, set up. */
export interface GpuField {
  readonly surface: Surface;
  readonly source: SourceTree;
  readonly evaluation: EvaluationTree;
  readonly degree: number;
  readonly separation: number;
  readonly errorDegree: number;
  readonly closed: boolean;
  /** Of the unit frame. */
  readonly scale: number;
  /** Most entries of a leaf's near field. */
  readonly longestList: number;
  /** Owns the tables. */
  readonly pool: BufferPool;
  readonly tables: Readonly<Record<'cells' | 'locals' | 'entries' | 'vertices' | 'factors', GPUBuffer>>;
  readonly seconds: SetUpSeconds;
}

/**
 * Sets a mesh up.
 *
 * @throws InputError for a degree, a separation or a depth out of range
 * @throws DeviceError if the device is lost, out of memory, or its bindings are too small for a table
 */
export async function setUpOnGpu(
  device: Device,
  mesh: TriangleMesh,
  options: GpuMultipoleOptions,
): Promise<GpuField> {
  const { degree = 2, separation = 1.6, depth = 'auto', points, signal, pageSize } = options;
  checkExpansion({ degree, separation });
  checkDepth({ depth, points });
  device.assertOpen();
  signal?.throwIfAborted();
  const started = performance.now();
  const lap = lapClock();
  const errorDegree = Math.min(degree + 4, 12);
  // Compiled while the host builds the trees; failures show where the kernels are used.
  for (const kernel of Object.values(compileStages(device, degree, errorDegree))) kernel.catch(() => {});
  const surface = localSurface(mesh);
  const closed = options.closed ?? isBalanced(mesh.indices, mesh.vertexCount);
  const whole = buildSourceTree(surface);
  const trees = lap();
  signal?.throwIfAborted();
  const degrees = { p: degree, q: degree, d: separation };
  const evaluation = buildEvaluationTree(surface, whole, { depth, points, ...degrees, costs: 'kernels' });
  const source = truncateSourceTree(whole, evaluation.depth);
  const lists = lap();
  signal?.throwIfAborted();

  const panels = buildPanels(surface, source, evaluation);
  const panelling = lap();
  signal?.throwIfAborted();
  const scale = unitScale(source.root.edge);
  const pool = new BufferPool(device);
  let stages: MultipoleStages | undefined;
  let expanding: Promise<GpuStageSeconds> | undefined;
  try {
    const shared = await device.checked('uploading the mesh', () => ({
      vertices: pool.upload('multipole vertices', unitVertices(surface, scale)),
      factors: pool.upload('multipole factors', packFactors()),
    }));
    const { corners } = panels;
    const input = {
      source: panels.source,
      evaluation,
      p: degree,
      errorDegree,
      d: separation,
      scale,
      corners,
    };
    stages = await device.checked(
      'making room for the expansions',
      () => new MultipoleStages(device, { ...input, ...shared, signal, pageSize }, pool),
    );
    const packing = lap();
    expanding = stages.run();
    // Seen below; meanwhile it must not count as unhandled.
    expanding.catch(() => {});
    const { maxBufferSize, maxStorageBufferBindingSize } = device.limits;
    const largestBinding = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    const builder = new NearFieldBuilder(panels, evaluation, largestBinding);
    let nearField = lap();
    for (let done = false; !done; ) {
      signal?.throwIfAborted();
      device.assertOpen();
      lap();
      done = builder.work(NEAR_FIELD_SLICE);
      nearField += lap();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    const onGpu = await expanding;
    lap();
    const near = builder.finish();
    const own = await device.checked('uploading the near field', () => ({
      cells: pool.upload('multipole cells', packCells(source, evaluation, near, scale)),
      entries: pool.upload('multipole near field', near.entries),
    }));
    const upload = onGpu.upload + packing + lap();
    await stages.leafBounds(own.cells);
    const bounds = onGpu.bounds + lap();
    const total = (performance.now() - started) / 1000;
    return {
      ...{ surface, source, evaluation, degree, separation, errorDegree, closed, scale, pool },
      longestList: longestList(near.starts),
      tables: { ...shared, ...own, locals: stages.locals },
      seconds: { ...onGpu, upload, bounds, trees, lists, panels: panelling, nearField, total },
    };
  } catch (error) {
    // Stages under way still use the buffers.
    await expanding?.catch(() => {});
    pool.destroy();
    throw error;
  } finally {
    stages?.destroy();
  }
}

/** The methods as `Polyhedron` uses them: each ready for an array of points, and for a stream of them. */

import type { Backend } from '../gpu/backend.ts';
import { BufferPool } from '../gpu/buffers.ts';
import type { Device } from '../gpu/device.ts';
import type { CellGrid } from './cell-grid/cell-grid.ts';
import { openCpuLane } from './cell-grid/cpu-lane.ts';
import type { CrossingRule } from './classification.ts';
import { CHUNK, type Prepared } from './method.ts';
import type { RayCrossing } from './ray-crossing/ray-crossing.ts';
import { SerialLane } from './stream/lanes.ts';

/** The cell grid: compiles, and uploads tables, where no earlier call did. @param device of backend `gpu` */
export async function prepareCellGrid(
  grid: CellGrid,
  device: Device | undefined,
  { backend, rule }: { backend: Backend; rule: CrossingRule },
): Promise<Prepared> {
  const common = { tableBytes: grid.tables.bytes };
  if (backend === 'cpu' || device === undefined) {
    const body = grid.onCpu();
    return {
      ...common,
      // What earlier calls, or the build, left there.
      gpuBytes: () => grid.gpuBytes,
      classify: (points, first, count, flags, run, _, stages) =>
        grid.classifyOnCpu(points, first, count, flags, { ...run, rule }, stages),
      openLane: (options) => openCpuLane(body, rule, { ...options, most: CHUNK }),
    };
  }
  const body = await grid.onGpu(device, rule);
  const { openGpuLane } = await import('./cell-grid/on-gpu.ts');
  return {
    ...common,
    gpuBytes: () => grid.gpuBytes,
    classify: (points, first, count, flags, run, work, stages) =>
      grid.classifyOnGpu(device, points, first, count, flags, { ...run, rule }, work!, stages),
    openLane: (options) => openGpuLane(device, body, { ...options, most: CHUNK }),
  };
}

/** Ray crossing: compiles the kernels where no earlier call did. */
export async function prepareRayCrossing(
  crossing: RayCrossing,
  device: Device,
  { rule, cull }: { rule: CrossingRule; cull: boolean },
): Promise<Prepared> {
  await crossing.compile({ rule, cull });
  const { tables } = crossing;
  const classify: Prepared['classify'] = (points, first, count, flags, run, work, stages) =>
    crossing.classify(points, first, count, flags, { ...run, rule, cull }, work!, stages);
  return {
    tableBytes: tables.triangles.byteLength + tables.boxes.byteLength,
    gpuBytes: () => crossing.gpuBytes,
    classify,
    openLane: ({ stages, onPiece }) => {
      const work = new BufferPool(device);
      return new SerialLane(work, async (points, flags, signal) => {
        const doubtful: number[] = [];
        for (let first = 0; first < flags.length; first += CHUNK) {
          signal.throwIfAborted();
          const count = Math.min(CHUNK, flags.length - first);
          for (const i of await classify(points, first, count, flags, { rule, signal }, work, stages)) {
            doubtful.push(i);
          }
          onPiece(count);
        }
        return Uint32Array.from(doubtful);
      });
    },
  };
}

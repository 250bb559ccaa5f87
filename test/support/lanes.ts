/** The cell grid's lanes as they are, before doubtful points are settled. */
import type { Device } from '../../src/gpu/device.ts';
import type { CellGrid } from '../../src/inside/cell-grid/cell-grid.ts';
import { cpuLane } from '../../src/inside/cell-grid/cpu-lane.ts';
import { gpuLane } from '../../src/inside/cell-grid/gpu-lane.ts';
import type { Rule } from '../../src/inside/classification.ts';
import { Lane, noSeconds } from '../../src/inside/stream/lane.ts';

/**
 * Flags by one backend alone, for rule `winding` winding numbers as bytes, and the numbers of the doubtful points, in
 * any order. Without a device, on the CPU.
 */
export async function unsettledFlags(
  grid: CellGrid,
  points: Float32Array,
  rule: Rule,
  device?: Device,
  onProgress?: (done: number) => void,
): Promise<{ flags: Uint8Array; doubtful: Uint32Array }> {
  const seconds = noSeconds();
  const flags = new Uint8Array(points.length / 3);
  let doubtful = new Uint32Array(0);
  const keep = async (_: Float32Array, __: Uint8Array, found: Uint32Array) => {
    doubtful = Uint32Array.from(found);
    return 0;
  };
  const parts = device
    ? await gpuLane(grid, device, rule, seconds, keep)
    : cpuLane(grid, rule, seconds, keep);
  const lane = new Lane(parts, { seconds, onProgress });
  try {
    await (await lane.begin(points, flags, new AbortController().signal)).done;
    return { flags, doubtful };
  } finally {
    lane.close();
  }
}

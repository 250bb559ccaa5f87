import { expect } from 'vitest';
import type { Device } from '../../src/gpu/device.ts';
import type { Classification } from '../../src/inside/classification.ts';
import type { ClassifyOptions } from '../../src/inside/options.ts';
import { Polyhedron } from '../../src/inside/polyhedron.ts';
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { differences } from './flags.ts';

/** Every method with every backend that it has. */
export const WAYS = [
  { method: 'ray-crossing', backend: 'gpu' },
  { method: 'cell-grid', backend: 'gpu' },
  { method: 'cell-grid', backend: 'cpu' },
] as const;

/** Classifies in every way and expects the same flags each time. Returns the last result. */
export async function classifyInEveryWay(
  device: Device,
  mesh: TriangleMesh,
  points: Float32Array,
  options: ClassifyOptions = {},
): Promise<Classification> {
  const polyhedron = await Polyhedron.create(device, mesh);
  try {
    let last: Classification | undefined;
    for (const way of WAYS) {
      const result = await polyhedron.classify(points, { ...way, ...options });
      if (last) expect(differences(result.flags, last.flags, points), JSON.stringify(way)).toEqual([]);
      last = result;
    }
    return last!;
  } finally {
    polyhedron.destroy();
  }
}

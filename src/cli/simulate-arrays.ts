/** Bodies and forces of a frame as arrays for NumPy: float64, a row per body or per pair that touches. */
import type { Simulation, TouchingPairs } from '../index.ts';

/** Quantities of a row of `bodies-*.npy`, in order, with their numbers. */
const BODY_COLUMNS = {
  ...{ poses: 7, velocities: 3, angularVelocities: 3, forces: 3, torques: 3, masses: 1 },
  ...{ materials: 1, coordination: 1, statuses: 1 },
} as const;
/** Fields of a row of `forces-*.npy`. */
const PAIR_COLUMNS = {
  ...{ bodies: 2, contacts: 1, points: 3, normals: 3, forces: 3, normalForces: 1, tangentialForces: 3 },
} as const;

export async function bodiesNpy(
  simulation: Simulation,
  pairs: TouchingPairs,
  materials: ArrayLike<number>,
): Promise<Uint8Array> {
  const { coordinationNumbers } = await import('../index.ts');
  const { bodyCount } = simulation;
  return npyOf(bodyCount, BODY_COLUMNS, {
    poses: await simulation.read('poses'),
    velocities: await simulation.read('velocities'),
    angularVelocities: await simulation.read('angularVelocities'),
    forces: await simulation.read('forces'),
    torques: await simulation.read('torques'),
    masses: await simulation.read('masses'),
    materials,
    coordination: coordinationNumbers(pairs, bodyCount),
    statuses: await simulation.read('statuses'),
  });
}

export function forcesNpy(pairs: TouchingPairs): Promise<Uint8Array> {
  return npyOf(pairs.count, PAIR_COLUMNS, pairs);
}

async function npyOf<C extends Readonly<Record<string, number>>>(
  rows: number,
  columns: C,
  arrays: Readonly<Record<keyof C, ArrayLike<number>>>,
): Promise<Uint8Array> {
  const { encodeNpy } = await import('../index.ts');
  const list = Object.entries(columns);
  const width = list.reduce((sum, [, size]) => sum + size, 0);
  const table = new Float64Array(rows * width);
  let at = 0;
  for (let row = 0; row < rows; row++)
    for (const [name, size] of list)
      for (let k = 0; k < size; k++) table[at++] = arrays[name]![size * row + k]!;
  return encodeNpy(table, [rows, width]);
}

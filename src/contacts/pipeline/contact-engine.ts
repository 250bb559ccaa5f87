/** The engine that finds contacts: tables of shapes and bodies, and stages. Pipelines and simulations stand on it. */
import { requireKnown, threadsOf, told } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import type { Device } from '../../gpu/device.ts';
import { rests } from '../../workers/slices.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import { areBalls } from '../bodies/ball.ts';
import { type ResolvedBodies, resolveBodies } from '../bodies/check-bodies.ts';
import { namesOf, requireContactShapes } from '../bodies/check-shapes.ts';
import { makeColliders } from '../bodies/collider-table.ts';
import { ColliderKind } from '../bodies/colliders.ts';
import type { ContactShape } from '../bodies/contact-shape.ts';
import { makeEntries } from '../bodies/entries.ts';
import { sceneScale } from '../bodies/scene-scale.ts';
import {
  CLUSTERS_PER_PAIR,
  CONTACTS_PER_BALL,
  CONTACTS_PER_COLLIDER,
  LEAST_CAPACITY,
  MOST_CAPACITY,
  PAIRS_PER_COLLIDER,
  TOUCHING_PER_PAIR,
  TRIANGLES_PER_PAIR,
} from '../constants.ts';
import { CpuContacts } from '../cpu/cpu-contacts.ts';
import { HostStages } from '../cpu/host-stages.ts';
import { type FacedColliders, withFaces, withoutFaces } from '../faces/face-table.ts';
import type { PolyhedronArrays } from '../field/field-arrays.ts';
import type { GpuCapacity } from '../gpu/gpu-contacts.ts';
import type { ContactPipelineOptions } from './detection.ts';
import { type PolyhedronSummary, preparePolyhedra } from './prepare-polyhedra.ts';

/** It checks nothing that it is asked later: who calls has done so. It owns no GPU memory. */
export interface ContactEngine {
  /** Undefined where the CPU alone works. */
  readonly device: Device | undefined;
  readonly bodies: ResolvedBodies;
  readonly table: FacedColliders;
  readonly polyhedra: readonly PolyhedronArrays[];
  readonly summaries: readonly PolyhedronSummary[];
  /** Edge of a cell of positions, a length. */
  readonly cell: number;
  readonly margin: number;
  /** Room on the GPU at first. */
  readonly capacity: GpuCapacity;
  /** All stages on the host, with the list of pairs that they take over from call to call. */
  readonly cpu: CpuContacts;
  /** Narrow phases on the host alone, for pairs that kernels leave open. */
  readonly stages: HostStages;
}

/**
 * Checks shapes and bodies, and makes the tables of the shapes.
 *
 * @param options with `manifolds`, convex shapes that touch with faces have the corners of where they overlap as
 *   contacts, in place of points that pressure is integrated with. So it is asked for by responses with long steps: the
 *   default margin is theirs
 * @throws InputError if a shape, a body or an option is not usable
 */
export async function makeContactEngine(
  device: Device | undefined,
  shapes: readonly ContactShape[],
  options: ContactPipelineOptions & { readonly manifolds?: boolean },
): Promise<ContactEngine> {
  device?.assertOpen();
  // Of millions of bodies each part takes a second. The clock starts here, so that the first rest is a pause.
  const rest = rests(options.signal);
  const { names, signal, onProgress, margin: wantedMargin, capacity: wantedCapacity } = options;
  const threads = threadsOf(options.threads);
  if (!Array.isArray(shapes)) {
    throw new InputError(`shapes: found ${told(shapes)}, expected an array of descriptions`);
  }
  requireKnown('names', 'field', names ?? {}, ['shapes', 'bodies']);
  const shapeNames = namesOf('shape', names?.shapes, shapes.length);
  requireContactShapes(shapes, shapeNames);
  const bodies = resolveBodies(options.bodies, shapes, (count) => namesOf('body', names?.bodies, count));
  const made = withFaces(makeColliders(shapes, shapeNames, bodies));
  const table = options.manifolds ? withoutFaces(made) : made;
  const { colliders } = table;
  if (wantedMargin !== undefined && !(wantedMargin >= 0 && wantedMargin < Infinity)) {
    throw new InputError(`margin is ${wantedMargin}, expected a length of at least 0`);
  }
  // Copies, where space repeats, stand for others: few of them are there, near the borders.
  const own = colliders.bodies.filter((body) => bodies.apart[body] === 0);
  const isOfBalls =
    table.convex !== undefined &&
    !colliders.kinds.includes(ColliderKind.polyhedron) &&
    areBalls(table.convex, colliders);
  const perCollider = isOfBalls ? CONTACTS_PER_BALL : CONTACTS_PER_COLLIDER;
  const capacity = capacityOf(wantedCapacity, own.length, perCollider);
  signal?.throwIfAborted();
  // Workers start while the caller gets poses.
  if (threads > 1) WorkerPool.get();
  const prepared = await preparePolyhedra(table, { signal, threads, onProgress });
  const polyhedra = prepared.map(({ arrays }) => arrays);
  const summaries = prepared.map(({ summary }) => summary);
  // No array of the caller is read any more.
  await rest();
  const entries = makeEntries(colliders);
  await rest();
  const { cell, margin: usual } = sceneScale(
    colliders,
    bodies,
    entries.places,
    table.convex,
    options.manifolds,
  );
  await rest();
  const margin = wantedMargin ?? usual;
  const stages = new HostStages({ table, polyhedra, pool: () => WorkerPool.get(), threads });
  await rest();
  const cpu = new CpuContacts({ colliders, bodies, entries, cell, margin, stages });
  return { device, bodies, table, polyhedra, summaries, cell, margin, capacity, cpu, stages };
}

/** @throws InputError for a number that is none of entries */
function capacityOf(
  wanted: ContactPipelineOptions['capacity'],
  colliders: number,
  contactsPerCollider: number,
): GpuCapacity {
  requireKnown('capacity', 'field', wanted ?? {}, ['pairs', 'contacts']);
  const usual = (perCollider: number) => Math.max(LEAST_CAPACITY, perCollider * colliders);
  const { pairs = usual(PAIRS_PER_COLLIDER), contacts = usual(contactsPerCollider) } = wanted ?? {};
  return capacityFor({ 'capacity.pairs': pairs }, { 'capacity.contacts': contacts });
}

/**
 * Room for all lists of pairs and contacts, each under the name that the caller gave it by.
 *
 * @throws InputError for a number that is none of entries
 */
export function capacityFor(
  ofPairs: Readonly<Record<string, number>>,
  ofContacts: Readonly<Record<string, number>>,
): GpuCapacity {
  const [pairs, contacts] = Object.entries({ ...ofPairs, ...ofContacts }).map(([name, room]) => {
    if (Number.isInteger(room) && room >= 1 && room <= MOST_CAPACITY) return room;
    throw new InputError(`${name} is ${told(room)}, expected a whole number from 1 to ${MOST_CAPACITY}`);
  }) as [number, number];
  const [clusters, triangles] = [CLUSTERS_PER_PAIR * pairs, TRIANGLES_PER_PAIR * pairs];
  const touching = Math.ceil(TOUCHING_PER_PAIR * pairs);
  // Pairs with planes are those of the scene, whatever room a caller asks for.
  return {
    pairs,
    clusters,
    edgeClusters: clusters,
    planeClusters: MOST_CAPACITY,
    triangles,
    contacts,
    touching,
  };
}

/** Numbers that tell scenes apart: a checkpoint goes on only in the scene that it was made with. */
import type { ContactEngine } from '../../contacts/pipeline/contact-engine.ts';
import { checksum, STRIPE } from '../../mesh/checksum.ts';
import type { SimulationModel } from '../scene/model.ts';
import type { PrescribedMotion, ServoWall } from '../scene/simulation-scene.ts';

/** Before the name of a part, among the numbers of a checkpoint. */
const PREFIX = 'scene:';

/**
 * A number for each part of a scene, which differs where the part does. Bounds and names are left out: they only say
 * where a run stops and how messages name bodies.
 *
 * @param model where bodies are at first
 * @param rest is waited for between two parts: those of millions of bodies take seconds
 */
export async function digestsOf(
  model: SimulationModel,
  { table, polyhedra, margin }: Pick<ContactEngine, 'table' | 'polyhedra' | 'margin'>,
  rest: () => Promise<void>,
): Promise<Readonly<Record<string, number>>> {
  const { inertia, laws, contactBodies, box, state, driven, servos } = model;
  const { pairs } = laws;
  const { shapes, isStatic, groups, masks } = contactBodies;
  const { convex, colliders } = table;
  const ownLaws = pairs.laws.map(({ name, wgsl, twin }) => lettersOf(name + wgsl + twin));
  const parts: Readonly<Record<string, readonly Part[]>> = {
    // First: frames of shapes differ, too, where other bodies stand still.
    bodies: [shapes, isStatic, groups, masks],
    shapes: [
      ...(convex ? [convex.parameters, convex.integers, convex.vertices] : []),
      ...[colliders.bodies, colliders.kinds, colliders.shapes, colliders.places],
      ...polyhedra.flatMap(({ positions, indices, surface }) => [positions, indices, surface.nodes]),
      ...[model.centroids, model.principal, laws.radii, laws.curvatures],
    ],
    // Of the same shapes, masses are theirs.
    materials: [
      ...[pairs.numbers, pairs.planeModuli, ...ownLaws, laws.materials],
      ...[inertia.inverseMasses, inertia.inverseMoments],
    ],
    poses: [state.positions, state.rotations],
    velocities: [state.velocities, state.momenta],
    motions: [
      ...[...driven].flatMap(([body, { motion, pose }]) => [[body], pose, numbersOf(motion)]),
      ...[...servos].flatMap(([body, { wall }]) => [[body], numbersOf(wall)]),
    ],
    appearsAt: [model.appearsAt],
    gravity: [[model.gravity].flat(2)],
    removal: [model.removal],
    box: box ? [box.low, box.high, box.periodic.map(Number)] : [],
    margin: [[margin]],
  };
  const digests: Record<string, number> = {};
  for (const [name, part] of Object.entries(parts)) {
    await rest();
    digests[PREFIX + name] = digestOf(part);
  }
  return digests;
}

/** The first part that differs. */
export function partThatDiffers(
  own: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): string | undefined {
  return Object.keys(own)
    .find((name) => own[name] !== other[name])
    ?.slice(PREFIX.length);
}

type Part = readonly number[] | Float64Array | Float32Array | Uint32Array | Uint8Array | undefined;

/** Of arrays with their lengths. */
function digestOf(parts: readonly Part[]): number {
  return checksumOf(parts.flatMap((part = []) => [part.length, checksumOf(part)]));
}

function checksumOf(numbers: NonNullable<Part>): number {
  const bytes = Float64Array.BYTES_PER_ELEMENT * numbers.length;
  const padded = new Float64Array(
    (STRIPE * Math.ceil((bytes + 1) / STRIPE)) / Float64Array.BYTES_PER_ELEMENT,
  );
  padded.set(numbers);
  return checksum(new Uint32Array(padded.buffer));
}

/** Options that are left out give no numbers. */
function numbersOf(motion: PrescribedMotion | ServoWall): number[] {
  return Object.entries(motion)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => [...lettersOf(name), ...[value].flat(2)]);
}

function lettersOf(text: string): number[] {
  return Array.from(text, (letter) => letter.codePointAt(0)!);
}

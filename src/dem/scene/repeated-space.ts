/** Space that repeats: which bodies have copies across the borders of the box, and where these are. */
import { mat3d, quatd, vec3d } from 'wgpu-matrix';
import { resolveBodies } from '../../contacts/bodies/check-bodies.ts';
import { meshOf, requireContactShapes } from '../../contacts/bodies/check-shapes.ts';
import { makeColliders } from '../../contacts/bodies/collider-table.ts';
import type { ContactBodies } from '../../contacts/bodies/contact-shape.ts';
import { makeEntries } from '../../contacts/bodies/entries.ts';
import { InputError } from '../../errors.ts';
import type { SimulationModel } from './model.ts';
import type { SimulationScene } from './simulation-scene.ts';

/** How far a plane's normal may lean along an axis that repeats: what rounding makes of a quaternion. */
const NORMAL_ROUNDING = 1e-9;
const AXES = ['x', 'y', 'z'];

/**
 * A body's copies are numbered by bits, one for each axis that repeats: copy c is moved by a length of the box along
 * the axes whose bits are set. Copy 0 is the body itself.
 */
export interface RepeatedSpace {
  /** Numbers of the axes that repeat, and by axis in this order the least coordinate and the length of the box. */
  readonly axes: readonly number[];
  readonly lows: readonly number[];
  readonly lengths: readonly number[];
  /** Copies of each body, itself counted. */
  readonly copies: number;
  /** `[n]`: bits of the axes along which a body is a wall: it reaches through the box, and does not repeat. */
  readonly walls: Uint8Array;
  /** `[n]`: the farthest that a point of a body is from its centroid. */
  readonly radii: Float64Array;
  /** By axis: the largest radius of the bodies that repeat along it. */
  readonly largest: readonly number[];
}

/**
 * @param scene has been checked, but for its shapes
 * @returns undefined where no axis repeats
 * @throws InputError for a body that is too large for the box, or a plane that crosses an axis that repeats
 */
export function repeatedSpace(
  { box, shapes }: SimulationScene,
  shapeNames: readonly string[],
  model: SimulationModel,
): RepeatedSpace | undefined {
  const axes = box === undefined ? [] : [0, 1, 2].filter((axis) => box.periodic[axis]);
  if (box === undefined || axes.length === 0) return undefined;
  requireContactShapes(shapes, shapeNames);
  const lows = axes.map((axis) => box.low[axis]!);
  const lengths = axes.map((axis) => box.high[axis]! - box.low[axis]!);
  const { radii, extents } = sizesOf(shapes, model);
  const walls = new Uint8Array(model.count);
  for (let body = 0; body < model.count; body++) {
    axes.forEach((axis, j) => {
      if (isWall(shapes, model, body, axis, lengths[j]!, 2 * radii[body]!, extents[3 * body + axis]!))
        walls[body]! |= 1 << j;
    });
  }
  const largest = axes.map((_, j) => {
    return radii.reduce((most, radius, body) => ((walls[body]! >> j) & 1 ? most : Math.max(most, radius)), 0);
  });
  return { axes, lows, lengths, copies: 2 ** axes.length, walls, radii, largest };
}

/** Whether a body reaches through the box along an axis. @throws InputError where it does neither that nor fits */
function isWall(
  shapes: SimulationScene['shapes'],
  { contactBodies, driven, names, state }: SimulationModel,
  body: number,
  axis: number,
  length: number,
  diameter: number,
  extent: number,
): boolean {
  const turn = driven.get(body)?.motion.angularVelocity ?? [0, 0, 0];
  const turnsAcross = [0, 1, 2].some((k) => k !== axis && turn[k] !== 0);
  const found = `box: ${names[body]}`;
  if (shapes[contactBodies.shapes[body]!]!.kind === 'plane') {
    // Centroids of planes are their origins, and their axes those of the shape.
    const normal = vec3d.transformQuat([0, 0, 1], state.rotations.subarray(4 * body, 4 * body + 4));
    if (Math.abs(normal[axis]!) <= NORMAL_ROUNDING && !turnsAcross) return true;
    throw new InputError(
      `${found} is a plane that crosses ${AXES[axis]}, along which space repeats: expected one along it`,
    );
  }
  const isStatic = contactBodies.isStatic![body] === 1;
  const own = isStatic && !turnsAcross ? extent : diameter;
  if (own <= length / 2) return false;
  if (isStatic && !turnsAcross && own >= length) return true;
  throw new InputError(
    `${found} takes ${own.toPrecision(3)} along ${AXES[axis]}, expected at most half of the box, ` +
      `${(length / 2).toPrecision(3)}${isStatic ? `, or as a wall all of it, ${length.toPrecision(3)}` : ''}`,
  );
}

/** How far bodies reach from their centroids, and their extents along the axes of the world where they are at first. */
function sizesOf(shapes: SimulationScene['shapes'], model: SimulationModel) {
  const { count, contactBodies, names, centroids, principal, state } = model;
  const bodies = { shapes: contactBodies.shapes, masks: new Uint32Array(count) };
  const resolved = resolveBodies(bodies, shapes, () => names);
  const { colliders } = makeColliders(
    shapes,
    shapes.map(() => ''),
    resolved,
  );
  const { places: entries } = makeEntries(colliders);
  const radii = new Float64Array(count);
  // The ball about a mesh's box is larger than the mesh.
  const reaches = new Float64Array(shapes.length).fill(Infinity);
  for (let body = 0; body < count; body++) {
    const number = contactBodies.shapes[body]!;
    const shape = shapes[number]!;
    if (shape.kind !== 'polyhedron' || reaches[number]! < Infinity) continue;
    const { positions } = meshOf(shape);
    const [x, y, z] = centroids.subarray(3 * body, 3 * body + 3) as unknown as [number, number, number];
    let reach = 0;
    for (let at = 0; at < positions.length; at += 3)
      reach = Math.max(reach, Math.hypot(positions[at]! - x, positions[at + 1]! - y, positions[at + 2]! - z));
    reaches[number] = reach;
  }
  const [least, most] = [
    new Float64Array(3 * count).fill(Infinity),
    new Float64Array(3 * count).fill(-Infinity),
  ];
  for (let entry = 0; entry < entries.count; entry++) {
    const body = entries.bodies[entry]!;
    const q = quatd.multiply(
      state.rotations.subarray(4 * body, 4 * body + 4),
      quatd.conjugate(principal.subarray(4 * body, 4 * body + 4)),
    );
    const rotation = mat3d.fromQuat(q);
    const middle = vec3d.subtract(
      entries.middles.subarray(3 * entry, 3 * entry + 3),
      centroids.subarray(3 * body, 3 * body + 3),
    );
    const around = vec3d.length(middle) + entries.radii[entry]!;
    radii[body] = Math.max(radii[body]!, Math.min(around, reaches[contactBodies.shapes[body]!]!));
    const centre = vec3d.transformMat3(middle, rotation);
    const halves = [0, 3, 6].map((at) =>
      vec3d.transformMat3(entries.halfAxes.subarray(9 * entry + at, 9 * entry + at + 3), rotation),
    );
    for (let k = 0; k < 3; k++) {
      const half = Math.min(
        halves.reduce((sum, axis) => sum + Math.abs(axis[k]!), 0),
        entries.radii[entry]!,
      );
      least[3 * body + k] = Math.min(least[3 * body + k]!, centre[k]! - half);
      most[3 * body + k] = Math.max(most[3 * body + k]!, centre[k]! + half);
    }
  }
  return { radii, extents: most.map((x, i) => x - least[i]!) };
}

/** The bodies of a pipeline that has all copies: those of a body follow each other. */
export function withCopies(
  { shapes, isStatic, groups, masks }: ContactBodies,
  { copies, walls }: RepeatedSpace,
): ContactBodies {
  const count = copies * shapes.length;
  const bodyOf = (one: number) => Math.floor(one / copies);
  return {
    shapes: Uint32Array.from({ length: count }, (_, one) => shapes[bodyOf(one)]!),
    isStatic: Uint8Array.from({ length: count }, (_, one) => isStatic?.[bodyOf(one)] ?? 0),
    groups: groups && Uint32Array.from({ length: count }, (_, one) => groups[bodyOf(one)]!),
    // Copies of walls along them are never there: so they are in no list.
    masks: Uint32Array.from({ length: count }, (_, one) =>
      (one % copies) & walls[bodyOf(one)]! ? 0 : (masks?.[bodyOf(one)] ?? 2 ** 32 - 1),
    ),
    // Two bodies that are both moved along an axis touch as they do where they are. A wall touches what is not moved.
    apart: Uint8Array.from({ length: count }, (_, one) => (one % copies) | walls[bodyOf(one)]!),
  };
}

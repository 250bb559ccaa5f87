/** Scenes as simulations and mechanisms take them. */
import { requireObject } from '../../arguments.ts';
import type { SimulationScene } from '../../dem/scene/simulation-scene.ts';
import { InputError } from '../../errors.ts';
import type { Vector3 } from '../../mesh/mass-properties.ts';
import type { MultibodyScene } from '../../multibody/scene/multibody-scene.ts';
import type { Scene } from './scene.ts';
import type { SceneMotion } from './scene-simulation.ts';

/**
 * A scene as `Simulation.create` takes it.
 *
 * @throws InputError for a scene without materials, with a body whose material is not there, or with joints
 */
export function simulationScene(scene: Scene): SimulationScene {
  requireObject('simulationScene: scene', scene?.motions && scene, 'what parseScene or readScene returned');
  if (scene.mechanism !== undefined) {
    throw new InputError(
      `${scene.name}: it has joints, elements or parents, expected none: Multibody moves such scenes (multibodyScene)`,
    );
  }
  if (scene.simulation.materials.length === 0) {
    throw new InputError(`${scene.name}: materials is missing, expected one or more materials by name`);
  }
  return movingScene(scene);
}

/**
 * A scene as `Multibody.create` takes it: with joints, or without.
 *
 * @throws InputError for joints, elements or masses that cannot be
 */
export function multibodyScene(scene: Scene): MultibodyScene {
  requireObject('multibodyScene: scene', scene?.motions && scene, 'what parseScene or readScene returned');
  const own = movingScene(scene);
  const { mechanism } = scene;
  if (mechanism === undefined) return own;
  const { relativePoses: poses, parents, masses, joints, elements } = mechanism;
  return { ...own, joints, elements, bodies: { ...own.bodies, poses, parents, masses } };
}

function movingScene({
  shapes,
  bodies,
  poses,
  margin,
  names,
  simulation,
  motions,
  appearsAt,
}: Scene): SimulationScene {
  const { materials, materialNames, pairs, gravity, removal, bounds, box } = simulation;
  const count = bodies.shapes.length;
  const of = (pick: (motion: SceneMotion) => Vector3) =>
    Float64Array.from({ length: 3 * count }, (_, i) => pick(motions[Math.floor(i / 3)]!)[i % 3]!);
  return {
    ...{ shapes, materials, pairs, gravity, margin, removal, bounds, box },
    names: { shapes: names.shapes, bodies: names.bodies, materials: materialNames },
    bodies: {
      ...{
        shapes: bodies.shapes,
        poses,
        isStatic: bodies.isStatic,
        groups: bodies.groups,
        masks: bodies.masks,
      },
      materials: Uint32Array.from(motions, ({ material }) =>
        material === undefined ? 0 : Math.max(0, materialNames.indexOf(material)),
      ),
      ...(appearsAt.some((time) => time > 0) ? { appearsAt } : {}),
      velocities: of(({ velocity }) => velocity),
      angularVelocities: of(({ angularVelocity }) => angularVelocity),
      motions: new Map(motions.flatMap(({ motion }, body) => (motion === undefined ? [] : [[body, motion]]))),
      servos: new Map(motions.flatMap(({ servo }, body) => (servo === undefined ? [] : [[body, servo]]))),
    },
  };
}

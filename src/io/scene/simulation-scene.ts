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
  const of = (pick: (motion: SceneMotion) => Vector3) => {
    const all = new Float64Array(3 * count);
    for (let body = 0; body < count; body++) {
      const own = pick(motions[body]!);
      for (let k = 0; k < 3; k++) all[3 * body + k] = own[k]!;
    }
    return all;
  };
  const mapOf = <T>(pick: (motion: SceneMotion) => T | undefined) => {
    const all = new Map<number, T>();
    motions.forEach((motion, body) => {
      const own = pick(motion);
      if (own !== undefined) all.set(body, own);
    });
    return all;
  };
  const numbers = new Map(materialNames.map((name, i) => [name, i]));
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
      materials: new Uint32Array(count).map((_, body) => numbers.get(motions[body]!.material ?? '') ?? 0),
      ...(appearsAt.some((time) => time > 0) ? { appearsAt } : {}),
      velocities: of(({ velocity }) => velocity),
      angularVelocities: of(({ angularVelocity }) => angularVelocity),
      motions: mapOf(({ motion }) => motion),
      servos: mapOf(({ servo }) => servo),
    },
  };
}

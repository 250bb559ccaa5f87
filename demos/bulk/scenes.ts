/**
 * The scenes of demos/scenes/ with a choice applied. Bodies keep their size. Other numbers of bodies need other room:
 * lengths of what holds them grow with the cube root of the number, those of a belt's width with its square root.
 */

import { type Box, parseScene, type SimulationScene, simulationScene } from '../../src/index.ts';
import conveyor from '../scenes/conveyor.json';
import drum from '../scenes/drum.json';
import heap from '../scenes/heap.json';
import hopper from '../scenes/hopper.json';
import tumblingRocks from '../scenes/tumbling-rocks.json';
import type { Choice, SceneName, ShapeName } from './choice.ts';

/** As they are in the files. */
export const SCENE_FILES: Readonly<Record<SceneName, object>> = {
  ...{ hopper, heap, drum, conveyor },
  'tumbling-rocks': tumblingRocks,
};

/** What the page shows and moves. */
export interface BulkScene {
  readonly scene: SimulationScene;
  /** In simulated seconds; undefined for what the library recommends. */
  readonly timeStep: number | undefined;
  /** What is to be seen: metres. */
  readonly view: Box;
}

/** The fields of a scene's file that are changed here. */
interface SceneFile {
  shapes: Record<string, Record<string, unknown>>;
  materials: Record<string, { friction: number; restitution: number }>;
  materialPairs?: { friction?: number }[];
  bodies: Record<string, unknown>[];
  timeStep?: number;
}

/** A scene for so many bodies, and what of it is to be seen. */
type Sizing = (file: SceneFile, count: number) => BulkScene['view'];

/** How much larger than in the file, where room is to grow with the number of bodies; never so small that they jam. */
function growth(count: number, own: number): number {
  return Math.max(0.8, Math.cbrt(count / own));
}

/** Rocks that lie or hang there at first, so that there is something to see before a source has given much. */
const FIRST_SHARE = 1 / 3;

const SIZINGS: Record<SceneName, Sizing> = {
  hopper(file, count) {
    const s = growth(count, 100);
    const wall = file.shapes.hopper!.generate as { profile: [number, number][] };
    wall.profile = wall.profile.map(([r, z]) => [s * r, s * z]);
    const { grid: _, position: __, ...rock } = file.bodies.at(-1)!;
    // A cylinder above the cone, inside the walls at first; balls around rocks take some of it.
    const [radius, base] = [0.47 * s, 0.7 * s];
    const height = (count * ballVolume(0.075)) / (0.28 * Math.PI * radius ** 2) + 0.1;
    const region = { base: [0, 0, base], radius, height };
    file.bodies.splice(-1, 1, { ...rock, velocity: [0, 0, -1.2], random: { count, region, seed: 7 } });
    return { min: [-0.55 * s, -0.55 * s, 0], max: [0.55 * s, 0.55 * s, 1.6 * s] };
  },
  heap(file, count) {
    const s = growth(count, 120);
    const rock = file.bodies.at(-1)!;
    const first = Math.floor(FIRST_SHARE * count);
    const { source, ...own } = rock;
    const of = source as Record<string, unknown>;
    rock.source = {
      ...of,
      ...{ count: count - first, batch: Math.max(1, Math.round(5 * s ** 2)) },
      region: { base: [0, 0, 0.95 * s], radius: 0.4 * s + 0.06, height: 0.5 },
    };
    const region = { base: [0, 0, 0.01], radius: 0.95 * s, topRadius: 0.6 * s, height: 0.9 * s };
    file.bodies.push({ ...own, name: 'first rock', random: { count: first, region, seed: 8 } });
    return { min: [-0.95 * s, -0.95 * s, 0], max: [0.95 * s, 0.95 * s, 1.1 * s] };
  },
  drum(file, count) {
    const s = growth(count, 40);
    const wall = file.shapes.drum!.generate as Record<string, unknown>;
    Object.assign(wall, { radius: 0.5 * s, length: 0.4 * s, thickness: 0.1 * s, opening: 0.15 * s });
    const [shell, rock] = file.bodies as [Record<string, unknown>, Record<string, unknown>];
    // Of equal Froude number: rocks fall from the same height of the drum.
    shell.motion = { angularVelocity: [0, 2 / Math.sqrt(s), 0] };
    // A cuboid around most of the inside: where walls are is no place for rocks.
    const region = { low: [-0.4 * s, -0.19 * s, -0.42 * s], high: [0.4 * s, 0.19 * s, 0.4 * s] };
    rock.random = { count, region, seed: 5 };
    return { min: [-0.6 * s, -0.3 * s, -0.6 * s], max: [0.6 * s, 0.3 * s, 0.6 * s] };
  },
  conveyor(file, count) {
    const w = Math.max(0.8, Math.sqrt(count / 48));
    (file.shapes.belt!.generate as Record<string, unknown>).height = 0.6 * w;
    const rock = file.bodies.at(-1)!;
    // No more than belts have room for.
    const first = Math.floor(Math.min(FIRST_SHARE * count, 50 * w));
    const { source, ...own } = rock;
    const of = source as Record<string, unknown>;
    const across = (low: number, high: number, x: [number, number]) => ({
      low: [x[0], -0.22 * w, low],
      high: [x[1], 0.22 * w, high],
    });
    rock.source = {
      ...{ ...of, count: count - first, batch: Math.max(1, Math.round(4 * w)) },
      region: across(1.45, 1.75, [-1.4, -1]),
    };
    const share = Math.ceil(first / 2);
    const put = (name: string, more: number, low: number, x: [number, number], seed: number) => {
      if (more > 0)
        file.bodies.push({ ...own, name, random: { count: more, region: across(low, low + 0.4, x), seed } });
    };
    put('first rock', share, 1.21, [-0.95, -0.1], 4);
    put('second rock', first - share, 0.51, [0.3, 1.5], 5);
    return { min: [-1.6, -0.35 * w, 0], max: [2, 0.35 * w, 1.7] };
  },
  'tumbling-rocks'(file, count) {
    const s = growth(count, 16);
    const stairs = file.shapes.stairs!.generate as Record<string, unknown>;
    // More steps of the same size, below a landing that has room for all rocks.
    const [steps, run, rise, landing] = [Math.max(4, Math.round(4 * s)), 0.5, 0.2, 0.5 * s];
    const height = (steps + 1) * rise;
    const outline: [number, number][] = [
      [0, 0],
      [landing + steps * run, 0],
    ];
    for (let step = 0; step < steps; step++) {
      const x = landing + (steps - step) * run;
      outline.push([x, (step + 1) * rise], [x - run, (step + 1) * rise]);
    }
    outline.push([landing, height], [0, height]);
    Object.assign(stairs, { outline, height: 1.6 * s });
    const rock = file.bodies.at(-1)!;
    const region = { low: [0, -0.7 * s, height + 0.1], high: [0.7 * s, 0.7 * s, height + 0.1 + 0.7 * s] };
    Object.assign(rock, { velocity: [1.5 * Math.sqrt(s), 0, 0], random: { count, region, seed: 2 } });
    return { min: [0, -0.8 * s, 0], max: [landing + steps * run + 0.5, 0.8 * s, height + 0.6 * s] };
  },
};

function ballVolume(radius: number): number {
  return (4 / 3) * Math.PI * radius ** 3;
}

/** What bodies can be in place of a rock of a radius, as a scene's file has it. */
const REPLACEMENTS: Record<
  Exclude<ShapeName, 'rocks'>,
  (rock: Record<string, unknown>, radius: number) => object
> = {
  hulls: ({ generate, scale }) => ({ kind: 'mesh', generate, scale }),
  balls: (_, r) => ({ kind: 'sphere', radius: 0.85 * r }),
  cubes: (_, r) => ({ kind: 'box', halfExtents: [0.62 * r, 0.62 * r, 0.62 * r] }),
  pills: (_, r) => ({ kind: 'capsule', halfLength: 0.55 * r, radius: 0.45 * r }),
  angles: ({ nodeSpacing }, r) => ({
    kind: 'polyhedron',
    generate: {
      kind: 'extrusion',
      outline: [
        [-0.7, -0.7],
        [0.8, -0.7],
        [0.8, -0.3],
        [-0.3, -0.3],
        [-0.3, 0.8],
        [-0.7, 0.8],
      ].map((xy) => xy.map((x) => x * r)),
      height: 0.8 * r,
    },
    nodeSpacing,
  }),
};

/**
 * A scene's file with a choice applied.
 *
 * @throws InputError, in the library's line, for what the scene has no room for
 */
export async function sceneOf(choice: Choice): Promise<BulkScene> {
  const { scene: name, shape, count, friction, restitution } = choice;
  const file = structuredClone(SCENE_FILES[name]) as SceneFile;
  const ratio = friction / file.materials.rock!.friction;
  for (const material of Object.values(file.materials)) {
    material.friction *= ratio;
    material.restitution = restitution;
  }
  for (const pair of file.materialPairs ?? []) if (pair.friction !== undefined) pair.friction *= ratio;
  const view = SIZINGS[name](file, count);
  if (shape !== 'rocks') {
    for (const [key, own] of Object.entries(file.shapes)) {
      if (key.startsWith('rock'))
        file.shapes[key] = REPLACEMENTS[shape](own, own.scale as number) as typeof own;
    }
  }
  const { timeStep } = file;
  const scene = simulationScene(await parseScene(JSON.stringify(file), { name: `${name}.json` }));
  // The step in the file is that of its rocks, by forces.
  const isOwn = shape === 'rocks' && choice.response === 'forces';
  return { scene, timeStep: isOwn ? timeStep : undefined, view };
}

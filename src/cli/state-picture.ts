/** The picture of a simulation's last state. */
import type { Monitors, SimulationScene } from '../index.ts';
import { openIfNeeded } from './device.ts';

/** What pictures and tables ask of what moves: a simulation, or a mechanism. */
export interface Moving {
  readonly monitors: Monitors;
  read(quantity: 'poses' | 'velocities' | 'statuses'): Promise<Float64Array<ArrayBuffer>>;
}

/**
 * A PNG file of all bodies that are there.
 *
 * @returns `missing`, why there is no picture, where there is no WebGPU
 */
export async function statePicture(
  scene: SimulationScene,
  simulation: Moving,
  size: { readonly width?: number; readonly height?: number } = {},
): Promise<{ readonly png?: Uint8Array; readonly missing?: string }> {
  const { DeviceError, drawPicture, encodePng } = await import('../index.ts');
  const { device, missing } = await openIfNeeded({ adapter: 'auto' });
  if (device === undefined) return { missing: missing ?? 'no WebGPU' };
  try {
    const statuses = await simulation.read('statuses');
    const poses = await simulation.read('poses');
    const isThere = (_: unknown, body: number) => statuses[body] === 1;
    const ofThose = (all: Float64Array) => all.filter((_, i) => statuses[Math.floor(i / 7)] === 1);
    const { shapes, bodies, up, colors } = await drawnScene(scene);
    const present = {
      shapes,
      bodies: { shapes: bodies.shapes.filter(isThere), isStatic: bodies.isStatic.filter(isThere) },
      poses: ofThose(poses),
      // A hopper that has run empty stays open.
      earlierPoses: ofThose(Float64Array.from(scene.bodies.poses)),
    };
    const own = colors && { ...colors, values: colors.values.filter(isThere) };
    const picture = await drawPicture(device, present, { ...size, up, ...own });
    return { png: await encodePng(picture) };
  } catch (error) {
    // The simulation is done and saved: it does not fail for its picture.
    if (error instanceof DeviceError) return { missing: error.problem };
    throw error;
  } finally {
    device.destroy();
  }
}

/** A scene as pictures show it: which way is up, and several materials have a colour each. */
export async function drawnScene(scene: SimulationScene) {
  const { gravityAt } = await import('../index.ts');
  const { shapes, isStatic, motions, servos, materials } = scene.bodies;
  const isWall = Uint8Array.from(shapes, (_, body) =>
    motions?.has(body) || servos?.has(body) ? 1 : (isStatic?.[body] ?? 0),
  );
  // All pictures of a run have one view.
  const [x, y, z] = gravityAt(scene.gravity ?? [0, 0, -1], 0);
  const up = Math.hypot(x, y, z) > 0 ? ([-x, -y, -z] as const) : ([0, 0, 1] as const);
  const values = Float64Array.from(shapes, (_, body) => materials?.[body] ?? 0);
  const moving = new Set(values.filter((_, body) => isWall[body] === 0));
  const colors = moving.size > 1 ? ({ color: 'category', values } as const) : undefined;
  return { shapes: scene.shapes, bodies: { shapes, isStatic: isWall }, up, colors };
}

/** Pictures of a simulation from one camera: the frames of a film. */
import type { AdapterPreference, SimulationScene } from '../index.ts';
import { openDeviceFor } from './device.ts';
import { drawnScene, type Moving } from './state-picture.ts';

export interface Film {
  /** A PNG file of the bodies that are there now. */
  frame(moving: Moving): Promise<Uint8Array>;
  destroy(): void;
}

/** @throws DeviceError where there is no WebGPU */
export async function openFilm(scene: SimulationScene, adapter: AdapterPreference): Promise<Film> {
  const { encodePng, Renderer } = await import('../index.ts');
  const device = await openDeviceFor(adapter, 'the command without --film');
  try {
    // Bodies that are yet to appear count: the camera sees the place where they will.
    const { colors, up, ...drawn } = await drawnScene(scene);
    const renderer = await Renderer.create(device, { ...drawn, poses: scene.bodies.poses }, { up });
    return {
      async frame(moving) {
        const statuses = await moving.read('statuses');
        const absent = Uint8Array.from(statuses, (status) => (status === 1 ? 0 : 1));
        const poses = await moving.read('poses');
        return encodePng(await renderer.picture({ ...colors, poses, absent }));
      },
      destroy: () => device.destroy(),
    };
  } catch (error) {
    device.destroy();
    throw error;
  }
}

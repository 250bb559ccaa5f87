/** The ways that are compared, the peer among them. */
import { loadThreeMeshBvh } from '../src/bench/three-mesh-bvh.ts';
import type { Way } from '../src/bench/way.ts';
import { insideWays } from '../src/bench/ways.ts';
import { ScreeError } from '../src/errors.ts';
import type { Device } from '../src/gpu/device.ts';

/** @throws ScreeError where the peer, a development dependency, is not installed. */
export async function comparedWays(device: Device): Promise<Way[]> {
  const peer = await loadThreeMeshBvh();
  if (peer === undefined) {
    throw new ScreeError('the packages three and three-mesh-bvh are not installed: run npm ci', 1);
  }
  return insideWays(device, peer);
}

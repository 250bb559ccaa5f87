import { expect, it } from 'vitest';
import { vec3d } from 'wgpu-matrix';
import { placeEntries } from '../../src/broadphase/entries.ts';
import { nearPairs } from '../../src/broadphase/near-pairs.ts';
import { hold } from '../support/hold.ts';
import { randomScene } from './scenes.ts';

it.each([0, 20_000])('pairs whose balls are farther apart than the margin are left out, at %d', (centre) => {
  const { entryInput, poses } = randomScene(60, 3, centre, 8);
  const entries = placeEntries(entryInput);
  const margin = 0.05;
  const all: number[] = [];
  for (let a = 0; a < entries.count; a++) for (let b = a + 1; b < entries.count; b++) all.push(a, b);
  const near = nearPairs(Uint32Array.from(all), { entries, poses, margin });
  const isNear = new Set(
    Array.from({ length: near.length / 2 }, (_, k) => `${near[2 * k]} ${near[2 * k + 1]}`),
  );
  const middleOf = (entry: number) => {
    const pose = poses.subarray(7 * entries.bodies[entry]!, 7 * entries.bodies[entry]! + 7);
    const turned = vec3d.transformQuat(entries.middles.subarray(3 * entry, 3 * entry + 3), pose.subarray(3));
    return vec3d.add(turned, pose);
  };
  let apart = 0;
  for (let k = 0; k < all.length; k += 2) {
    const [a, b] = [all[k]!, all[k + 1]!];
    const gap = vec3d.distance(middleOf(a), middleOf(b)) - entries.radii[a]! - entries.radii[b]! - margin;
    const name = `${a} ${b}`;
    if (gap <= 0) hold(isNear.has(name), () => `${name} come near, and are left out`);
    // Balls are taken larger by 2^-20 of their radius.
    else if (gap > 1e-6) hold(!isNear.has(name), () => `${name} are ${gap} apart, and are kept`);
    if (gap > 0) apart++;
  }
  expect(apart).toBeGreaterThan(all.length / 8);
  expect(near.length).toBeGreaterThan(100);
});

it('keeps the order of pairs, and counts those that are wanted alone', () => {
  const { entryInput, poses } = randomScene(3, 1);
  const entries = placeEntries(entryInput);
  poses.set([0, 0, 0], 0);
  poses.set([100, 0, 0], 7);
  poses.set([0, 0, 0.01], 14);
  // Entries 0, 1 and 4, 5 are there, of the first and the last body.
  const wanted = Uint32Array.of(0, 1, 2, 4, 5);
  const pairs = Uint32Array.of(0, 2, 0, 3, 1, 2, 1, 4);
  expect([...nearPairs(pairs, { entries, wanted, poses, margin: 1 })]).toEqual([0, 3, 1, 4]);
});

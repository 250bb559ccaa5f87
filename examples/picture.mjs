import { writeFile } from 'node:fs/promises';
import { drawPicture, encodePng, openDevice, randomRock } from 'scree';

const mesh = randomRock({ seed: 3, convex: false, triangles: 320 });
const bodies = { shapes: Uint32Array.of(0, 1, 1) };
const places = [
  [0, 0, 0, 0, 0, 0, 1], // position x, y, z, and quaternion x, y, z, w
  [0, 0, 0.7, 0, 0, 0, 1],
  [1.6, 0, 0.7, 0, 0, 1, 0],
];
const poses = Float64Array.from(places.flat()); // or: await simulation.read('poses')
const device = await openDevice(); // any adapter, the software adapter too
const picture = await drawPicture(
  device,
  { shapes: [{ kind: 'plane' }, { kind: 'polyhedron', mesh }], bodies, poses },
  { width: 600, height: 400 },
);
await writeFile('rocks.png', await encodePng(picture));
console.log(picture.width, picture.height, picture.pixels.length);
device.destroy();

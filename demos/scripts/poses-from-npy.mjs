// Contacts of poses that another program computed: a .npy file with the poses of several frames, a scene with the
// shapes, and a file of contacts for each frame.
//
//     node demos/scripts/poses-from-npy.mjs [scene.json poses.npy folder]
//
// The poses are [frames, bodies, 7]: position x, y, z and quaternion x, y, z, w; in NumPy np.save('poses.npy', poses).
// Without arguments the script makes five frames of demos/scenes/hulls.json itself.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ContactPipeline, encodeContacts, encodeNpy, parseNpy, readScene } from 'scree';

const ownScene = fileURLToPath(new URL('../scenes/hulls.json', import.meta.url));
const [scenePath = ownScene, posesPath = join('scree-out', 'poses.npy'), folder = 'scree-out'] =
  process.argv.slice(2);
const scene = await readScene(scenePath);
await mkdir(folder, { recursive: true });
if (process.argv.length === 2) await makePoses();

const { shape, data } = parseNpy(await readFile(posesPath), posesPath);
const [frames, count, width] = shape;
if (shape.length !== 3 || count !== scene.names.bodies.length || width !== 7) {
  throw new Error(`${posesPath}: found [${shape}], expected [frames, ${scene.names.bodies.length}, 7]`);
}

const { shapes, bodies, margin, names } = scene;
const pipeline = await ContactPipeline.create(undefined, shapes, { bodies, margin, names }); // or openDevice()
let previous = { count: 0, bodies: new Uint32Array(0) };
for (let frame = 0; frame < frames; frame++) {
  const poses = data.subarray(7 * count * frame, 7 * count * (frame + 1));
  const contacts = await pipeline.detect({ poses, previous });
  const file = join(folder, `contacts-${`${frame}`.padStart(3, '0')}.npy`);
  await writeFile(file, encodeContacts(contacts, 'npy'));
  const { began, ended } = contacts.events;
  console.log(
    `${file}: ${contacts.count} contacts; ${began.length / 2} pairs began, ${ended.length / 2} ended`,
  );
  previous = contacts;
}
pipeline.destroy();

/** Five frames in which all moving bodies come closer to the middle. */
async function makePoses() {
  const all = new Float64Array(5 * scene.poses.length);
  for (let frame = 0; frame < 5; frame++) {
    const poses = scene.poses.map((x, i) => {
      const isMoving = scene.bodies.isStatic[Math.floor(i / 7)] === 0;
      return i % 7 < 3 && isMoving ? x * (1 - 0.01 * frame) : x;
    });
    all.set(poses, scene.poses.length * frame);
  }
  await writeFile(posesPath, encodeNpy(all, [5, scene.poses.length / 7, 7]));
}

import { ContactKind, ContactPipeline, randomRock } from 'scree';

const mesh = randomRock({ seed: 7, convex: false, triangles: 320 }); // or: await readMesh('rock.stl')
const bodies = { shapes: Uint32Array.of(0, 1, 1) }; // the ground and two rocks
// The CPU; or a device of openDevice().
const pipeline = await ContactPipeline.create(undefined, [{ kind: 'plane' }, { kind: 'polyhedron', mesh }], {
  bodies,
});

const places = [
  [0, 0, 0, 0, 0, 0, 1], // position x, y, z, and quaternion x, y, z, w
  [0, 0, 0.7, 0, 0, 0, 1],
  [1.3, 0, 0.7, 0, 0, 0, 1],
];
const poses = Float64Array.from(places.flat());
let contacts = await pipeline.detect({ poses });
let force = 0;
for (let i = 0; i < contacts.count; i++) {
  const [a, b] = contacts.bodies.subarray(2 * i, 2 * i + 2); // a < b; the normal points from a to b
  const isNode = contacts.kinds[i] === ContactKind.node;
  if (a === 1 && b === 2 && isNode)
    force += contacts.areas[i] * -contacts.distances[i] * contacts.normals[3 * i];
}
console.log(force); // along x, of area times depth

poses[7 * 2] += 1; // the second rock moves away
contacts = await pipeline.detect({ poses, previous: contacts });
console.log(contacts.events?.ended); // the pairs of bodies that touched in the step before
pipeline.destroy();

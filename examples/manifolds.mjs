import { ConvexBatch, polytopeOf, randomRock } from 'scree';

const rock = polytopeOf(randomRock({ seed: 7, convex: true })); // the convex hull of a mesh
const batch = await ConvexBatch.create(undefined, [rock, { kind: 'box', halfExtents: [2, 2, 0.1] }]);
const poses = Float64Array.of(0, 0, 1, 0, 0, 0, 1, /* the box */ 0, 0, 0, 0, 0, 0, 1);
const pairs = Uint32Array.of(0, 1);
let contacts = await batch.query({ poses, pairs, kind: 'manifold' });
for (let step = 0; step < 10; step++) {
  poses[2] -= 0.05; // the rock sinks into the box
  contacts = await batch.query({ poses, pairs, kind: 'manifold', previous: contacts });
}
console.log(contacts.distance[0]); // minus the depth
batch.destroy();

import { ConvexBatch, intersects, polytopeOf, randomRock } from 'scree';

const rock = polytopeOf(randomRock({ seed: 7, convex: true })); // the convex hull of a mesh
// The CPU; or a device of openDevice().
const batch = await ConvexBatch.create(undefined, [rock, { kind: 'capsule', halfLength: 0.5, radius: 0.1 }]);
const poses = Float32Array.of(0, 0, 0, 0, 0, 0, 1, /* body 1 */ 0, 0, 1.2, 0, 0, 0, 1); // position, quaternion
const result = await batch.query({ poses, pairs: Uint32Array.of(0, 1), kind: 'signed-distance' });
console.log(result.distance); // one per pair: positive apart, minus the depth where they overlap
console.log(result.normal); // out of the first body, towards the second
console.log(intersects(result, 0)); // whether pair 0 has a point in common
batch.destroy();

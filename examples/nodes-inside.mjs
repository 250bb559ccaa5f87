import { nodesInside, Polyhedron, randomRock } from 'scree';

const mesh = randomRock({ seed: 7, convex: false, triangles: 320 });
const rock = await Polyhedron.create(undefined, mesh); // the CPU; or a device of openDevice()
const shapes = Uint32Array.of(0, 0); // two bodies, both of polyhedron 0
const poses = Float64Array.of(0, 0, 0, 0, 0, 0, 1, /* body 1 */ 1.2, 0, 0, 0, 0, 0, 1); // position, quaternion
const pairs = Uint32Array.of(0, 1, 1, 0); // nodes of body 0 in body 1, and of 1 in 0
const { starts, nodes, flags } = await nodesInside([rock], { poses, shapes, pairs });
console.log(starts); // nodes of pair p are entries starts[p] to starts[p + 1] - 1
console.log(nodes, flags); // vertices, and 1 inside or 2 exactly on a triangle
rock.destroy();

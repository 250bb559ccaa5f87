import { gridPoints, openDevice, Polyhedron, randomRock } from 'scree';

const mesh = randomRock({ seed: 7, convex: false }); // or: await readMesh('rock.stl')
const points = gridPoints(mesh.box, 40); // Float32Array, x y z per point; or: await readPoints('points.npy')
const device = await openDevice().catch((error) => void console.warn(error.message)); // undefined: the CPU alone
const rock = await Polyhedron.create(device, mesh);
const result = await rock.classify(points);
console.log(result.flags); // Uint8Array: 0 outside, 1 inside, 2 exactly on a triangle
console.log(result.counts); // { points, outside, inside, boundary }
console.log(result.backend, result.adapter); // what did the work, and the device
rock.destroy();
device?.destroy();

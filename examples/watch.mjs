import { gridPoints, Polyhedron, unitSphere } from 'scree';

const mesh = unitSphere(5);
const body = await Polyhedron.create(undefined, mesh);
const points = gridPoints(mesh.box, 60);

const controller = new AbortController(); // controller.abort() stops the call
const { counts } = await body.classify(points, {
  rule: 'nonzero',
  signal: controller.signal,
  onProgress: (done, total) => console.error(`${done} of ${total}`),
});
console.log(counts);
body.destroy();

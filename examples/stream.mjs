import { open, writeFile } from 'node:fs/promises';
import { encodeNpy, encodeNpyHeader, gridPoints, openPoints, Polyhedron, unitSphere } from 'scree';

const mesh = unitSphere(4);
const body = await Polyhedron.create(undefined, mesh);
await writeFile('points.npy', encodeNpy(gridPoints(mesh.box, 50), [125_000, 3]));

const points = await openPoints('points.npy', { chunkPoints: 20_000 }); // points.count is known now
const file = await open('flags.npy', 'w');
await file.writeFile(encodeNpyHeader('u1', [points.count]));
const stream = body.classifyStream(points, { expectedPoints: points.count });
for await (const { flags } of stream) await file.writeFile(flags);
await file.close();
console.log(stream.summary.chunks, stream.summary.counts); // method, backend, seconds, ... of all chunks too
body.destroy();

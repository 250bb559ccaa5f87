import { writeFile } from 'node:fs/promises';
import { gridPoints, openCellFoam, Polyhedron } from 'scree';

const body = await Polyhedron.create(undefined, openCellFoam({ triangles: 20_000 }));
await writeFile('foam.body', await body.save());
const again = await Polyhedron.load(undefined, 'foam.body'); // or a URL, a Blob, the bytes
const { counts } = await again.classify(gridPoints(again.mesh.box, 20));
console.log(counts);
body.destroy();
again.destroy();

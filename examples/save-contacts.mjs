import { writeFile } from 'node:fs/promises';
import { ContactPipeline, contactTables, Polyhedron, randomRock, readBody } from 'scree';

const mesh = randomRock({ seed: 1, convex: false });
const body = await Polyhedron.create(undefined, mesh);
// Options of contactTables are those of the shape: nodeSpacing, reach, sharpAngle.
await writeFile('rock.body', await body.save({ contacts: await contactTables(mesh) }));

const rock = await readBody('rock.body');
const bodies = { shapes: Uint32Array.of(0, 0) };
const pipeline = await ContactPipeline.create(undefined, [{ kind: 'polyhedron', mesh: rock }], { bodies });
console.log(pipeline.polyhedra[0].triangles);

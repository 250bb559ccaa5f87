import { gridPoints, Polyhedron, TriangleMesh, unitSphere } from 'scree';

// A sphere with a hole: its first four triangles are missing.
const { positions, indices } = unitSphere(4);
const mesh = new TriangleMesh({ name: 'scan', positions, indices: indices.slice(12) });
const points = gridPoints(mesh.box, 20);

const scan = await Polyhedron.create(undefined, mesh, { open: true });
const { counts, undecided } = await scan.classify(points, { rule: 'winding' });
const { values, bounds } = await scan.windingNumber(points, { tolerance: 1e-4 });
console.log(counts, undecided);
console.log(values[0], bounds[0]); // a point outside: its winding number is near 0
scan.destroy();

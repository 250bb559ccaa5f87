// Writes a mesh as open as a scan is: a foam of about 100,000 triangles without one face in 200.
//
//     node demos/scripts/open-scan.mjs [file to write, default scan.ply]
//     scree classify scan.ply --rule winding --grid 80
import { writeFileSync } from 'node:fs';
import { createRandom, encodeMesh, openCellFoam, TriangleMesh } from 'scree';

const file = process.argv[2] ?? 'scan.ply';
const { positions, indices, triangleCount } = openCellFoam({ triangles: 100_000 });
const random = createRandom(7);
const isKept = Uint8Array.from({ length: triangleCount }, () => (random() < 1 / 200 ? 0 : 1));
const scan = new TriangleMesh({
  positions,
  indices: indices.filter((_, i) => isKept[Math.floor(i / 3)] === 1),
});
writeFileSync(file, encodeMesh(scan, 'ply'));
console.log(`${file}: ${scan.triangleCount} triangles, ${triangleCount - scan.triangleCount} missing`);

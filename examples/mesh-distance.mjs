// How far two meshes are apart, concave ones too, and bounds of it from a search that is stopped.
import { BoundingTree, meshDistance, openCellFoam, randomRock } from 'scree';

const foam = openCellFoam({ triangles: 4000 });
const rock = randomRock({ seed: 1, convex: false });

// Once for each mesh.
const a = BoundingTree.create(foam);
const b = BoundingTree.create(rock);

// Position and unit quaternion of a, then of b.
const poses = [0, 0, 0, 0, 0, 0, 1, 3, 0.5, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2];
const { distance, pointA, pointB, triangleA, triangleB } = await meshDistance({ a, b, poses });
console.log(`${distance} from ${pointA} on triangle ${triangleA} to ${pointB} on triangle ${triangleB}`);

// At most 200 pairs of volumes: the distance is not below `lower`, and two points are `distance` apart.
const rough = await meshDistance({ a, b, poses }, { visits: 200 });
console.log(`between ${rough.lower} and ${rough.distance}`);

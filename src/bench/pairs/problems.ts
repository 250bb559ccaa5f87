/**
 * The thesis' six combinations of shapes (Olvang 2010, section 4.1). Its sizes are in a unit of no meaning. It does not
 * say whether the ellipsoid's "dimensions" are radii or, as the box' are, whole extents: here whole extents. Nor
 * whether both polyhedra are the same: here they are two.
 */
import { createRandom, type Shape } from '../../index.ts';
import { boxSolid, coneSolid, ellipsoidSolid, polytopeSolid, roundBoxSolid, type Solid } from './solids.ts';

const BOX = [1, 1, 1] as const;
const ROUND_RADIUS = 0.5;
const ELLIPSOID = [0.5, 1, 0.75] as const;
const CONE = { radius: 1, height: 2 } as const;
const POLYHEDRON_POINTS = 50;
const POLYHEDRON_SEEDS = [50_001, 50_002] as const;

/** A shape as scree takes it, and by formulas. */
export interface Figure {
  readonly shape: Shape;
  readonly solid: Solid;
}

/** Two shapes. */
export interface Problem {
  readonly name: string;
  readonly label: string;
  readonly sizes: string;
  readonly a: Figure;
  readonly b: Figure;
}

const box: Figure = { shape: { kind: 'box', halfExtents: BOX }, solid: boxSolid(BOX) };
const ellipsoid: Figure = { shape: { kind: 'ellipsoid', radii: ELLIPSOID }, solid: ellipsoidSolid(ELLIPSOID) };
const roundBox: Figure = {
  shape: { kind: 'round-box', halfExtents: BOX, radius: ROUND_RADIUS },
  solid: roundBoxSolid(BOX, ROUND_RADIUS),
};
const cone: Figure = { shape: { kind: 'cone', ...CONE }, solid: coneSolid(CONE.radius, CONE.height) };

/** Points on the unit sphere, uniformly: float32 numbers, so that everybody has the same. */
export function spherePoints(count: number, seed: number): Float32Array {
  const random = createRandom(seed);
  const points = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    // Archimedes: heights are uniform, and so are longitudes.
    const z = 2 * random() - 1;
    const longitude = 2 * Math.PI * random();
    const r = Math.sqrt(1 - z * z);
    points.set([r * Math.cos(longitude), r * Math.sin(longitude), z], 3 * i);
  }
  return points;
}

function polyhedron(seed: number): Figure {
  const vertices = spherePoints(POLYHEDRON_POINTS, seed);
  return { shape: { kind: 'polytope', vertices }, solid: polytopeSolid(vertices) };
}

/** In the order of the thesis. */
export function thesisProblems(): Problem[] {
  const [first, second] = POLYHEDRON_SEEDS;
  return [
    { name: 'box', label: 'boxes', sizes: 'two boxes 2 × 2 × 2', a: box, b: box },
    {
      ...{ name: 'ellipsoid', label: 'ellipsoids', a: ellipsoid, b: ellipsoid },
      sizes: 'two ellipsoids 1 × 2 × 1.5, whole extents',
    },
    {
      ...{ name: 'box-ellipsoid', label: 'box and ellipsoid', a: box, b: ellipsoid },
      sizes: 'a box 2 × 2 × 2 and an ellipsoid 1 × 2 × 1.5',
    },
    {
      ...{ name: 'round-box', label: 'round boxes', a: roundBox, b: roundBox },
      sizes: 'two boxes 2 × 2 × 2 swept with a ball of radius 0.5',
    },
    {
      ...{ name: 'polyhedron', label: 'polyhedra', a: polyhedron(first), b: polyhedron(second) },
      sizes: 'hulls of 50 random points on the unit sphere each',
    },
    {
      ...{ name: 'cone', label: 'cones', a: cone, b: cone },
      sizes: 'two cones of base radius 1 and height 2',
    },
  ];
}

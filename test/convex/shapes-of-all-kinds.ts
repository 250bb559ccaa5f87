/** Shapes of every kind for property tests, and their support functions in closed form, independent of src/convex. */
import fc from 'fast-check';
import { quatn, vec3n } from 'wgpu-matrix';
import { type ConvexShape, isCompound, type SimpleShape } from '../../src/convex/shapes/shapes.ts';

export type Vector = readonly [number, number, number];
export type Quaternion = readonly [number, number, number, number];

export interface Placed {
  readonly shape: ConvexShape;
  readonly position: Vector;
  readonly rotation: Quaternion;
}

export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;

/** A turn about an axis of any length, in radians. */
export function turnAbout(axis: Vector, angle: number): Quaternion {
  return quatn.fromAxisAngle(vec3n.normalize(axis), angle) as unknown as Quaternion;
}

/** One turn after another: `b` first. */
export const product = (a: Quaternion, b: Quaternion) => quatn.multiply(a, b) as unknown as Quaternion;

/** Inverse rotation of a vector by a unit quaternion, by conjugation and not by a matrix. */
export function unrotate([x, y, z, w]: Quaternion, v: ArrayLike<number>): Vector {
  return rotate([-x, -y, -z, w], v);
}

export function rotate([x, y, z, w]: Quaternion, v: ArrayLike<number>): Vector {
  const t = [2 * (y * v[2]! - z * v[1]!), 2 * (z * v[0]! - x * v[2]!), 2 * (x * v[1]! - y * v[0]!)] as const;
  return [
    v[0]! + w * t[0] + y * t[2] - z * t[1],
    v[1]! + w * t[1] + z * t[0] - x * t[2],
    v[2]! + w * t[2] + x * t[1] - y * t[0],
  ];
}

function supportOfSimple(s: SimpleShape, n: Vector): number {
  const [x, y, z] = [Math.abs(n[0]), Math.abs(n[1]), Math.abs(n[2])];
  const flat = Math.hypot(n[0], n[1]);
  switch (s.kind) {
    case 'point':
      return 0;
    case 'segment':
      return s.halfLength * x;
    case 'rectangle':
      return s.halfExtents[0] * x + s.halfExtents[1] * y;
    case 'box':
      return s.halfExtents[0] * x + s.halfExtents[1] * y + s.halfExtents[2] * z;
    case 'disc':
      return s.radius * flat;
    case 'sphere':
      return s.radius * Math.hypot(...n);
    case 'ellipse':
      return Math.hypot(s.radii[0] * x, s.radii[1] * y);
    case 'ellipsoid':
      return Math.hypot(s.radii[0] * x, s.radii[1] * y, s.radii[2] * z);
    case 'capsule':
      return s.halfLength * x + s.radius * Math.hypot(...n);
    case 'lozenge':
      return s.halfExtents[0] * x + s.halfExtents[1] * y + s.radius * Math.hypot(...n);
    case 'round-box':
      return s.halfExtents[0] * x + s.halfExtents[1] * y + s.halfExtents[2] * z + s.radius * Math.hypot(...n);
    case 'cylinder':
      return s.radius * flat + s.halfHeight * z;
    case 'cone':
      return Math.max(s.radius * flat - (s.height / 4) * n[2], 0.75 * s.height * n[2]);
    case 'wheel':
      return s.radius * flat + s.tubeRadius * Math.hypot(...n);
    case 'frustum': {
      const [[bx, by], [tx, ty]] = [s.bottom, s.top];
      // Simpson's rule is exact for the quadratic cross section and its cubic moment.
      const middle = ((bx + tx) / 2) * ((by + ty) / 2);
      const volume = bx * by + 4 * middle + tx * ty;
      const below = volume > 0 ? (s.height * (2 * middle + tx * ty)) / volume : s.height / 2;
      return Math.max(bx * x + by * y - below * n[2], tx * x + ty * y + (s.height - below) * n[2]);
    }
    case 'polytope': {
      let most = -Infinity;
      for (let i = 0; i < s.vertices.length; i += 3) {
        most = Math.max(most, dot(n, [s.vertices[i]!, s.vertices[i + 1]!, s.vertices[i + 2]!]));
      }
      return most;
    }
  }
}

/** Support function of a shape in its own frame: the largest n . p over its points. */
export function supportValue(s: ConvexShape, n: Vector): number {
  const margin = (s.margin ?? 0) * Math.hypot(...n);
  if (!isCompound(s)) return supportOfSimple(s, n) + margin;
  const { position = [0, 0, 0], rotation = [0, 0, 0, 1] } = s.place ?? {};
  const a = supportValue(s.a, n);
  const b = supportValue(s.b, unrotate(rotation, n)) + dot(position, n);
  return (s.kind === 'sum' ? a + b : Math.max(a, b)) + margin;
}

/** Support function in the world. */
export function placedSupport({ shape, position, rotation }: Placed, n: Vector): number {
  return supportValue(shape, unrotate(rotation, n)) + dot(position, n);
}

/** How far B has to move along n to be rid of A: negative where n separates them. */
export function overlapAlong(a: Placed, b: Placed, n: Vector): number {
  return placedSupport(a, n) + placedSupport(b, [-n[0], -n[1], -n[2]]);
}

/** Even directions on the sphere. */
export const directions: readonly Vector[] = Array.from({ length: 300 }, (_, i) => {
  const z = 1 - (2 * i + 1) / 300;
  const r = Math.sqrt(1 - z * z);
  const phi = i * Math.PI * (3 - Math.sqrt(5));
  return [r * Math.cos(phi), r * Math.sin(phi), z];
});

/** How far a point lies outside a placed shape at least: the largest n . p - h(n) over many directions. */
export function outsideBy(placed: Placed, p: ArrayLike<number>, more: readonly Vector[] = []): number {
  let most = -Infinity;
  const look = (n: Vector) => {
    most = Math.max(most, dot(n, p) - placedSupport(placed, n));
  };
  directions.forEach(look);
  more.forEach(look);
  return most;
}

/** Radius of a ball about the shape's origin that holds it, from the support function along the axes. */
export function sizeOf(s: ConvexShape): number {
  const along = (n: Vector) => Math.max(supportValue(s, n), supportValue(s, [-n[0], -n[1], -n[2]]));
  return Math.hypot(along([1, 0, 0]), along([0, 1, 0]), along([0, 0, 1]));
}

const size = fc.oneof(
  { weight: 3, arbitrary: fc.double({ min: 0.1, max: 1.5, noNaN: true }) },
  { weight: 2, arbitrary: fc.constantFrom(0.25, 0.5, 1) },
);
const small = fc.double({ min: 0.02, max: 0.4, noNaN: true });
const two = fc.tuple(size, size);
const three = fc.tuple(size, size, size);
const coordinate = fc.oneof(
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.constantFrom(-1, -0.5, 0, 0.5, 1),
);

const simple: Record<SimpleShape['kind'], fc.Arbitrary<SimpleShape>> = {
  point: fc.constant({ kind: 'point' }),
  segment: fc.record({ kind: fc.constant('segment'), halfLength: size }),
  rectangle: fc.record({ kind: fc.constant('rectangle'), halfExtents: two }),
  box: fc.record({ kind: fc.constant('box'), halfExtents: three }),
  disc: fc.record({ kind: fc.constant('disc'), radius: size }),
  sphere: fc.record({ kind: fc.constant('sphere'), radius: size }),
  ellipse: fc.record({ kind: fc.constant('ellipse'), radii: two }),
  ellipsoid: fc.record({ kind: fc.constant('ellipsoid'), radii: three }),
  capsule: fc.record({ kind: fc.constant('capsule'), halfLength: size, radius: small }),
  lozenge: fc.record({ kind: fc.constant('lozenge'), halfExtents: two, radius: small }),
  'round-box': fc.record({ kind: fc.constant('round-box'), halfExtents: three, radius: small }),
  cylinder: fc.record({ kind: fc.constant('cylinder'), radius: size, halfHeight: size }),
  cone: fc.record({ kind: fc.constant('cone'), radius: size, height: size }),
  wheel: fc.record({ kind: fc.constant('wheel'), radius: size, tubeRadius: small }),
  frustum: fc.record({ kind: fc.constant('frustum'), bottom: two, top: two, height: size }),
  polytope: fc
    .array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 4, maxLength: 60 })
    .map((points) => ({ kind: 'polytope', vertices: points.flat() })),
};

export const simpleShapes = simple;

export const unitQuaternion: fc.Arbitrary<Quaternion> = fc.oneof(
  fc.constantFrom<Quaternion>(
    [0, 0, 0, 1],
    [0, 0, Math.SQRT1_2, Math.SQRT1_2],
    [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    [0.5, 0.5, 0.5, 0.5],
    [0, 1, 0, 0],
  ),
  fc
    .tuple(...[0, 1, 2, 3].map(() => fc.double({ min: -1, max: 1, noNaN: true })))
    .filter((q) => Math.hypot(...q) > 0.1)
    .map((q) => {
      const length = Math.hypot(...q);
      return q.map((x) => x / length) as unknown as Quaternion;
    }),
);

const anySimple = fc.oneof(...Object.values(simple));
const place = fc.record({
  position: fc.tuple(coordinate, coordinate, coordinate),
  rotation: unitQuaternion,
});

/** An arbitrary shape of each kind; a third of them have a margin. */
export const convexShapes: Record<ConvexShape['kind'], fc.Arbitrary<ConvexShape>> = {
  ...simple,
  sum: fc.record({ kind: fc.constant('sum'), a: anySimple, b: anySimple, place }),
  hull: fc.record({ kind: fc.constant('hull'), a: anySimple, b: anySimple, place }),
};

export const kinds = Object.keys(convexShapes) as readonly ConvexShape['kind'][];

export function arbitraryShape(kind: ConvexShape['kind']): fc.Arbitrary<ConvexShape> {
  return fc
    .tuple(convexShapes[kind], fc.option(small, { freq: 3, nil: 0 }))
    .map(([shape, margin]) => ({ ...shape, margin }));
}

const offset = fc.oneof(
  fc.double({ min: -2, max: 2, noNaN: true }),
  fc.constantFrom(-2, -1, -0.5, 0, 0.5, 1, 2),
);

export function arbitraryPlaced(kind: ConvexShape['kind']): fc.Arbitrary<Placed> {
  return fc.record({
    shape: arbitraryShape(kind),
    position: fc.tuple(offset, offset, offset),
    rotation: unitQuaternion,
  });
}

/** All pairs of kinds, each once. */
export const kindPairs = kinds.flatMap((a, i) => kinds.slice(i).map((b) => [a, b] as const));

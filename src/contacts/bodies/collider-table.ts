/** Colliders of bodies: parts unrolled, and the shapes that they refer to. */
import { quatd } from 'wgpu-matrix';
import { PARAMETERS, Parameter, type ShapeArrays } from '../../convex/shapes/records.ts';
import { ShapeTable } from '../../convex/shapes/shape-table.ts';
import type { ConvexShape, PartPose } from '../../convex/shapes/shapes.ts';
import { coreSupport } from '../../convex/shapes/support.ts';
import { SUPPORT_ROUNDING } from '../constants.ts';
import { isBall } from './ball.ts';
import { mayTouch, type ResolvedBodies } from './check-bodies.ts';
import { meshOf } from './check-shapes.ts';
import { ColliderKind, type Colliders, NO_POLYHEDRON } from './colliders.ts';
import type { ContactShape, PolyhedronShape } from './contact-shape.ts';

/** A polyhedron that nodes and edges need tables of. */
export type NeededPolyhedron =
  | { readonly name: string; readonly shape: PolyhedronShape }
  /** A mesh of the surface of a convex record stands in for it. */
  | { readonly name: string; readonly record: number };

export interface ColliderTable {
  readonly colliders: Colliders;
  /** All single convex shapes, parts among them; undefined where there are none. */
  readonly convex: ShapeTable | undefined;
  /** Names of its records, for messages. */
  readonly convexNames: readonly string[];
  /** In the order of their numbers. */
  readonly polyhedra: readonly NeededPolyhedron[];
}

/** A collider that a shape gives each of its bodies. */
interface Piece {
  readonly kind: ColliderKind;
  readonly shape: number;
  readonly place: readonly number[];
  readonly box: readonly number[];
  readonly radius: number;
}

/** @param shapes have been checked, as have bodies */
export function makeColliders(
  shapes: readonly ContactShape[],
  names: readonly string[],
  bodies: ResolvedBodies,
): ColliderTable {
  const single: ConvexShape[] = [];
  const singleNames: string[] = [];
  const add = (shape: ConvexShape, name: string) => singleNames.push(name) && single.push(shape) - 1;
  const polyhedra: NeededPolyhedron[] = [];
  const convexOf = shapes.map((shape, i) => {
    if (shape.kind === 'plane' || shape.kind === 'polyhedron') return [];
    if (shape.kind !== 'parts') return [{ record: add(shape, names[i]!), pose: {} as PartPose }];
    return shape.parts.map((part, k) => ({ record: add(part.shape, `${names[i]}, part ${k}`), pose: part }));
  });
  const convex = single.length === 0 ? undefined : new ShapeTable(single, singleNames);
  const pieces = shapes.map((shape, i): Piece[] => {
    if (shape.kind === 'plane')
      return [pieceOf(ColliderKind.plane, 0, {}, { box: [0, 0, 0, 0, 0, 0], radius: 0 })];
    if (shape.kind === 'polyhedron') {
      const number = polyhedra.push({ name: names[i]!, shape }) - 1;
      const { min, max } = meshOf(shape).box;
      const box = [0, 1, 2, 3, 4, 5].map((k) => (k < 3 ? min[k]! + max[k]! : max[k - 3]! - min[k - 3]!) / 2);
      return [pieceOf(ColliderKind.polyhedron, number, {}, { box, radius: diagonalOf(box) })];
    }
    return convexOf[i]!.map(({ record, pose }) =>
      pieceOf(ColliderKind.convex, record, pose, boundsOf(convex!, record)),
    );
  });
  const standIns = new Map<number, number>();
  for (const shape of shapesThatMeetPolyhedra(shapes, bodies)) {
    for (const { record } of convexOf[shape]!) {
      if (isBall(convex!, record)) continue;
      standIns.set(record, polyhedra.push({ name: singleNames[record]!, record }) - 1);
    }
  }
  return { ...unroll(pieces, bodies, standIns), convex, convexNames: singleNames, polyhedra };
}

function unroll(pieces: readonly Piece[][], bodies: ResolvedBodies, standIns: ReadonlyMap<number, number>) {
  let count = 0;
  for (const shape of bodies.shapes) count += pieces[shape]!.length;
  const colliders = {
    count,
    bodies: new Uint32Array(count),
    parts: new Uint32Array(count),
    kinds: new Uint8Array(count),
    shapes: new Uint32Array(count),
    polyhedra: new Uint32Array(count).fill(NO_POLYHEDRON),
    places: new Float64Array(7 * count),
    boxes: new Float64Array(6 * count),
    radii: new Float64Array(count),
  };
  let c = 0;
  for (let body = 0; body < bodies.count; body++) {
    const own = pieces[bodies.shapes[body]!]!;
    for (let part = 0; part < own.length; part++, c++) {
      const { kind, shape, place, box, radius } = own[part]!;
      colliders.bodies[c] = body;
      colliders.parts[c] = part;
      colliders.kinds[c] = kind;
      colliders.shapes[c] = shape;
      if (kind === ColliderKind.polyhedron) colliders.polyhedra[c] = shape;
      if (kind === ColliderKind.convex) colliders.polyhedra[c] = standIns.get(shape) ?? NO_POLYHEDRON;
      for (let k = 0; k < 7; k++) colliders.places[7 * c + k] = place[k]!;
      for (let k = 0; k < 6; k++) colliders.boxes[6 * c + k] = box[k]!;
      colliders.radii[c] = radius;
    }
  }
  return { colliders: colliders satisfies Colliders };
}

function pieceOf(
  kind: ColliderKind,
  shape: number,
  { position = [0, 0, 0], rotation = [0, 0, 0, 1] }: PartPose,
  { box, radius }: Pick<Piece, 'box' | 'radius'>,
): Piece {
  return {
    kind,
    shape,
    place: [...position, ...quatd.normalize(rotation as unknown as number[])],
    box,
    radius,
  };
}

/** Box of a convex record in the frame of its shape, and the ball about its middle. */
function boundsOf(table: ShapeArrays, record: number): Pick<Piece, 'box' | 'radius'> {
  const p = table.parameters.subarray(PARAMETERS * record, PARAMETERS * (record + 1));
  const [margin, boundingRadius] = [p[Parameter.margin]!, p[Parameter.boundingRadius]!];
  const point = new Float64Array(3);
  const support = (k: number, sign: number) => {
    coreSupport(table, record, k === 0 ? sign : 0, k === 1 ? sign : 0, k === 2 ? sign : 0, point, 0);
    return point[k]!;
  };
  const box = new Array<number>(6);
  let squared = 0;
  let rounding = 0;
  for (let k = 0; k < 3; k++) {
    const centre = p[Parameter.centre + k]!;
    const [low, high] = [support(k, -1), support(k, 1)];
    rounding = Math.max(rounding, SUPPORT_ROUNDING * (boundingRadius + Math.abs(centre)));
    squared += ((low + high) / 2) ** 2;
    box[k] = centre + (low + high) / 2;
    box[3 + k] = (high - low) / 2 + margin;
  }
  for (let k = 3; k < 6; k++) box[k]! += rounding;
  return { box, radius: Math.min(diagonalOf(box), Math.sqrt(squared) + boundingRadius + rounding) };
}

function diagonalOf(box: readonly number[]): number {
  return Math.hypot(box[3]!, box[4]!, box[5]!);
}

/** Convex shapes of which a body may touch a body of a polyhedron, each once, in order. */
function shapesThatMeetPolyhedra(shapes: readonly ContactShape[], bodies: ResolvedBodies): Set<number> {
  // Bodies that differ in nothing that matters here stand for each other.
  const kinds = new Map<string, number>();
  const { shapes: of, isStatic, groups, masks, apart } = bodies;
  for (let i = 0; i < bodies.count; i++) {
    // Most bodies are like the one before them.
    const j = i - 1;
    if (i > 0 && of[i] === of[j] && isStatic[i] === isStatic[j] && apart[i] === apart[j])
      if (groups[i] === groups[j] && masks[i] === masks[j]) continue;
    const isPolyhedron = shapes[of[i]!]!.kind === 'polyhedron';
    const key = `${isPolyhedron ? 'polyhedron' : of[i]} ${isStatic[i]} ${groups[i]} ${masks[i]} ${apart[i]}`;
    if (!kinds.has(key)) kinds.set(key, i);
  }
  const all = [...kinds.values()];
  const solid = all.filter((i) => shapes[of[i]!]!.kind === 'polyhedron');
  const found = new Set<number>();
  for (const i of all.toSorted((a, b) => of[a]! - of[b]!)) {
    const { kind } = shapes[of[i]!]!;
    if (kind === 'polyhedron' || kind === 'plane' || found.has(of[i]!)) continue;
    if (solid.some((j) => mayTouch(bodies, i, j))) found.add(of[i]!);
  }
  return found;
}

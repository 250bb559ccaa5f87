/** The shapes of a scene: the library's shapes, which may also name other shapes and have meshes. */
import { found } from '../../arguments.ts';
import { DEGREE } from '../../constants.ts';
import type { ContactShape, PolyhedronShape } from '../../contacts/bodies/contact-shape.ts';
import { polytopeOf } from '../../convex/shapes/polytope-of.ts';
import { type PartPose, SHAPE_FIELDS, type Shape } from '../../convex/shapes/shapes.ts';
import {
  called,
  type Fields,
  listAt,
  listed,
  numberAt,
  objectAt,
  requireFields,
  SceneError,
} from './scene-fields.ts';
import { MESH_FIELDS, meshOf, type ReadSceneFile, scaledBody, verticesOf, withMesh } from './scene-meshes.ts';

/** What a polyhedron may say about its surface. The pipeline checks the lengths. */
const SURFACE_FIELDS = ['nodeSpacing', 'reach', 'sharpAngle'] as const;
const POSE_FIELDS = ['position', 'rotation'] as const;

/** Fields of each kind of shape besides `kind`. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  ...SHAPE_FIELDS,
  polyhedron: [...MESH_FIELDS, ...SURFACE_FIELDS],
  plane: [],
  mesh: [...MESH_FIELDS, 'margin'],
};

export class SceneShapes {
  readonly #described: Fields;
  readonly #readFile: ReadSceneFile;
  readonly #made = new Map<string, ContactShape>();
  /** Names of shapes that are being made, each inside the one before. A name that comes again contains itself. */
  readonly #open: string[] = [];

  constructor(described: Fields, readFile: ReadSceneFile) {
    this.#described = described;
    this.#readFile = readFile;
  }

  /** All shapes, in the order of the scene. The library checks their sizes later. */
  async all(): Promise<ContactShape[]> {
    const shapes: ContactShape[] = [];
    for (const name of Object.keys(this.#described))
      shapes.push(await this.#named(name, `shapes.${called(name)}`));
    return shapes;
  }

  async #named(name: string, place: string): Promise<ContactShape> {
    const made = this.#made.get(name);
    if (made !== undefined) return made;
    if (!Object.hasOwn(this.#described, name)) {
      throw new SceneError(
        `${place} is ${found(name)}, expected one of ${listed(Object.keys(this.#described))}`,
      );
    }
    if (this.#open.includes(name)) {
      throw new SceneError(
        `${place} is ${found(name)}, which consists of itself: ${[...this.#open, name].map(called).join(' -> ')}`,
      );
    }
    this.#open.push(name);
    const shape = await this.#shapeOf(
      objectAt(this.#described[name], `shapes.${called(name)}`),
      `shapes.${called(name)}`,
    );
    this.#open.pop();
    this.#made.set(name, shape);
    return shape;
  }

  /** A shape inside another one: a description, or the name of a shape. */
  async #inner(value: unknown, place: string): Promise<Shape> {
    const shape =
      typeof value === 'string'
        ? await this.#named(value, place)
        : await this.#shapeOf(objectAt(value, place), place);
    if (shape.kind !== 'polyhedron' && shape.kind !== 'plane') return shape;
    throw new SceneError(
      `${place} is a ${shape.kind}, expected a convex shape: "mesh" is the hull of a mesh`,
    );
  }

  async #shapeOf(shape: Fields, place: string): Promise<ContactShape> {
    const kind = typeof shape.kind === 'string' ? shape.kind : '';
    if (!Object.hasOwn(FIELDS, kind)) {
      throw new SceneError(
        `${place}.kind is ${found(shape.kind)}, expected ${Object.keys(FIELDS).join(', ')}`,
      );
    }
    requireFields(shape, place, ['kind', ...FIELDS[kind]!]);
    switch (kind) {
      case 'mesh':
        return this.#hullOf(shape, place);
      case 'polyhedron':
        return this.#polyhedronOf(shape, place);
      case 'polytope':
        return {
          ...shape,
          vertices: verticesOf(shape.vertices, `${place}.vertices`),
        } as unknown as ContactShape;
      case 'sum':
      case 'hull':
        if (shape.place !== undefined) {
          requireFields(objectAt(shape.place, `${place}.place`), `${place}.place`, POSE_FIELDS);
        }
        return {
          ...shape,
          a: await this.#inner(shape.a, `${place}.a`),
          b: await this.#inner(shape.b, `${place}.b`),
        } as Shape;
      case 'parts':
        return {
          kind: 'parts',
          parts: await this.#partsOf(listAt(shape.parts, `${place}.parts`), place),
        } as Shape;
      default:
        return shape as unknown as ContactShape;
    }
  }

  async #partsOf(list: readonly unknown[], place: string): Promise<(PartPose & { shape: Shape })[]> {
    const parts: (PartPose & { shape: Shape })[] = [];
    for (const [i, value] of list.entries()) {
      const at = `${place}.parts[${i}]`;
      const part = objectAt(value, at);
      requireFields(part, at, ['shape', ...POSE_FIELDS]);
      parts.push({ ...part, shape: await this.#inner(part.shape, `${at}.shape`) });
    }
    return parts;
  }

  /** The convex hull of a mesh. */
  #hullOf(shape: Fields, place: string): Promise<Shape> {
    return withMesh(shape, place, this.#readFile, (body, scale) => {
      const polytope = polytopeOf(meshOf(body), { scale });
      return (shape.margin === undefined ? polytope : { ...polytope, margin: shape.margin }) as Shape;
    });
  }

  async #polyhedronOf(shape: Fields, place: string): Promise<PolyhedronShape> {
    const settings = SURFACE_FIELDS.filter((field) => shape[field] !== undefined).map(
      (field) => [field, numberAt(shape[field], `${place}.${field}`)] as const,
    );
    const { sharpAngle, ...rest } = Object.fromEntries(settings);
    if (sharpAngle !== undefined && !(sharpAngle >= 0 && sharpAngle <= 180)) {
      throw new SceneError(`${place}.sharpAngle is ${sharpAngle}, expected degrees from 0 to 180`);
    }
    const mesh = await withMesh(shape, place, this.#readFile, scaledBody);
    return {
      ...{ kind: 'polyhedron', mesh, ...rest },
      ...(sharpAngle !== undefined && { sharpAngle: sharpAngle * DEGREE }),
    };
  }
}

/** The shapes of a scene: the library's shapes, which may also name other shapes and mesh files. */
import { resolve } from 'node:path';
import type { PartPose, Shape } from '../index.ts';
import {
  called,
  type Fields,
  found,
  listAt,
  listed,
  numberAt,
  numbersAt,
  objectAt,
  requireFields,
  SceneError,
  textAt,
} from './scene-fields.ts';

const MESH_FIELDS = ['file', 'scale', 'margin'] as const;
const POSE_FIELDS = ['position', 'rotation'] as const;

export class SceneShapes {
  readonly #described: Fields;
  readonly #folder: string;
  readonly #made = new Map<string, Shape>();
  /** Names of shapes that are being made, each inside the one before. A name that comes again contains itself. */
  readonly #open: string[] = [];

  /** @param folder paths of mesh files are relative to it */
  constructor(described: Fields, folder: string) {
    this.#described = described;
    this.#folder = folder;
  }

  /** All shapes, in the order of the scene. The library checks their sizes later. */
  async all(): Promise<Shape[]> {
    const shapes: Shape[] = [];
    for (const name of Object.keys(this.#described))
      shapes.push(await this.#named(name, `shapes.${called(name)}`));
    return shapes;
  }

  async #named(name: string, place: string): Promise<Shape> {
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
    return typeof value === 'string'
      ? this.#named(value, place)
      : this.#shapeOf(objectAt(value, place), place);
  }

  async #shapeOf(shape: Fields, place: string): Promise<Shape> {
    const { SHAPE_FIELDS } = await import('../index.ts');
    const kind = typeof shape.kind === 'string' ? shape.kind : '';
    const fields =
      kind === 'mesh'
        ? MESH_FIELDS
        : Object.hasOwn(SHAPE_FIELDS, kind)
          ? SHAPE_FIELDS[kind as Shape['kind']]
          : undefined;
    if (fields === undefined) {
      const known = [...Object.keys(SHAPE_FIELDS), 'mesh'].join(', ');
      throw new SceneError(`${place}.kind is ${found(shape.kind)}, expected ${known}`);
    }
    requireFields(shape, place, ['kind', ...fields]);
    switch (kind) {
      case 'mesh':
        return this.#meshOf(shape, place);
      case 'polytope':
        return { ...shape, vertices: verticesOf(shape.vertices, `${place}.vertices`) } as unknown as Shape;
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
        return shape as unknown as Shape;
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

  /** The convex hull of a mesh file. */
  async #meshOf(shape: Fields, place: string): Promise<Shape> {
    const { InputError, polytopeOf, readMesh } = await import('../index.ts');
    const file = textAt(shape.file, `${place}.file`);
    const scale = shape.scale === undefined ? 1 : numberAt(shape.scale, `${place}.scale`);
    if (!(scale > 0 && scale < Infinity)) {
      throw new SceneError(`${place}.scale is ${found(shape.scale)}, expected a number above 0`);
    }
    try {
      const mesh = await readMesh(resolve(this.#folder, file), { name: file });
      const polytope = polytopeOf(mesh, { scale });
      return (shape.margin === undefined ? polytope : { ...polytope, margin: shape.margin }) as Shape;
    } catch (error) {
      if (error instanceof InputError) throw new SceneError(`${place}.file: ${error.message}`);
      throw error;
    }
  }
}

/** The coordinates of vertices, given as `[x, y, z]` each or in one list. */
function verticesOf(value: unknown, place: string): readonly number[] {
  const list = listAt(value, place);
  if (!list.some((vertex) => Array.isArray(vertex))) return list as readonly number[];
  return list.flatMap((vertex, i) => numbersAt(vertex, `${place}[${i}]`, 3));
}

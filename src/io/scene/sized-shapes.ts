/** Shapes of other sizes. */
import { meshOf } from '../../contacts/bodies/check-shapes.ts';
import type { ContactShape } from '../../contacts/bodies/contact-shape.ts';
import { InputError } from '../../errors.ts';
import { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { type Ball, ballAround } from './free-space.ts';
import { called, SceneError } from './scene-fields.ts';

/** A shape of the scene in another size. */
export interface SizedShape {
  readonly name: string;
  readonly shape: ContactShape;
}

/** Shapes of the scene, and those of other sizes, which are made as they are asked for. */
export class SizedShapes {
  readonly made: SizedShape[] = [];
  readonly names: readonly string[];
  readonly #shapes: readonly ContactShape[];
  readonly #numbers = new Map<string, number>();

  constructor(shapes: readonly ContactShape[], names: readonly string[]) {
    this.#shapes = shapes;
    this.names = names;
  }

  shape(number: number): ContactShape {
    return this.#shapes[number] ?? this.made[number - this.#shapes.length]!.shape;
  }

  /** The number of a shape in a size. */
  sized(shape: number, factor: number): number {
    if (factor === 1 || this.#shapes[shape]!.kind === 'plane') return shape;
    const name = `${this.names[shape]} of size ${Number(factor.toPrecision(4))}`;
    const key = `${shape} ${factor}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#shapes.length + this.made.length;
    this.made.push({ name, shape: scaledShape(this.#shapes[shape]!, factor) });
    this.#numbers.set(key, number);
    return number;
  }

  ball(number: number): Ball {
    try {
      return ballAround(this.shape(number) as Exclude<ContactShape, { kind: 'plane' }>);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const name = this.names[number] ?? this.made[number - this.#shapes.length]!.name;
      throw new SceneError(`shapes.${called(name)}: ${error.message}`);
    }
  }
}

/** The shape with all lengths times a factor. Meshes are rounded to float32 once more. */
function scaledShape(shape: ContactShape, factor: number): ContactShape {
  if (factor === 1) return shape;
  const { kind } = shape;
  if (kind === 'polyhedron') {
    const { positions, indices, name } = meshOf(shape);
    const mesh = new TriangleMesh({ positions: positions.map((x) => x * factor), indices, name });
    const { nodeSpacing, reach } = shape;
    return {
      ...shape,
      mesh,
      ...(nodeSpacing === undefined ? {} : { nodeSpacing: nodeSpacing * factor }),
      ...(reach === undefined ? {} : { reach: reach * factor }),
    };
  }
  // All numbers of a convex shape are lengths, but for rotations.
  const scaled = (value: unknown, field: string): unknown => {
    if (field === 'rotation' || field === 'kind') return value;
    if (typeof value === 'number') return value * factor;
    if (ArrayBuffer.isView(value)) return Float64Array.from(value as Float64Array, (x) => x * factor);
    if (Array.isArray(value)) return value.map((one) => scaled(one, ''));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, scaled(one, name)]));
  };
  return scaled(shape, '') as ContactShape;
}

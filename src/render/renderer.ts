/** Pictures of bodies: what callers use. */
import { type Options, requireArray, requireObject, requireOptions, told } from '../arguments.ts';
import type { ContactShape } from '../contacts/bodies/contact-shape.ts';
import { requirePoses } from '../convex/shapes/pose.ts';
import { InputError } from '../errors.ts';
import { Device } from '../gpu/device.ts';
import { Lifetime } from '../gpu/lifetime.ts';
import { orAborted } from '../inside/stream/pipeline.ts';
import type { WebGpuBuffer, WebGpuTexture } from '../platform/webgpu.ts';
import type { Camera } from './camera.ts';
import { DEFAULT_SKY, MOST_ELEVATION, MOST_SKY } from './constants.ts';
import type { Drawing, SceneDrawing } from './drawing.ts';
import { type Picture, type PictureSize, pictureSize } from './picture-size.ts';

/** What is drawn: a `Scene` of `readScene`, or the same as objects. */
export interface RenderedScene {
  readonly shapes: readonly ContactShape[];
  readonly bodies: {
    /** `[n]`: the shape of each body. */
    readonly shapes: Uint32Array;
    /** `[n]`: 1 for walls. Planes are always some. */
    readonly isStatic?: Uint8Array | undefined;
  };
  /** `[n * 7]`: position and quaternion. The camera frames these; `draw` takes others. */
  readonly poses: Float32Array | Float64Array;
  /** `[n * 7]`: poses of an earlier time. One also looks through static bodies that held others then. */
  readonly earlierPoses?: Float32Array | Float64Array | undefined;
}

export interface RendererOptions {
  /** Format of the textures that are drawn to. Default `rgba8unorm`; a canvas has another one. */
  readonly format?: string | undefined;
  /** Where up is. Default 0, 0, 1. */
  readonly up?: readonly number[] | undefined;
  /** Where the camera is, unless `draw` says otherwise. */
  readonly camera?: Camera | undefined;
  /**
   * Directions that the sky's light comes from, 0 to 32, each of which draws all bodies once more. Default 16; 4 for
   * pictures that move.
   */
  readonly sky?: number | undefined;
  /** Whether static bodies that hide moving ones in them are cut open. Default true. */
  readonly seeThrough?: boolean | undefined;
}

/** `body`: like stones; `category`: by whole numbers, such as those of materials; `value`: from dark to bright. */
export const COLOR_MODES = ['body', 'category', 'value'] as const;
export type ColorMode = (typeof COLOR_MODES)[number];

export interface DrawOptions {
  /** `[n * 7]`. Default: those of `create`. */
  readonly poses?: Float32Array | Float64Array | undefined;
  /** `[n]`: 1 for bodies that are not there, which `poses` has places for all the same. */
  readonly absent?: Uint8Array | undefined;
  /**
   * Poses on the GPU in place of these, 48 bytes for each body as `ContactsOnDevice.encode` takes them, and the edge of
   * their cells, a length: `simulation.buffers` has both.
   */
  readonly bodies?: WebGpuBuffer | undefined;
  readonly cell?: number | undefined;
  readonly camera?: Camera | undefined;
  /** Default `body`. */
  readonly color?: ColorMode | undefined;
  /** `[n]`: for the colours `category` and `value`. */
  readonly values?: Float32Array | Float64Array | undefined;
  /** Values with the first and the last colour. Default: the least and the greatest. */
  readonly range?: readonly [number, number] | undefined;
}

const RENDERER_OPTIONS: Options<RendererOptions> = {
  format: 'text',
  up: 'checked',
  camera: 'object',
  sky: 'number',
  seeThrough: 'boolean',
};
const DRAW_OPTIONS: Options<DrawOptions> = {
  poses: 'checked',
  absent: 'checked',
  bodies: 'checked',
  cell: 'number',
  camera: 'object',
  color: 'checked',
  values: 'checked',
  range: 'checked',
};
const CAMERA_OPTIONS: Options<Camera> = { azimuth: 'number', elevation: 'number', distance: 'number' };

/**
 * Draws bodies to textures: to a canvas, or to a picture in memory (`drawPicture`).
 *
 *     const renderer = await Renderer.create(device, scene);
 *     renderer.draw(context.getCurrentTexture(), { poses: await simulation.read('poses') });
 *
 * Light comes from above, and less of it reaches the gaps between bodies. Static bodies that hide others in them are
 * cut open; one looks through planes from below.
 */
export class Renderer {
  readonly bodyCount: number;
  readonly #device: Device;
  readonly #drawing: SceneDrawing;
  readonly #options: RendererOptions;
  readonly #poses: Float32Array | Float64Array;
  readonly #life: Lifetime;

  private constructor(
    device: Device,
    drawing: SceneDrawing,
    options: RendererOptions,
    poses: Float32Array | Float64Array,
  ) {
    this.#device = device;
    this.#drawing = drawing;
    this.#options = options;
    this.#poses = poses;
    this.bodyCount = poses.length / 7;
    this.#life = new Lifetime({ device, name: 'this renderer', release: () => drawing.destroy() });
  }

  /** @throws InputError for what cannot be drawn: what was found and what was expected */
  static async create(
    device: Device,
    scene: RenderedScene,
    options: RendererOptions = {},
  ): Promise<Renderer> {
    if (!(device instanceof Device)) {
      throw new InputError(`Renderer.create: device: found ${told(device)}, expected one of openDevice()`);
    }
    requireOptions('Renderer.create', options, RENDERER_OPTIONS);
    const {
      format = 'rgba8unorm',
      up = [0, 0, 1],
      camera = {},
      sky = DEFAULT_SKY,
      seeThrough = true,
    } = options;
    requireUp(up);
    requireCamera('Renderer.create: camera', camera);
    if (!Number.isInteger(sky) || sky < 0 || sky > MOST_SKY) {
      throw new InputError(
        `Renderer.create: sky is ${told(sky)}, expected a whole number from 0 to ${MOST_SKY}`,
      );
    }
    const checked = checkedScene(scene);
    const { SceneDrawing } = await import('./drawing.ts');
    const drawing = await SceneDrawing.create(device, checked, { format, up, sky, camera, seeThrough });
    return new Renderer(device, drawing, options, checked.poses);
  }

  /** Middle and radius of the scene that the camera frames. */
  get scene(): { readonly center: Float64Array; readonly radius: number } {
    const { focus, radius } = this.#drawing.frame;
    return { center: focus, radius };
  }

  /**
   * Draws all bodies, and submits that.
   *
   * @param texture of the renderer's format, usage RENDER_ATTACHMENT; a canvas's `getCurrentTexture()`
   */
  draw(texture: WebGpuTexture, options: DrawOptions = {}): void {
    this.#life.requireOpen();
    requireOptions('draw', options, DRAW_OPTIONS);
    const target = this.#drawing.checkedTexture(texture);
    this.#drawing.draw(target, this.#checked(options));
  }

  /**
   * Draws all bodies to memory. The renderer's format has to be the default one. Several pictures of a renderer are of
   * one camera: those of a film.
   */
  async picture(options: DrawOptions & PictureSize = {}): Promise<Picture> {
    requireObject('picture: options', options, 'an object');
    const { width, height, ...own } = options;
    const size = pictureSize('picture', { width, height });
    const { pictureOf } = await import('./read-picture.ts');
    const making = this.#life.hold(() => pictureOf(this.#device, size, (texture) => this.draw(texture, own)));
    return orAborted(making, this.#life.signal());
  }

  /** Gives back its memory. Pictures that are being made reject. Safe to call twice. */
  destroy(): void {
    this.#life.destroy();
  }

  #checked(options: DrawOptions): Drawing {
    const { bodies, camera = this.#options.camera ?? {}, color = 'body', values } = options;
    requireCamera('draw: camera', camera);
    if (!COLOR_MODES.includes(color)) {
      throw new InputError(`draw: color is ${told(color)}, expected ${COLOR_MODES.join(', ')}`);
    }
    const colorMode = COLOR_MODES.indexOf(color);
    if (colorMode > 0 || values !== undefined) this.#requirePerBody('values', values, 1);
    const range = rangeOf(options);
    const where =
      bodies === undefined
        ? this.#drawing.upload(this.#posesOf(options.poses), this.#absentOf(options.absent))
        : this.#drawing.checkedBodies(bodies, options.cell);
    const buffer =
      values && colorMode > 0 ? this.#drawing.uploadValues(Float32Array.from(values)) : undefined;
    return { bodies: where, camera, colorMode, values: buffer, range };
  }

  #posesOf(poses: Float32Array | Float64Array | undefined): Float32Array | Float64Array {
    if (poses === undefined) return this.#poses;
    this.#requirePerBody('poses', poses, 7);
    requirePoses(poses);
    return poses;
  }

  #absentOf(absent: Uint8Array | undefined): Uint8Array | undefined {
    if (absent !== undefined) this.#requirePerBody('absent', absent, 1, [Uint8Array]);
    return absent;
  }

  #requirePerBody(
    name: string,
    found: unknown,
    size: number,
    types: Parameters<typeof requireArray>[2] = [Float32Array, Float64Array],
  ): void {
    requireArray(`draw: ${name}`, found, types, `${size} for each body`);
    const { length } = found as Float32Array;
    const expected = size * this.bodyCount;
    if (length === expected) return;
    throw new InputError(
      `draw: ${name}: ${length} numbers found, expected ${expected}: ${size} for each of ${this.bodyCount} bodies`,
    );
  }
}

function rangeOf({ range, values }: DrawOptions): readonly [number, number] {
  if (range === undefined) {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values ?? []) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return low < high ? [low, high] : [0, 1];
  }
  if (
    Array.isArray(range) &&
    range.length === 2 &&
    range.every((x) => Number.isFinite(x)) &&
    range[0] < range[1]
  ) {
    return range as [number, number];
  }
  throw new InputError(`draw: range is ${told(range)}, expected two finite numbers, the lower one first`);
}

function requireUp(up: readonly number[]): void {
  const areNumbers = Array.isArray(up) && up.length === 3 && up.every((x) => Number.isFinite(x));
  if (areNumbers && Math.hypot(...up) > 0 && Math.hypot(...up) < Infinity) return;
  throw new InputError(`Renderer.create: up is ${told(up)}, expected three numbers, not all 0`);
}

function requireCamera(place: string, camera: Camera): void {
  requireOptions(place, camera, CAMERA_OPTIONS);
  const { azimuth = 0, elevation = 0, distance = 1 } = camera;
  const wrong = (field: string, found: number, expected: string) => {
    throw new InputError(`${place}.${field} is ${found}, expected ${expected}`);
  };
  if (!Number.isFinite(azimuth)) wrong('azimuth', azimuth, 'radians');
  if (!(Math.abs(elevation) <= MOST_ELEVATION)) {
    wrong('elevation', elevation, `radians from -${MOST_ELEVATION} to ${MOST_ELEVATION}`);
  }
  if (!(distance > 0 && distance < Infinity)) wrong('distance', distance, 'a length above 0');
}

function checkedScene(scene: RenderedScene) {
  requireObject('Renderer.create: scene', scene, 'an object with shapes, bodies and poses');
  const { shapes, bodies, poses, earlierPoses = poses } = scene;
  if (!Array.isArray(shapes)) {
    throw new InputError(`Renderer.create: shapes: found ${told(shapes)}, expected an array of descriptions`);
  }
  requireObject('Renderer.create: bodies', bodies, 'an object with shapes and isStatic');
  requireArray('Renderer.create: bodies.shapes', bodies.shapes, [Uint32Array], 'a shape per body');
  const { length } = bodies.shapes;
  const at = bodies.shapes.findIndex((shape) => shape >= shapes.length);
  if (at >= 0) {
    throw new InputError(
      `Renderer.create: bodies.shapes: body ${at} has shape ${bodies.shapes[at]}, expected one below ${shapes.length}`,
    );
  }
  const { isStatic = new Uint8Array(length) } = bodies;
  requireArray('Renderer.create: bodies.isStatic', isStatic, [Uint8Array], '0 or 1 per body');
  requireArray('Renderer.create: poses', poses, [Float32Array, Float64Array], 'seven numbers per body');
  requireArray('Renderer.create: earlierPoses', earlierPoses, [Float32Array, Float64Array], 'seven per body');
  for (const [name, found, expected] of [
    ['bodies.isStatic', isStatic.length, length],
    ['poses', poses.length, 7 * length],
    ['earlierPoses', earlierPoses.length, 7 * length],
  ] as const) {
    if (found === expected) continue;
    throw new InputError(`Renderer.create: ${name}: ${found} numbers found, expected ${expected}`);
  }
  for (const placing of new Set([poses, earlierPoses])) requirePoses(placing);
  return {
    shapes: shapes as readonly ContactShape[],
    bodies: bodies.shapes,
    isStatic: Uint8Array.from(isStatic, (one, body) =>
      shapes[bodies.shapes[body]!]?.kind === 'plane' || one !== 0 ? 1 : 0,
    ),
    poses: poses.slice(),
    earlierPoses,
  };
}

/** A scene on the GPU, drawn to textures. */
import { writeToArrayBuffer } from 'typegpu';
import { type InferInput, sizeOf } from 'typegpu/data';
import { vec3d } from 'wgpu-matrix';
import { told } from '../arguments.ts';
import { ContactBody } from '../broadphase/broad-phase-layout.ts';
import { packBodies } from '../broadphase/gpu/tables.ts';
import type { ContactShape } from '../contacts/bodies/contact-shape.ts';
import { InputError } from '../errors.ts';
import { BufferPool, writeBuffer } from '../gpu/buffers.ts';
import { requireBuffer } from '../gpu/callers-buffers.ts';
import type { Device } from '../gpu/device.ts';
import { type Batch, type Batches, batchesOf } from './batches.ts';
import { axesOf, backOf, type Camera, keyDirection, lensOf, lightMatrix, skyDirections } from './camera.ts';
import { BACKGROUND, KEY_TEXELS, SKY_TEXELS } from './constants.ts';
import { cutawayOf } from './cutaway.ts';
import { View } from './drawing-layout.ts';
import { type Frame, type FramedBodies, frameOf } from './framing.ts';
import { drawnShapes } from './meshes.ts';
import { DEPTH, type Pipelines, pipelinesOf } from './pipelines.ts';
import { makeTarget, type Target } from './target.ts';
import { viewOf } from './view.ts';

export interface DrawingScene {
  readonly shapes: readonly ContactShape[];
  readonly bodies: Uint32Array;
  readonly isStatic: Uint8Array;
  readonly poses: Float32Array | Float64Array;
  readonly earlierPoses: Float32Array | Float64Array;
}

export interface DrawingOptions {
  readonly format: string;
  readonly up: ArrayLike<number>;
  readonly sky: number;
  readonly camera: Camera;
  readonly seeThrough: boolean;
}

/** Where bodies are, with the edge of the cells that positions are in. */
export interface BodiesOnDevice {
  readonly buffer: GPUBuffer;
  readonly cell: number;
}

export interface Drawing {
  readonly bodies: BodiesOnDevice;
  readonly camera: Camera;
  /** Place in `COLOR_MODES`. */
  readonly colorMode: number;
  readonly values: GPUBuffer | undefined;
  readonly range: readonly [number, number];
}

const STORAGE = () => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;

export class SceneDrawing {
  readonly frame: Frame;
  readonly #device: Device;
  readonly #pool: BufferPool;
  readonly #pipelines: Pipelines;
  readonly #options: DrawingOptions;
  readonly #isStatic: Uint8Array;
  /** An edge for positions that callers give as poses. */
  readonly #cell: number;
  readonly #vertices: GPUBuffer;
  readonly #instances: GPUBuffer;
  readonly #planes: GPUBuffer;
  readonly #planeCount: number;
  /** From the scene's middle to a point of the cut through walls. */
  readonly #cutThrough: Float64Array;
  readonly #batches: Batches['lists'];
  readonly #maps: readonly GPUTexture[];
  readonly #lenses: readonly GPUTextureView[];
  #target: Target | undefined;

  private constructor(device: Device, pipelines: Pipelines, scene: DrawingScene, options: DrawingOptions) {
    this.#device = device;
    this.#pool = new BufferPool(device);
    this.#pipelines = pipelines;
    this.#options = options;
    const { shapes, bodies, isStatic, poses, earlierPoses } = scene;
    const { vertices, shapes: drawn } = drawnShapes(shapes);
    const framed: FramedBodies = { shapes: bodies, isStatic, drawn };
    this.frame = frameOf(framed, poses);
    this.#isStatic = isStatic;
    this.#cell = cellOf(this.frame);
    const placings = options.seeThrough ? [poses, earlierPoses] : [];
    const cut = cutawayOf(framed, vertices, placings, backOf(axesOf(options.up), options.camera));
    this.#cutThrough = vec3d.subtract(cut.middle ?? this.frame.focus, this.frame.focus);
    const { lists, instances, planes } = batchesOf(framed, cut.bodies);
    this.#batches = lists;
    this.#planeCount = planes.length;
    this.#instances = this.#pool.upload('render: instances', instances);
    this.#planes = this.#pool.upload('render: planes', planes);
    this.#vertices = this.#pool.reserve(
      'render: vertices',
      vertices.byteLength,
      GPUBufferUsage.VERTEX | GPUBufferUsage.COPY_DST,
    );
    writeBuffer(device, this.#vertices, vertices);
    const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.TEXTURE_BINDING;
    const map = (label: string, texels: number, layers: number) =>
      device.handle.createTexture({ label, size: [texels, texels, layers], format: DEPTH, usage });
    const layers = Math.max(1, options.sky);
    this.#maps = [map('render: key map', KEY_TEXELS, 1), map('render: sky maps', SKY_TEXELS, layers)];
    const layer = (baseArrayLayer: number) =>
      this.#maps[1]!.createView({ dimension: '2d', baseArrayLayer, arrayLayerCount: 1 });
    this.#lenses = [this.#maps[0]!.createView(), ...Array.from({ length: options.sky }, (_, i) => layer(i))];
  }

  static async create(device: Device, scene: DrawingScene, options: DrawingOptions): Promise<SceneDrawing> {
    const pipelines = await pipelinesOf(device, options.format as GPUTextureFormat);
    return device.checked('making a renderer', () => new SceneDrawing(device, pipelines, scene, options));
  }

  /** @throws InputError for what is no texture, or one of another format */
  checkedTexture(found: unknown): GPUTexture {
    if (!(found instanceof GPUTexture)) {
      throw new InputError(`draw: found ${told(found)}, expected a GPUTexture`);
    }
    const { format } = this.#options;
    if (found.format !== format) {
      throw new InputError(
        `draw: found a texture of format ${found.format}, expected ${format}, as the renderer was created for`,
      );
    }
    const {
      dimension,
      depthOrArrayLayers: layers,
      mipLevelCount: levels,
      sampleCount: samples,
      usage,
    } = found;
    const isDrawable = (usage & GPUTextureUsage.RENDER_ATTACHMENT) !== 0;
    if (isDrawable && dimension === '2d' && layers === 1 && levels === 1 && samples === 1) return found;
    throw new InputError(
      `draw: found a ${dimension} texture of ${layers} layers, ${levels} levels, ${samples} samples and usage ` +
        `${usage}, expected 2d, one of each, and usage RENDER_ATTACHMENT`,
    );
  }

  /** @throws InputError for what are no bodies on the GPU */
  checkedBodies(found: unknown, cell: unknown): BodiesOnDevice {
    const buffer = requireBuffer('draw: bodies', found, {
      bytes: sizeOf(ContactBody) * this.#isStatic.length,
    });
    if (typeof cell === 'number' && cell > 0 && cell < Infinity) return { buffer, cell };
    throw new InputError(`draw: cell is ${told(cell)}, expected a length above 0`);
  }

  /** Poses on the GPU. */
  upload(poses: Float32Array | Float64Array, absent?: Uint8Array): BodiesOnDevice {
    const words = packBodies(poses, this.#isStatic, this.#cell, absent);
    return { buffer: this.#pool.upload('render: bodies', words), cell: this.#cell };
  }

  /** Values of bodies on the GPU. */
  uploadValues(values: Float32Array<ArrayBuffer>): GPUBuffer {
    return this.#pool.upload('render: values', values);
  }

  /** Records and submits a picture. */
  draw(texture: GPUTexture, drawing: Drawing): void {
    const { handle } = this.#device;
    const target = this.#targetOf(texture);
    const axes = axesOf(this.#options.up);
    const key = keyDirection(axes, this.#options.camera);
    const sky = skyDirections(axes, this.#options.sky);
    const lights = [key, ...sky].map((one) => lightMatrix(one, axes, this.frame.radius));
    const lens = lensOf(this.frame, axes, drawing.camera, target.width / target.height);
    const cutNormal = backOf(axes, drawing.camera, { isLevel: true });
    const scene = this.#bindScene(
      drawing,
      viewOf(this.frame, drawing, {
        ...{ key, up: axes.up, lights, lens, planeCount: this.#planeCount },
        ...{ cutNormal, cutAt: vec3d.dot(cutNormal, this.#cutThrough) },
      }),
    );
    const { group: lensGroup, stride } = this.#bindLenses([...lights, lens.matrix]);

    const encoder = handle.createCommandEncoder({ label: 'render' });
    const { moving, solid, cut } = this.#batches;
    this.#lenses.forEach((view, i) => {
      const pass = shadowPass(encoder, view);
      this.#drawBatches(
        pass,
        this.#pipelines.shadow,
        [scene],
        [...moving, ...solid],
        [lensGroup, i * stride],
      );
      pass.end();
    });
    const [r, g, b] = BACKGROUND;
    const pass = encoder.beginRenderPass({
      label: 'render: picture',
      colorAttachments: [
        {
          view: target.color,
          resolveTarget: texture.createView(),
          clearValue: { r, g, b, a: 1 },
          loadOp: 'clear',
          storeOp: 'discard',
        },
      ],
      depthStencilAttachment: {
        view: target.depth,
        depthClearValue: 1,
        depthLoadOp: 'clear',
        depthStoreOp: 'discard',
      },
    });
    const groups = [scene, target.light];
    this.#drawBatches(pass, this.#pipelines.bodies, groups, [...moving, ...solid]);
    this.#drawBatches(pass, this.#pipelines.walls, groups, cut);
    if (this.#planeCount > 0) {
      pass.setPipeline(this.#pipelines.planes);
      groups.forEach((group, i) => {
        pass.setBindGroup(i, group);
      });
      pass.draw(6, this.#planeCount);
    }
    this.#drawBatches(pass, this.#pipelines.glass, groups, cut);
    pass.end();
    handle.queue.submit([encoder.finish()]);
  }

  destroy(): void {
    for (const texture of [...this.#maps, ...(this.#target?.textures ?? [])]) texture.destroy();
    this.#pool.destroy();
  }

  #drawBatches(
    pass: GPURenderPassEncoder,
    pipeline: GPURenderPipeline,
    groups: readonly GPUBindGroup[],
    batches: readonly Batch[],
    [lens, offset]: readonly [GPUBindGroup | undefined, number] = [undefined, 0],
  ): void {
    if (batches.length === 0) return;
    pass.setPipeline(pipeline);
    groups.forEach((group, i) => {
      pass.setBindGroup(i, group);
    });
    if (lens !== undefined) pass.setBindGroup(1, lens, [offset]);
    pass.setVertexBuffer(0, this.#vertices);
    for (const { vertexCount, count, firstVertex, first } of batches) {
      pass.draw(vertexCount, count, firstVertex, first);
    }
  }

  #bindScene({ bodies, values }: Drawing, view: InferInput<typeof View>): GPUBindGroup {
    const bytes = new ArrayBuffer(sizeOf(View));
    writeToArrayBuffer(bytes, View, view);
    const uniform = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    const viewBuffer = this.#pool.reserve('render: view', bytes.byteLength, uniform);
    writeBuffer(this.#device, viewBuffer, new Uint8Array(bytes));
    const none = values ?? this.#pool.reserve('render: no values', 0, STORAGE());
    const buffers = [viewBuffer, bodies.buffer, this.#instances, none, this.#planes];
    return this.#device.handle.createBindGroup({
      label: 'render: scene',
      layout: this.#pipelines.scene,
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
  }

  #bindLenses(matrices: readonly Float64Array[]): { group: GPUBindGroup; stride: number } {
    const stride = this.#device.limits.minUniformBufferOffsetAlignment;
    const floats = new Float32Array((stride / 4) * matrices.length);
    matrices.forEach((matrix, i) => {
      floats.set(matrix, (stride / 4) * i);
    });
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    const buffer = this.#pool.reserve('render: lenses', floats.byteLength, usage);
    writeBuffer(this.#device, buffer, floats);
    const group = this.#device.handle.createBindGroup({
      label: 'render: lenses',
      layout: this.#pipelines.lens,
      entries: [{ binding: 0, resource: { buffer, size: 64 } }],
    });
    return { group, stride };
  }

  #targetOf({ width, height }: GPUTexture): Target {
    if (this.#target?.width === width && this.#target.height === height) return this.#target;
    for (const texture of this.#target?.textures ?? []) texture.destroy();
    const format = this.#options.format as GPUTextureFormat;
    const layout = this.#pipelines.light;
    this.#target = makeTarget(this.#device, { width, height, format, maps: this.#maps, layout });
    return this.#target;
  }
}

function shadowPass(encoder: GPUCommandEncoder, view: GPUTextureView) {
  return encoder.beginRenderPass({
    label: 'render: shadow',
    colorAttachments: [],
    depthStencilAttachment: { view, depthClearValue: 1, depthLoadOp: 'clear', depthStoreOp: 'store' },
  });
}

/** A power of two, large enough that all of the scene lies within 2^30 cells. */
function cellOf({ focus, radius }: Frame): number {
  const far = Math.max(...focus.map(Math.abs), radius);
  return 2 ** Math.ceil(Math.log2(Math.max(radius, far * 2 ** -20)));
}

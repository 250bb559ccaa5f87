/** What the tests of the demos' drawing call on their page. */
import * as three from 'three/webgpu';
import { InsideDrawing } from '../../demos/inside/drawing.ts';
import * as map from '../../demos/inside/winding-map.ts';
import { linkCameras } from '../../demos/view/link-cameras.ts';
import { Stage, type StageOptions } from '../../demos/view/stage.ts';
import * as library from '../../src/index.ts';
import '../../demos/demos.css';

/** GPU memory that is alive, of WebGPU and of WebGL. */
const alive = new Set<object>();
type Made = (...these: unknown[]) => object;

/** Adds what a method makes, or takes away what `removed` finds that another one ends. */
function watch(
  owner: object,
  method: string,
  then: (self: object, these: unknown[], made: object) => void,
): void {
  const methods = owner as Record<string, Made>;
  const own = methods[method]!;
  methods[method] = function (this: object, ...these: unknown[]) {
    const made = own.apply(this, these);
    then(this, these, made);
    return made;
  };
}

for (const kind of ['Buffer', 'Texture']) {
  watch(GPUDevice.prototype, `create${kind}`, (_, __, made) => alive.add(made));
  watch(WebGL2RenderingContext.prototype, `create${kind}`, (_, __, made) => alive.add(made));
  watch(WebGL2RenderingContext.prototype, `delete${kind}`, (_, [one]) => alive.delete(one as object));
}
for (const { prototype } of [GPUBuffer, GPUTexture])
  watch(prototype, 'destroy', (self) => alive.delete(self));

/** Frames that were asked for. */
let frames = 0;
watch(globalThis, 'requestAnimationFrame', () => frames++);

/** One test's stage, with what reads its pictures. */
class Seat {
  static readonly #open = new Set<Seat>();
  readonly device: library.Device | undefined;
  readonly stage: Stage;
  readonly canvas: HTMLCanvasElement;

  private constructor(device: library.Device | undefined, stage: Stage, canvas: HTMLCanvasElement) {
    this.device = device;
    this.stage = stage;
    this.canvas = canvas;
  }

  /**
   * `WebGPU on hardware`: as on a GPU, though the software adapter draws: with more samples, over a picture between.
   */
  static async open(
    kind: Stage['kind'] | 'WebGPU on hardware',
    options: Partial<StageOptions> = {},
  ): Promise<Seat> {
    const device = kind === 'WebGL' ? undefined : await library.openDevice();
    if (kind === 'WebGPU on hardware') {
      Object.assign(device!, { adapter: { ...device!.adapter, software: false } });
    }
    const canvas = document.createElement('canvas');
    canvas.style.cssText = 'width: 300px; height: 200px; background: var(--stage); display: block';
    document.body.append(canvas);
    const seat = new Seat(device, await Stage.create({ canvas, device, ...options }), canvas);
    Seat.#open.add(seat);
    return seat;
  }

  /** The picture's pixels. They can be read until the page is drawn. */
  async picture(): Promise<ImageData> {
    await new Promise((settle) => requestAnimationFrame(settle));
    this.stage.render();
    const { canvas } = this;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')!;
    copy.drawImage(canvas, 0, 0);
    return copy.getImageData(0, 0, canvas.width, canvas.height);
  }

  /** Where a place in space is in the picture, in its pixels. */
  placeOf(x: number, y: number, z: number): { x: number; y: number } {
    const { camera } = this.stage;
    camera.updateMatrixWorld();
    const at = new three.Vector3(x, y, z).project(camera);
    return { x: ((at.x + 1) / 2) * this.canvas.width, y: ((1 - at.y) / 2) * this.canvas.height };
  }

  /** Red, green and blue where a place in space is. */
  async coloursAt(places: readonly (readonly [number, number, number])[]): Promise<number[][]> {
    const { data, width } = await this.picture();
    return places.map((place) => {
      const { x, y } = this.placeOf(...place);
      const i = 4 * (Math.floor(y) * width + Math.floor(x));
      return [...data.subarray(i, i + 3)];
    });
  }

  static async closeAll(): Promise<void> {
    for (const seat of Seat.#open) await seat.close();
  }

  async close(): Promise<void> {
    Seat.#open.delete(this);
    await this.stage.destroy();
    this.device?.destroy();
    this.canvas.remove();
  }
}

export const page = {
  library,
  three,
  map,
  InsideDrawing,
  linkCameras,
  Stage,
  Seat,
  alive,
  frames: () => frames,
};
export type StagePage = typeof page;

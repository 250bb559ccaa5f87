/**
 * Where the pages draw: three's renderer on one canvas, with camera, light, ground and the reader's colours. z is up.
 */
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import {
  Color,
  DirectionalLight,
  DirectRenderPipeline,
  HemisphereLight,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Vector2,
  Vector3,
  WebGPURenderer,
} from 'three/webgpu';
import { type Box, type Device, ScreeError } from '../../src/index.ts';
import { moveCamera } from './camera-keys.ts';
import { DrawingClock } from './drawing-clock.ts';
import { Ground } from './ground.ts';
import { Quality } from './quality.ts';
import { softenShadow } from './soft-shadow.ts';
import { isSoftwareWebGl } from './software-webgl.ts';
import { viewOfBox } from './view-of-box.ts';

export interface StageOptions {
  /** It keeps the size that the page's styles give it. Its CSS background is the picture's. */
  readonly canvas: HTMLCanvasElement;
  /** Draws with WebGPU on this device, which stays the caller's; with WebGL where undefined. */
  readonly device: Device | undefined;
  /** A ground below the box that is framed, which fades into the background. Default false. */
  readonly ground?: boolean;
  /** The sun casts shadows. Default false. */
  readonly shadows?: boolean;
  /** Where the camera stands, as a direction from what it looks at. Default from the front, right and above. */
  readonly from?: readonly [number, number, number];
}

/**
 * Edge of the shadow map in texels, samples along a side that soften shadows, and samples per pixel: a software adapter
 * computes each of them on the CPU.
 */
const HARDWARE = { shadowTexels: 2048, shadowSamples: 4, samples: 4 };
const SOFTWARE = { shadowTexels: 512, shadowSamples: 1, samples: 0 };

/** Field of view over the shorter side of the picture, in degrees. */
const FIELD_OF_VIEW = 32;
/** Where the sun stands, as a direction from what it shines on. */
const SUN_FROM = new Vector3(-0.45, -0.6, 1.1).normalize();
/** How bright the lights are in pictures of both schemes. */
const SUN = { light: 2.2, dark: 2 };
const SKY = { light: 1.6, dark: 1.1 };
/** Without a new picture for this long, it is drawn once more with more pixels. Pages that move draw more often. */
const REST_MILLISECONDS = 400;

export class Stage {
  readonly renderer: WebGPURenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW);
  readonly controls: OrbitControls;
  /** What draws. */
  readonly kind: 'WebGPU' | 'WebGL';
  /** Whether that runs on the CPU. */
  readonly isSoftware: boolean;
  readonly sun = new DirectionalLight(0xfff0dc, SUN.light);
  readonly sky = new HemisphereLight(0xf0f3f6, 0xc4b09a, SKY.light);
  readonly ground: Ground | undefined;
  /** Settles when nothing can be drawn any more because the device or the context was lost, with the reason. */
  readonly lost: Promise<string>;
  readonly #canvas: HTMLCanvasElement;
  readonly #device: Device | undefined;
  readonly #from: Vector3;
  readonly #clock: DrawingClock;
  /** Draws to the canvas at once, without a picture between: of use where each pixel counts. */
  readonly #direct: DirectRenderPipeline | undefined;
  readonly #quality: Quality;
  /** Ends all listening. */
  readonly #end = new AbortController();
  readonly #sizes: ResizeObserver;
  /** Called when the reader's colours change. */
  readonly #onColours = new Set<() => void>();
  /** Called after each picture, while it is on the canvas. */
  readonly #onPictures = new Set<() => void>();
  readonly #scheme = matchMedia('(prefers-color-scheme: dark)');
  #isLost = false;
  #frame: number | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #size = new Vector2();
  /** What the camera was placed around, until the reader moves it. */
  #framed: Box | undefined;

  /**
   * @throws ScreeError with one line that says why nothing can be drawn.
   */
  static async create(options: StageOptions): Promise<Stage> {
    const { canvas, device } = options;
    const isSoftware = device === undefined ? isSoftwareWebGl() : device.adapter.software;
    const { samples } = isSoftware ? SOFTWARE : HARDWARE;
    device?.assertOpen();
    const renderer = new WebGPURenderer({
      canvas,
      samples,
      antialias: samples > 0,
      alpha: false,
      ...(device ? { device: device.handle as GPUDevice } : { forceWebGL: true }),
    });
    try {
      await renderer.init();
    } catch (error) {
      throw new ScreeError(`this browser cannot draw here: ${(error as Error).message}`, 1, { cause: error });
    }
    return new Stage(options, renderer, isSoftware);
  }

  private constructor(options: StageOptions, renderer: WebGPURenderer, isSoftware: boolean) {
    const { canvas, device, ground = false, shadows = false, from = [0.55, -1, 0.62] } = options;
    this.#canvas = canvas;
    this.#device = device;
    this.#from = new Vector3(...from).normalize();
    this.renderer = renderer;
    this.kind = device ? 'WebGPU' : 'WebGL';
    this.isSoftware = isSoftware;
    this.#direct = isSoftware ? new DirectRenderPipeline(renderer) : undefined;
    this.#clock = new DrawingClock(renderer, device?.handle as GPUDevice | undefined);
    this.#quality = new Quality(isSoftware);
    this.lost = new Promise((settle) => {
      // The page says it; three would write it to the console.
      renderer.onDeviceLost = ({ message }) => {
        this.#isLost = true;
        settle(message);
      };
    });

    const { scene, camera, sun, sky } = this;
    sky.position.set(0, 0, 1);
    scene.add(sun, sun.target, sky);
    camera.up.set(0, 0, 1);
    if (shadows) {
      const { shadowTexels: texels, shadowSamples } = isSoftware ? SOFTWARE : HARDWARE;
      renderer.shadowMap.enabled = true;
      renderer.shadowMap.type = PCFShadowMap;
      sun.castShadow = true;
      sun.shadow.mapSize.set(texels, texels);
      sun.shadow.autoUpdate = false;
      softenShadow(sun.shadow, shadowSamples);
    }
    if (ground) {
      this.ground = new Ground(shadows);
      scene.add(this.ground.mesh);
    }

    this.controls = new OrbitControls(camera, canvas);
    this.controls.addEventListener('change', () => this.requestRender());
    this.controls.addEventListener('start', () => {
      this.#framed = undefined;
    });
    const { signal } = this.#end;
    if (!canvas.hasAttribute('tabindex')) canvas.tabIndex = 0;
    canvas.addEventListener('keydown', (event) => this.#onKey(event), { signal });
    this.#scheme.addEventListener('change', () => this.#takeColours(), { signal });
    this.#sizes = new ResizeObserver(() => this.#resize());
    this.#sizes.observe(canvas);
    this.#takeColours();
    this.#resize();
    this.frameBox({ min: [-1, -1, -1], max: [1, 1, 1] });
  }

  /** Whether the picture is dark, as the reader's system asks for. */
  get isDark(): boolean {
    return this.#scheme.matches;
  }

  /**
   * Seconds that the last pictures took to draw, as a mean; undefined before the first. Work queued before is not in
   * it.
   */
  get drawSeconds(): number | undefined {
    return this.#clock.seconds;
  }

  /** Calls now, and whenever the reader's colours change, until what is returned is called. */
  withColours(listener: () => void): () => void {
    listener();
    this.#onColours.add(listener);
    return () => this.#onColours.delete(listener);
  }

  /** Calls after each picture, while the canvas still has it, until what is returned is called. */
  withPictures(listener: () => void): () => void {
    this.#onPictures.add(listener);
    return () => this.#onPictures.delete(listener);
  }

  /** The colour that a variable of the page's styles has now, e.g. `--accent`. */
  colourOf(variable: string): Color {
    const probe = document.createElement('span');
    probe.style.color = `var(${variable})`;
    this.#canvas.after(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return new Color().setStyle(color);
  }

  /** Draws with the next frame of the page, once however often it is asked for. */
  requestRender(): void {
    this.#frame ??= requestAnimationFrame(() => this.render());
  }

  /** Draws now, if there is anything to draw on. */
  render(): void {
    this.#draw(this.#quality.ratio);
  }

  /** Settles when all that was submitted is drawn. */
  drawn(): Promise<void> {
    return this.#clock.finished();
  }

  /** What casts shadows has moved: they are drawn anew with the next picture. */
  shadowsChanged(): void {
    this.sun.shadow.needsUpdate = true;
  }

  /**
   * Places camera, light, shadows and ground around a box, and keeps the box in sight until the reader moves the
   * camera.
   */
  frameBox(box: Box): void {
    const low = new Vector3(...box.min);
    const high = new Vector3(...box.max);
    const middle = low.clone().add(high).multiplyScalar(0.5);
    const radius = high.distanceTo(low) / 2 || 1;
    const { camera, controls, sun, ground } = this;
    const { target, distance } = viewOfBox(low, high, this.#from, camera);
    controls.target.copy(target);
    camera.position.copy(target).addScaledVector(this.#from, distance);
    camera.near = radius / 50;
    camera.far = radius * 60;
    camera.updateProjectionMatrix();
    controls.minDistance = radius / 10;
    controls.maxDistance = radius * 20;
    controls.update();

    sun.target.position.copy(middle);
    sun.position.copy(middle).addScaledVector(SUN_FROM, 4 * radius);
    const { camera: eye, mapSize } = sun.shadow;
    Object.assign(eye, { left: -radius, right: radius, top: radius, bottom: -radius });
    Object.assign(eye, { near: 2 * radius, far: 8 * radius });
    eye.updateProjectionMatrix();
    // A texel's width, since a surface that stands slantwise in the light would shade itself within one.
    sun.shadow.normalBias = (2 * radius) / mapSize.width;
    sun.shadow.bias = -0.0002;
    this.shadowsChanged();

    ground?.place(middle, low.z, radius);
    // Only now: the controls' own change is none of the reader's.
    this.#framed = box;
    this.requestRender();
  }

  /** Gives back all that the stage and its scene hold: GPU memory, listeners, timers. The device stays open. */
  async destroy(): Promise<void> {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    this.#sizes.disconnect();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
    this.#onColours.clear();
    this.#onPictures.clear();
    this.controls.dispose();
    this.#clock.destroy();
    this.sun.dispose();
    await this.renderer.dispose();
    if (this.#device) (this.#device.handle as GPUDevice).onuncapturederror = null;
  }

  #draw(ratio: number): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    const isGone = this.#isLost || this.#device?.closed || this.#end.signal.aborted;
    if (isGone || this.#size.x * this.#size.y === 0) return;
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    clearTimeout(this.#rest);
    this.#rest = undefined;
    this.#clock.around(
      () => {
        (this.#direct ?? this.renderer).render(this.scene, this.camera);
        for (const listener of this.#onPictures) listener();
      },
      (seconds) => {
        if (seconds === undefined) {
          this.requestRender();
          return;
        }
        this.#quality.took(seconds, ratio);
        this.#sharpen(ratio, seconds);
      },
    );
  }

  /** Draws with more pixels, unless something moves before. */
  #sharpen(ratio: number, seconds: number): void {
    const sharper = this.#quality.sharper(ratio, seconds);
    if (sharper === undefined) return;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#draw(sharper), REST_MILLISECONDS);
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width === this.#size.x && height === this.#size.y) return;
    this.#size.set(width, height);
    if (width * height === 0) return;
    this.#quality.setSize(width, height);
    this.renderer.setPixelRatio(this.#quality.ratio);
    // Its CSS size stays the page's.
    this.renderer.setSize(width, height, false);
    const { camera } = this;
    camera.aspect = width / height;
    const shorter = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) / Math.min(1, camera.aspect);
    camera.fov = (Math.atan(shorter) * 360) / Math.PI;
    camera.updateProjectionMatrix();
    if (this.#framed) this.frameBox(this.#framed);
    // In this frame: a canvas of another size is empty.
    this.render();
  }

  #takeColours(): void {
    const { sun, sky, renderer, isDark } = this;
    const colour = new Color().setStyle(getComputedStyle(this.#canvas).backgroundColor);
    // Straight to the canvas, what clears it is not converted.
    renderer.setClearColor(this.#direct ? colour.clone().convertLinearToSRGB() : colour);
    sun.intensity = isDark ? SUN.dark : SUN.light;
    sky.intensity = isDark ? SKY.dark : SKY.light;
    this.ground?.takeColours(colour, isDark, { sun, slope: SUN_FROM.z, sky });
    for (const listener of this.#onColours) listener();
    this.requestRender();
  }

  #onKey(event: KeyboardEvent): void {
    if (!moveCamera(this.controls, event)) return;
    this.#framed = undefined;
    // The page would scroll.
    event.preventDefault();
  }
}

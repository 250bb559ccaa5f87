/** A device, the stage on it, and the run that it shows: what a loss of the device ends together. */
import type { Device, Simulation } from '../../src/index.ts';
import { Stage } from '../view/stage.ts';
import type { Choice } from './choice.ts';
import { type Colouring, ColourScale, lengthsOf, pressesOf } from './colours.ts';
import { BulkDrawing } from './drawing.ts';
import { ForceScale } from './force-segments.ts';
import { amount } from './plots.ts';
import { deviceFor, Run, type SavedRun } from './run.ts';
import { type BulkScene, sceneOf } from './scenes.ts';

/** Forces are read so often at most, milliseconds: on a GPU a reading waits for its queue. */
const FORCES_EVERY = 100;

export class Session {
  /** Undefined where there is no WebGPU: the CPU makes steps, WebGL draws. */
  readonly device: Device | undefined;
  readonly stage: Stage;
  run: Run | undefined;
  drawing: BulkDrawing | undefined;
  showsForces = false;
  #colouring: Colouring = 'body';
  #colours = new ColourScale();
  #isMoved: (body: number) => boolean = () => true;
  #forces: ForceScale | undefined;
  #forcesRead = -Infinity;
  #coloursRead = -Infinity;
  #framed = '';
  #highlighted: readonly number[] = [];

  private constructor(device: Device | undefined, stage: Stage) {
    this.device = device;
    this.stage = stage;
  }

  /**
   * @param canvas that no other session has drawn on
   * @param device the session's own from now on
   */
  static async open(canvas: HTMLCanvasElement, device: Device | undefined): Promise<Session> {
    try {
      return new Session(device, await Stage.create({ canvas, device, ground: true, shadows: true }));
    } catch (error) {
      device?.destroy();
      throw error;
    }
  }

  /**
   * Puts another run in place of the one that is shown.
   *
   * @param saved to go on from: until it is read, the run that is shown stays
   * @throws as `Run.create` does: then no run is there, or the one from before where `saved` cannot be used
   */
  async begin(
    choice: Choice,
    saved?: SavedRun,
    onProgress?: (done: number, total: number) => void,
  ): Promise<Run> {
    // Two runs at once may be more than the GPU has room for.
    if (!saved) this.clear();
    const { device } = this;
    const bulk = await sceneOf(choice);
    let run: Run | undefined;
    try {
      // Shaders are compiled beside this thread, which makes the simulation ready meanwhile.
      const isShown = !saved && isOnHost(choice, deviceFor(choice, device));
      if (isShown) {
        this.#show(bulk);
        this.stage.render();
      }
      run = await Run.create({ device, choice, bulk, saved, onProgress });
      const { buffers } = run.simulation;
      if (!isShown || buffers) {
        this.clear();
        this.#show(bulk, buffers);
      }
      const { scene, view } = bulk;
      const { isStatic, motions, servos } = scene.bodies;
      const size = Math.hypot(...view.max.map((x, k) => x - view.min[k]!));
      const isMoved = (body: number) => isStatic?.[body] !== 1 && !motions?.has(body) && !servos?.has(body);
      this.#forces = new ForceScale(size, isMoved);
      this.#isMoved = isMoved;
    } catch (error) {
      if (!saved) this.clear();
      run?.destroy();
      throw error;
    }
    this.run = run;
    return run;
  }

  /** Has bodies drawn where they are at first, or where a simulation has them on the GPU. */
  #show({ scene, view }: BulkScene, buffers?: Simulation['buffers']): void {
    // The reader's view stays where the scene does.
    const framed = JSON.stringify(view);
    if (framed !== this.#framed) this.stage.frameBox(view);
    this.#framed = framed;
    this.drawing = BulkDrawing.create(this.stage, { scene, buffers });
  }

  /** The body that is seen at a place of the canvas, in CSS pixels. */
  async bodyAt(x: number, y: number): Promise<number | undefined> {
    const simulation = this.run?.simulation;
    if (!simulation) return undefined;
    const [poses, statuses] = [await simulation.read('poses'), await simulation.read('statuses')];
    return this.drawing?.bodyAt(x, y, poses, statuses);
  }

  /** What force lines mean; empty where none are shown. */
  get forceScale(): string {
    return this.showsForces ? (this.#forces?.scale ?? '') : '';
  }

  get colouring(): Colouring {
    return this.#colouring;
  }

  /** What colours of bodies say. */
  set colouring(colouring: Colouring) {
    this.#colouring = colouring;
    this.#colours = new ColourScale();
    this.#coloursRead = -Infinity;
  }

  /** What the brightest colour means; empty where each body has its own. */
  get colourScale(): string {
    const { most } = this.#colours;
    if (this.#colouring === 'body' || most === 0) return '';
    return `Yellow is ${amount(most)}${this.#colouring === 'speed' ? 'm/s' : 'N'}`;
  }

  /** Draws the state, and is done when the picture is. Where it moves, forces may be those of a moment before. */
  async draw(isMoving: boolean): Promise<void> {
    const { run, drawing, stage } = this;
    if (!run || !drawing) return;
    const { simulation } = run;
    if (simulation.buffers) drawing.moved();
    else drawing.place(await simulation.read('poses'), await simulation.read('statuses'));
    drawing.time = simulation.time;
    await this.#drawForces(isMoving);
    await this.#colour(isMoving);
    stage.render();
    await stage.drawn();
  }

  async #colour(isMoving: boolean): Promise<void> {
    const { run, drawing } = this;
    const colouring = this.#colouring;
    if (colouring === 'body') {
      drawing!.colour(undefined);
      return;
    }
    const now = performance.now();
    if (isMoving && now - this.#coloursRead < FORCES_EVERY) return;
    const { simulation } = run!;
    const values =
      colouring === 'speed'
        ? lengthsOf(await simulation.read('velocities'))
        : pressesOf(await simulation.contactForces(), simulation.bodyCount);
    // Another may have been chosen meanwhile.
    if (colouring !== this.#colouring) return;
    drawing!.colour(this.#colours.sharesOf(values, this.#isMoved));
    this.#coloursRead = performance.now();
  }

  async #drawForces(isMoving: boolean): Promise<void> {
    const { run, drawing } = this;
    if (!this.showsForces) {
      drawing!.showForces(undefined);
      return;
    }
    const now = performance.now();
    if (isMoving && now - this.#forcesRead < FORCES_EVERY) return;
    const { simulation } = run!;
    const [forces, centroids] = [await simulation.contactForces(), await simulation.read('centroids')];
    drawing!.showForces(this.#forces!.segmentsOf(forces, centroids));
    this.#forcesRead = performance.now();
  }

  /** Shows a body and what it touches. */
  highlight(body: number | undefined, partners: readonly number[]): void {
    const wanted = body === undefined ? [] : [body, ...partners];
    if (String(wanted) === String(this.#highlighted)) return;
    this.#highlighted = wanted;
    this.drawing?.highlight(body, partners);
  }

  /** Lets go of the run and of all that it has on the GPU. */
  clear(): void {
    this.drawing?.destroy();
    this.run?.destroy();
    this.#highlighted = [];
    [this.#forcesRead, this.#coloursRead] = [-Infinity, -Infinity];
    this.#colours = new ColourScale();
    [this.drawing, this.run, this.#forces] = [undefined, undefined, undefined];
  }

  async destroy(): Promise<void> {
    this.clear();
    await this.stage.destroy();
    this.device?.destroy();
  }
}

/** Whether the CPU makes the steps, as far as is known before they are. */
function isOnHost({ backend }: Choice, device: Device | undefined): boolean {
  return backend !== 'gpu' && (!device || device.adapter.software || backend === 'cpu');
}

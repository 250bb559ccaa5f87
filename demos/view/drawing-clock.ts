/** What pictures take to draw, until the last pixel is there. */
import type { WebGPURenderer } from 'three/webgpu';

/** How often WebGL is asked whether it is done, in milliseconds. */
const ASKING = 2;
/** Weight of a new picture in the mean. */
const NEW = 0.2;

export class DrawingClock {
  /** Mean over the last pictures. */
  seconds: number | undefined;
  readonly #renderer: WebGPURenderer;
  readonly #device: GPUDevice | undefined;
  #isDestroyed = false;
  #isBusy = false;
  #isFirst = true;

  constructor(renderer: WebGPURenderer, device: GPUDevice | undefined) {
    this.#renderer = renderer;
    this.#device = device;
  }

  /**
   * Draws, and tells what it took; undefined for the first picture, which waits for its shaders. Of pictures that
   * overlap, one is timed. What keeps this thread busy before the picture is done counts as part of it: where drawing
   * is slow, such work waits for `finished`.
   */
  around(draw: () => void, took: (seconds: number | undefined) => void): void {
    if (this.#isBusy) {
      draw();
      return;
    }
    this.#isBusy = true;
    let from = performance.now();
    // What was queued before is no part of it.
    const ready = this.finished().then(() => {
      from = performance.now();
    });
    const begun = performance.now();
    draw();
    const own = performance.now() - begun;
    void Promise.all([ready, this.finished()]).then(() => {
      this.#isBusy = false;
      if (this.#isDestroyed) return;
      if (this.#isFirst) {
        this.#isFirst = false;
        took(undefined);
        return;
      }
      const seconds = Math.max(own, performance.now() - Math.max(from, begun)) / 1000;
      this.seconds = this.seconds === undefined ? seconds : this.seconds + NEW * (seconds - this.seconds);
      took(seconds);
    });
  }

  /** Settles when all that was submitted is done, or can never be. */
  finished(): Promise<void> {
    if (this.#device) {
      return this.#device.queue.onSubmittedWorkDone().then(
        () => {},
        () => {},
      );
    }
    // Three's types have the backend without its members.
    const { gl } = this.#renderer.backend as unknown as { gl: WebGL2RenderingContext };
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!fence) return Promise.resolve();
    gl.flush();
    return new Promise((settle) => {
      const ask = () => {
        const isDone = gl.isContextLost() || gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED;
        if (!isDone && !this.#isDestroyed) {
          setTimeout(ask, ASKING);
          return;
        }
        gl.deleteSync(fence);
        settle();
      };
      ask();
    });
  }

  destroy(): void {
    this.#isDestroyed = true;
  }
}

/**
 * Frames of the page: steps, then a picture. Steps get several times the time that drawing takes, so that little is
 * lost to pictures, and never so much that the page does not answer: then several frames come to a picture.
 */

/**
 * Steps take so many times what drawing takes. Drawing is then a tenth of the time, and what a software adapter and the
 * browser do for a picture beside that takes about half as much from the steps.
 */
const STEPS_PER_DRAWING = 9;
/** Longest frame that is aimed at, and the shortest: that of a usual screen. Seconds. A last step may take longer. */
const LONGEST = 0.17;
const SHORTEST = 1 / 60;
/** What a frame needs besides: the browser's own work. Seconds. */
const REST = 0.003;
/** Weight of a new measurement of what drawing takes. */
const NEWS = 0.2;
/** Frames that are remembered. */
const REMEMBERED = 600;

export interface FramesOptions {
  /** Makes steps for so many seconds; `passed` are those since the last frame. */
  readonly advance: (budget: number, passed: number) => Promise<void>;
  /** Draws, and is done when the picture is. */
  readonly draw: () => Promise<void>;
  /** What neither steps nor drawing have caught. Frames end. */
  readonly fail: (error: unknown) => void;
}

export class Frames {
  /** Of the last frames that made steps, wall time in seconds: of all, of their drawing and of their steps. */
  readonly seconds: number[] = [];
  readonly drawSeconds: number[] = [];
  readonly stepSeconds: number[] = [];
  readonly #options: FramesOptions;
  #isOpen = true;
  #isPlaying = false;
  #isStale = true;
  /** What drawing takes, seconds, and when it was last done. */
  #drawing = 0;
  #lastDrawn = -Infinity;
  #isFirst = true;
  #wake: () => void = () => {};
  #ended: Promise<void>;
  readonly #seen = () => this.#wake();

  constructor(options: FramesOptions) {
    this.#options = options;
    document.addEventListener('visibilitychange', this.#seen);
    this.#ended = this.#go();
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  set isPlaying(value: boolean) {
    this.#isPlaying = value;
    this.#wake();
  }

  /** A frame is to be drawn, though nothing moves. */
  redraw(): void {
    this.#isStale = true;
    this.#wake();
  }

  /** Ends frames, and waits for the one under way. */
  async end(): Promise<void> {
    this.#isOpen = false;
    this.#wake();
    document.removeEventListener('visibilitychange', this.#seen);
    await this.#ended;
  }

  async #go(): Promise<void> {
    try {
      let last: number | undefined;
      while (this.#isOpen) {
        if (document.hidden || !(this.#isPlaying || this.#isStale)) {
          // Time that nobody saw is not made up.
          last = undefined;
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          continue;
        }
        last = await this.#frame(last);
      }
    } catch (error) {
      this.#isOpen = false;
      this.#options.fail(error);
    }
  }

  async #frame(last: number | undefined): Promise<number> {
    const { advance, draw } = this.#options;
    const isPlaying = this.#isPlaying;
    const began = performance.now();
    const drawing = this.#drawing;
    // Where drawing is slow, frames without it come first. What a reader asked to see is not held up.
    const due = STEPS_PER_DRAWING * drawing - (began - this.#lastDrawn) / 1000;
    const isDrawn = !isPlaying || this.#isStale || due <= LONGEST - drawing;
    const most = isDrawn ? Math.max(SHORTEST - drawing - REST, Math.min(due, LONGEST - drawing)) : LONGEST;
    if (isPlaying) await advance(most, last === undefined ? SHORTEST : (began - last) / 1000);
    const drawn = performance.now();
    let took = 0;
    if (isDrawn) {
      this.#isStale = false;
      await draw();
      this.#lastDrawn = performance.now();
      took = (this.#lastDrawn - drawn) / 1000;
      // The first picture waits for its shaders.
      if (!this.#isFirst) this.#drawing += (drawing === 0 ? 1 : NEWS) * (took - drawing);
      this.#isFirst = false;
    }
    const end = performance.now();
    if (isPlaying) {
      remember(this.seconds, (end - began) / 1000);
      remember(this.drawSeconds, took);
      remember(this.stepSeconds, (drawn - began) / 1000);
    }
    // A frame that took longer than the screen's has nothing to wait for but the browser's own work.
    await (end - began < 1000 * SHORTEST ? nextPicture() : nextTask());
    return began;
  }
}

function remember(list: number[], value: number): void {
  list.push(value);
  if (list.length > REMEMBERED) list.shift();
}

/** When the screen is drawn next. Pages that are not shown have no such time. */
function nextPicture(): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, 1000);
    requestAnimationFrame(() => {
      clearTimeout(late);
      resolve();
    });
  });
}

/** When what waits has had its turn: clicks, and the screen. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

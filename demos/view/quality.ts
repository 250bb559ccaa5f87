/** How many pixels a picture has: fewer where pictures take long, all again where they do not. */

/** Pixels per CSS pixel that are of use, also where a screen has more. */
const MOST_PIXEL_RATIO = 2;
/**
 * What the ratio is multiplied by, from the best to the poorest. Each has about two thirds of the one before's pixels.
 */
const LEVELS = [1, 0.8, 0.64, 0.5, 0.4];
/** Pixels that a software adapter begins with at most. */
const SOFTWARE_PIXELS = 220_000;
/** A picture is slow above this many seconds. */
const SLOW = { hardware: 0.022, software: 0.07 };
/**
 * A single picture, when all is at rest, may take this long: a software adapter takes about a second for all pixels of
 * a screen, and a reader who looks at a still picture is to see it sharp.
 */
const SLOW_AT_REST = 2;
/** Pictures in a row that were slow, or fast enough for the next better level, before the level changes. */
const SLOW_PICTURES = 4;
const FAST_PICTURES = 30;

export class Quality {
  readonly #slowSeconds: number;
  readonly #isSoftware: boolean;
  #level = 0;
  #best = 1;
  #area = 0;
  #slow = 0;
  #fast = 0;
  /** Fast pictures in a row before a better level is tried: more with each fall, so that levels do not swing. */
  #patience = FAST_PICTURES;

  constructor(isSoftware: boolean) {
    this.#isSoftware = isSoftware;
    this.#slowSeconds = isSoftware ? SLOW.software : SLOW.hardware;
  }

  /** Pixels per CSS pixel while things move. */
  get ratio(): number {
    return this.#best * LEVELS[this.#level]!;
  }

  /**
   * The next better ratio for a picture at rest, if one of a ratio took so long, and undefined if that would be slow.
   */
  sharper(ratio: number, seconds: number): number | undefined {
    const better = LEVELS.findLast((level) => level * this.#best > ratio);
    if (better === undefined) return undefined;
    // As if all of a picture's time were its pixels'.
    const expected = seconds * ((better * this.#best) / ratio) ** 2;
    return expected < SLOW_AT_REST ? better * this.#best : undefined;
  }

  /** Takes the canvas's size in CSS pixels. */
  setSize(width: number, height: number): void {
    const isFirst = this.#area === 0;
    this.#area = width * height;
    this.#best = Math.min(devicePixelRatio, MOST_PIXEL_RATIO);
    if (this.#isSoftware && isFirst) {
      while (this.#level < LEVELS.length - 1 && this.ratio ** 2 * this.#area > SOFTWARE_PIXELS) this.#level++;
    }
  }

  /** Takes what a picture of a ratio took. */
  took(seconds: number, ratio: number): void {
    if (ratio !== this.ratio) return;
    const better = (LEVELS[this.#level - 1] ?? 1) / LEVELS[this.#level]!;
    this.#slow = seconds > this.#slowSeconds ? this.#slow + 1 : 0;
    this.#fast = seconds * better ** 2 < 0.8 * this.#slowSeconds ? this.#fast + 1 : 0;
    if (this.#slow >= SLOW_PICTURES && this.#level < LEVELS.length - 1) {
      this.#change(1);
      this.#patience *= 2;
    } else if (this.#fast >= this.#patience && this.#level > 0) this.#change(-1);
  }

  #change(by: number): void {
    this.#level += by;
    this.#slow = 0;
    this.#fast = 0;
  }
}

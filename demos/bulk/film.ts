/** A film of what is drawn, by the browser's own recorder. */

/** Pictures per second at most, and bits per second: rocks have sharp edges. */
const [RATE, BITS] = [30, 8e6];
const TYPE = 'video/webm';

/** Whether the browser records canvases. */
export function canRecord(): boolean {
  const isKnown = typeof MediaRecorder === 'function' && 'captureStream' in HTMLCanvasElement.prototype;
  return isKnown && MediaRecorder.isTypeSupported(TYPE);
}

export class Recording {
  readonly #recorder: MediaRecorder;
  readonly #parts: Blob[] = [];

  /** Begins. @param canvas that is drawn on from now on */
  constructor(canvas: HTMLCanvasElement) {
    this.#recorder = new MediaRecorder(canvas.captureStream(RATE), {
      mimeType: TYPE,
      videoBitsPerSecond: BITS,
    });
    this.#recorder.addEventListener('dataavailable', ({ data }) => void this.#parts.push(data));
    this.#recorder.start();
  }

  /** Ends it. @returns the film's bytes */
  async end(): Promise<Uint8Array<ArrayBuffer>> {
    const { stream } = this.#recorder;
    if (this.#recorder.state !== 'inactive') {
      const ended = new Promise((resolve) =>
        this.#recorder.addEventListener('stop', resolve, { once: true }),
      );
      this.#recorder.stop();
      await ended;
    }
    for (const track of stream.getTracks()) track.stop();
    return new Uint8Array(await new Blob(this.#parts).arrayBuffer());
  }
}

/** A film of what is drawn: by the browser's own recorder, or picture by picture where it records no canvas. */
import type { Stage } from '../view/stage.ts';

/** Pictures per second at most, and bits per second: rocks have sharp edges. */
const [RATE, BITS] = [30, 8e6];
const TYPE = 'video/webm';
/** A film of pictures takes none any more beyond this many bytes: the page holds them in memory. */
const MOST_BYTES = 256 * 2 ** 20;

export interface FilmFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What its name ends with. */
  readonly extension: 'webm' | 'tar';
  readonly type: string;
}

export interface Recording {
  /** Ends it. */
  end(): Promise<FilmFile>;
}

/** Whether the browser records canvases. */
export function canRecord(): boolean {
  const isKnown = typeof MediaRecorder === 'function' && 'captureStream' in HTMLCanvasElement.prototype;
  return isKnown && MediaRecorder.isTypeSupported(TYPE);
}

/** Begins a film of what a stage draws on its canvas from now on. */
export function record(stage: Stage, canvas: HTMLCanvasElement): Recording {
  return canRecord() ? new Video(canvas) : new Pictures(stage, canvas);
}

class Video implements Recording {
  readonly #recorder: MediaRecorder;
  readonly #parts: Blob[] = [];

  constructor(canvas: HTMLCanvasElement) {
    this.#recorder = new MediaRecorder(canvas.captureStream(RATE), {
      mimeType: TYPE,
      videoBitsPerSecond: BITS,
    });
    this.#recorder.addEventListener('dataavailable', ({ data }) => void this.#parts.push(data));
    this.#recorder.start();
  }

  async end(): Promise<FilmFile> {
    const { stream } = this.#recorder;
    if (this.#recorder.state !== 'inactive') {
      const ended = new Promise((resolve) =>
        this.#recorder.addEventListener('stop', resolve, { once: true }),
      );
      this.#recorder.stop();
      await ended;
    }
    for (const track of stream.getTracks()) track.stop();
    return { bytes: await bytesOf(new Blob(this.#parts)), extension: 'webm', type: TYPE };
  }
}

/**
 * PNG files in an archive, with a list for `ffmpeg -f concat -i film.txt film.mp4` that says how long each is shown:
 * pictures come when steps are made, not at one rate.
 */
class Pictures implements Recording {
  readonly #files: { readonly at: number; readonly png: Promise<Blob | null> }[] = [];
  readonly #stop: () => void;
  #bytes = 0;

  constructor(stage: Stage, canvas: HTMLCanvasElement) {
    this.#stop = stage.withPictures(() => this.#take(canvas));
  }

  #take(canvas: HTMLCanvasElement): void {
    const at = performance.now() / 1000;
    const last = this.#files.at(-1);
    if (this.#bytes > MOST_BYTES || (last && at - last.at < 1 / RATE)) return;
    // Only now, before the page is shown, is the picture sure to be on the canvas. Encoding goes on beside.
    const png = new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    this.#files.push({ at, png });
    void png.then((blob) => {
      this.#bytes += blob?.size ?? 0;
    });
  }

  async end(): Promise<FilmFile> {
    this.#stop();
    // Most browsers record, and never load it.
    const { createTar } = await import('nanotar');
    const ended = performance.now() / 1000;
    const lines = ['ffconcat version 1.0'];
    const files: { name: string; data: Uint8Array | string }[] = [];
    for (const [i, { at, png }] of this.#files.entries()) {
      const blob = await png;
      if (!blob) continue;
      const name = `film-${String(i).padStart(5, '0')}.png`;
      const until = this.#files[i + 1]?.at ?? Math.min(ended, at + 1);
      files.push({ name, data: await bytesOf(blob) });
      lines.push(`file ${name}`, `duration ${(until - at).toFixed(3)}`);
    }
    files.unshift({ name: 'film.txt', data: `${lines.join('\n')}\n` });
    return {
      bytes: createTar(files) as Uint8Array<ArrayBuffer>,
      extension: 'tar',
      type: 'application/x-tar',
    };
  }
}

async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.arrayBuffer());
}

/** The body that the reader has picked, in the picture or by its number, and what it touches. */
import { element } from '../page/elements.ts';
import { showTouches, touchesOf } from './readout.ts';
import type { Session } from './session.ts';

/** A pointer that moves farther than this between down and up turns the picture: CSS pixels. */
const CLICK_MOVES = 4;

export interface PickedOptions {
  /** The session that there is now. */
  readonly session: () => Session | undefined;
  /** Does something to the run when all before it is done. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
  /** Asks for a new picture. */
  readonly redraw: () => void;
}

export class Picked {
  readonly #options: PickedOptions;
  readonly #number = element<HTMLInputElement>('picked');
  #body: number | undefined;

  constructor(options: PickedOptions) {
    this.#options = options;
    this.#number.addEventListener('change', () => {
      const body = Number.parseInt(this.#number.value, 10);
      const { length = 0 } = options.session()?.run?.bodyNames ?? [];
      const isThere = body >= 0 && body < length;
      const asked = this.#number.value;
      this.pick(isThere ? body : undefined);
      if (!isThere && asked !== '' && length > 0)
        element('picked-name').textContent = `There is no body ${asked}: numbers are 0 to ${length - 1}.`;
    });
  }

  /** Picks a body, or none. */
  pick(body: number | undefined): void {
    const { session, inTurn, redraw } = this.#options;
    this.#body = body;
    this.#number.value = body === undefined ? '' : String(body);
    const current = session();
    if (!current?.run) return;
    if (body === undefined) {
      current.highlight(undefined, []);
      showTouches(current.run, undefined, []);
      redraw();
      return;
    }
    void inTurn(async () => {
      await this.show();
      redraw();
    });
  }

  /** Shows what the picked body touches now, if one is picked. */
  async show(): Promise<void> {
    const session = this.#options.session();
    const body = this.#body;
    const run = session?.run;
    if (!run || body === undefined) return;
    const touches = await touchesOf(run.simulation, body);
    // Another may have been picked meanwhile.
    if (body !== this.#body || run !== session.run) return;
    session.highlight(
      body,
      touches.map(({ partner }) => partner),
    );
    showTouches(run, body, touches);
  }

  /** Picks what is clicked on a canvas. */
  listenTo(canvas: HTMLCanvasElement): void {
    const { session, inTurn } = this.#options;
    let down: PointerEvent | undefined;
    canvas.addEventListener('pointerdown', (event) => {
      down = event;
    });
    canvas.addEventListener('pointerup', (event) => {
      const moved = down ? Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) : Infinity;
      down = undefined;
      if (moved > CLICK_MOVES) return;
      void inTurn(async () => this.pick(await session()?.bodyAt(event.offsetX, event.offsetY)));
    });
  }
}

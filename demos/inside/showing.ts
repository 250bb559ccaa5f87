/** What the pictures show: the answer, and the slice with its winding numbers, from what is chosen. */
import { element, messageOf } from '../page/elements.ts';
import type { Answer } from './answer.ts';
import type { Flagged } from './drawing.ts';
import { Latest } from './latest.ts';
import { AXES, boxWith, type Choice } from './question.ts';
import { countText, drawnText } from './readout.ts';
import type { Session } from './session.ts';
import type { Subject } from './subject.ts';
import { NOTHING, type Scene } from './view.ts';
import { cloudOf } from './visible-points.ts';
import { rangeOf, type Slice, showLegend, sliceGrid } from './winding-map.ts';

/** Points of the map of winding numbers. */
const MAP_POINTS = { hardware: 20_000, software: 8000 };

/** Parts of a choice that decide how an answer is drawn, and not what it is. */
export const LOOKS: readonly string[] = ['axis', 'place', 'winding', 'style'] satisfies (keyof Choice)[];

/** Whether winding numbers are to be drawn: they need a slice. */
export const isMapWanted = ({ winding, axis }: Choice) => winding === 'yes' && axis !== 'none';

export const percent = (done: number, total: number) => `${Math.floor((100 * done) / Math.max(1, total))} %`;

export class Showing {
  #session: Session | undefined;
  #scene: Scene = NOTHING;
  #points: Float32Array | undefined;
  #answer: Answer | undefined;
  /** The answer that the pictures show. */
  #pictured: Answer | undefined;
  #isHeld = false;
  #frame: number | undefined;
  readonly #maps = new Latest((error) => {
    element('winding-line').textContent = messageOf(error);
  });

  /** Settles when the winding numbers that were asked for are there. */
  get settled(): Promise<void> {
    return this.#maps.settled;
  }

  get slice(): Slice | undefined {
    return this.#scene.slice;
  }

  /** Lowest and highest winding number that is drawn. */
  get winding(): readonly [number, number] | undefined {
    const { values } = this.#scene.winding ?? {};
    return values && [Math.min(...values), Math.max(...values)];
  }

  /** Shows in other pictures, which are empty. */
  setSession(session: Session | undefined): void {
    this.#session = session;
    this.forget();
  }

  /** Shows no body any more. */
  forget(): void {
    this.forgetAnswer();
    this.#maps.cancel();
    this.#scene = { ...this.#scene, mesh: undefined, box: undefined, winding: undefined };
    this.#points = undefined;
  }

  forgetAnswer(): void {
    this.#answer = undefined;
    this.#pictured = undefined;
    this.#scene = { ...this.#scene, clouds: [] };
  }

  /** Shows a body, with room for the points around it. */
  setSubject({ mesh, report }: Subject, points: Float32Array): void {
    if (points === this.#points) return;
    this.#points = points;
    const box = boxWith(mesh.box, points);
    // As long as it is the same the reader's view stays.
    if (JSON.stringify(box) === JSON.stringify(this.#scene.box) && mesh === this.#scene.mesh) return;
    this.#scene = { ...this.#scene, mesh, report, box };
  }

  setAnswer(answer: Answer): void {
    this.#answer = answer;
  }

  setShown(name: Flagged, isShown: boolean): void {
    this.#scene = { ...this.#scene, shown: { ...this.#scene.shown, [name]: isShown } };
    this.request();
  }

  /** While it is held, answers wait to be pictured: another is about to come. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.request();
  }

  /** Takes slice and style from a choice, and asks for winding numbers where they are wanted. */
  look(choice: Choice): void {
    const slice = this.#sliceOf(choice);
    const isSame = slice?.axis === this.slice?.axis && slice?.at === this.slice?.at;
    this.#scene = { ...this.#scene, style: choice.style, slice: isSame ? this.slice : slice };
    element('slice-at').textContent = slice ? String(Number(slice.at.toPrecision(4))) : '';
    const mapped = this.#scene.winding?.grid.slice;
    if (!slice || !isMapWanted(choice)) this.#endMap();
    else if (mapped?.axis !== slice.axis || mapped.at !== slice.at) void this.#map(slice);
    this.request();
  }

  cancelMap(): void {
    this.#maps.cancel();
  }

  /** Draws with the next frame of the page. */
  request(): void {
    this.#frame ??= requestAnimationFrame(() => this.show());
  }

  /** Draws now. Answers that come one after the other faster than pictures are drawn are not all pictured. */
  show(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    const session = this.#session;
    if (!session || session.device?.closed) return;
    const answer = this.#answer;
    if (answer && answer !== this.#pictured && !this.#isHeld) this.#picture(answer, session.view.mostPoints);
    session.view.show(this.#scene);
  }

  #picture(answer: Answer, mostPoints: number): void {
    const { points, first, second, differing } = answer;
    const clouds = (second ? [first, second] : [first]).map(({ flags }) =>
      cloudOf(points, flags, differing, mostPoints),
    );
    this.#scene = { ...this.#scene, clouds };
    this.#pictured = answer;
    element('drawn').textContent = drawnText(clouds[0]!.flags.length, first.flags.length);
    element('by-first').textContent = second ? first.method : '';
    element('by-second').textContent = second?.method ?? '';
  }

  #sliceOf({ axis: name, place }: Choice): Slice | undefined {
    const axis = AXES.indexOf(name) - 1;
    const { box } = this.#scene;
    if (axis < 0 || !box) return undefined;
    const [low, high] = [box.min[axis]!, box.max[axis]!];
    return { axis: axis as Slice['axis'], at: low + place * (high - low) };
  }

  #map(slice: Slice): Promise<void> {
    const { body, view } = this.#session!;
    const { box } = this.#scene;
    return this.#maps.run(async (signal) => {
      const kind = view.stage.isSoftware ? 'software' : 'hardware';
      const grid = sliceGrid(box!, slice, MAP_POINTS[kind], 0);
      const line = element('winding-line');
      const onProgress = (_: string, done: number, total: number) => {
        line.textContent = `Winding numbers: ${percent(done, total)}`;
      };
      const { values, reason } = await body!.windingNumber(grid.points, { signal, onProgress });
      signal.throwIfAborted();
      const range = rangeOf(values);
      this.#scene = { ...this.#scene, winding: { grid, values, range } };
      showLegend(element('legend'), range);
      line.textContent = `Winding numbers of ${countText(values.length)} points: ${reason}`;
      this.request();
    });
  }

  #endMap(): void {
    this.#maps.cancel();
    this.#scene = { ...this.#scene, winding: undefined };
    element('legend').replaceChildren();
    element('winding-line').textContent = '';
  }
}

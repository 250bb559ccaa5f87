/** Small plots of numbers over simulated time. */

/** Points of a line: when there are more, every second one goes. */
const MOST_POINTS = 300;
/** Pixels of the drawing area, which the page stretches. */
const [WIDTH, HEIGHT, AIR] = [300, 96, 6];

export interface PlotLine {
  readonly name: string;
  readonly values: number[];
}

export class Plot {
  readonly #lines: PlotLine[];
  readonly #times: number[] = [];
  readonly #paths: SVGPathElement[];
  readonly #range: HTMLElement;
  readonly #unit: string;
  /** Every so many values are taken. */
  #stride = 1;
  #seen = 0;

  /** @param names of its lines, the second of which is drawn in dashes */
  constructor(host: HTMLElement, names: readonly string[], unit: string) {
    this.#unit = unit;
    this.#lines = names.map((name) => ({ name, values: [] }));
    const figure = document.createElement('figure');
    const lines = names.map((_, i) => `<path${i > 0 ? ' class="second"' : ''} d=""/>`).join('');
    const title = names.map((name, i) => (i > 0 ? `${name} (dashed)` : name)).join(', ');
    figure.innerHTML =
      `<figcaption><span>${title}</span><span></span></figcaption>` +
      `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${title} over time">` +
      `${lines}</svg>`;
    host.append(figure);
    this.#paths = [...figure.querySelectorAll('path')];
    this.#range = figure.querySelector('span:last-child')!;
  }

  /** Adds values of a time. It is drawn with `draw`. */
  add(time: number, values: readonly number[]): void {
    if (this.#seen++ % this.#stride !== 0) return;
    this.#times.push(time);
    for (const [i, line] of this.#lines.entries()) line.values.push(values[i]!);
    if (this.#times.length <= MOST_POINTS) return;
    this.#stride *= 2;
    for (const list of [this.#times, ...this.#lines.map((line) => line.values)])
      list.splice(0, list.length, ...list.filter((_, i) => i % 2 === 0));
  }

  clear(): void {
    for (const list of [this.#times, ...this.#lines.map((line) => line.values)]) list.length = 0;
    [this.#stride, this.#seen] = [1, 0];
    this.draw();
  }

  draw(): void {
    const all = this.#lines.flatMap(({ values }) => values);
    const most = all.reduce((a, b) => Math.max(a, b), 0) || 1;
    const first = this.#times[0] ?? 0;
    const span = (this.#times.at(-1) ?? 0) - first || 1;
    for (const [i, { values }] of this.#lines.entries()) {
      const points = values.map((value, k) => {
        const x = (WIDTH * (this.#times[k]! - first)) / span;
        const y = HEIGHT - AIR - ((HEIGHT - 2 * AIR) * value) / most;
        return `${x.toFixed(1)} ${y.toFixed(1)}`;
      });
      this.#paths[i]!.setAttribute('d', points.length > 1 ? `M${points.join('L')}` : '');
    }
    this.#range.textContent = all.length > 1 ? `max ${amount(most)}${this.#unit}` : '';
  }
}

/** Three digits, with k for thousands and M for millions. */
export function amount(value: number): string {
  const size = Math.abs(value);
  const [by, letter] = size >= 999.5e3 ? [1e6, ' M'] : size >= 9995 ? [1e3, ' k'] : [1, ' '];
  if (size > 0 && size < 1e-3) return `${value.toExponential(1)} `;
  return `${Number((value / by).toPrecision(3))}${letter}`;
}

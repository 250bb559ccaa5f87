/** Numbers of a run on the page: counters, plots, and what a body touches. */
import type { Simulation } from '../../src/index.ts';
import { element } from '../page/elements.ts';
import { amount, Plot } from './plots.ts';
import type { Counters, Run } from './run.ts';

/** Wall milliseconds between two readings: numbers that change faster cannot be read. */
const BETWEEN = 250;

const COUNTERS: readonly (readonly [string, (counters: Counters) => string])[] = [
  ['Bodies', ({ bodies, present }) => (present === bodies ? `${bodies}` : `${present} of ${bodies}`)],
  ['Contacts', ({ contacts }) => `${contacts}`],
  ['Steps', ({ steps }) => `${steps}`],
  ['Simulated', ({ time }) => `${time.toFixed(3)} s`],
  ['Steps per second', ({ stepsPerSecond }) => amount(stepsPerSecond).trim()],
  ['Simulated s per s', ({ simulatedPerSecond }) => amount(simulatedPerSecond).trim()],
  [
    'Energy off by',
    ({ imbalance, imbalanceShare }) => {
      const share = `${(100 * Math.abs(imbalanceShare)).toFixed(2)} %`;
      return Math.abs(imbalance) < 1e-6 ? '0 J' : `${amount(imbalance)}J, ${share}`;
    },
  ],
  ['Deepest overlap', ({ deepestOverlap }) => `${(1000 * deepestOverlap).toFixed(2)} mm`],
];

/** What a body has in common with another. */
export interface Touch {
  readonly partner: number;
  readonly contacts: number;
  readonly deepest: number;
  /** Newtons. */
  readonly force: number;
}

export class Readout {
  readonly #values: readonly HTMLElement[];
  readonly #plots: { readonly energy: Plot; readonly contacts: Plot; readonly rate: Plot };
  #last = -Infinity;

  constructor() {
    const list = element('counters');
    list.innerHTML = COUNTERS.map(([name]) => `<div><dt>${name}</dt><dd>–</dd></div>`).join('');
    this.#values = [...list.querySelectorAll('dd')];
    const host = element('plots');
    this.#plots = {
      energy: new Plot(host, ['Kinetic', 'lost'], 'J'),
      contacts: new Plot(host, ['Contacts'], ''),
      rate: new Plot(host, ['Steps per second'], ''),
    };
  }

  /** Whether numbers are to be read again. */
  get isDue(): boolean {
    return performance.now() - this.#last >= BETWEEN;
  }

  show(counters: Counters): void {
    this.#last = performance.now();
    for (const [i, [, text]] of COUNTERS.entries()) this.#values[i]!.textContent = text(counters);
    const { energy, contacts, rate } = this.#plots;
    energy.add(counters.time, [counters.kinetic, counters.lost]);
    contacts.add(counters.time, [counters.contacts]);
    rate.add(counters.time, [counters.stepsPerSecond]);
    for (const plot of Object.values(this.#plots)) plot.draw();
  }

  clear(): void {
    this.#last = -Infinity;
    for (const plot of Object.values(this.#plots)) plot.clear();
    for (const value of this.#values) value.textContent = '–';
  }
}

/** What a body touches, by the force of it. */
export async function touchesOf(simulation: Simulation, body: number): Promise<Touch[]> {
  const [contacts, between] = [await simulation.contacts(), await simulation.contactForces()];
  const touches = new Map<number, { partner: number; contacts: number; deepest: number; force: number[] }>();
  const at = (a: number, b: number) => {
    const partner = a === body ? b : a;
    const known = touches.get(partner) ?? { partner, contacts: 0, deepest: 0, force: [0, 0, 0] };
    touches.set(partner, known);
    return known;
  };
  for (let i = 0; i < contacts.count; i++) {
    const [a, b] = [contacts.bodies[2 * i]!, contacts.bodies[2 * i + 1]!];
    if (a !== body && b !== body) continue;
    const touch = at(a, b);
    touch.contacts++;
    touch.deepest = Math.max(touch.deepest, -contacts.distances[i]!);
  }
  for (let i = 0; i < between.count; i++) {
    const [a, b] = [between.bodies[2 * i]!, between.bodies[2 * i + 1]!];
    if (a !== body && b !== body) continue;
    const { force } = at(a, b);
    for (let k = 0; k < 3; k++) force[k]! += between.forces[3 * i + k]!;
  }
  return [...touches.values()]
    .map(({ force, ...rest }) => ({ ...rest, force: Math.hypot(...force) }))
    .sort((one, other) => other.force - one.force || one.partner - other.partner);
}

/** @param touches undefined where no body is picked */
export function showTouches(run: Run, body: number | undefined, touches: readonly Touch[]): void {
  const names = run.bodyNames;
  const rows = touches.map(({ partner, contacts, deepest, force }) => {
    const points = `${contacts} ${contacts === 1 ? 'point' : 'points'}`;
    return [names[partner]!, points, `${(1000 * deepest).toFixed(2)} mm`, `${amount(force)}N`];
  });
  element('touching')
    .querySelector('tbody')!
    .replaceChildren(
      ...rows.map((texts) => {
        const row = document.createElement('tr');
        row.append(
          ...texts.map((text) => {
            const cell = document.createElement('td');
            cell.textContent = text;
            return cell;
          }),
        );
        return row;
      }),
    );
  let line = 'Click a body in the picture, or give its number.';
  if (body !== undefined) {
    const found = touches.length === 0 ? 'touches nothing' : `touches ${touches.length}`;
    // Walls have numbers, too, so that of a rock is not the one in its name.
    line = `Body ${body}, ${names[body]}, ${found}.`;
  }
  element('picked-name').textContent = line;
}

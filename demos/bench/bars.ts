/**
 * Results so far as bars: of each suite the case that was measured last. Nothing moves by itself, and nothing is timed
 * meanwhile.
 */
import type { MeasuredCase } from '../../src/bench/suite.ts';
import { capitalized, secondsText, timesText } from '../../src/bench/text.ts';

export class Bars {
  readonly #into: HTMLElement;

  constructor(into: HTMLElement) {
    this.#into = into;
  }

  clear(): void {
    this.#into.replaceChildren();
  }

  /** Shows how fast the ways were: the fastest fills the width, one with half its speed half of it. */
  show({ suite, what, ways }: MeasuredCase): void {
    if (ways.length === 0) return;
    const least = Math.min(...ways.map(({ seconds }) => seconds));
    const table = document.createElement('table');
    table.id = `bars-${suite}`;
    table.createCaption().textContent = `${capitalized(suite)}: ${what}`;
    const body = table.createTBody();
    for (const { label, isPeer, seconds } of ways) {
      const row = body.insertRow();
      const name = document.createElement('th');
      name.scope = 'row';
      name.textContent = label;
      row.append(name);
      const bar = document.createElement('div');
      bar.className = isPeer ? 'bar peer' : 'bar';
      bar.style.width = `${(100 * least) / seconds}%`;
      row.insertCell().append(bar);
      row.insertCell().textContent = secondsText(seconds);
      row.insertCell().textContent = seconds === least ? 'fastest' : `${timesText(seconds / least)} the time`;
    }
    const before = document.getElementById(table.id);
    if (before) before.replaceWith(table);
    else this.#into.append(table);
  }
}

/** The form with what can be chosen. */
import { ADAPTERS, BACKENDS, BULK_RESPONSES, type Choice, RANGES, SCENES, SHAPES } from './choice.ts';

/** What is chosen from a list, with what the list shows. */
const LISTS = {
  scene: ['Scene', SCENES, { 'tumbling-rocks': 'tumbling rocks' }],
  shape: ['Bodies', SHAPES, { rocks: 'rocks, concave', hulls: 'rocks, convex', angles: 'angles, concave' }],
  response: ['Contacts act by', BULK_RESPONSES, {}],
  backend: ['Steps by', BACKENDS, { auto: 'what is faster', gpu: 'the GPU', cpu: 'the CPU' }],
  adapter: ['Adapter', ADAPTERS, { auto: 'hardware if any' }],
} as const satisfies Partial<
  Record<keyof Choice, readonly [string, readonly string[], Record<string, string>]>
>;

/** Numbers, with the step of their sliders. Counts and speeds go by factors. */
const NUMBERS = {
  count: ['Number of bodies', 'factors'],
  friction: ['Friction', 0.01],
  restitution: ['Restitution', 0.01],
  speed: ['Speed, × real time', 'factors'],
} as const satisfies Partial<Record<keyof Choice, readonly [string, number | 'factors']>>;

type ListName = keyof typeof LISTS;
type NumberName = keyof typeof NUMBERS;

/** Positions of sliders that go by factors. */
const NOTCHES = 200;

export class ChoiceForm {
  readonly #form: HTMLFormElement;
  #choice: Choice;

  /** @param changed called with the whole choice and what of it is new, when the reader has made up their mind */
  constructor(form: HTMLFormElement, choice: Choice, changed: (choice: Choice, name: keyof Choice) => void) {
    this.#form = form;
    this.#choice = choice;
    const machine = [listField('backend'), listField('adapter')].join('');
    form.innerHTML =
      `<h2>What moves</h2>${listField('scene')}${listField('shape')}${listField('response')}` +
      `${(Object.keys(NUMBERS) as NumberName[]).map(numberField).join('')}` +
      `<details><summary>Where steps are made</summary>${machine}</details>`;
    this.show(choice);
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', ({ target }) => {
      const { name, value, type } = target as HTMLInputElement;
      if (type === 'range')
        this.#number(name as NumberName).value = textOf(numberAt(name as NumberName, +value));
    });
    form.addEventListener('change', ({ target }) => {
      const input = target as HTMLInputElement | HTMLSelectElement;
      const name = input.name as keyof Choice;
      const value = name in NUMBERS ? this.#take(name as NumberName) : input.value;
      const next = { ...this.#choice, [name]: value } as Choice;
      this.show(next);
      changed(next, name);
    });
  }

  show(choice: Choice): void {
    this.#choice = choice;
    for (const name of Object.keys(LISTS) as ListName[])
      this.#form.querySelector<HTMLSelectElement>(`select[name="${name}"]`)!.value = choice[name];
    for (const name of Object.keys(NUMBERS) as NumberName[]) {
      this.#number(name).value = textOf(choice[name]);
      this.#form.querySelector<HTMLInputElement>(`input[type="range"][name="${name}"]`)!.value = String(
        notchOf(name, choice[name]),
      );
    }
  }

  #number(name: NumberName): HTMLInputElement {
    return this.#form.querySelector(`input[type="number"][name="${name}"]`)!;
  }

  /** The number that stands there, or the nearest that can be; the last one where there is none. */
  #take(name: NumberName): number {
    const { low, high } = RANGES[name];
    const value = Number.parseFloat(this.#number(name).value);
    if (!Number.isFinite(value)) return this.#choice[name];
    const near = Math.min(high, Math.max(low, value));
    return 'whole' in RANGES[name] ? Math.round(near) : near;
  }
}

function listField(name: ListName): string {
  const [label, values, texts] = LISTS[name] as readonly [string, readonly string[], Record<string, string>];
  const options = values.map((value) => `<option value="${value}">${texts[value] ?? value}</option>`);
  return (
    `<div class="field wide"><label for="of-${name}">${label}</label>` +
    `<select id="of-${name}" name="${name}">${options.join('')}</select></div>`
  );
}

function numberField(name: NumberName): string {
  const [label, step] = NUMBERS[name];
  const { low, high } = RANGES[name];
  const range = step === 'factors' ? `min="0" max="${NOTCHES}"` : `min="${low}" max="${high}" step="${step}"`;
  return (
    `<div class="field"><label for="of-${name}">${label}</label>` +
    `<input id="of-${name}" name="${name}" type="number" min="${low}" max="${high}" step="any" inputmode="decimal" />` +
    `<input name="${name}" type="range" ${range} aria-label="${label}" /></div>`
  );
}

/** Where a slider stands for a number, and the number of where it stands. */
function notchOf(name: NumberName, value: number): number {
  const { low, high } = RANGES[name];
  if (NUMBERS[name][1] !== 'factors') return value;
  return Math.round((NOTCHES * Math.log(value / low)) / Math.log(high / low));
}

function numberAt(name: NumberName, notch: number): number {
  const { low, high } = RANGES[name];
  if (NUMBERS[name][1] !== 'factors') return notch;
  const value = low * (high / low) ** (notch / NOTCHES);
  return 'whole' in RANGES[name] ? Math.round(value) : Number(value.toPrecision(2));
}

function textOf(value: number): string {
  return String(Number(value.toPrecision(5)));
}

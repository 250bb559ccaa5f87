/** The forms with what can be chosen: each control has the name of a part of the choice. */
import { element } from '../page/elements.ts';
import { type Choice, defaultChoice, type GeneratedName, RANGES } from './question.ts';

type Control = HTMLInputElement | HTMLSelectElement;

export class ChoiceForms {
  readonly #controls: readonly Control[];
  #choice: Choice;

  /** @param changed called with what is new, when the reader has made up their mind */
  constructor(forms: readonly string[], choice: Choice, changed: (changes: Partial<Choice>) => void) {
    this.#choice = choice;
    this.#controls = forms.flatMap((id) => [...element(id).querySelectorAll<Control>('[name]')]);
    for (const control of this.#controls) {
      // A slice follows the slider.
      control.addEventListener(control.type === 'range' ? 'input' : 'change', () => {
        const changes = this.#changesOf(control);
        this.show({ ...this.#choice, ...changes });
        changed(changes);
      });
    }
    this.show(choice);
  }

  show(choice: Choice): void {
    this.#choice = choice;
    for (const control of this.#controls) {
      const value = choice[control.name as keyof Choice];
      if (control.type === 'checkbox') (control as HTMLInputElement).checked = value === 'yes';
      else if (document.activeElement !== control || control.type !== 'range') control.value = String(value);
    }
    const isMade = choice.mesh !== 'file';
    this.#control('triangles').disabled = !isMade;
    this.#control('seed').disabled = choice.points === 'grid';
    this.#control('place').disabled = choice.axis === 'none';
    this.#control('winding').disabled = choice.axis === 'none';
  }

  #control(name: keyof Choice): Control {
    return this.#controls.find((control) => control.name === name)!;
  }

  #changesOf(control: Control): Partial<Choice> {
    const name = control.name as keyof Choice;
    if (name === 'mesh') {
      // Another mesh begins with what suits it.
      const { mesh, triangles, rule, axis, winding } = defaultChoice(control.value as GeneratedName);
      return { mesh, triangles, rule, axis, winding };
    }
    if (name in RANGES) return { [name]: this.#numberOf(control, name as keyof typeof RANGES) };
    if (control.type === 'checkbox') return { [name]: (control as HTMLInputElement).checked ? 'yes' : 'no' };
    return { [name]: control.value };
  }

  /** The number that stands there, or the nearest that can be; the last one where there is none. */
  #numberOf(control: Control, name: keyof typeof RANGES): number {
    const range = RANGES[name];
    const value = Number.parseFloat(control.value);
    if (!Number.isFinite(value)) return this.#choice[name];
    const near = Math.min(range.high, Math.max(range.low, value));
    return 'whole' in range ? Math.round(near) : near;
  }
}

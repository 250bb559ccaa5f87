/** A device with what lies on it: pictures, and the body that is asked. A loss of the device ends them together. */
import type { Device } from '../../src/index.ts';
import { Body } from './answer.ts';
import type { Choice } from './question.ts';
import type { Subject } from './subject.ts';
import { View } from './view.ts';

export class Session {
  /** Undefined where there is no WebGPU: the CPU tests points, WebGL draws. */
  readonly device: Device | undefined;
  readonly view: View;
  /** Whether the device, or what WebGL draws in, is gone. */
  isLost = false;
  readonly #asked: string;
  #body: Body | undefined;
  #subject: Subject | undefined;

  private constructor(device: Device | undefined, view: View, asked: string) {
    this.device = device;
    this.view = view;
    this.#asked = asked;
  }

  /**
   * @param canvas that no other session has drawn on
   * @param device of the choice; the session's own from now on
   */
  static async open(canvas: HTMLCanvasElement, device: Device | undefined, choice: Choice): Promise<Session> {
    try {
      return new Session(device, await View.create(canvas, device), adapterOf(choice));
    } catch (error) {
      device?.destroy();
      throw error;
    }
  }

  /** Whether it is on the adapter of a choice, and can still work. */
  isFor(choice: Choice): boolean {
    return this.#asked === adapterOf(choice) && !this.isLost && !this.device?.closed;
  }

  get body(): Body | undefined {
    return this.#body;
  }

  /** The body of a subject: the same as long as the subject is. */
  async bodyOf(subject: Subject): Promise<Body> {
    if (this.#body && this.#subject === subject) return this.#body;
    this.#body?.destroy();
    this.#body = undefined;
    this.#body = await Body.create(this.device, subject);
    this.#subject = subject;
    return this.#body;
  }

  async destroy(): Promise<void> {
    this.#body?.destroy();
    await this.view.destroy();
    this.device?.destroy();
  }
}

function adapterOf({ adapter, limits }: Choice): string {
  return `${adapter} ${limits}`;
}

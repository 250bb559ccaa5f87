/** Flags of points by one method or two, from one body per mesh that keeps its tables. */
import {
  type Classification,
  type Device,
  type Method,
  Polyhedron,
  type WindingNumbers,
} from '../../src/index.ts';
import type { Choice } from './question.ts';
import type { Subject } from './subject.ts';

export interface Answer {
  readonly points: Float32Array<ArrayBuffer>;
  readonly first: Classification;
  /** Of the method to be held against the first, where one was chosen. */
  readonly second: Classification | undefined;
  /** Why the second method does not answer this. */
  readonly refusal: unknown;
  /** Numbers of the points with different flags. */
  readonly differing: Uint32Array<ArrayBuffer>;
}

export interface Watch {
  readonly signal: AbortSignal;
  /** Called with what is being done and how many points of all are done. */
  readonly onProgress: (what: string, done: number, total: number) => void;
}

/** What of a choice decides an answer. */
export type Asked = Pick<Choice, 'method' | 'rule' | 'backend' | 'second'>;

export class Body {
  readonly #polyhedron: Polyhedron;

  private constructor(polyhedron: Polyhedron) {
    this.#polyhedron = polyhedron;
  }

  /** Open surfaces too: rules that cannot use them say so when they are asked. */
  static async create(device: Device | undefined, { mesh, saved }: Subject): Promise<Body> {
    return new Body(
      await (saved ? Polyhedron.load(device, saved) : Polyhedron.create(device, mesh, { open: true })),
    );
  }

  /** @throws as `Polyhedron.classify` does */
  async ask(points: Float32Array<ArrayBuffer>, asked: Asked, watch: Watch): Promise<Answer> {
    const first = await this.#classify(points, asked, asked.method, watch);
    const alone = { points, first, second: undefined, refusal: undefined, differing: new Uint32Array() };
    if (asked.second === 'none') return alone;
    try {
      const second = await this.#classify(points, asked, asked.second, watch);
      return { ...alone, second, differing: differingOf(first.flags, second.flags) };
    } catch (refusal) {
      if (watch.signal.aborted) throw refusal;
      return { ...alone, refusal };
    }
  }

  /** @throws as `Polyhedron.windingNumber` does */
  windingNumber(points: Float32Array, { signal, onProgress }: Watch): Promise<WindingNumbers> {
    const report = (done: number, total: number) => onProgress('Winding numbers', done, total);
    return this.#polyhedron.windingNumber(points, { signal, onProgress: report });
  }

  destroy(): void {
    this.#polyhedron.destroy();
  }

  #classify(
    points: Float32Array<ArrayBuffer>,
    { rule, backend }: Asked,
    method: Method | 'auto',
    { signal, onProgress }: Watch,
  ): Promise<Classification> {
    const report = (done: number, total: number) =>
      onProgress(method === 'auto' ? 'Flags' : `Flags by ${method}`, done, total);
    return this.#polyhedron.classify(points, { method, rule, backend, signal, onProgress: report });
  }
}

/** Numbers of the points whose flags are not the same. */
export function differingOf(first: Uint8Array, second: Uint8Array): Uint32Array<ArrayBuffer> {
  const found: number[] = [];
  for (let i = 0; i < first.length; i++) if (first[i] !== second[i]) found.push(i);
  return Uint32Array.from(found);
}

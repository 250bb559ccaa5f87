/** Which bodies are drawn in which pass, those of a shape after each other. */
import type { FramedBodies } from './framing.ts';

/** Bodies of a shape that follow each other in the list of instances. */
export interface Batch {
  readonly firstVertex: number;
  readonly vertexCount: number;
  readonly first: number;
  readonly count: number;
}

export interface Batches {
  readonly lists: Readonly<Record<'moving' | 'solid' | 'cut', readonly Batch[]>>;
  /** Bodies, batch after batch. */
  readonly instances: Uint32Array<ArrayBuffer>;
  /** Bodies that are planes. */
  readonly planes: Uint32Array<ArrayBuffer>;
}

/** @param isCut `[n]`: 1 for static bodies that are shown cut open */
export function batchesOf({ shapes, isStatic, drawn }: FramedBodies, isCut: Uint8Array): Batches {
  const kinds = { moving: [] as number[], solid: [] as number[], cut: [] as number[] };
  const planes: number[] = [];
  shapes.forEach((shape, body) => {
    if (drawn[shape] === undefined) planes.push(body);
    else kinds[isStatic[body] === 0 ? 'moving' : isCut[body] === 1 ? 'cut' : 'solid'].push(body);
  });
  const instances: number[] = [];
  const batched = (list: readonly number[]) => {
    const byShape = new Map<number, number[]>();
    for (const body of list) {
      const own = byShape.get(shapes[body]!);
      if (own === undefined) byShape.set(shapes[body]!, [body]);
      else own.push(body);
    }
    return [...byShape].map(([shape, own]): Batch => {
      const first = instances.length;
      for (const body of own) instances.push(body);
      const { firstVertex, vertexCount } = drawn[shape]!;
      return { firstVertex, vertexCount, first, count: own.length };
    });
  };
  const lists = {
    moving: batched(kinds.moving),
    solid: batched(kinds.solid),
    cut: batched(kinds.cut),
  };
  return { lists, instances: Uint32Array.from(instances), planes: Uint32Array.from(planes) };
}

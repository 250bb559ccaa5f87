/** What the page saves, by the library's own encoders. */
import { encodeNpy, encodeVtp, sliceSvg } from '../../src/index.ts';
import type { Answer, Body, Watch } from './answer.ts';
import { AXES, type Choice, gridSide, pointsOf } from './question.ts';
import type { Subject } from './subject.ts';
import type { Slice } from './winding-map.ts';

export type SavedKind = 'npy' | 'vtp' | 'svg';

export interface Saving {
  readonly subject: Subject;
  readonly answer: Answer;
  readonly choice: Choice;
  readonly slice: Slice | undefined;
  /** For points in a slice, where those of the answer are no grid. */
  readonly body: Body;
  readonly watch: Watch;
}

/** Points along a side of a picture whose points are no grid. */
const PICTURE_SIDE = 64;

/** The bytes of a file, or its text. */
export async function fileOf(kind: SavedKind, saving: Saving): Promise<Uint8Array<ArrayBuffer> | string> {
  const { points, first } = saving.answer;
  switch (kind) {
    case 'npy':
      return encodeNpy(first.flags, [first.flags.length]) as Uint8Array<ArrayBuffer>;
    case 'vtp':
      return encodeVtp({ points, flags: first.flags });
    case 'svg':
      return pictureOf(saving);
  }
}

/** The slice that is shown; through the middle across z where none is. */
async function pictureOf({ subject, answer, choice, slice, body, watch }: Saving): Promise<string> {
  const { mesh } = subject;
  const isGrid = choice.points === 'grid';
  const n = isGrid ? gridSide(choice.count) : PICTURE_SIDE;
  const points = isGrid
    ? answer.points
    : pointsOf({ points: 'grid', count: PICTURE_SIDE ** 3, seed: 0 }, mesh);
  const { flags } = isGrid
    ? answer.first
    : (await body.ask(points, { ...choice, second: 'none' }, watch)).first;
  const k = slice?.axis ?? 2;
  const [low, high] = [points[k]!, points[points.length - 3 + k]!];
  // The grid's ends are the middles of its first and last cells.
  const place = slice && high > low ? ((slice.at - low) / (high - low)) * (1 - 1 / n) + 0.5 / n : 0.5;
  return sliceSvg({
    ...{ mesh, points, flags, n, axis: AXES[k + 1] as 'x' | 'y' | 'z' },
    ...{
      place: Math.min(1, Math.max(0, place)),
      title: `${mesh.name}: ${answer.first.method}, rule ${choice.rule}`,
    },
  });
}

/** One or two pictures of the same body, each of which draws anew only what has changed. */
import type { Box, Device, MeshReport, TriangleMesh } from '../../src/index.ts';
import { linkCameras } from '../view/link-cameras.ts';
import { Stage } from '../view/stage.ts';
import { type Flagged, InsideDrawing } from './drawing.ts';
import type { MeshStyle } from './surface.ts';
import type { Cloud } from './visible-points.ts';
import type { Slice, SliceGrid, WindingRange } from './winding-map.ts';

export interface WindingMap {
  readonly grid: SliceGrid;
  readonly values: Float32Array;
  readonly range: WindingRange;
}

/** All that pictures show. Parts that are the same object as before are not drawn anew. */
export interface Scene {
  readonly mesh: TriangleMesh | undefined;
  readonly report: MeshReport | undefined;
  readonly box: Box | undefined;
  /** One per picture. */
  readonly clouds: readonly Cloud[];
  readonly slice: Slice | undefined;
  readonly winding: WindingMap | undefined;
  readonly style: MeshStyle;
  readonly shown: Readonly<Record<Flagged, boolean>>;
}

export const NOTHING: Scene = {
  ...{ mesh: undefined, report: undefined, box: undefined, clouds: [], slice: undefined, winding: undefined },
  ...{ style: 'solid', shown: { inside: true, outside: true, boundary: true } },
};

/** Points that are drawn at most: a software adapter takes its time for each. */
const MOST_POINTS = { hardware: 2_000_000, software: 60_000 };

class Picture {
  readonly stage: Stage;
  readonly #drawing: InsideDrawing;
  #last: Scene = NOTHING;

  constructor(stage: Stage) {
    this.stage = stage;
    this.#drawing = new InsideDrawing(stage);
  }

  /** @param at which of the clouds it shows */
  show(scene: Scene, at: number): void {
    const drawing = this.#drawing;
    const last = this.#last;
    this.#last = scene;
    // Everything is placed within the box.
    const isOther = scene.box !== last.box;
    if (isOther && scene.box) drawing.setBox(scene.box);
    if (isOther || scene.mesh !== last.mesh) drawing.setMesh(scene.mesh, scene.report);
    if (isOther || scene.style !== last.style) drawing.setMeshStyle(scene.style);
    if (scene.shown !== last.shown) drawing.setShown(scene.shown);
    const cloud = scene.clouds[at];
    if (isOther || scene.slice !== last.slice) drawing.setSlice(scene.slice);
    if (isOther || cloud !== last.clouds[at])
      drawing.setCloud(cloud?.points ?? [], cloud?.flags ?? [], cloud?.differing);
    if (isOther || scene.winding !== last.winding) {
      const { grid, values, range } = scene.winding ?? { grid: undefined, values: [], range: [0, 1] };
      drawing.setWinding(grid, values, range as WindingRange);
    }
  }

  async destroy(): Promise<void> {
    this.#drawing.destroy();
    await this.stage.destroy();
  }
}

export class View {
  readonly #device: Device | undefined;
  readonly #first: Picture;
  #second: Picture | undefined;
  #unlink = () => {};
  #scene: Scene = NOTHING;

  private constructor(device: Device | undefined, first: Picture) {
    this.#device = device;
    this.#first = first;
  }

  /** @throws as `Stage.create` does */
  static async create(canvas: HTMLCanvasElement, device: Device | undefined): Promise<View> {
    return new View(device, new Picture(await Stage.create({ canvas, device })));
  }

  get stage(): Stage {
    return this.#first.stage;
  }

  get hasSecond(): boolean {
    return this.#second !== undefined;
  }

  /** Points that are drawn at most. */
  get mostPoints(): number {
    return MOST_POINTS[this.stage.isSoftware ? 'software' : 'hardware'];
  }

  /** Draws a second picture too, seen from where the first is, until there is no canvas for it. */
  async setSecond(canvas: HTMLCanvasElement | undefined): Promise<void> {
    this.#unlink();
    this.#unlink = () => {};
    const old = this.#second;
    this.#second = undefined;
    await old?.destroy();
    if (!canvas) return;
    this.#second = new Picture(await Stage.create({ canvas, device: this.#device }));
    this.show(this.#scene);
    this.#unlink = linkCameras(this.stage, this.#second.stage);
  }

  show(scene: Scene): void {
    const isFramed = scene.box !== this.#scene.box;
    this.#scene = scene;
    this.#first.show(scene, 0);
    this.#second?.show(scene, 1);
    if (isFramed && this.#second) {
      this.#unlink();
      this.#unlink = linkCameras(this.stage, this.#second.stage);
    }
  }

  /** Draws, and waits until it is done. */
  async drawn(): Promise<void> {
    for (const picture of [this.#first, this.#second]) picture?.stage.render();
    for (const picture of [this.#first, this.#second]) await picture?.stage.drawn();
  }

  async destroy(): Promise<void> {
    this.#unlink();
    await this.#second?.destroy();
    await this.#first.destroy();
  }
}

/** What the tests of drawing call: the demos' drawing, on canvases of this page. */
import { Vector3 } from 'three/webgpu';
import { BulkDrawing } from '../../demos/bulk/drawing.ts';
import { Stage } from '../../demos/view/stage.ts';
import { type Device, openDevice, Simulation, type SimulationScene } from '../../src/index.ts';

/** Far from the origin: 2^-24 of it is more than a hundredth of a ball. */
const FAR = [70_000, -50_000, 30_000] as const;
const TURNED = [0, Math.SQRT1_2, 0, Math.SQRT1_2];
/** Places of bodies from there, and rotations. The last is a wall. */
const PLACES = [
  [-2, 0, 1, 0, 0, 0, 1],
  [2, 0, 1, 0, 0, 0, 1],
  [-2, 0, -1, ...TURNED],
  [2, 0, -1, 0, 0, 0, 1],
  [0, 3, 0, 0, 0, 0, 1],
];

/** Two balls, of which the second is yet to appear; a stick upright, one that lies along x; and a slab behind. */
export const BODIES = { ball: 0, absent: 1, upright: 2, lying: 3, slab: 4 } as const;
export const RADIUS = 0.5;
/** From a stick's middle to its end, and its radius. */
export const STICK = { half: 0.7, radius: 0.2 } as const;

const scene: SimulationScene = {
  shapes: [
    { kind: 'sphere', radius: RADIUS },
    { kind: 'capsule', halfLength: STICK.half, radius: STICK.radius },
    { kind: 'box', halfExtents: [3, 0.1, 0.1] },
  ],
  materials: [{ density: 1000, youngsModulus: 1e7, restitution: 0.5, friction: 0.3 }],
  bodies: {
    shapes: Uint32Array.of(0, 0, 1, 1, 2),
    poses: Float64Array.from(
      PLACES.flatMap(([x, y, z, ...q]) => [x! + FAR[0], y! + FAR[1], z! + FAR[2], ...q]),
    ),
    appearsAt: Float64Array.of(0, 1, 0, 0, 0),
    isStatic: Uint8Array.of(0, 0, 0, 0, 1),
  },
  gravity: [0, 0, 0],
};

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha. */
  readonly pixels: number[];
}

/** A stage that shows the bodies from the front. */
class Shown {
  readonly stage: Stage;
  readonly canvas: HTMLCanvasElement;
  drawing: BulkDrawing | undefined;

  private constructor(stage: Stage, canvas: HTMLCanvasElement) {
    this.stage = stage;
    this.canvas = canvas;
    const box = (k: number) => FAR.map((x, axis) => x + k * [3, 1, 2][axis]!) as [number, number, number];
    stage.frameBox({ min: box(-1), max: box(1) });
  }

  static async create(device: Device | undefined): Promise<Shown> {
    const canvas = document.createElement('canvas');
    document.body.append(canvas);
    return new Shown(await Stage.create({ canvas, device, shadows: true, from: [0, -1, 0] }), canvas);
  }

  /** Draws bodies where the simulation has them: from its buffers, or from poses that are read. */
  async show(simulation: Simulation, from: 'buffers' | 'poses'): Promise<void> {
    this.drawing?.destroy();
    const buffers = from === 'buffers' ? simulation.buffers : undefined;
    this.drawing = BulkDrawing.create(this.stage, { scene, buffers });
    if (!buffers) this.drawing.place(await simulation.read('poses'), await simulation.read('statuses'));
  }

  picture(): Picture {
    const { canvas, stage } = this;
    stage.render();
    // In the same task: what a canvas of WebGPU shows is gone after it.
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')!;
    copy.drawImage(canvas, 0, 0);
    const { width, height } = canvas;
    return { width, height, pixels: [...copy.getImageData(0, 0, width, height).data] };
  }

  /** The pixel that shows a point, given from a body's middle. */
  pixelOf(body: number, from: readonly number[] = [0, 0, 0]): [number, number] {
    const { camera } = this.stage;
    camera.updateMatrixWorld();
    // Less the camera's place in float64, as three's matrices are.
    const at = new Vector3(...from.map((x, k) => x + PLACES[body]![k]! + FAR[k]!)).project(camera);
    return [((at.x + 1) / 2) * this.canvas.width, ((1 - at.y) / 2) * this.canvas.height];
  }
}

/** The same bodies as balls: of a simulation, drawing takes where they are, and balls need few kernels. */
const simulated: SimulationScene = {
  ...scene,
  shapes: scene.shapes.map(() => ({ kind: 'sphere', radius: RADIUS })),
};

const page = { openDevice, Simulation, simulated, Shown, BODIES, RADIUS, STICK };
export type DrawingPage = typeof page;
Object.assign(globalThis, { drawingPage: page });

/** What shaders know of a picture: camera, light and scales. */
import type { InferInput } from 'typegpu/data';
import { packBodies } from '../broadphase/gpu/tables.ts';
import type { Lens } from './camera.ts';
import { BACKGROUND, GRID_LINES, GROUND, KEY_TEXELS, MOST_SKY, SKY_TEXELS } from './constants.ts';
import type { View } from './drawing-layout.ts';
import type { Frame } from './framing.ts';

interface Colored {
  readonly bodies: { readonly cell: number };
  readonly colorMode: number;
  readonly range: readonly [number, number];
}

interface Looks {
  /** Direction of the lamp. */
  readonly key: Float64Array;
  readonly up: Float64Array;
  /** Matrices of the lamp and of the sky. */
  readonly lights: readonly Float64Array[];
  readonly lens: Lens;
  readonly planeCount: number;
  /** Normal of the cut through walls, and its way from the middle of the scene. */
  readonly cutNormal: Float64Array;
  readonly cutAt: number;
}

export function viewOf(
  { focus, radius }: Frame,
  { bodies, colorMode, range }: Colored,
  { key, up, lights, lens, planeCount, cutNormal, cutAt }: Looks,
): InferInput<typeof View> {
  const at = packBodies(Float64Array.of(...focus, 0, 0, 0, 1), Uint8Array.of(0), bodies.cell);
  const cells = new Int32Array(at.buffer);
  // TypeGPU takes typed arrays as bytes: float64 has to be rounded first.
  const f32 = (array: Float64Array) => Float32Array.from(array);
  const none = new Float32Array(16);
  const skyMatrices = Array.from({ length: MOST_SKY }, (_, i) =>
    i + 1 < lights.length ? f32(lights[i + 1]!) : none,
  );
  return {
    ...{ camera: f32(lens.matrix), keyMatrix: f32(lights[0]!), skyMatrices, eye: f32(lens.eye) },
    ...{ cellSize: bodies.cell, focusCell: cells.slice(0, 3), focusFraction: at.slice(4, 7) },
    ...{ planeCount, colorMode, skyCount: lights.length - 1, radius },
    ...{ keyDirection: f32(key), up: f32(up), background: Float32Array.from(BACKGROUND) },
    ...{ range: Float32Array.from(range), groundRadius: GROUND * radius },
    ...{ keyTexel: (2 * radius) / KEY_TEXELS, skyTexel: (2 * radius) / SKY_TEXELS },
    ...{ cutNormal: f32(cutNormal), cutAt },
    gridSpacing: roundNumber(radius / GRID_LINES),
  } as unknown as InferInput<typeof View>;
}

/** The nearest 1, 2 or 5 times a power of ten. */
function roundNumber(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const digits = value / power;
  return power * (digits < 1.5 ? 1 : digits < 3.5 ? 2 : digits < 7.5 ? 5 : 10);
}

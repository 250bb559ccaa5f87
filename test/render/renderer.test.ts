import { describe, expect, it } from 'vitest';
import { packBodies } from '../../src/broadphase/gpu/tables.ts';
import { DEGREE } from '../../src/constants.ts';
import type { ContactShape } from '../../src/contacts/bodies/contact-shape.ts';
import { revolution } from '../../src/mesh/generate-solids.ts';
import { TriangleMesh } from '../../src/mesh/triangle-mesh.ts';
import { axesOf, backOf } from '../../src/render/camera.ts';
import { cutawayOf } from '../../src/render/cutaway.ts';
import { drawnShapes } from '../../src/render/meshes.ts';
import { drawPicture, type PictureOptions } from '../../src/render/picture.ts';
import type { Picture } from '../../src/render/picture-size.ts';
import { type RenderedScene, Renderer } from '../../src/render/renderer.ts';
import { useDevice } from '../support/device.ts';
import { boxMesh } from '../support/shapes.ts';

const device = useDevice();
const SIZE = { width: 120, height: 90 };
/** From the side, so that up in the picture is up. */
const SIDE = { azimuth: -90 * DEGREE, elevation: 10 * DEGREE };

const plane: ContactShape = { kind: 'plane' };
const ball: ContactShape = { kind: 'sphere', radius: 1 };

function sceneOf(
  shapes: readonly ContactShape[],
  places: readonly (readonly number[])[],
  isStatic: readonly number[] = places.map(() => 0),
): RenderedScene {
  return {
    shapes,
    bodies: { shapes: Uint32Array.from(places, (_, i) => i), isStatic: Uint8Array.from(isStatic) },
    poses: Float64Array.from(places.flatMap((place) => [...place, 0, 0, 0, 1])),
  };
}

const draw = (scene: RenderedScene, options: PictureOptions = {}) =>
  drawPicture(device(), scene, { ...SIZE, sky: 2, camera: SIDE, ...options });

function pixel({ width, height, pixels }: Picture, x: number, y: number): number[] {
  const at = 4 * (Math.floor(y * height) * width + Math.floor(x * width));
  return [...pixels.subarray(at, at + 3)];
}
const brightness = (rgb: readonly number[]) => rgb.reduce((sum, one) => sum + one, 0) / 3;
/** Share of pixels that differ by more than a rounding. */
const difference = (a: Picture, b: Picture) =>
  a.pixels.filter((one, i) => Math.abs(one - b.pixels[i]!) > 3).length / a.pixels.length;

describe('a picture', () => {
  it('has the body in its middle, fills the frame with it, and a background elsewhere', async () => {
    const picture = await draw(sceneOf([ball], [[0, 0, 0]]));
    const background = pixel(picture, 0.02, 0.02);
    expect(pixel(picture, 0.98, 0.98)).toEqual(background);
    expect(pixel(picture, 0.5, 0.5)).not.toEqual(background);
    // The frame is filled to nine tenths of its height.
    expect(pixel(picture, 0.5, 0.07)).not.toEqual(background);
    expect(pixel(picture, 0.5, 0.02)).toEqual(background);
    // Light comes from above.
    expect(brightness(pixel(picture, 0.5, 0.2))).toBeGreaterThan(1.3 * brightness(pixel(picture, 0.5, 0.88)));
  });

  it('has a shadow on the ground', async () => {
    const camera = { azimuth: -90 * DEGREE, elevation: 50 * DEGREE, distance: 14 };
    const places = [
      [0, 0, 0],
      [0, 0, 1],
    ];
    const [shown, hidden] = [1, 0].map(async (radius) => {
      const scene = sceneOf([plane, { kind: 'sphere', radius: radius || 1e-3 }], places);
      return draw(scene, { camera: radius ? camera : { ...camera, distance: 14e-3 } });
    });
    const darkest = ({ pixels }: Picture) => {
      let least = 255;
      for (let i = 0; i < pixels.length; i += 4) least = Math.min(least, pixels[i + 2]!);
      return least;
    };
    expect(darkest(await shown!)).toBeLessThan(darkest(await draw(sceneOf([plane], [[0, 0, 0]]))) - 40);
    // A scene a thousandth as large looks the same.
    expect(difference(await shown!, await hidden!)).toBeLessThan(0.2);
  });

  it('looks the same a hundred thousand sizes away, and of bodies in a buffer', async () => {
    const near = sceneOf(
      [plane, ball, { kind: 'box', halfExtents: [1, 2, 0.5] }],
      [
        [0, 0, 0],
        [0, 0, 1],
        [2.5, 0.5, 0.5],
      ],
    );
    const far = 2 ** 18;
    const moved = { ...near, poses: near.poses.map((x, i) => (i % 7 < 2 ? x + far : x)) };
    const [one, other] = [await draw(near), await draw(moved)];
    // But for the lines of the grid, which are the world's.
    expect(difference(one, other)).toBeLessThan(0.02);
    const renderer = await Renderer.create(device(), near, { sky: 2, camera: SIDE });
    const cell = 8;
    const words = packBodies(near.poses, Uint8Array.of(1, 0, 0), cell);
    const buffer = device().handle.createBuffer({
      label: 'bodies',
      size: words.byteLength,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST,
    });
    device().handle.queue.writeBuffer(buffer, 0, words);
    const drawn = await renderer.picture({ ...SIZE, bodies: buffer, cell });
    expect(difference(one, drawn)).toBe(0);
    // Bit 1 of the flags: not there.
    words[12 + 3]! |= 2;
    device().handle.queue.writeBuffer(buffer, 0, words);
    const absent = await renderer.picture({ ...SIZE, bodies: buffer, cell });
    expect(difference(one, absent)).toBeGreaterThan(0.05);
    const alike = await renderer.picture({ ...SIZE, absent: Uint8Array.of(0, 1, 0) });
    expect(difference(absent, alike)).toBe(0);
    renderer.destroy();
    buffer.destroy();
  });

  it('shows what a static body holds, unless it is to be opaque', async () => {
    const outer = boxMesh([-2, -2, -2], [2, 2, 2]);
    const inner = boxMesh([-1.9, -1.9, -1.9], [1.9, 1.9, 1.9]);
    const hollow = new TriangleMesh({
      positions: Float32Array.of(...outer.positions, ...inner.positions),
      indices: Uint32Array.of(
        ...outer.indices,
        ...inner.indices.toReversed().map((i) => i + outer.vertexCount),
      ),
    });
    const shapes = [{ kind: 'polyhedron', mesh: hollow }, ball] as const;
    const [shown, gone] = [0, 1].map((isStatic) =>
      sceneOf(
        shapes,
        [
          [0, 0, 0],
          [0, 0, 0],
        ],
        [1, isStatic],
      ),
    );
    const colors = { color: 'category', values: Float32Array.of(0, 2) } as const;
    const reddish = ([r, , b]: number[]) => r! > b! + 40;
    expect(reddish(pixel(await draw(shown!, colors), 0.5, 0.5))).toBe(true);
    const opaque = await draw(shown!, { ...colors, seeThrough: false });
    expect(reddish(pixel(opaque, 0.5, 0.5))).toBe(false);
    expect(reddish(pixel(await draw(gone!, colors), 0.5, 0.5))).toBe(false);
  });

  it('cuts walls open that hide what they hold, and no others', () => {
    const profile = [
      [0, -1],
      [2, -1],
      [2, 1],
      [1.8, 1],
      [1.8, -0.8],
      [0, -0.8],
    ] as const;
    const mesh = revolution({ profile, segments: 12 });
    const pot = { kind: 'polyhedron', mesh } as const;
    const { vertices, shapes: drawn } = drawnShapes([pot, { kind: 'sphere', radius: 0.5 }]);
    const framed = { shapes: Uint32Array.of(0, 1), isStatic: Uint8Array.of(1, 0), drawn };
    const poses = Float64Array.of(3, 0, 0, 0, 0, 0, 1, 3.5, 0, 0.2, 0, 0, 0, 1);
    const back = (elevation: number) => backOf(axesOf([0, 0, 1]), { elevation: elevation * DEGREE });
    const [side, above] = [10, 89].map((elevation) => cutawayOf(framed, vertices, [poses], back(elevation)));
    expect([...side!.bodies]).toEqual([1, 0]);
    expect(side!.middle![0]).toBeCloseTo(3, 12);
    expect([...above!.bodies]).toEqual([0, 0]);
    expect(above!.middle).toBeUndefined();
  });

  it('colours by value from dark to bright', async () => {
    const pair = sceneOf(
      [ball, ball],
      [
        [-1, 0, 0],
        [1, 0, 0],
      ],
    );
    const picture = await draw(pair, { color: 'value', values: Float64Array.of(0, 5), range: [0, 5] });
    const [slow, fast] = [0.3, 0.7].map((x) => brightness(pixel(picture, x, 0.45)));
    expect(fast).toBeGreaterThan(2 * slow!);
  });

  it('is empty where there is nothing', async () => {
    const { pixels } = await draw(sceneOf([], []));
    expect(new Set(Uint32Array.from(new Uint32Array(pixels.buffer))).size).toBe(1);
  });
});

describe('what cannot be drawn', () => {
  const scene = sceneOf([ball], [[0, 0, 0]]);

  it('is refused by name: values, poses, up', async () => {
    for (const values of [0, {}, true]) {
      await expect(draw(scene, { values: values as never })).rejects.toThrow(
        /draw: values: found .*, expected a/,
      );
    }
    for (const [wrong, message] of [
      [[0, 0, 0, 0, 0, 0, 0], 'poses: pose 0: rotation is [0,0,0,0] of length 0'],
      [[NaN, 0, 0, 0, 0, 0, 1], 'poses: pose 0: position is [NaN,0,0]'],
    ] as const) {
      const poses = Float64Array.from(wrong);
      await expect(draw({ ...scene, poses })).rejects.toThrow(message);
      await expect(draw({ ...scene, earlierPoses: poses })).rejects.toThrow(message);
      const renderer = await Renderer.create(device(), scene, { sky: 0 });
      await expect(renderer.picture({ poses })).rejects.toThrow(message);
      renderer.destroy();
    }
    await expect(draw(scene, { up: [0, 0, '1'] as never })).rejects.toThrow('up is an array of length 3');
  });

  it('is refused: textures that nothing is drawn to', async () => {
    const renderer = await Renderer.create(device(), scene, { sky: 0 });
    const drawable = {
      size: [8, 8],
      format: 'rgba8unorm',
      usage: GPUTextureUsage.RENDER_ATTACHMENT,
    } as const;
    for (const [other, found] of [
      [{ usage: GPUTextureUsage.COPY_SRC }, 'usage 1'],
      [{ size: [8, 8, 2] }, '2 layers'],
      [{ mipLevelCount: 2 }, '2 levels'],
      [{ sampleCount: 4 }, '4 samples'],
    ] as [Partial<GPUTextureDescriptor>, string][]) {
      const texture = device().handle.createTexture({ ...drawable, ...other } as GPUTextureDescriptor);
      expect(() => renderer.draw(texture)).toThrow(found);
      texture.destroy();
    }
    renderer.destroy();
  });

  it('once the renderer is destroyed: pictures that are being made reject before the GPU is done', async () => {
    const renderer = await Renderer.create(device(), scene, { sky: 32 });
    // A second of work, on either kind of adapter.
    const size = device().adapter.software ? 700 : 2000;
    const picture = renderer.picture({ width: size, height: size });
    const rejected = expect(picture).rejects.toThrow('this renderer was destroyed; create a new one');
    // By now it has been handed to the GPU.
    await new Promise((settle) => setTimeout(settle, 100));
    const drawn = device()
      .handle.queue.onSubmittedWorkDone()
      .then(() => 'drawn');
    renderer.destroy();
    expect(await Promise.race([rejected.then(() => 'rejected'), drawn])).toBe('rejected');
    await device().finished();
  });
});

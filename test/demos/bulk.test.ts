/** What can be chosen on the page of bulk goods, and the scenes that follow from it. */
import { describe, expect, it } from 'vitest';
import { defaultChoice, RANGES, readChoice, SCENES, SHAPES } from '../../demos/bulk/choice.ts';
import { ColourScale, colourOf, pressesOf } from '../../demos/bulk/colours.ts';
import { fewerBodies, paceOf } from '../../demos/bulk/pace.ts';
import { readSaved } from '../../demos/bulk/run.ts';
import { SCENE_FILES, sceneOf } from '../../demos/bulk/scenes.ts';
import { addressOf } from '../../demos/page/address.ts';

interface SceneFile {
  readonly materials: { readonly rock: { readonly friction: number; readonly restitution: number } };
  readonly timeStep: number;
}

describe('a choice', () => {
  it.each(SCENES)('of the scene %s has what its file says where nobody chose', (scene) => {
    const { friction, restitution } = (SCENE_FILES[scene] as SceneFile).materials.rock;
    expect(defaultChoice('software', scene)).toMatchObject({ friction, restitution, shape: 'rocks' });
    const counts = (['none', 'software', 'hardware'] as const).map(
      (kind) => defaultChoice(kind, scene).count,
    );
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    for (const count of counts) expect(count).toBeLessThanOrEqual(RANGES.count.high);
  });

  it('stands in the address, with defaults of the scene that it names', () => {
    const choice = {
      ...defaultChoice('hardware', 'drum'),
      count: 77,
      friction: 0.25,
      backend: 'cpu',
    } as const;
    expect(readChoice(addressOf(choice), 'software')).toEqual({ choice, remarks: [] });
    expect(readChoice('?scene=heap', 'software').choice).toEqual(defaultChoice('software', 'heap'));
  });

  it('falls back where the address names what is not there', () => {
    const { choice, remarks } = readChoice('?scene=volcano&count=1000000', 'software');
    expect(choice).toEqual(defaultChoice('software'));
    expect(remarks).toEqual([
      'address: scene is "volcano", expected one of hopper, heap, drum, conveyor, tumbling-rocks: taken is hopper',
      `address: count is "1000000", expected a whole number from 8 to 20000: taken is ${choice.count}`,
    ]);
  });
});

describe('the pace of a run', () => {
  const choice = { ...defaultChoice('software'), speed: 0.5 };
  const at = (simulatedPerSecond: number, own = choice, measuredSeconds = 2, isOwn = false) =>
    paceOf({ simulatedPerSecond, measuredSeconds }, own, 'software', isOwn);

  it('is said where it is less than half of the speed that was chosen, and has been measured for a while', () => {
    expect(at(0.25).text).toBe('');
    expect(at(0.1234)).toEqual({ text: '0.12 of real time: no GPU here.', fewer: undefined, isTaken: false });
    expect(paceOf({ simulatedPerSecond: 0.1, measuredSeconds: 2 }, choice, 'hardware', false).text).toMatch(
      /as this machine/,
    );
    expect(at(0.001, choice, 1).text).toBe('');
  });

  it('bounds the bodies below a tenth: by itself where nobody chose them, else as an offer', () => {
    // 80 bodies at a quarter of the least pace that is worth to be seen.
    expect(choice.count).toBe(80);
    expect(at(0.0125)).toMatchObject({ fewer: 20, isTaken: true });
    expect(at(0.0125, { ...choice, count: 20_000 }, 2, true)).toMatchObject({ fewer: 5000, isTaken: false });
    // A run of some time may be wanted as it is.
    expect(at(0.0125, choice, 11)).toMatchObject({ fewer: 20, isTaken: false });
    expect(at(0.05, { ...choice, count: 20_000 }).fewer).toBeUndefined();
  });

  it('is that of real bodies on a first visit: as many are taken as flow so fast, once engines have compiled', () => {
    const real = { ...choice, speed: 1 };
    expect(at(0.25, real, 4)).toMatchObject({ fewer: 40, isTaken: true });
    expect(at(0.95, real, 4)).toEqual({ text: '', fewer: undefined, isTaken: false });
    expect(at(0.8, real, 4)).toMatchObject({ text: '0.8 of real time: no GPU here.', fewer: undefined });
    // Too early, too late, and chosen.
    expect(at(0.4, real, 2)).toMatchObject({ fewer: undefined, isTaken: false });
    expect(at(0.4, real, 11)).toMatchObject({ fewer: undefined, isTaken: false });
    expect(at(0.4, real, 4, true)).toMatchObject({ fewer: undefined, isTaken: false });
    expect(at(0.4, { ...real, response: 'forces' }, 4)).toMatchObject({ fewer: undefined, isTaken: false });
  });

  it('asks for no fewer bodies than can be chosen, and for none where there are no more', () => {
    expect(at(1e-6).fewer).toBe(RANGES.count.low);
    expect(at(0)).toMatchObject({ fewer: RANGES.count.low });
    expect(fewerBodies({ ...choice, count: RANGES.count.low }, 2)).toBeUndefined();
  });
});

describe('the scene', () => {
  const moving = (
    { isStatic, shapes, motions }: Awaited<ReturnType<typeof sceneOf>>['scene']['bodies'],
    kinds: string[],
  ) =>
    [...shapes.keys()].filter((b) => isStatic![b] === 0 && !motions!.has(b) && kinds[shapes[b]!] !== 'plane');

  // Balls around bodies touch nothing at first: reading refuses what has no room.
  it.each(SCENES.flatMap((scene) => [8, 32, 72, 1000].map((count) => [scene, count] as const)))(
    '%s has room for %d bodies, and all are in sight',
    async (name, count) => {
      const choice = { ...defaultChoice('software', name), count, friction: 0.2, restitution: 0.6 };
      const { scene, view, timeStep } = await sceneOf(choice);
      const { bodies, shapes, materials } = scene;
      const moved = moving(
        bodies,
        shapes.map(({ kind }) => kind),
      );
      expect(moved).toHaveLength(count);
      // The file's step is for forces.
      expect(timeStep).toBeUndefined();
      const byForces = await sceneOf({ ...choice, response: 'forces' });
      expect(byForces.timeStep).toBe((SCENE_FILES[name] as SceneFile).timeStep);
      expect(materials[0]).toMatchObject({ restitution: 0.6 });
      expect(materials[0]!.friction).toBeCloseTo(0.2, 12);
      const middle = [0, 0, 0].map((_, k) =>
        moved.reduce((sum, b) => sum + bodies.poses[7 * b + k]! / count, 0),
      );
      for (const [k, x] of middle.entries()) {
        expect(x).toBeGreaterThan(view.min[k]!);
        expect(x).toBeLessThan(view.max[k]!);
      }
    },
  );

  it.each(SHAPES)('holds %s in place of rocks, about as large', async (shape) => {
    for (const name of SCENES) {
      const own = { ...defaultChoice('software', name), count: 12, shape, response: 'forces' } as const;
      const { scene, timeStep } = await sceneOf(own);
      const kinds = scene.shapes.map(({ kind }) => kind);
      const moved = moving(scene.bodies, kinds);
      expect(moved).toHaveLength(12);
      const expected = {
        rocks: 'polyhedron',
        hulls: 'polytope',
        balls: 'sphere',
        cubes: 'box',
        pills: 'capsule',
      };
      for (const body of moved)
        expect(kinds[scene.bodies.shapes[body]!]).toBe({ ...expected, angles: 'polyhedron' }[shape]);
      // The file's step is for its rocks.
      expect(timeStep === undefined).toBe(shape !== 'rocks');
    }
  });
});

describe('a saved run', () => {
  it('is refused where it is none, with the name of the file', () => {
    const read = (text: string) => readSaved(new TextEncoder().encode(text), 'a.scree', 'software');
    expect(() => read('solid a mesh')).toThrow(
      'a.scree: no saved run found, expected a file that this page saved',
    );
    expect(() => read('scree bulk goods ?scene=drum x\n')).toThrow('a.scree: no saved run found');
    expect(() => read('scree bulk goods ?scene=moon 0\n')).toThrow(
      'a.scree: address: scene is "moon", expected one',
    );
    expect(read('scree bulk goods ?scene=drum&count=20 -1.5\nbytes')).toMatchObject({
      ...{ choice: { scene: 'drum', count: 20 }, balanceAtFirst: -1.5 },
      checkpoint: new TextEncoder().encode('bytes'),
    });
  });
});

describe('colours', () => {
  it('say how strongly a body is pressed: all forces at it, not their sum', () => {
    const forces = {
      count: 2,
      bodies: Uint32Array.of(0, 1, 1, 2),
      forces: Float64Array.of(3, 0, 4, 0, -2, 0),
    };
    expect([...pressesOf(forces, 4)]).toEqual([5, 7, 2, 0]);
  });

  it('are shares of the most that is shown, which sinks slowly', () => {
    const scale = new ColourScale();
    expect([...scale.sharesOf(Float64Array.of(9, 2, 1), (body) => body > 0)].slice(1)).toEqual([1, 0.5]);
    expect(scale.sharesOf(Float64Array.of(0, 0.95, 0), () => true)[1]).toBeCloseTo(0.5, 12);
    const [low, high] = [colourOf(0), colourOf(1)];
    expect(high[0]).toBeGreaterThan(low[0]);
    expect(colourOf(2)).toEqual(high);
  });
});

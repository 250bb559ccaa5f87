/** Where bodies with a prescribed motion are, whose velocities change over time. */
import { expect, it } from 'vitest';
import { prescribedPlace } from '../../src/dem/scene/prescribed.ts';
import { valueAt } from '../../src/dem/scene/time-table.ts';
import { type PrescribedMotion, parseScene, simulationScene } from '../../src/index.ts';

const POSE = Float64Array.of(1, 2, 3, 0, 0, 0, 1);
const FACTORS = [
  [1, 0],
  [2, 1],
  [4, 1],
  [5, -2],
] as const;

const placeAt = (motion: PrescribedMotion, time: number) => prescribedPlace(motion, POSE, time);

it('goes as far as the integral of its velocity over time, also before and after the table, and from and until', () => {
  const motion: PrescribedMotion = {
    velocity: [2, 0, -1],
    amplitude: [0, 0.1, 0],
    frequency: 0.5,
    factors: FACTORS,
  };
  for (const own of [motion, { ...motion, from: 1.5, until: 6 }]) {
    // Midpoints: exact but for pieces with a corner within them.
    const step = 1e-3;
    const sum = Float64Array.from(POSE.subarray(0, 3));
    for (let i = 0; i < 8000; i++) {
      const { velocity } = placeAt(own, (i + 0.5) * step);
      for (let k = 0; k < 3; k++) sum[k]! += velocity[k]! * step;
      if (i % 500 !== 499) continue;
      const { position } = placeAt(own, (i + 1) * step);
      // Corners are at multiples of the step, so what is left is the swing's: its third derivative times step^2 / 24.
      for (let k = 0; k < 3; k++) expect(Math.abs(position[k]! - sum[k]!)).toBeLessThan(1e-6);
    }
  }
});

it('turns by the integral of its angular velocity, and back where the factor is below 0', () => {
  const spin = Math.PI / 4;
  const motion = {
    angularVelocity: [0, 0, spin],
    about: [0, 0, 0],
    surfaceVelocity: [1, 0, 0],
    factors: FACTORS,
  } as const;
  // A ramp of 1 has the integral 1/2: 2.5 in all up to time 4.
  const { position, angularVelocity, surfaceVelocity } = placeAt(motion, 4);
  const angle = 2.5 * spin;
  expect(position[0]).toBeCloseTo(Math.cos(angle) * 1 - Math.sin(angle) * 2, 12);
  expect(position[1]).toBeCloseTo(Math.sin(angle) * 1 + Math.cos(angle) * 2, 12);
  expect(angularVelocity[2]).toBeCloseTo(spin, 14);
  expect([...surfaceVelocity]).toEqual([1, 0, 0]);
  expect(placeAt(motion, 9).angularVelocity[2]).toBeCloseTo(-2 * spin, 14);
  // From 4 to 5 the factor falls from 1 to -2: -1/2. Then -2 per time: at 6 all is undone.
  expect([...placeAt(motion, 6).position]).toEqual(
    [...POSE.subarray(0, 3)].map((x) => expect.closeTo(x, 12)),
  );
});

it('a long table is not gone through row by row', () => {
  const rows = Array.from({ length: 10_000 }, (_, i) => [i, (i * 7919) % 100]);
  let asked = 0;
  const table = new Proxy(rows, {
    get: (target, key) => {
      asked++;
      return target[key as never];
    },
  });
  for (const time of [-3, 0, 0.25, 17, 5000.5, 9998.75, 9999, 20_000]) {
    asked = 0;
    const at = Math.min(Math.max(time, 0), 9999);
    const [one, next] = [Math.floor(at), Math.ceil(at)].map((i) => rows[i]![1]!);
    expect(valueAt(table, time)).toBeCloseTo(one! + (next! - one!) * (at % 1), 12);
    // 2^14 is more than there are.
    expect(asked).toBeLessThan(14 + 6);
  }
});

it('is refused with a table that is none', async () => {
  const parse = (factors: unknown) =>
    parseScene(
      JSON.stringify({
        shapes: { ball: { kind: 'sphere', radius: 1 } },
        materials: { stone: { density: 1, youngsModulus: 1 } },
        bodies: [{ name: 'drum', shape: 'ball', motion: { velocity: [1, 0, 0], factors } }],
      }),
      { name: 'a.json' },
    );
  const { bodies } = simulationScene(await parse([[0, 1]]));
  expect(bodies.motions!.get(0)).toEqual({ velocity: [1, 0, 0], factors: [[0, 1]] });
  const at = 'a.json: bodies[0].motion.factors';
  await expect(parse([])).rejects.toThrow(`${at} is [], expected one or more rows of a time and a factor`);
  await expect(parse([[0, 1], [1]])).rejects.toThrow(`${at}[1] is [1], expected a time and a factor`);
  const twice = parse([
    [0, 1],
    [0, 2],
  ]);
  await expect(twice).rejects.toThrow(`${at}[1] is of time 0, expected more than 0, that before`);
});

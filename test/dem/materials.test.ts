import { describe, expect, it } from 'vitest';
import { dampingShare } from '../../src/dem/materials/damping.ts';
import { PAIR_NUMBERS, PairNumber, pairTable } from '../../src/dem/materials/materials.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';

describe('materials', () => {
  it('have what pairs say, else the lower of both, and the mean of frictions', () => {
    const materials = [
      { density: 1, youngsModulus: 2e9, poissonRatio: 0.3, restitution: 0.8, friction: 0.4, cohesion: 3 },
      { density: 2, youngsModulus: 1e9, poissonRatio: 0.2, friction: 0.9, rollingFriction: 0.1 },
    ];
    const { numbers } = pairTable(materials, [{ materials: [1, 1], friction: 0.2 }]);
    const of = (a: number, b: number, which: number) => numbers[PAIR_NUMBERS * (2 * a + b) + which]!;
    for (const [a, b] of [
      [0, 1],
      [1, 0],
    ] as const) {
      expect(of(a, b, PairNumber.friction)).toBeCloseTo(0.6, 12);
      expect(of(a, b, PairNumber.damping)).toBe(dampingShare(0.5));
      expect(of(a, b, PairNumber.rollingFriction)).toBe(0);
      expect(of(a, b, PairNumber.cohesion)).toBe(0);
      expect(1 / of(a, b, PairNumber.modulus)).toBeCloseTo((1 - 0.09) / 2e9 + (1 - 0.04) / 1e9, 20);
    }
    expect(of(1, 1, PairNumber.friction)).toBe(0.2);
    expect(of(0, 0, PairNumber.cohesion)).toBe(3);
  });

  it('a dashpot that never pulls needs more damping than the closed form says', () => {
    for (const e of [0.3, 0.5, 0.9]) {
      const closed = -Math.log(e) / Math.hypot(Math.PI, Math.log(e));
      const share = dampingShare(e);
      expect(share).toBeGreaterThan(closed);
      // T. Schwager, T. Poeschel (2007), eq. 18: the contact ends where the force does.
      const root = Math.sqrt(1 - share * share);
      const turn = Math.atan2(2 * share * root, 2 * share * share - 1);
      expect(Math.exp((-share / root) * turn)).toBeCloseTo(e, 6);
    }
    expect(dampingShare(1)).toBe(0);
    // The same in the limit of strong damping.
    expect(4e-6 * dampingShare(1e-6) ** 2).toBeCloseTo(1, 4);
  });

  it('cohesion holds a ball under a plane, up to its strength', async () => {
    const hang = async (cohesion: number) => {
      const simulation = await Simulation.create(
        undefined,
        {
          shapes: [{ kind: 'sphere', radius: 0.01 }, { kind: 'plane' }],
          materials: [{ density: 1000, youngsModulus: 1e6, restitution: 0.2, cohesion }],
          // The plane looks down on it: gravity pulls the ball away.
          gravity: [0, 0, 9.81],
          bodies: {
            shapes: Uint32Array.of(0, 1),
            poses: Float64Array.of(0, 0, 0.00995, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1),
          },
        },
        { threads: 1 },
      );
      await simulation.step(Math.ceil(0.1 / simulation.timeStep));
      const height = (await simulation.read('poses'))[2]!;
      simulation.destroy();
      return height;
    };
    expect(await hang(1e5)).toBeLessThan(0.01);
    expect(await hang(1e3)).toBeGreaterThan(0.02);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { PairCheck } from '../../../src/bench/pairs/check.ts';
import { scaled, unitConfigurations } from '../../../src/bench/pairs/configurations.ts';
import { type ScreePairs, screePairs } from '../../../src/bench/pairs/convex-ways.ts';
import type { PairLibrary } from '../../../src/bench/pairs/pair-way.ts';
import { thesisProblems } from '../../../src/bench/pairs/problems.ts';
import { loadRapier } from '../../../src/bench/pairs/rapier.ts';
import { useDevice } from '../../support/device.ts';

const device = useDevice();
let rapier: PairLibrary;
let scree: ScreePairs;
beforeAll(async () => {
  rapier = (await loadRapier())!;
  scree = screePairs(device());
});

const problem = (name: string) => thesisProblems().find((one) => one.name === name)!;

describe.each(['box', 'round-box', 'polyhedron', 'cone'])('Rapier on %s', (name) => {
  it('has the same shapes in the same places: sides and most distances are those of the reference', async () => {
    const prepared = await scree.prepare(problem(name));
    const peer = (await rapier.prepare(problem(name)))!;
    try {
      // More than a block of colliders, in cubes where about half of the pairs intersect.
      const set = scaled(unitConfigurations(700, 3), name === 'round-box' ? 6 : 3);
      const reference = await prepared.reference(set);
      const check = new PairCheck({ what: name, problem: problem(name), set, reference, depths: 0 });
      for (const question of rapier.ways[0]!.questions) {
        const answers = await peer.ask(rapier.ways[0]!, set, question);
        expect(answers.seconds).toBeGreaterThan(0);
        const { checked, wrong, error, within } = check.hold(rapier.ways[0]!, question, answers);
        expect(checked).toBe(700);
        // It may be wrong; were it asked about other bodies, it would be in a third of the pairs.
        expect(wrong).toBeLessThan(7);
        if (question === 'intersect') continue;
        expect(answers.distance).toHaveLength(700);
        expect(error.mean).toBeLessThan(1e-3);
        expect(within).toBeGreaterThan(0.95);
      }
    } finally {
      prepared.destroy();
      peer.destroy();
    }
  });
});

it.each(['ellipsoid', 'box-ellipsoid'])('Rapier has no %s', async (name) => {
  expect(await rapier.prepare(problem(name))).toBeUndefined();
});

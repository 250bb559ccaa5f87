import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PairCheck, WrongAnswers } from '../../../src/bench/pairs/check.ts';
import { scaled, unitConfigurations } from '../../../src/bench/pairs/configurations.ts';
import { type ScreePairs, screePairs } from '../../../src/bench/pairs/convex-ways.ts';
import {
  APART,
  INTERSECTING,
  type PairAnswers,
  type PairSet,
  type PairWay,
  type PreparedScree,
  type Reference,
} from '../../../src/bench/pairs/pair-way.ts';
import { type Problem, thesisProblems } from '../../../src/bench/pairs/problems.ts';
import { placedPair, separatingAxes } from '../../../src/bench/pairs/proof.ts';
import { useDevice } from '../../support/device.ts';

const COUNT = 300;
/** Of cubes in which about half of the pairs intersect. */
const SIDES: Readonly<Record<string, number>> = { box: 4, ellipsoid: 2, 'round-box': 6 };
const device = useDevice();
let scree: ScreePairs;
beforeAll(() => {
  scree = screePairs(device());
});

/** Shapes with random pairs, of which about half intersect, and the reference. */
interface Case {
  readonly problem: Problem;
  readonly prepared: PreparedScree;
  readonly set: PairSet;
  readonly reference: Reference;
}
const cases = new Map<string, Case>();
beforeAll(async () => {
  for (const problem of thesisProblems()) {
    const prepared = await scree.prepare(problem);
    const set = scaled(unitConfigurations(COUNT, 5), SIDES[problem.name] ?? 3);
    cases.set(problem.name, { problem, prepared, set, reference: await prepared.reference(set) });
  }
});
afterAll(() => {
  for (const { prepared } of cases.values()) prepared.destroy();
});

const checkOf = ({ problem, set, reference }: Case, changed: Partial<Reference> = {}) =>
  new PairCheck({ what: 'here', problem, set, reference: { ...reference, ...changed }, depths: 5 });

const way = (key: string): PairWay => scree.ways.find((one) => one.key === key)!;
const names = thesisProblems().map(({ name }) => name);

describe.each(names)('%s', (name) => {
  it('proves the reference, all but for few pairs', () => {
    const { proof, intersecting } = checkOf(cases.get(name)!);
    expect(proof.apart + proof.intersecting + proof.open).toBe(COUNT);
    expect(proof.apart).toBeGreaterThan(20);
    expect(proof.intersecting).toBeGreaterThan(20);
    expect(proof.open).toBeLessThan(0.05 * COUNT);
    expect(proof.depths).toBe(name === 'box' || name === 'polyhedron' ? 5 : 0);
    expect(intersecting).toBeCloseTo(1 - proof.apart / COUNT, 12);
  });

  it('passes the answers of every way to every question', async () => {
    const one = cases.get(name)!;
    const check = checkOf(one);
    for (const asked of scree.ways) {
      for (const question of asked.questions) {
        const answers = await one.prepared.ask(asked, one.set, question);
        expect(check.hold(asked, question, answers)).toMatchObject({ checked: COUNT, wrong: 0 });
      }
    }
  });

  it('finds a pair that is put on the wrong side', async () => {
    const one = cases.get(name)!;
    const check = checkOf(one);
    const answers = await one.prepared.ask(way('gjk-cpu'), one.set, 'intersect');
    for (const i of [0, 123, COUNT - 1]) {
      const sides = answers.sides.slice();
      sides[i] = sides[i] === APART ? INTERSECTING : APART;
      const hold = () => check.hold(way('gjk-cpu'), 'intersect', { ...answers, sides });
      expect(hold).toThrow(WrongAnswers);
      expect(hold).toThrow(
        new RegExp(`^here, intersect: GJK and EPA, CPU gave 1 wrong answers: pair ${i} is `),
      );
    }
  });

  it('finds a reference that is wrong about a side', () => {
    const one = cases.get(name)!;
    const { distance, lower, upper } = one.reference;
    for (const sign of [1, -1]) {
      const i = Array.from(distance).findIndex((d) => sign * d > 0.05);
      const flipped = (values: ArrayLike<number>) => Array.from(values, (d, k) => (k === i ? -d : d));
      const changed = { distance: flipped(distance), lower: flipped(upper), upper: flipped(lower) };
      expect(() => checkOf(one, changed)).toThrow(/the reference, GJK and EPA in float64, is wrong: pair \d/);
    }
  });
});

describe('distances', () => {
  const changed = (answers: PairAnswers, i: number, by: number): PairAnswers => {
    const distance = Array.from(answers.distance);
    distance[i]! += by;
    return { ...answers, distance };
  };
  const find = (one: Case, is: (distance: number) => boolean) => {
    const i = Array.from(one.reference.distance).findIndex(is);
    expect(i).toBeGreaterThanOrEqual(0);
    return i;
  };

  it('of exact ways may be off by what was asked for, and by no more', async () => {
    const one = cases.get('box')!;
    const check = checkOf(one);
    const deep = find(one, (d) => d < -0.1);
    const answers = await one.prepared.ask(way('gjk-cpu'), one.set, 'penetration');
    // Sizes here are 3.5 to 8: 2^-20 of them is 3e-6 at least.
    expect(
      check.hold(way('gjk-cpu'), 'penetration', changed(answers, deep, 2e-6)).error.worst,
    ).toBeGreaterThan(2e-7);
    for (const by of [1e-4, -1e-4]) {
      expect(() => check.hold(way('gjk-cpu'), 'penetration', changed(answers, deep, by))).toThrow(
        WrongAnswers,
      );
    }
  });

  it('of MPR may be too large, and never too small', async () => {
    const one = cases.get('ellipsoid')!;
    const check = checkOf(one);
    const [deep, apart] = [find(one, (d) => d < -0.1), find(one, (d) => d > 0.1)];
    const hold = (i: number, by: number) => {
      const exact = one.reference.distance[i]!;
      const answers = changed(signed, i, exact + by - signed.distance[i]!);
      return () => check.hold(way('mpr-cpu'), 'signed-distance', answers);
    };
    const signed = await one.prepared.ask(way('mpr-cpu'), one.set, 'signed-distance');
    expect(hold(deep, -0.05)).not.toThrow();
    expect(hold(deep, 0.05)).toThrow(WrongAnswers);
    expect(hold(apart, 0.05)).not.toThrow();
    expect(hold(apart, -0.05)).toThrow(WrongAnswers);
  });

  it('that were not asked for need only be bounds from below', async () => {
    const one = cases.get('cone')!;
    const check = checkOf(one);
    const apart = find(one, (d) => d > 0.1);
    const answers = await one.prepared.ask(way('gjk-cpu'), one.set, 'penetration');
    const to = (distance: number) => changed(answers, apart, distance - answers.distance[apart]!);
    expect(() => check.hold(way('gjk-cpu'), 'penetration', to(0.01))).not.toThrow();
    expect(() => check.hold(way('gjk-cpu'), 'penetration', to(9))).toThrow(WrongAnswers);
  });

  it('of a peer are counted, and its wrong sides too, but for pairs that all but touch', async () => {
    const one = cases.get('box')!;
    const check = checkOf(one);
    const peer: PairWay = { ...way('gjk-cpu'), key: 'peer', kind: 'peer', precision: 'float32' };
    const answers = await one.prepared.ask(way('gjk-cpu'), one.set, 'penetration');
    const deep = find(one, (d) => d < -0.1);
    const sides = answers.sides.slice();
    sides[deep] = APART;
    expect(check.hold(peer, 'penetration', { ...answers, sides }).wrong).toBe(1);
    const off = check.hold(peer, 'penetration', changed(answers, deep, -0.5));
    expect(off.wrong).toBe(0);
    expect(off.error.worst).toBeGreaterThan(0.05);
    expect(off.within).toBeLessThan(1);
  });

  it('may be asked for repeatedly', async () => {
    const one = cases.get('box')!;
    const check = checkOf(one);
    const answers = await one.prepared.ask(way('gjk-cpu'), one.set, 'intersect');
    const twice = Uint8Array.of(...answers.sides, ...answers.sides);
    expect(check.hold(way('gjk-cpu'), 'intersect', { ...answers, sides: twice }).checked).toBe(2 * COUNT);
    twice[COUNT + 7] = twice[COUNT + 7] === APART ? INTERSECTING : APART;
    expect(() => check.hold(way('gjk-cpu'), 'intersect', { ...answers, sides: twice })).toThrow('pair 7 is');
  });
});

describe('ways that are asked for less', () => {
  it('may be off by that, and still be on no wrong side', async () => {
    const one = cases.get('polyhedron')!;
    const check = checkOf(one);
    for (const key of ['auto-cpu-coarse', 'auto-gpu-coarse']) {
      const answers = await one.prepared.ask(way(key), one.set, 'signed-distance');
      const held = check.hold(way(key), 'signed-distance', answers);
      expect(held.wrong).toBe(0);
      // They do stop earlier.
      expect(held.error.worst, key).toBeGreaterThan(1e-5);
      expect(held.error.worst, key).toBeLessThan(1.1 * 2 ** -10);
      expect(() => check.hold(way(key.replace('-coarse', '')), 'signed-distance', answers)).toThrow(
        WrongAnswers,
      );
      const sides = answers.sides.slice();
      sides[9] = sides[9] === APART ? INTERSECTING : APART;
      expect(() => check.hold(way(key), 'signed-distance', { ...answers, sides })).toThrow('pair 9 is');
    }
  });
});

describe('separating axes', () => {
  const cubes = thesisProblems()[0]!;
  const turn = Math.SQRT1_2;
  it.each([
    ['faces', [0, 0, 0, 0, 0, 0, 1, 1.75, 0.2, 0, 0, 0, 0, 1], -0.25],
    ['faces apart', [0, 0, 0, 0, 0, 0, 1, 0, 0, -3.5, 0, 0, 0, 1], 1.5],
    // Turned by 45 degrees about z, an edge points along x.
    [
      'an edge on a face',
      [0, 0, 0, 0, 0, 0, 1, 2.25, 0, 0, 0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)],
      1.25 - Math.SQRT2,
    ],
    // Quarter turns change nothing.
    ['a quarter turn', [0, 0, 0, turn, 0, 0, turn, 0, 1.5, 0, 0, 0, turn, turn], -0.5],
  ])('of cubes: %s', (_, poses, expected) => {
    const set = { poses: Float32Array.from(poses), count: 1 };
    expect(separatingAxes(...placedPair(cubes, set, 0))).toBeCloseTo(expected, 6);
  });

  it('are for polytopes', () => {
    const [, ellipsoids] = thesisProblems();
    expect(separatingAxes(...placedPair(ellipsoids!, unitConfigurations(1, 1), 0))).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { lawCases, tryLaws } from '../../src/dem/forces/law-cases.ts';
import { tryLawsOnDevice } from '../../src/dem/gpu/forces/own-laws.ts';
import { pairTable } from '../../src/dem/materials/materials.ts';
import type { NormalLaw } from '../../src/dem/materials/normal-law.ts';
import { requireScene } from '../../src/dem/scene/check-scene.ts';
import { Simulation } from '../../src/dem/simulation/simulation.ts';
import { parseScene } from '../../src/io/scene/scene.ts';
import { useDevice } from '../support/device.ts';

const device = useDevice();

/** Force 1000 d, for points and areas alike. */
const linear: NormalLaw = {
  name: 'linear',
  wgsl: `fn linear(depth: f32, area: f32, p: LawParameters) -> vec3f {
    return vec3f(1e3 * depth, 1e3, 5e2 * depth * depth);
  }`,
  twin: (depth) => [1e3 * depth, 1e3, 5e2 * depth * depth],
};

const sceneWith = (law: NormalLaw) => ({
  shapes: [{ kind: 'plane' as const }, { kind: 'sphere' as const, radius: 0.5 }],
  materials: [{ density: 1, youngsModulus: 1e6 }],
  pairs: [{ materials: [0, 0] as const, law }],
  bodies: {
    shapes: Uint32Array.of(0, 1),
    poses: Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, 0.49, 0, 0, 0, 1),
  },
});

/** What bodies of one material with such a law have in common: a rock and a ball. */
const lawsWith = (law: NormalLaw) => ({
  pairs: pairTable([{ density: 1, youngsModulus: 1e6 }], [{ materials: [0, 0], law }]),
  ...{ materials: new Uint32Array(2), radii: Float64Array.of(1, 0.5), curvatures: Float64Array.of(1, 0.5) },
});

describe('laws of a user', () => {
  it('are the force of contacts, and its energy', async () => {
    const simulation = await Simulation.create(undefined, sceneWith(linear), { threads: 1 });
    const forces = await simulation.read('forces');
    // The plane bears the ball's weight with 10.
    expect(forces[2]).toBeCloseTo(-10, 9);
    expect(simulation.monitors.elastic).toBeCloseTo(0.05, 9);
    simulation.destroy();
  });

  it.each<[string, Partial<NormalLaw>, string]>([
    ['a force at no depth', { twin: (d) => [1 + d, 1, d] }, 'at depth 0 .*the force is 1, expected 0'],
    ['a pull', { twin: (d) => [-d, -1, (-d * d) / 2] }, 'the force is -.*expected 0 or more'],
    [
      'another energy',
      { twin: (d) => [d, 1, d * d] },
      'the force is .*expected .*: how fast the energy grows',
    ],
    ['another stiffness', { twin: (d) => [d, 2, (d * d) / 2] }, 'the stiffness is 2, expected 1'],
    ['no number', { twin: (d) => [d / d, 1, d] }, 'found .*NaN.*, expected three finite numbers'],
  ])('are refused: %s', (_, change, message) => {
    expect(() => tryLaws(lawsWith({ ...linear, ...change }))).toThrow(new RegExp(`^law linear .*${message}`));
  });

  it.each<[string, unknown, string]>([
    ['no object', 3, 'pairs[0].law: found 3, expected an object with name, wgsl and twin'],
    [
      'a name that is none',
      { ...linear, name: 'a b' },
      'pairs[0].law.name is "a b", expected letters and digits',
    ],
    [
      'no such function',
      { ...linear, name: 'other' },
      'pairs[0].law.wgsl: found no function other, expected WGSL',
    ],
    ['no twin', { ...linear, twin: 1 }, 'pairs[0].law.twin: found 1, expected a function'],
    ['another field', { ...linear, text: '' }, 'pairs[0].law: unknown field "text"'],
  ])('are refused before they are tried: %s', (_, law, message) => {
    expect(() => requireScene(sceneWith(law as NormalLaw))).toThrow(message);
  });

  it.each(['cpu', 'gpu'] as const)('may have no stiffness where they push: %s', async (backend) => {
    // 2e5 d up to a depth of 1e-3; from there on as good as constant, or constant.
    const lost = async (stiffness: number) => {
      const law: NormalLaw = {
        name: 'plateau',
        wgsl: `fn plateau(depth: f32, area: f32, p: LawParameters) -> vec3f {
          let more = depth - 1e-3;
          if (more < 0.0) { return vec3f(2e5 * depth, 2e5, 1e5 * depth * depth); }
          return vec3f(200.0 + ${stiffness.toFixed(2)} * more, ${stiffness.toFixed(2)}, 0.1 + 200.0 * more);
        }`,
        twin: (depth) => {
          const more = depth - 1e-3;
          return more < 0
            ? [2e5 * depth, 2e5, 1e5 * depth ** 2]
            : [200 + stiffness * more, stiffness, 0.1 + 200 * more];
        },
      };
      const half = Math.PI / 8;
      const scene = {
        shapes: [{ kind: 'capsule' as const, halfLength: 0.3, radius: 0.05 }, { kind: 'plane' as const }],
        materials: [{ density: 1000, youngsModulus: 1e6, restitution: 0.3, friction: 0 }],
        pairs: [{ materials: [0, 0] as const, law }],
        bodies: {
          shapes: Uint32Array.of(0, 1),
          poses: Float64Array.of(0, 0, 0.262, 0, Math.sin(half), 0, Math.cos(half), 0, 0, 0, 0, 0, 0, 1),
          velocities: Float64Array.of(0, 0, -1, 0, 0, 0),
        },
      };
      const options = { threads: 1, backend, timeStep: 1e-4 };
      const simulation = await Simulation.create(backend === 'gpu' ? device() : undefined, scene, options);
      await simulation.step(60);
      const { dashpots, deepestOverlap } = simulation.monitors;
      expect(deepestOverlap).toBeGreaterThan(2e-3);
      simulation.destroy();
      return dashpots;
    };
    // The dashpot takes the capsule's mass at the contact, not at its centroid.
    expect((await lost(0)) / (await lost(0.01))).toBeCloseTo(1, 3);
  });

  it('have names of their own', () => {
    const scene = sceneWith(linear);
    const pairs = [...scene.pairs, { materials: [0, 0] as const, law: { ...linear } }];
    expect(() => requireScene({ ...scene, pairs })).toThrow('pairs[1].law.name is "linear", expected a name');
  });

  it('are named by scene files, and passed along', async () => {
    const parse = (law: string, laws?: object) =>
      parseScene(
        JSON.stringify({
          shapes: { ball: { kind: 'sphere', radius: 1 } },
          bodies: [{ shape: 'ball' }],
          materials: { soft: { density: 1, youngsModulus: 1 } },
          materialPairs: [{ materials: ['soft', 'soft'], law }],
        }),
        laws as never,
      );
    const named = { laws: { springs: linear } };
    expect((await parse('springs', named)).simulation.pairs[0]).toEqual({ materials: [0, 0], law: linear });
    await expect(parse('rubber', named)).rejects.toThrow(
      'scene: materialPairs[0].law is "rubber", expected one of springs',
    );
    await expect(parse('rubber')).rejects.toThrow(
      '"rubber", expected a law that is passed along with the scene',
    );
    await expect(parse('springs', { laws: { springs: 1 } })).rejects.toThrow(
      'laws.springs: found 1, expected',
    );
  });

  it('are tried in WGSL, too', async () => {
    const tried = (law: NormalLaw) => {
      const laws = lawsWith(law);
      return tryLawsOnDevice(device(), laws.pairs.laws, lawCases(laws));
    };
    await tried(linear);
    const other = { ...linear, wgsl: linear.wgsl.replace('5e2', '5.01e2') };
    await expect(tried(other)).rejects.toThrow(
      /^law linear at depth .*: the energy of the WGSL is .*as its twin has/,
    );
    const broken = { ...linear, wgsl: linear.wgsl.replace('1e3 *', '1e3 +* ') };
    await expect(tried(broken)).rejects.toThrow(/^law-linear.wgsl:2: /);
  });
});

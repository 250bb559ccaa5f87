import { describe, expect, it } from 'vitest';
import { pairStatements } from '../../../src/bench/pairs/statements.ts';
import type {
  Finding,
  PairQuestion,
  PairRunReport,
  PairShapeReport,
  PairWayReport,
} from '../../../src/bench/report.ts';
import { around } from '../sample-report.ts';

const SHAPES = ['box', 'polyhedron', 'round-box', 'cone', 'box-ellipsoid', 'ellipsoid'];
const PROBABILITIES = [0.2, 0.8, 0.95, 0.99];

/** What a way does on a shape: how complex that is, 0 to 5, and at which probability. */
interface Asked {
  readonly algorithm: string;
  readonly precision: 'float32' | 'float64';
  readonly question: PairQuestion;
  readonly complexity: number;
  readonly quadric: boolean;
  readonly probability: number;
}
interface Told {
  readonly calls: number;
  readonly highest: number;
  readonly seconds: number;
  readonly undecided?: number;
  readonly disagreeing?: number;
}

/** As the thesis has it. */
function thesis({ algorithm, question, complexity, quadric, probability, precision }: Asked): Told {
  const mpr = algorithm === 'mpr-olvang';
  if (question === 'intersect') {
    const calls = 3 + 0.05 * complexity - (mpr ? 1 - (quadric ? 0.2 : 0) : 0);
    const seconds = (mpr ? 1 : 1.2) * (complexity === 1 ? 9e-6 : 2e-6);
    return { calls, highest: 6 + complexity + (mpr ? 2.5 : 0), seconds, disagreeing: mpr ? 1 : 0 };
  }
  if (question === 'distance') {
    const many = (quadric ? 62 : 12) + complexity;
    return {
      ...{ calls: (many / 3) * (1.1 - probability / 2), highest: many, seconds: 1e-6 * (1 + complexity) },
      undecided: precision === 'float32' ? 5 : 0,
    };
  }
  // Of cones EPA takes fewer calls than of box and ellipsoid, MPR as many; the order of the rest is that of complexity.
  const calls = (3 + complexity) * (mpr ? 1.5 : 1) * (1 + probability);
  const steep = probability === 0.99 && !mpr ? 1.5 : 1;
  return {
    ...{ calls, highest: (15 + 12 * complexity) * (mpr && precision === 'float32' ? 0.6 : 1) },
    ...{ seconds: (mpr ? 1 : 2) * 1e-6 * (1 + complexity) * steep },
    undecided: mpr ? 0 : 1,
  };
}

const ALGORITHMS: Readonly<Record<string, readonly PairQuestion[]>> = {
  gjk: ['intersect', 'penetration', 'distance'],
  'mpr-olvang': ['intersect', 'penetration'],
};
const ways: PairWayReport[] = (['float64', 'float32'] as const).flatMap((precision) =>
  Object.keys(ALGORITHMS).map((algorithm) => {
    const key = `${algorithm}-${precision}`;
    return { key, label: key, kind: 'scree', algorithm, precision };
  }),
);

function shapes(law: (asked: Asked) => Told): PairShapeReport[] {
  return SHAPES.map((name, complexity) => ({
    ...{ name, label: name, sizes: '' },
    settings: PROBABILITIES.map((probability) => ({
      ...{
        probability,
        intersecting: probability,
        cubeSide: 1,
        pairs: 1000,
        meanDepth: 0.1,
        meanDistance: 0.1,
      },
      proof: { apart: 500, intersecting: 500, open: 0, depths: 0 },
      runs: ways.flatMap(({ key, algorithm, precision }) =>
        ALGORITHMS[algorithm]!.map((question): PairRunReport => {
          const quadric = complexity > 2;
          const told = law({ algorithm, precision, question, complexity, quadric, probability });
          return {
            ...{ way: key, question, calls: { mean: told.calls, highest: told.highest } },
            ...{
              undecided: told.undecided ?? 0,
              checked: 1000,
              wrong: 0,
              disagreeing: told.disagreeing ?? 0,
            },
            ...{ error: { worst: 0, mean: 0 }, meanDepth: 0.1, within: 1, timedPairs: 100 },
            ...{
              seconds: around(100 * told.seconds),
              pairsPerSecond: around(1 / told.seconds),
              ratioToPeer: 0,
            },
          };
        }),
      ),
    })),
  }));
}

const findingsOf = (law: (asked: Asked) => Told) => pairStatements({ ways, shapes: shapes(law) });
const find = (findings: readonly Finding[], source: string, words: string) => {
  const found = findings.filter((one) => one.source === source && one.statement.includes(words));
  expect(found, `${source}: ${words}`).toHaveLength(1);
  return found[0]!;
};

/** What is judged, and a law by which it is not so. */
const JUDGED: readonly (readonly [string, string, (asked: Asked, told: Told) => Partial<Told>])[] = [
  ['Figure 6', 'needs many support calls', (_, { calls }) => ({ calls: 2 * calls })],
  [
    'Figure 6',
    'one support call less',
    ({ algorithm }, { calls }) => ({ calls: algorithm === 'mpr-olvang' ? calls + 2 : calls }),
  ],
  [
    'Figure 6',
    'number format does not',
    ({ precision }, { calls }) => ({ calls: precision === 'float32' ? 1.2 * calls : calls }),
  ],
  ['Figure 6', 'slightly harder', ({ quadric }, { calls }) => ({ calls: quadric ? calls - 1 : calls })],
  [
    'Figure 7',
    'two to three',
    ({ algorithm }, { highest }) => ({ highest: algorithm === 'mpr-olvang' ? highest + 4 : highest }),
  ],
  [
    'Figure 7',
    'same order',
    ({ algorithm, complexity }, { highest }) => ({
      highest: algorithm === 'mpr-olvang' && complexity === 2 ? 40 : highest,
    }),
  ],
  [
    'Figure 8',
    'MPR is faster',
    ({ complexity, algorithm }, { seconds }) => ({
      seconds: complexity === 3 && algorithm === 'mpr-olvang' ? 2 * seconds : seconds,
    }),
  ],
  [
    'Figure 8',
    'dominates',
    ({ complexity }, { seconds }) => ({ seconds: complexity === 4 ? 20 * seconds : seconds }),
  ],
  [
    'Figure 9',
    'more calls than EPA',
    ({ algorithm, complexity }, { calls }) => ({
      calls: algorithm === 'mpr-olvang' && complexity === 2 ? 2 * calls : calls,
    }),
  ],
  [
    'Figure 9',
    'most calls for ellipsoids',
    ({ complexity }, { calls }) => ({ calls: complexity === 0 ? 10 * calls : calls }),
  ],
  ['Figure 10', 'change significantly', () => ({ highest: 30 })],
  ['Figure 11', 'fail in less than 2 of 1000', () => ({ undecided: 5 })],
  ['Figure 11', 'less often than GJK with EPA', () => ({ undecided: 1 })],
  [
    'Figure 12',
    'MPR is faster',
    ({ algorithm }, { seconds }) => ({ seconds: algorithm === 'mpr-olvang' ? 4 * seconds : seconds }),
  ],
  ['Figure 12', 'rise steeply', ({ complexity }) => (complexity === 1 ? { seconds: 1e-6 } : {})],
  ['Figure 13', 'sensitive to the number format', () => ({ undecided: 5 })],
  [
    'Figure 14',
    'more calls on curved shapes',
    ({ complexity }, { calls }) => ({ calls: complexity === 1 ? 9 * calls : calls }),
  ],
  [
    'Figure 14',
    'likelier an intersection',
    ({ probability }, { calls }) => ({ calls: calls * (1 + 9 * probability) }),
  ],
  ['Figure 15', 'six times', () => ({ highest: 20 })],
  [
    'Figure 15',
    'same order of complexity',
    ({ complexity }, { highest }) => ({ highest: complexity === 0 ? 900 : highest }),
  ],
  [
    'Figure 16',
    'polyhedra take about as many',
    ({ complexity }, { seconds }) => ({ seconds: complexity === 0 ? 1 : seconds }),
  ],
];

describe('findings', () => {
  const agreeing = findingsOf(thesis);

  it.each(JUDGED)(
    '%s, %s: agrees where it is as the thesis says, and differs where not',
    (source, words, law) => {
      expect(find(agreeing, source, words)).toMatchObject({ agrees: 'yes' });
      const different = findingsOf((asked) => {
        const told = thesis(asked);
        return { ...told, ...law(asked, told) };
      });
      expect(find(different, source, words).agrees).toBe('no');
    },
  );

  it('that no answer could turn have numbers and no verdict', () => {
    expect(find(agreeing, 'Figure 17', 'disagree')).toMatchObject({
      agrees: 'not judged',
      measured: expect.stringMatching(/^They disagree on [\d,]+ of [\d,]+ answers\.$/),
    });
  });

  it('of nothing are not measured', () => {
    const found = pairStatements({ ways: [], shapes: [] });
    expect(new Set(found.map(({ agrees }) => agrees))).toEqual(new Set(['not measured']));
  });
});

import { describe, expect, it } from 'vitest';
import { chartsSvg } from '../../src/chart.ts';
import { chartsOf, combinationsOf, tableCsv } from '../../src/sweep/collect.ts';
import { columnOf, meanOf, spreadOf, statisticOf } from '../../src/sweep/columns.ts';
import { tasksOf } from '../../src/sweep/design.ts';
import { parseSweep } from '../../src/sweep/parse-sweep.ts';

const MONITORS = ['time', 'kinetic', 'contacts'];
const scene = { a: 1, b: 1, c: 'x', bodies: [{ random: {} }] };
const column = (text: string) => columnOf(text, 'here', MONITORS);

/** A sweep whose runs come to what a function says. */
function swept(fields: object, value: (parameters: Record<string, number>, repetition: number) => number) {
  const sweep = parseSweep({ scene, ...fields }, 'sweep.json');
  const runs = tasksOf(sweep).map((task) => ({
    ...{ task, state: 'done' },
    values: [value(task.parameters as Record<string, number>, task.repetition)],
  }));
  return { sweep, runs, columns: [column('angleOfRepose')] };
}

describe('columns', () => {
  const rows = [1, 2, 6].map((kinetic, i) => ({ time: i, kinetic, contacts: 0 }));
  it.each([
    ['kinetic first', 1],
    ['kinetic last', 6],
    ['kinetic mean', 3],
    ['kinetic min', 1],
    ['kinetic max', 6],
    ['kinetic sd', Math.sqrt(7)],
    ['  kinetic   mean from 1 ', 4],
    ['kinetic last from 3', Number.NaN],
    ['kinetic sd from 2', Number.NaN],
  ])('%s', (text, expected) => {
    const found = column(text);
    expect(found.kind === 'monitor' && statisticOf(found, rows)).toBe(expected);
  });

  it.each([
    '',
    'kinetic',
    'angle',
    'angleOfRepose last',
    'kinetic median',
    'kinetic mean from',
    'kinetic toString',
  ])('refuses %s', (text) => {
    expect(() => column(text)).toThrow(
      `here is ${JSON.stringify(text)}, expected angleOfRepose, or a monitor (time, kinetic, contacts) with first, `,
    );
  });

  it('means and standard deviations of samples', () => {
    expect([meanOf([2, 4, 9]), spreadOf([2, 4, 9])]).toEqual([5, Math.sqrt(13)]);
    expect([meanOf([]), spreadOf([1])]).toEqual([Number.NaN, Number.NaN]);
  });
});

describe('a grid with repetitions', () => {
  const fields = {
    parameters: { a: { path: '/a', values: [1, 2] }, b: { path: '/b', values: [10, 20] } },
    repetitions: { count: 2, path: '/bodies/0/random/seed' },
  };
  const { sweep, runs, columns } = swept(fields, ({ a, b }, repetition) => a! * b! + repetition);

  it('has a row for each combination', () => {
    const found = combinationsOf(columns, runs);
    expect(found.map(({ parameters }) => parameters)).toEqual([
      { a: 1, b: 10 },
      { a: 1, b: 20 },
      { a: 2, b: 10 },
      { a: 2, b: 20 },
    ]);
    expect(found.map(({ means }) => means[0])).toEqual([11.5, 21.5, 21.5, 41.5]);
    expect(found[0]).toMatchObject({ runs: 2, spreads: [Math.SQRT1_2] });
  });

  it('has charts over both parameters, where the other one is told apart by colour', () => {
    const charts = chartsOf(sweep, columns, runs);
    expect(charts.map(({ x, y }) => [x, y])).toEqual([
      ['a', 'angleOfRepose (degrees)'],
      ['b', 'angleOfRepose (degrees)'],
    ]);
    const lines = charts[0]!.series.filter(({ look }) => look === 'line');
    expect(lines).toMatchObject([
      {
        name: 'b 10',
        color: 0,
        points: [
          [1, 11.5],
          [2, 21.5],
        ],
        spread: [Math.SQRT1_2, Math.SQRT1_2],
      },
      {
        name: 'b 20',
        color: 1,
        points: [
          [1, 21.5],
          [2, 41.5],
        ],
      },
    ]);
    const dots = charts[0]!.series.filter(({ look }) => look === 'runs');
    expect(dots[0]!.points).toEqual([
      [1, 11],
      [1, 12],
      [2, 21],
      [2, 22],
    ]);
    const svg = chartsSvg(charts, 'two');
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    // A dot for each run and each mean, and another in the legend for none of them; a bar for each mean.
    expect(svg.match(/<circle/g)).toHaveLength(2 * (8 + 4));
    expect(svg.match(/stroke-width="1.4"/g)).toHaveLength(2 * 4);
    expect(svg.match(/>b 10</g)).toHaveLength(1);
  });

  it('leaves out what is not a number, and bars of single runs', () => {
    const some = runs.map((run, i) => ({ ...run, values: [i === 0 ? Number.NaN : run.values[0]!] }));
    const [first] = chartsOf(sweep, columns, some)[0]!.series.filter(({ look }) => look === 'line');
    expect(first).toMatchObject({
      points: [
        [1, 12],
        [2, 21.5],
      ],
      spread: [Number.NaN, Math.SQRT1_2],
    });
    expect(chartsSvg(chartsOf(sweep, columns, some), 'some')).not.toMatch(/NaN/);
    expect(
      chartsOf(
        sweep,
        columns,
        runs.map((run) => ({ ...run, values: [Number.NaN] })),
      ),
    ).toEqual([]);
  });

  it('draws a grid of many other values as one', () => {
    const values = Array.from({ length: 8 }, (_, i) => i);
    const many = swept(
      { parameters: { a: { path: '/a', values: [1, 2] }, b: { path: '/b', values } } },
      () => 1,
    );
    const [chart] = chartsOf(many.sweep, many.columns, many.runs);
    expect(chart!.title).toBe('angleOfRepose over a, any b');
    expect(chart!.series).toMatchObject([{ look: 'runs' }, { look: 'line', spread: [0, 0] }]);
  });
});

it('samples are dots, along a logarithmic axis where they are', () => {
  const parameters = {
    a: { path: '/a', from: 1, to: 1e4, scale: 'log' },
    c: { path: '/c', values: ['x', 'y'] },
  };
  const { sweep, runs, columns } = swept({ parameters, samples: 5 }, ({ a }) => Math.log10(a!));
  const charts = chartsOf(sweep, columns, runs);
  expect(charts).toMatchObject([
    { x: 'a', isLogX: true, series: [{ name: 'c "x"', look: 'dots' }, { color: 1 }] },
  ]);
  // What is straight over the logarithm is straight on the axis.
  const svg = chartsSvg(charts, 'log');
  const dots = [...svg.matchAll(/cx="([\d.]+)" cy="([\d.]+)" r="3.4" fill="#1f6fb4"/g)].slice(0, 5);
  const [[x0, y0], [x1, y1], ...rest] = dots.map(([, x, y]) => [Number(x), Number(y)] as const) as [
    [number, number],
    [number, number],
  ];
  for (const [x, y] of rest as [number, number][]) {
    expect(Math.abs(y - (y0 + ((y1 - y0) * (x - x0)) / (x1 - x0)))).toBeLessThan(1.5);
  }
});

it('the table has a row for each task, with cells in quotes where they need them', () => {
  const parameters = { a: { path: '/a', values: [[1, 2], 'a "b", c'] } };
  const { sweep, runs, columns } = swept({ parameters }, () => 1.5);
  const failed = runs.map((run, i) => (i === 1 ? { ...run, state: 'failed', values: [Number.NaN] } : run));
  expect(tableCsv(sweep, columns, failed)).toBe(
    [
      'task,state,a,repetition,seed,angleOfRepose',
      '1,done,"[1,2]",1,,1.5',
      '2,failed,"a ""b"", c",1,,',
      '',
    ].join('\n'),
  );
});

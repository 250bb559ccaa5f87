/** What is wanted of stacks, and what the thesis says, beside what was measured. */
import type { Finding, StackReport, StacksReport } from '../report.ts';
import { finding } from '../statements.ts';
import { countText } from '../text.ts';

/** Boxes that a stack may be lower or higher than the thesis'. */
const NEAR = 2;
/** Of impulses, with 20 passes. */
const WANTED = { boxes: 40, passes: 20 } as const;

export function stackStatements({ stacks }: Omit<StacksReport, 'findings'>): Finding[] {
  const of = ({ runs }: StackReport, way: string) => runs.find((run) => run.way === way)?.tallest;
  const wanted = (
    statement: string,
    cells: readonly (readonly [text: string, agrees: boolean] | undefined)[],
    source = 'wanted',
  ) => {
    const known = cells.filter((cell) => cell !== undefined);
    const judged =
      known.length === 0
        ? undefined
        : {
            measured: known.map(([text]) => text).join(', '),
            agrees: known.every(([, agrees]) => agrees),
          };
    return finding(source, statement, judged);
  };
  /** A cell for each stack that the way has. */
  const each = (way: string, agrees: (tallest: number, stack: StackReport) => boolean) =>
    stacks.map((stack) => {
      const tallest = of(stack, way);
      if (tallest === undefined) return undefined;
      return [`${countText(tallest)} ${stack.label} at ${stack.iterations}`, agrees(tallest, stack)] as const;
    });
  const sorted = (shape: string) => stacks.filter((stack) => stack.shape === shape);
  const rising = (way: string) =>
    ['box', 'round-box'].map((shape) => {
      const tallest = sorted(shape)
        .toSorted((a, b) => a.iterations - b.iterations)
        .map((stack) => of(stack, way));
      if (tallest.length < 2 || tallest.includes(undefined)) return undefined;
      return [tallest.join(' < '), tallest.every((one, i) => i === 0 || one! > tallest[i - 1]!)] as const;
    });
  const rounder = sorted('box').map((flat) => {
    const round = stacks.find((one) => one.shape === 'round-box' && one.iterations === flat.iterations);
    const [a, b] = [of(flat, 'gjk'), round && of(round, 'gjk')];
    if (a === undefined || b === undefined) return undefined;
    return [`${b} round beside ${a} at ${flat.iterations}`, b >= a] as const;
  });
  return [
    wanted(
      'GJK on sampled contacts stands within two boxes of the thesis.',
      each('gjk', (tallest, { thesis }) => Math.abs(tallest - thesis) <= NEAR),
    ),
    wanted('More iterations let higher stacks stand.', rising('gjk'), 'Olvang, 4.2.1'),
    wanted('Round boxes stand as high as flat ones, or higher.', rounder, 'Olvang, 4.2.2'),
    wanted(
      'With shocks, stacks stand at least as high as the best of the thesis.',
      each('shocks', (tallest, { thesis }) => tallest >= thesis),
    ),
    wanted(
      'By impulses 40 boxes stand with 20 passes a step.',
      each('impulses', (tallest) => tallest >= WANTED.boxes).filter((_, i) => {
        const { shape, iterations } = stacks[i]!;
        return shape === 'box' && iterations === WANTED.passes;
      }),
    ),
  ];
}

/** Contacts that a scene's laws are tried with. */
import { PAIR_NUMBERS, PairNumber } from '../materials/materials.ts';
import { type LawCase, tryNormalLaw } from '../materials/normal-law.ts';
import type { BodyLaws } from './body-laws.ts';

/** A node's share of the area of its body's shadow, as large as they are without many triangles. */
const AREA_SHARE = 1 / 32;

/** What laws depend on. */
type TriedLaws = Pick<BodyLaws, 'pairs' | 'materials' | 'radii' | 'curvatures'>;

/**
 * Each law with each pair of materials that has it, for the smallest and the largest of the bodies that there are:
 * nodes that stand for an area, and points. Depths go up to half the radius.
 */
export function lawCases({ pairs, materials, radii, curvatures }: TriedLaws): LawCase[] {
  const cases: LawCase[] = [];
  for (let a = 0; a < pairs.count; a++) {
    for (let b = a; b < pairs.count; b++) {
      const at = PAIR_NUMBERS * (a * pairs.count + b);
      const law = pairs.numbers[at + PairNumber.law]!;
      if (law === 0) continue;
      const ofPair = (array: Float64Array) =>
        array.filter((x, body) => x > 0 && (materials[body] === a || materials[body] === b));
      const modulus = pairs.numbers[at + PairNumber.modulus]!;
      for (const radius of ends(ofPair(radii))) {
        const foundation = 1 / (radius / pairs.planeModuli[a]! + radius / pairs.planeModuli[b]!);
        const area = AREA_SHARE * Math.PI * radius ** 2;
        cases.push({ law, modulus, radius: 0, foundation, area, size: radius });
      }
      for (const radius of ends(ofPair(curvatures))) {
        cases.push({ law, modulus, radius, foundation: 0, area: 0, size: radius });
      }
    }
  }
  return cases;
}

/** Tries all laws of a scene. @throws InputError for the first one that is none: at which depth, and why */
export function tryLaws(laws: TriedLaws): void {
  for (const own of lawCases(laws)) tryNormalLaw(laws.pairs.laws[own.law - 1]!, own);
}

/** The least and the largest of some numbers; none of none. */
function ends(numbers: Float64Array): number[] {
  if (numbers.length === 0) return [];
  return [...new Set([numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))])];
}

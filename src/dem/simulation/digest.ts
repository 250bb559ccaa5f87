/** What tells scenes apart. */
import { checksum } from '../../inside/body-file/checksum.ts';
import type { SimulationModel } from '../scene/model.ts';

/** A number that differs between scenes. */
export function digestOf({
  count,
  gravity,
  contactBodies,
  inertia,
  laws,
  centroids,
  principal,
  box,
  appearsAt,
  removal,
}: SimulationModel): number {
  const { pairs, materials, radii, curvatures } = laws;
  const { shapes, isStatic, groups, masks } = contactBodies;
  const ownLaws = pairs.laws.flatMap(({ name, wgsl, twin }) =>
    Array.from(name + wgsl + twin, (letter) => letter.codePointAt(0)!),
  );
  const numbers = [count, ...gravity, ...pairs.numbers, ...pairs.planeModuli, ...ownLaws];
  if (box) numbers.push(...box.low, ...box.high, ...box.periodic.map(Number));
  const arrays = [
    ...[appearsAt, removal],
    inertia.inverseMasses,
    inertia.inverseMoments,
    radii,
    curvatures,
    centroids,
    principal,
    materials,
  ];
  for (const array of [...arrays, shapes, isStatic, groups, masks]) numbers.push(...Array.from(array ?? []));
  const words = new Uint32Array(Float64Array.from(numbers).buffer);
  const whole = new Uint32Array(4 * Math.ceil((words.length + 1) / 4));
  whole.set(words);
  return checksum(whole);
}

import { TriangleMesh } from '../../../src/index.ts';

/**
 * The union of axis-parallel boxes as one closed mesh: bars, forks, steps. Each is `[x0, y0, z0, x1, y1, z1]`. Faces
 * are cut where any box begins or ends.
 */
export function unionOfBoxes(boxes: readonly (readonly number[])[], name = 'boxes'): TriangleMesh {
  const cuts = [0, 1, 2].map((k) =>
    [...new Set(boxes.flatMap((b) => [b[k]!, b[k + 3]!]))].sort((a, b) => a - b),
  );
  const isIn = (cell: readonly number[]) =>
    boxes.some((b) => cell.every((c, k) => b[k]! <= cuts[k]![c]! && cuts[k]![c + 1]! <= b[k + 3]!));
  const numbers = new Map<string, number>();
  const positions: number[] = [];
  const indices: number[] = [];
  const vertex = (place: readonly number[]) => {
    const key = place.join();
    let found = numbers.get(key);
    if (found === undefined) {
      numbers.set(key, (found = numbers.size));
      positions.push(...place.map((c, k) => cuts[k]![c]!));
    }
    return found;
  };
  for (let x = 0; x < cuts[0]!.length - 1; x++)
    for (let y = 0; y < cuts[1]!.length - 1; y++)
      for (let z = 0; z < cuts[2]!.length - 1; z++) {
        if (!isIn([x, y, z])) continue;
        for (let k = 0; k < 3; k++)
          for (const step of [-1, 1]) {
            const next = [x, y, z];
            next[k]! += step;
            if (isIn(next)) continue;
            // Counter-clockwise from outside: u, v, k are a right-handed triple.
            const [u, v] = [(k + 1) % 3, (k + 2) % 3];
            const corner = (du: number, dv: number) => {
              const place = [x, y, z];
              if (step > 0) place[k]!++;
              place[u]! += du;
              place[v]! += dv;
              return vertex(place);
            };
            const around = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            if (step < 0) around.reverse();
            indices.push(around[0]!, around[1]!, around[2]!, around[0]!, around[2]!, around[3]!);
          }
      }
  return new TriangleMesh({
    positions: new Float32Array(positions),
    indices: new Uint32Array(indices),
    name,
  });
}

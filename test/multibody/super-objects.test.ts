import { expect, it } from 'vitest';
import { type Edge, superObjectsOf } from '../../src/multibody/scene/super-objects.ts';

const bare = { canCollide: false, hasMass: false, isVisible: false, hasForceElement: false };
const fixed = (a: number, b: number): Edge => ({ a, b, isFixed: true, canCollide: false });
const joint = (a: number, b: number, canCollide = false): Edge => ({ a, b, isFixed: false, canCollide });

it('figures 2 to 5 of Neumayr and Otter: 14 objects, six super-objects, a cut-joint between two of them', () => {
  // Numbers of the paper, from 1: object 1 is the world, the first super-object; body k is object k + 2.
  const body = (object: number) => object - 2;
  const traits = Array.from({ length: 13 }, (_, k) => ({
    // Masses, the collision sphere on 4 (object 14), the visible sphere on 12, the spring from 11 to 8.
    hasMass: [2, 4, 7, 9, 10, 13].includes(k + 2),
    canCollide: k + 2 === 14,
    isVisible: k + 2 === 14 || k + 2 === 12,
    hasForceElement: k + 2 === 11 || k + 2 === 8,
  }));
  const parents = new Int32Array(13).fill(-1);
  for (const [child, parent] of [
    ...([
      [3, 2],
      [5, 4],
      [14, 4],
      [7, 6],
      [8, 7],
    ] as const),
    ...([
      [12, 9],
      [10, 9],
      [11, 10],
    ] as const),
  ])
    parents[body(child)] = body(parent);
  const edges = [
    ...[joint(-1, body(2)), joint(body(2), body(4)), joint(body(3), body(6)), joint(body(3), body(9))],
    ...[joint(body(8), body(13)), joint(body(5), body(13))],
  ];
  const { all, of, cutJoints, idleJoints } = superObjectsOf(traits, parents, new Uint8Array(13), edges);
  const objects = all.map(({ bodies }) => bodies.map((one) => one + 2));
  expect(objects).toEqual([[], [2, 3], [4, 5, 14], [6, 7, 8], [9, 10, 11, 12], [13]]);
  // Between super-objects 3 and 6: the last one that closes the loop of 2, 3, 4 and 6.
  expect(cutJoints).toEqual([5]);
  expect(idleJoints).toEqual([]);
  // Super-object 2 has 3; each pair is stored once, where it is met first.
  const noCPairs = all.map((own) => own.noCPairs.map((one) => one + 1));
  expect(noCPairs).toEqual([[2], [3, 4, 5], [6], [6], [], []]);
  expect(all.map((own) => [own.joint, own.parent])).toEqual([
    ...[
      [-1, 0],
      [0, 0],
      [1, 1],
    ],
    ...[
      [2, 1],
      [3, 1],
      [4, 3],
    ],
  ]);
  const kinds = (pick: 'collision' | 'mass' | 'force' | 'visual') =>
    all.map((own) => own[pick].map((one) => one + 2));
  expect(kinds('collision')).toEqual([[], [], [14], [], [], []]);
  expect(kinds('mass')).toEqual([[], [2], [4], [7], [9, 10], [13]]);
  expect(kinds('force')).toEqual([[], [2, 3], [4, 5, 14], [6, 8], [9, 11], [13]]);
  // 14 can collide, so 12 is the one that is only seen.
  expect(kinds('visual')).toEqual([[], [], [], [], [12], []]);
  expect(of[body(14)]).toBe(2);
  // A joint whose coordinate is given is in the tree, and another one closes the loop.
  const driven = edges.map((edge, i) => (i === 5 ? { ...edge, order: -1 } : edge));
  expect(superObjectsOf(traits, parents, new Uint8Array(13), driven).cutJoints).toEqual([4]);
});

it('depth first as in figure 6: A, B, D, E, C, F', () => {
  // A 0; B 1 and C 2 on it; D 3 and E 4 on B; F 5 on C.
  const parents = Int32Array.of(-1, 0, 0, 1, 1, 2);
  const { all } = superObjectsOf(new Array(6).fill(bare), parents, new Uint8Array(6), []);
  expect(all[1]!.bodies).toEqual([0, 1, 3, 4, 2, 5]);
});

it('static bodies are the world; fixed joints merge; joints within one super-object say nothing', () => {
  const { all, of, idleJoints, cutJoints } = superObjectsOf(
    new Array(4).fill(bare),
    new Int32Array(4).fill(-1),
    Uint8Array.of(1, 0, 0, 0),
    [fixed(1, 2), joint(2, 1), joint(0, 1), joint(0, 3, true)],
  );
  expect(Array.from(of)).toEqual([0, 1, 1, 2]);
  expect(idleJoints).toEqual([0, 1]);
  expect(cutJoints).toEqual([]);
  expect(all.map(({ noCPairs }) => noCPairs)).toEqual([[1], [], []]);
});
